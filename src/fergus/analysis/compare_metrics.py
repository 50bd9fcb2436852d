"""Which metric agrees with the judges significantly better than which: Williams' test and a paired permutation.

Two metrics' correlations with the same judgements depend on each other by how much the metrics agree. *Williams* (1959)
allows for that with Student's t; *permutation* (Deutsch, Dror and Roth 2021) swaps the two metrics' standardised scores
item by item and counts how often the difference becomes as large as it is. p-values are corrected by Holm's method over
all pairs; metrics that nothing tells apart share a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.coefficients import coefficient
from fergus.metrics.significance import holm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


CELLS = 1_000_000
"""Of the table of exchanges that is in memory at once."""
TRIALS_A_COMPARISON = 100
"""The more comparisons p is corrected for, the smaller it must be able to become."""


@dataclass(frozen=True)
class MetricComparison:
    """Two metrics against the same judgements, over the items for which both have a score."""

    first: str
    second: str
    difference: float
    """The first's Pearson correlation less the second's."""
    n: int
    williams_t: float
    williams_p: float
    permutation_p: float
    corrected_p: float
    """The permutation's, by Holm's method over all pairs compared."""


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """t with n - 3 degrees of freedom and two-sided p of r12 = r13, where 2 and 3 correlate by r23 (Steiger 1980)."""
    from scipy.special import stdtr

    if n < 4 or not np.isfinite([r12, r13, r23]).all() or abs(r23) >= 1:
        return float("nan"), float("nan")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if below <= 0:
        return float("nan"), float("nan")
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below)
    return float(t), float(2 * stdtr(n - 3, -abs(t)))


def compare_metrics(
    metrics: Mapping[str, Floats], judged: Floats, *, trials: int = 1000, seed: int = 12345
) -> list[MetricComparison]:
    """Every pair of metrics by Pearson's r with the judgements; a metric and its negative are as good: signs count."""
    pairs = list(combinations(metrics, 2))
    columns = [(metrics[first], metrics[second]) for first, second in pairs]
    random = np.random.default_rng(seed)
    permuted = _permuted(columns, judged, trials=enough_trials(trials, len(pairs)), random=random)
    found = []
    for (first, second), (one, other), exchanged in zip(pairs, columns, permuted, strict=True):
        kept = np.isfinite(one) & np.isfinite(other) & np.isfinite(judged)
        a, b, y = one[kept], other[kept], judged[kept]
        n = len(y)
        r12, r13 = coefficient("pearson", a, y).value, coefficient("pearson", b, y).value
        t, p = williams(r12, r13, coefficient("pearson", a, b).value, n)
        found.append((first, second, r12 - r13, n, t, p, exchanged))
    corrected = corrected_for_number([row[-1] for row in found])
    return [MetricComparison(*row, c) for row, c in zip(found, corrected, strict=True)]


def enough_trials(trials: int, comparisons: int) -> int:
    """At least as many as let the smallest possible p, 1 / (trials + 1), be below .01 when corrected for all."""
    return max(trials, TRIALS_A_COMPARISON * comparisons)


def permutation_p(a: Floats, b: Floats, y: Floats, *, trials: int, random: np.random.Generator) -> float:
    """How often a random exchange of the two metrics' standardised scores gives a difference as large; never 0."""
    return _permuted([(a, b)], y, trials=trials, random=random)[0]


def _permuted(
    pairs: Sequence[tuple[Floats, Floats]], judged: Floats, *, trials: int, random: np.random.Generator
) -> list[float]:
    """The same of many pairs; a trial exchanges the same items for all of them."""
    found = [float("nan")] * len(pairs)
    tested = [_Exchange.of(a, b, judged) for a, b in pairs]
    known = [i for i, one in enumerate(tested) if one is not None]
    kept = [one for one in tested if one is not None]
    if not kept:
        return found
    gains = np.concatenate([one.gains for one in kept], axis=1)
    own, both = np.array([one.own for one in kept]), np.array([one.both for one in kept])
    n, observed = np.array([one.n for one in kept]), np.array([one.observed for one in kept])
    hits, rows = np.zeros(len(kept), np.int64), max(1, CELLS // len(judged))
    for done in range(0, trials, rows):
        swap = (random.random((min(rows, trials - done), len(judged))) < 0.5).astype(np.float64)
        first = own + (swap @ gains).reshape(len(swap), len(kept), 3)
        hits += np.sum(np.abs(_r(first, n) - _r(both - first, n)) >= observed - 1e-12, axis=0)
    for i, hit in zip(known, hits.tolist(), strict=True):
        found[i] = (hit + 1) / (trials + 1)
    return found


@dataclass(frozen=True)
class _Exchange:
    """Sums of the first metric's standardised scores, of their squares and of their products with the judgements."""

    gains: Floats
    """What exchanging an item adds to each of them; 0 for an item without all scores."""
    own: Floats
    both: Floats
    """The first's sums, and both metrics'."""
    n: int
    observed: float

    @classmethod
    def of(cls, a: Floats, b: Floats, judged: Floats) -> _Exchange | None:
        kept = np.isfinite(a) & np.isfinite(b) & np.isfinite(judged)
        n = int(kept.sum())
        if n < 3 or min(np.ptp(a[kept]), np.ptp(b[kept]), np.ptp(judged[kept])) == 0:
            return None
        x1, x2, z = _standard(a[kept]), _standard(b[kept]), _standard(judged[kept])
        gains = np.zeros((len(judged), 3))
        gains[kept] = np.column_stack([x2 - x1, x2**2 - x1**2, (x2 - x1) * z])
        own, other = np.array([x1.sum(), x1 @ x1, x1 @ z]), np.array([x2.sum(), x2 @ x2, x2 @ z])
        return cls(gains, own, own + other, n, abs(float(own[2] - other[2])) / n)


def _standard(values: Floats) -> Floats:
    centred = values - values.mean()
    result: Floats = centred / centred.std()
    return result


def _r(sums: Floats, n: NDArray[np.int64]) -> Floats:
    """Pearson's r with standardised z from the sum of x, of its squares and of x z."""
    mean = sums[..., 0] / n
    result: Floats = sums[..., 2] / n / np.sqrt(np.maximum(sums[..., 1] / n - mean**2, 1e-300))
    return result


def corrected_for_number(values: Sequence[float]) -> list[float]:
    """p-values by Holm's method; undefined ones stay so and do not count as comparisons."""
    known = [i for i, p in enumerate(values) if not np.isnan(p)]
    result = list(values)
    for i, p in zip(known, holm([values[i] for i in known]), strict=True):
        result[i] = p
    return result
