"""Confidence intervals and significance tests on tables of statistics (no text is scored again).

- *Bootstrap* (Koehn 2004): segments are drawn with replacement, the same ones for every system; the interval
  holds the middle 95% of the resampled scores. The p-value of a difference is how often the resampled
  difference lies as far from its own mean as the observed one lies from 0.
- *Approximate randomisation* (Riezler and Maxwell 2005): the two systems' rows of a segment change places by
  the toss of a coin; the p-value is how often the difference is then at least as large as observed.
- *Holm's correction* over all pairs of systems that are compared by one metric.

p-values are (hits + 1) / (trials + 1) and never 0. A segment for which a metric is undefined counts for nothing
in that metric's scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.base import Aggregate, Metric

CONFIDENCE = 0.95
SAMPLES = 1000
TRIALS = 10_000
SEED = 12345
BLOCK = 1 << 20
"""How many weights are held at once (8 MB): memory does not grow with the number of segments."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two systems differ by one metric, and whether that could be chance."""

    metric: str
    aggregate: Aggregate
    first: str
    second: str
    difference: float
    """The score of the first less that of the second."""
    interval: Interval
    """Of the difference, by paired bootstrap."""
    bootstrap_p: float
    randomisation_p: float
    corrected_bootstrap_p: float
    """By Holm's method, over all pairs of systems that were compared by this metric."""
    corrected_randomisation_p: float


Tables = Mapping[str, "NDArray[np.floating[Any]]"]
"""By the metric's name, its statistics of one system."""


def intervals(
    metrics: Sequence[Metric], tables: Tables, *, samples: int = SAMPLES, seed: int = SEED
) -> dict[str, tuple[Interval | None, Interval | None]]:
    """By the metric's name, the intervals of mean and pooled score; None where it is nowhere defined."""
    sums = _bootstrapped(metrics, [tables], samples, seed)
    return {
        metric.name: (
            _interval(sums.scores(metric, 0, "mean")),
            _interval(sums.scores(metric, 0, "pooled")),
        )
        for metric in metrics
    }


def compare(
    metrics: Sequence[Metric],
    systems: Mapping[str, Tables],
    *,
    baseline: str | None = None,
    samples: int = SAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
) -> list[Comparison]:
    """Every pair of systems (or the baseline and every other one) by every metric's headline aggregate."""
    import numpy as np

    names, tables = list(systems), list(systems.values())
    if baseline is not None and baseline not in systems:
        raise InputError(f"there is no system {baseline!r}", remedy=f"the systems are {', '.join(names)}")
    pairs = [(a, b) for a, b in combinations(range(len(names)), 2) if baseline in (None, names[a], names[b])]
    observed = _observed(metrics, tables)
    resampled = _bootstrapped(metrics, tables, samples, seed)
    randomised: list[dict[str, float]] = []
    for a, b in pairs:  # of each pair only the p-values are kept: there may be many pairs
        swapped = _randomised(metrics, tables[a], tables[b], trials, seed)
        randomised.append(
            {m.name: _p_value(swapped.difference(m, 0, 1), float(observed.difference(m, a, b)[0])) for m in metrics}
        )
    comparisons: list[Comparison] = []
    for metric in metrics:
        found: list[tuple[str, str, float, Interval, float, float]] = []
        for (a, b), randomisation_p in zip(pairs, randomised, strict=True):
            difference = float(observed.difference(metric, a, b)[0])
            draws = resampled.difference(metric, a, b)
            draws = draws[~np.isnan(draws)]
            interval = _interval(draws)
            if np.isnan(difference) or interval is None:
                continue
            bootstrap_p = _p_value(draws - draws.mean(), difference)
            found.append((names[a], names[b], difference, interval, bootstrap_p, randomisation_p[metric.name]))
        corrected = zip(holm([row[4] for row in found]), holm([row[5] for row in found]), strict=True)
        for row, both in zip(found, corrected, strict=True):
            comparisons.append(Comparison(metric.name, metric.headline, *row, *both))
    return comparisons


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction for the number of comparisons.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        corrected[index] = largest
    return corrected


class _Sums:
    """The statistics of some systems, summed under many weightings of the segments, and their scores."""

    def __init__(
        self, metrics: Sequence[Metric], systems: Sequence[Tables], weightings: int, *, headline_only: bool = False
    ) -> None:
        """``headline_only`` leaves out what only the other aggregate needs: less to multiply."""
        import numpy as np

        self.metrics, self.systems = metrics, systems
        self.segments = len(next(iter(systems[0].values())))
        self.columns: dict[tuple[str, int, str], slice] = {}
        end = 0
        for number, tables in enumerate(systems):
            for metric in metrics:
                widths = {"pooled": tables[metric.name].shape[1], "mean": 1, "defined": 1}
                if headline_only:
                    del widths["mean" if metric.headline == "pooled" else "pooled"]
                for part, width in widths.items():
                    self.columns[metric.name, number, part] = slice(end, end + width)
                    end += width
        self.sums: NDArray[np.float64] = np.zeros((weightings, end))

    def table(self, start: int, end: int) -> NDArray[np.float64]:
        """The rows of some segments with everything side by side, so that one multiplication sums it all.

        For every metric and system: the statistics, the sentence's score, and 1 if it is defined.
        """
        import numpy as np

        table = np.zeros((end - start, self.sums.shape[1]))
        for number, tables in enumerate(self.systems):
            for metric in self.metrics:
                statistics = tables[metric.name][start:end].astype(np.float64)
                scores = metric.scores(statistics, pooled=False)
                is_defined = ~np.isnan(scores)[:, None]
                for part, values in (("pooled", statistics), ("mean", scores[:, None]), ("defined", is_defined)):
                    columns = self.columns.get((metric.name, number, part))
                    if columns is not None:
                        table[:, columns] = np.where(is_defined, values, 0.0)
        return table

    def scores(self, metric: Metric, system: int, aggregate: str) -> NDArray[np.float64]:
        """One score a weighting; NaN where nothing is defined."""
        import numpy as np

        count = self.sums[:, self.columns[metric.name, system, "defined"]][:, 0]
        sums = self.sums[:, self.columns[metric.name, system, aggregate]]
        scores = sums[:, 0] / np.maximum(count, 1) if aggregate == "mean" else metric.scores(sums, pooled=True)
        result: NDArray[np.float64] = np.where(count > 0, scores, np.nan)
        return result

    def difference(self, metric: Metric, first: int, second: int) -> NDArray[np.float64]:
        """The first system's headline score less the second's."""
        return self.scores(metric, first, metric.headline) - self.scores(metric, second, metric.headline)


def _observed(metrics: Sequence[Metric], systems: Sequence[Tables]) -> _Sums:
    result = _Sums(metrics, systems, 1, headline_only=True)
    for start, end in _blocks(result.segments, 1):
        result.sums += result.table(start, end).sum(axis=0)
    return result


def _bootstrapped(metrics: Sequence[Metric], systems: Sequence[Tables], samples: int, seed: int) -> _Sums:
    """As many segments as there are, drawn with replacement, again and again.

    First it is drawn how many fall into each block of segments, then which of the block they are.
    """
    import numpy as np

    result = _Sums(metrics, systems, samples)
    generator = np.random.default_rng(seed)
    blocks = list(_blocks(result.segments, samples))
    shares = np.array([end - start for start, end in blocks]) / result.segments
    drawn = generator.multinomial(result.segments, shares, size=samples)
    for (start, end), counts in zip(blocks, drawn.T, strict=True):
        size = end - start
        which = generator.integers(0, size, int(counts.sum()))
        flat = np.repeat(np.arange(samples) * size, counts) + which
        weights = np.bincount(flat, minlength=samples * size).reshape(samples, size)
        result.sums += weights.astype(np.float64) @ result.table(start, end)
    return result


def _randomised(metrics: Sequence[Metric], first: Tables, second: Tables, trials: int, seed: int) -> _Sums:
    """Two systems with their rows of a random half of the segments exchanged, again and again."""
    import numpy as np

    result = _Sums(metrics, [first, second], trials, headline_only=True)
    half = result.sums.shape[1] // 2
    generator = np.random.default_rng(seed)
    for start, end in _blocks(result.segments, trials):
        table = result.table(start, end)
        result.sums += table.sum(axis=0)
        change = table[:, half:] - table[:, :half]
        # A coin for every segment, so that a metric's result does not depend on which others there are.
        coins = generator.integers(0, 2, (trials, end - start), np.int8)
        differs = change.any(axis=1)
        changes = coins[:, differs].astype(np.float64) @ change[differs]
        result.sums[:, :half] += changes
        result.sums[:, half:] -= changes
    return result


def _blocks(segments: int, weightings: int) -> Iterator[tuple[int, int]]:
    size = max(1, BLOCK // weightings)
    return ((start, min(start + size, segments)) for start in range(0, segments, size))


def _interval(scores: NDArray[np.float64]) -> Interval | None:
    import numpy as np

    defined = scores[~np.isnan(scores)]
    if not len(defined):
        return None
    low, high = np.percentile(defined, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)])
    return Interval(float(low), float(high))


def _p_value(differences: NDArray[np.float64], observed: float) -> float:
    """How often a difference is as large as observed, or larger, in either direction."""
    # Sums of floats in another order differ in their last digits: what is equal must count as equal.
    hits = int((abs(differences) >= abs(observed) - 1e-12).sum())
    return (hits + 1) / (len(differences) + 1)
