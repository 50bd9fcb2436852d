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
from fergus.analysis.resample import Draw, spread
from fergus.cluster.chunks import Workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Level = Literal["item", "input", "system"]
LEVELS: tuple[Level, ...] = ("item", "input", "system")
FEWEST_SYSTEMS = 5
"""Fewer have no interval: two correlate by 1 or -1 whatever they are like, and of three or four too little is known."""
TINY = 1e-9


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
    items: Items,
    ratings: Ratings,
    metrics: Mapping[str, Floats],
    *,
    samples: int = 1000,
    seed: int = 12345,
    workers: Workers | None = None,
) -> list[Correlation]:
    """Every metric at every level by every coefficient, with the 95% interval on the scale of Fisher's z."""
    if not metrics:
        return []
    table = MetricTable.of(items, metrics)
    means = ratings.item_means(len(items))
    observed, counts = table.values(Draw(np.ones(items.input_count), means))
    room = _room(len(items.system_names))

    def on_scale(draw: Draw) -> Floats:
        return _fisher(table.values(draw)[0], room)

    varied = spread(items, ratings, on_scale, samples=samples, seed=seed, workers=workers)
    centre, margin = _fisher(observed, room), varied.margin()
    # A coefficient of ranks that is 1 is counted a little lower; its interval still holds it.
    lows, highs = np.minimum(np.tanh(centre - margin), observed), np.maximum(np.tanh(centre + margin), observed)
    found = []
    for m, metric in enumerate(metrics):
        for a, level in enumerate(LEVELS):
            for k, kind in enumerate(KINDS):
                value, low, high = (float(one[a, m, k]) for one in (observed, lows, highs))
                n, p = int(counts[m, k]), float("nan")
                if level != "input":
                    ones = np.ones(items.input_count)
                    x, y = table.rows[m], means
                    if level == "system":
                        x, y = table.system_means(table.rows[m], ones), table.system_means(means, ones)
                    told = coefficient(kind, x, y)
                    n, p = told.n, told.p
                    if level == "system" and n < FEWEST_SYSTEMS:
                        low = high = float("nan")
                found.append(Correlation(metric, ratings.dimension, level, kind, value, low, high, p, n))
    return found


def _room(systems: int) -> Floats:
    """How far from 1 a coefficient is kept, by level and kind, so that Fisher's z of it is finite.

    Of few systems a coefficient of ranks takes few values. Half a step less than 1 stands for 1: the step of Kendall's
    tau is one pair exchanged, 4 / m(m - 1); that of Spearman's rho two neighbours, 12 / m(m² - 1).
    """
    m = max(systems, 3)
    whole = [TINY, TINY, TINY]
    by_kind = {"pearson": TINY, "spearman": 6 / (m * (m * m - 1)), "kendall": 2 / (m * (m - 1))}
    return np.array([whole, whole, [by_kind[kind] for kind in KINDS]])[:, None, :]


def _fisher(values: Floats, room: Floats) -> Floats:
    result: Floats = np.arctanh(np.clip(values, room - 1, 1 - room))
    return result


@dataclass(frozen=True)
class MetricTable:
    """Metric scores of all items, with what is the same for every resample worked out beforehand."""

    items: Items
    rows: Floats
    orders: NDArray[np.int64]
    members: NDArray[np.int64]
    begin: NDArray[np.int64]
    by_system: NDArray[np.int64]
    first: NDArray[np.int64]
    """The items of each system one after the other, and where they begin."""

    @classmethod
    def of(cls, items: Items, metrics: Mapping[str, Floats]) -> MetricTable:
        """From columns of scores by name, a missing one NaN."""
        rows = np.array([np.asarray(scores, np.float64) for scores in metrics.values()]).reshape(-1, len(items))
        members = np.argsort(items.input_numbers, kind="stable")
        begin = np.searchsorted(items.input_numbers[members], np.arange(items.input_count + 1))
        by_system = np.argsort(items.system_numbers, kind="stable")
        first = np.searchsorted(items.system_numbers[by_system], np.arange(len(items.system_names)))
        return cls(items, rows, np.argsort(rows, axis=1, kind="stable"), members, begin, by_system, first)

    def values(self, draw: Draw) -> tuple[Floats, Floats]:
        """Coefficients by level, metric and kind; and, by metric and kind, how many inputs have one."""
        from fergus.analysis.coefficient_kernel import coefficients_of, coefficients_within

        weight = draw.inputs[self.items.input_numbers]
        by_item = coefficients_of(self.rows, self.orders, draw.means, weight)
        by_input, heavy = coefficients_within(self.rows, draw.means, self.members, self.begin, draw.inputs)
        systems = self.means_of_systems(np.where(np.isfinite(draw.means), self.rows, np.nan), draw.inputs)
        orders = np.argsort(systems, axis=1, kind="stable")
        means = self.system_means(draw.means, draw.inputs)
        by_system = coefficients_of(systems, orders, means, np.ones(len(means)))
        return np.stack([by_item, by_input, by_system]), heavy

    def system_means(self, scores: Floats, inputs: Floats) -> Floats:
        """The mean of each system over the inputs as often as drawn; NaN for a system without a score."""
        result: Floats = self.means_of_systems(scores[None, :], inputs)[0]
        return result

    def means_of_systems(self, rows: Floats, inputs: Floats) -> Floats:
        """The same for every row of scores."""
        rows = rows[:, self.by_system]
        known = np.isfinite(rows)
        weight = np.where(known, inputs[self.items.input_numbers[self.by_system]], 0)
        # Every system wrote something, and so no part is empty.
        total = np.add.reduceat(weight * np.where(known, rows, 0.0), self.first, axis=1)
        heavy = np.add.reduceat(weight, self.first, axis=1)
        result: Floats = np.where(heavy > 0, total / np.maximum(heavy, 1e-300), np.nan)
        return result
