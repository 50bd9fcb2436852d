"""Correlation coefficients and their p-values: Pearson's r, Spearman's rho, Kendall's tau-b."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Kind = Literal["pearson", "spearman", "kendall"]
KINDS: tuple[Kind, ...] = ("pearson", "spearman", "kendall")


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
    p = kendall_p(a, b, value) if kind == "kendall" else p_of_r(value, len(a))
    return Coefficient(value, len(a), p)


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


def kendall_p(x: Floats, y: Floats, tau: float) -> float:
    """Two-sided p of tau-b as scipy has it: exact for few points without ties, otherwise normal."""
    from scipy.stats import kendalltau

    return float("nan") if len(x) < 2 or np.isnan(tau) else float(kendalltau(x, y).pvalue)
