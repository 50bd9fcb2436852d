"""Two systems, people as units: the same people twice, or two groups of them; t, ranks, and exchanging the two."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_EXACT = 13
"""So many people have 8,192 ways to exchange the two systems: all of them are tried, also for ranks with ties."""
_NAN = float("nan")

Tested = tuple[float, float, float, float, float, float, float]
"""low, high, t, df, p of t, p of ranks, p of the permutation."""


def compare_within(x: Floats, y: Floats, *, trials: int, random: np.random.Generator) -> Tested:
    """The same people twice: paired t, Wilcoxon's signed ranks, and all (or many) ways to exchange the two."""
    from scipy import stats

    difference, n = x - y, len(x)
    if n < 2:
        return (_NAN,) * 7
    # Nothing varies, but for rounding: t has no error, and if all are 0 ranks have nothing to rank.
    if np.ptp(difference) <= 1e-12 * max(np.abs(x).max(), np.abs(y).max()):
        flips = 1.0 if np.isclose(x[0], y[0], rtol=1e-12, atol=0) else 2.0 ** (1 - n)
        return _NAN, _NAN, _NAN, float(n - 1), _NAN, flips, flips
    if n <= MOST_EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=n)))
        ranks = _share_as_large(signs, stats.rankdata(np.abs(difference)) * np.sign(difference))
        p = _share_as_large(signs, difference)
    else:
        signs = random.choice((1.0, -1.0), size=(trials, n))
        # The ranks of zero differences are split between the signs, so that nobody is dropped.
        ranks = float(stats.wilcoxon(difference, zero_method="zsplit").pvalue)
        p = (_share_as_large(signs, difference) * trials + 1) / (trials + 1)
    error = float(difference.std(ddof=1)) / n**0.5
    return *_t_test(float(difference.mean()), error, float(n - 1)), ranks, p


def _t_test(difference: float, error: float, df: float) -> tuple[float, float, float, float, float]:
    """low, high, t, df, p; scipy's own warns of a group in which everybody is alike, though Welch's test allows it."""
    from scipy.special import stdtr, stdtrit

    width = float(stdtrit(df, 0.975)) * error
    t = difference / error
    return difference - width, difference + width, t, df, float(2 * stdtr(df, -abs(t)))


def _share_as_large(signs: Floats, values: Floats) -> float:
    """Of the ways to give the values signs, those whose sum is as far from 0."""
    observed = abs(values.sum()) - 1e-9 * np.abs(values).sum()  # equal sums must not differ by rounding
    return float((np.abs(signs @ values) >= observed).mean())


def compare_between(x: Floats, y: Floats, *, trials: int, random: np.random.Generator) -> Tested:
    """Two groups of people: Welch's t, Mann and Whitney's test, and people put into groups by chance."""
    from scipy import stats

    pooled = np.concatenate([x, y])
    if min(len(x), len(y)) < 2:
        return (_NAN,) * 7
    if np.ptp(pooled) == 0:  # everybody is alike: whoever is exchanged, nothing changes
        return _NAN, _NAN, _NAN, _NAN, _NAN, 1.0, 1.0
    observed = abs(x.mean() - y.mean()) - 1e-9 * np.abs(pooled).max()
    drawn = random.permuted(np.tile(pooled, (trials, 1)), axis=1)
    n = len(x)
    hits = (np.abs(drawn[:, :n].mean(axis=1) - drawn[:, n:].mean(axis=1)) >= observed).sum()
    p = float((hits + 1) / (trials + 1))
    ranks = float(stats.mannwhitneyu(x, y).pvalue)
    parts = [float(own.var(ddof=1)) / len(own) for own in (x, y)]
    error = sum(parts) ** 0.5
    if error <= 1e-12 * float(np.abs(pooled).max()):  # everybody in a group is alike, but for rounding
        return _NAN, _NAN, _NAN, _NAN, _NAN, ranks, p
    df = sum(parts) ** 2 / sum(part**2 / (len(own) - 1) for part, own in zip(parts, (x, y), strict=True))
    return *_t_test(float(x.mean() - y.mean()), error, df), ranks, p
