"""A learned metric beside every metric that it might have been made of: who agrees better with the judges?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.coefficients import KINDS, coefficient
from fergus.analysis.compare_metrics import compare_metrics
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.many_tests import LEVEL, corrected_for_number
from fergus.analysis.resample import Draw, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEARNED = "learned"


@dataclass(frozen=True)
class Beside:
    """One metric alone, and the learned one's lead over it."""

    name: str
    pearson: float
    """With the judgements; the sign is turned for a metric of which less is better."""
    spearman: float
    kendall: float
    n: int
    difference: float
    """Pearson's r of the learned metric, on what it was not fitted to, less this one's."""
    low: float
    high: float
    """The difference's 95% interval: other inputs and other judges."""
    williams_p: float
    permutation_p: float
    corrected_p: float
    """The permutation's, by Holm's method over all metrics."""

    @property
    def is_beaten(self) -> bool:
        """Whether the learned metric is better by both tests and by the interval."""
        return self.difference > 0 and self.corrected_p < LEVEL and self.williams_p < LEVEL and self.low > 0


def beside_parts(
    items: Items,
    ratings: Ratings,
    predicted: Floats,
    parts: Mapping[str, Floats],
    *,
    judged: Floats,
    trials: int,
    samples: int,
    seed: int,
) -> list[Beside]:
    """All metrics from best to worst; columns are of all items, NaN where the learned metric was not used."""
    kept = np.isfinite(predicted) & np.isfinite(judged)
    intervals = _intervals(items, ratings, predicted, parts, kept, samples=samples, seed=seed)
    tests = [
        compare_metrics(
            {LEARNED: predicted[kept], name: scores[kept]},
            judged[kept],
            inputs=items.input_numbers[kept],
            trials=trials,
            seed=seed,
        )[0]
        for name, scores in parts.items()
    ]
    corrected = corrected_for_number([test.permutation_p for test in tests])
    found = []
    for (name, scores), test, p, (low, high) in zip(parts.items(), tests, corrected, intervals, strict=True):
        pearson, spearman, kendall = (coefficient(kind, scores[kept], judged[kept]).value for kind in KINDS)
        tested = (test.williams_p, test.permutation_p, p)
        found.append(Beside(name, pearson, spearman, kendall, test.n, test.difference, low, high, *tested))
    return sorted(found, key=lambda one: (-np.nan_to_num(one.pearson, nan=-2), one.name))


def _intervals(
    items: Items,
    ratings: Ratings,
    predicted: Floats,
    parts: Mapping[str, Floats],
    kept: NDArray[np.bool_],
    *,
    samples: int,
    seed: int,
) -> list[tuple[float, float]]:
    """Of r(learned) - r(metric) for every metric, over resampled inputs and judges."""
    table = np.array([predicted, *parts.values()])
    known = np.isfinite(table) & kept
    table = np.where(known, table, 0.0)
    observed = Draw(np.ones(items.input_count), ratings.item_means(len(items)))

    def lead(draw: Draw) -> Floats:
        y = np.nan_to_num(draw.means)
        weight = draw.inputs[items.input_numbers] * np.isfinite(draw.means)
        r = _weighted_r(table, known, y, weight)
        # A metric that lacks scores is compared on those it has; that is what the tests do as well.
        own = r[0] if known[1:].all(axis=1).all() else _weighted_r(
            np.where(known[1:], table[0], 0.0), known[1:] & known[0], y, weight
        )  # fmt: skip
        result: Floats = own - r[1:]
        return result

    margin = spread(items, ratings, lead, samples=samples, seed=seed).margin()
    return [(float(value - wide), float(value + wide)) for value, wide in zip(lead(observed), margin, strict=True)]


def _weighted_r(table: Floats, known: NDArray[np.bool_], y: Floats, weight: Floats) -> Floats:
    """Pearson's r of every row with y, over what the row has."""
    w = known * weight
    total = np.maximum(w.sum(axis=1), 1e-300)
    x_mean, y_mean = (w * table).sum(axis=1) / total, w @ y / total
    xy = (w * table) @ y / total - x_mean * y_mean
    xx, yy = (w * table**2).sum(axis=1) / total - x_mean**2, w @ (y * y) / total - y_mean**2
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Floats = xy / np.sqrt(np.maximum(xx, 0) * np.maximum(yy, 0))
    return result
