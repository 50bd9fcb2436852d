"""Correlation coefficients and their p-values: Pearson's r, Spearman's rho, Kendall's tau-b."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Kind = Literal["pearson", "spearman", "kendall"]
KINDS: tuple[Kind, ...] = ("pearson", "spearman", "kendall")
MOST_ORDERS = 8
"""Up to so many points Spearman's p is that of all their orders."""
MOST_EXACT = 33
"""Up to so many points without ties Kendall's p is exact, as scipy's is."""


@dataclass(frozen=True)
class Coefficient:
    """A coefficient, how many points it rests on, and how likely one as far from 0 is if there is no relation."""

    value: float
    """NaN where it is undefined: fewer than two points, or a column without variance."""
    n: int
    p: float


def coefficient(kind: Kind, x: Floats, y: Floats) -> Coefficient:
    """The coefficient of two columns; points with a missing value are left out (``n`` says how many are left)."""
    from fergus.analysis.coefficient_kernel import coefficients_of

    kept = np.isfinite(x) & np.isfinite(y)
    a, b = np.asarray(x[kept], np.float64), np.asarray(y[kept], np.float64)
    if len(a) < 2:
        return Coefficient(float("nan"), len(a), float("nan"))
    row = a[None, :]
    value = float(
        coefficients_of(row, np.argsort(row, axis=1, kind="stable"), b, np.ones(len(a)))[0, KINDS.index(kind)]
    )
    if kind == "kendall":
        return Coefficient(value, len(a), kendall_p(a, b, value))
    if kind == "spearman" and len(a) <= MOST_ORDERS:
        return Coefficient(value, len(a), spearman_p(a, b))
    return Coefficient(value, len(a), p_of_r(value, len(a)))


def p_of_r(r: float, n: int) -> float:
    """Two-sided p of r with n points, by Student's t with n - 2 degrees of freedom.

    The paper's r(22) = 0.51 is 24 points: p = .011, "p < 0.05".
    """
    from scipy.special import stdtr

    if n < 3 or np.isnan(r):
        return float("nan")
    if abs(r) >= 1:
        return 0.0
    t = abs(r) * np.sqrt((n - 2) / (1 - r * r))
    return float(2 * stdtr(n - 2, -t))


def spearman_p(x: Floats, y: Floats) -> float:
    """Two-sided p of rho of few points: the share of all orders that give one as far from 0.

    Student's t, which does for many points, gives 0 if the ranks agree; of three points they do in 2 of 6 orders.
    """
    a, b = _ranks(x), _ranks(y)
    if len(a) < 3 or min(np.ptp(a), np.ptp(b)) == 0:
        return float("nan")
    a, b = a - a.mean(), b - b.mean()
    sums = np.abs(np.array(list(permutations(b))) @ a)
    return float(np.mean(sums >= abs(a @ b) - 1e-9))


def _ranks(values: Floats) -> Floats:
    """From 1; equal values share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    result: Floats = (last - (count - 1) / 2)[place]
    return result


def kendall_p(x: Floats, y: Floats, tau: float) -> float:
    """Two-sided p of tau-b: exact for few points without ties, otherwise normal with the variance that ties leave.

    scipy has the same; importing its ``stats`` for it would take longer than most analyses.
    """
    from scipy.special import erfc

    n = len(x)
    if n < 2 or np.isnan(tau):
        return float("nan")
    pairs = n * (n - 1) // 2
    (x_tied, x_triples, x_sum), (y_tied, y_triples, y_sum) = _ties(x), _ties(y)
    # Pairs in the same order less those in the opposite order: a whole number.
    difference = round(tau * float(np.sqrt(float(pairs - x_tied) * float(pairs - y_tied))))
    inversions = (pairs - abs(difference)) // 2
    if x_tied == y_tied == 0 and (n <= MOST_EXACT or inversions <= 1):
        return _exact_p(n, inversions)
    ordered = n * (n - 1)
    variance = (ordered * (2 * n + 5) - x_sum - y_sum) / 18 + 2 * x_tied * y_tied / ordered
    variance += x_triples * y_triples / (9 * ordered * (n - 2)) if n > 2 else 0.0
    return float(erfc(abs(difference) / np.sqrt(2 * variance)))


def _ties(values: Floats) -> tuple[int, int, int]:
    """Of groups of t equal values the sums of t(t - 1) / 2, of t(t - 1)(t - 2) and of t(t - 1)(2t + 5)."""
    t = np.unique(values, return_counts=True)[1].astype(np.int64)
    both = t * (t - 1)
    return int(both.sum()) // 2, int((both * (t - 2)).sum()), int((both * (2 * t + 5)).sum())


def _exact_p(n: int, inversions: int) -> float:
    """The share of the orders of n things that have so few inversions, or so many."""
    counts = [1]
    for size in range(2, n + 1):  # the new thing, the largest, stands before 0 to size - 1 others
        counts = [sum(counts[max(0, k - size + 1) : k + 1]) for k in range(min(len(counts) + size - 1, inversions + 1))]
    return float(min(1.0, 2 * sum(counts[: inversions + 1]) / factorial(n)))
