"""Which metric agrees with the judges significantly better than which: Williams' test and a paired permutation.

Two metrics' correlations with the same judgements depend on each other by how much the metrics agree. *Williams* (1959)
allows for that with Student's t, and takes items as independent of one another. *Permutation* (after Deutsch, Dror and
Roth 2021) exchanges the two metrics' standardised scores and counts how often the difference becomes as large as it is;
it does so input by input, since texts for one input are alike, and item by item it would find two equally bad metrics
different far too often. p-values are corrected by Holm's method over all pairs; metrics that nothing tells apart share
a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.coefficients import coefficient
from fergus.analysis.many_tests import CELLS, corrected_for_number, enough_trials

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


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
    metrics: Mapping[str, Floats],
    judged: Floats,
    *,
    inputs: Ints | None = None,
    trials: int = 1000,
    seed: int = 12345,
) -> list[MetricComparison]:
    """Every pair of metrics by Pearson's r with the judgements; a metric and its negative are as good: signs count.

    ``inputs`` has the number of every item's input; none: every item has an input of its own.
    """
    pairs = list(combinations(metrics, 2))
    groups = np.arange(len(judged)) if inputs is None else inputs
    permuted = _permuted(metrics, judged, groups, trials=enough_trials(trials, len(pairs)), seed=seed)
    found = []
    for first, second in pairs:
        kept = _shared(metrics, (first, second), judged)
        a, b, y = metrics[first][kept], metrics[second][kept], judged[kept]
        n = len(y)
        r12, r13 = coefficient("pearson", a, y).value, coefficient("pearson", b, y).value
        t, p = williams(r12, r13, coefficient("pearson", a, b).value, n)
        found.append((first, second, r12 - r13, n, t, p, permuted[first, second]))
    corrected = corrected_for_number([row[-1] for row in found])
    return [MetricComparison(*row, c) for row, c in zip(found, corrected, strict=True)]


def _shared(metrics: Mapping[str, Floats], names: Sequence[str], judged: Floats) -> NDArray[np.bool_]:
    """The items for which all of these have a score."""
    result: NDArray[np.bool_] = np.isfinite(judged) & np.all([np.isfinite(metrics[name]) for name in names], axis=0)
    return result


def _permuted(
    metrics: Mapping[str, Floats], judged: Floats, groups: Ints, *, trials: int, seed: int
) -> dict[tuple[str, str], float]:
    """How often an exchange gives a difference as large, by pair; never 0, and NaN where there is nothing to compare.

    Pairs that have scores for the same items share the exchanges.
    """
    found: dict[tuple[str, str], float] = {}
    alike: dict[bytes, list[tuple[str, str]]] = {}
    for pair in combinations(metrics, 2):
        alike.setdefault(np.packbits(_shared(metrics, pair, judged)).tobytes(), []).append(pair)
    for pairs in alike.values():
        kept = _shared(metrics, pairs[0], judged)
        y = judged[kept]
        names = [name for name in metrics if any(name in pair for pair in pairs)]
        names = [name for name in names if len(y) >= 3 and np.ptp(metrics[name][kept]) > 0 and np.ptp(y) > 0]
        tested = [pair for pair in pairs if all(name in names for name in pair)]
        found |= dict.fromkeys(pairs, float("nan"))
        if tested:
            sums = np.array([_sums(metrics[name][kept], y, groups[kept], int(groups.max()) + 1) for name in names])
            places = np.array([[names.index(name) for name in pair] for pair in tested])
            p = _exchanged(sums, places, len(y), trials=trials, random=np.random.default_rng(seed))
            found |= dict(zip(tested, p.tolist(), strict=True))
    return found


def _sums(scores: Floats, judged: Floats, groups: Ints, size: int) -> Floats:
    """By input the sums of a metric's standardised scores, of their squares and of their products with judgements."""
    x, z = _standard(scores), _standard(judged)
    return np.array([np.bincount(groups, weights=own, minlength=size) for own in (x, x * x, x * z)])


def _exchanged(sums: Floats, pairs: Ints, n: int, *, trials: int, random: np.random.Generator) -> Floats:
    """p of every pair of metrics (places in ``sums``); a trial exchanges the same inputs for all of them."""
    metrics, _, size = sums.shape
    whole = sums.sum(axis=2)
    first, second = pairs.T
    observed = np.abs(_r(whole[first], n) - _r(whole[second], n))
    columns = sums.reshape(metrics * 3, size).T
    hits, rows = np.zeros(len(pairs), np.int64), max(1, CELLS // max(size, 3 * len(pairs)))
    for done in range(0, trials, rows):
        swap = (random.random((min(rows, trials - done), size)) < 0.5).astype(np.float64)
        part = (swap @ columns).reshape(len(swap), metrics, 3)
        a = whole[first] - part[:, first] + part[:, second]
        b = whole[second] - part[:, second] + part[:, first]
        hits += np.sum(np.abs(_r(a, n) - _r(b, n)) >= observed - 1e-12, axis=0)
    result: Floats = (hits + 1) / (trials + 1)
    return result


def _standard(values: Floats) -> Floats:
    centred = values - values.mean()
    result: Floats = centred / centred.std()
    return result


def _r(sums: Floats, n: int) -> Floats:
    """Pearson's r with standardised z from the sum of x, of its squares and of x z."""
    mean = sums[..., 0] / n
    result: Floats = sums[..., 2] / n / np.sqrt(np.maximum(sums[..., 1] / n - mean**2, 1e-300))
    return result
