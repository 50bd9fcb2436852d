"""How well metrics agree with judges: by item, by item within an input, by system, with intervals.

- **item**: over all items, a metric's score against the mean judgement (section 4.1 of Bangalore et al. 2000);
- **input**: the same within each input, averaged over inputs, so that easy and hard inputs do not help;
- **system**: the systems' means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fergus.analysis.coefficients import KINDS, Kind, coefficient
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.resample import Draw, draws, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Level = Literal["item", "input", "system"]
LEVELS: tuple[Level, ...] = ("item", "input", "system")


@dataclass(frozen=True)
class Correlation:
    """One metric against one dimension, by one coefficient at one level."""

    metric: str
    dimension: str
    level: Level
    kind: Kind
    value: float
    low: float
    high: float
    p: float
    """NaN at level ``input``, where the interval speaks."""
    n: int
    """Points: items, inputs that have a coefficient, or systems."""


def correlations(
    items: Items, ratings: Ratings, metrics: Mapping[str, Floats], *, samples: int = 1000, seed: int = 12345
) -> list[Correlation]:
    """Every metric at every level by every coefficient, with the bootstrap's 95% interval."""
    if not metrics:
        return []
    table = MetricTable.of(items, metrics)
    means = ratings.item_means(len(items))
    observed, counts = table.values(Draw(np.ones(items.input_count), means))
    resampled = np.full((samples, *observed.shape), np.nan)
    for s, draw in enumerate(draws(items, ratings, samples=samples, seed=seed)):
        resampled[s], _ = table.values(draw)
    found = []
    for m, metric in enumerate(metrics):
        for a, level in enumerate(LEVELS):
            for k, kind in enumerate(KINDS):
                low, high = interval(resampled[:, a, m, k])
                value, n, p = float(observed[a, m, k]), int(counts[m, k]), float("nan")
                if level != "input":
                    ones = np.ones(items.input_count)
                    x, y = table.rows[m], means
                    if level == "system":
                        x, y = table.system_means(table.rows[m], ones), table.system_means(means, ones)
                    told = coefficient(kind, x, y)
                    n, p = told.n, told.p
                found.append(Correlation(metric, ratings.dimension, level, kind, value, low, high, p, n))
    return found


@dataclass(frozen=True)
class MetricTable:
    """Metric scores of all items, with what is the same for every resample worked out beforehand."""

    items: Items
    rows: Floats
    orders: NDArray[np.int64]
    members: NDArray[np.int64]
    begin: NDArray[np.int64]

    @classmethod
    def of(cls, items: Items, metrics: Mapping[str, Floats]) -> MetricTable:
        """From columns of scores by name, a missing one NaN."""
        rows = np.array([np.asarray(scores, np.float64) for scores in metrics.values()]).reshape(-1, len(items))
        members = np.argsort(items.input_numbers, kind="stable")
        begin = np.searchsorted(items.input_numbers[members], np.arange(items.input_count + 1))
        return cls(items, rows, np.argsort(rows, axis=1, kind="stable"), members, begin)

    def values(self, draw: Draw) -> tuple[Floats, Floats]:
        """Coefficients by level, metric and kind; and, by metric and kind, how many inputs have one."""
        from fergus.analysis.coefficient_kernel import coefficients_of, coefficients_within

        weight = draw.inputs[self.items.input_numbers]
        by_item = coefficients_of(self.rows, self.orders, draw.means, weight)
        by_input, heavy = coefficients_within(self.rows, draw.means, self.members, self.begin, draw.inputs)
        judged = np.isfinite(draw.means)
        systems = np.array([self.system_means(np.where(judged, row, np.nan), draw.inputs) for row in self.rows])
        orders = np.argsort(systems, axis=1, kind="stable")
        means = self.system_means(draw.means, draw.inputs)
        by_system = coefficients_of(systems, orders, means, np.ones(len(means)))
        return np.stack([by_item, by_input, by_system]), heavy

    def system_means(self, scores: Floats, inputs: Floats) -> Floats:
        """The mean of each system over the inputs as often as drawn; NaN for a system without a score."""
        weight = np.where(np.isfinite(scores), inputs[self.items.input_numbers], 0)
        size = len(self.items.system_names)
        total = np.bincount(self.items.system_numbers, weights=weight * np.nan_to_num(scores), minlength=size)
        heavy = np.bincount(self.items.system_numbers, weights=weight, minlength=size)
        result: Floats = np.where(heavy > 0, total / np.maximum(heavy, 1e-300), np.nan)
        return result
