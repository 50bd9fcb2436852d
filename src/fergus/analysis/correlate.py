"""How well metrics agree with judges: by item, by item within an input, by system, with intervals.

- **item**: over all items, a metric's score against the mean judgement (section 4.1 of Bangalore et al. 2000);
- **input**: the same within each input, averaged over inputs, so that easy and hard inputs do not help;
- **system**: the systems' means.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
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
THREADS, AT_ONCE = 2, 64
"""Of the bootstrap: how many work, and how many resamples are in memory."""


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
    source, done = draws(items, ratings, samples=samples, seed=seed), 0
    # The kernels let go of the interpreter, so two resamples are worked on at once.
    with ThreadPoolExecutor(THREADS) as pool:
        while part := list(islice(source, AT_ONCE)):
            for values, _ in pool.map(table.values, part):
                resampled[done] = values
                done += 1
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
