"""The search for the variances of a mixed model: where its deviance is smallest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.mixed_likelihood import CrossedLikelihood

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SMALL, NOTHING = 0.01, 1e-4
"""Relative variances below the first are tried at 0, and stay so if the deviance grows by no more than the second."""
STEP = 1e-3
"""Of numerical derivatives by the logarithms of standard deviations."""


def best_variances(likelihood: CrossedLikelihood, factors: int) -> tuple[Floats, bool]:
    """The relative variances of the smallest deviance; they may be 0, where the deviance still has a slope."""
    if not factors:
        return np.zeros(0), True
    from scipy.optimize import minimize

    found = minimize(
        likelihood.profiled,
        np.ones(factors),
        method="L-BFGS-B",
        jac="3-point",
        bounds=[(0, None)] * factors,
        options={"ftol": 1e-8, "gtol": 1e-3},
    )
    best = np.asarray(found.x, np.float64)
    for k in np.flatnonzero(best < SMALL):
        without = np.where(np.arange(factors) == k, 0, best)
        best = without if likelihood.profiled(without) <= likelihood.profiled(best) + NOTHING else best
    kept = best > 0

    def with_logs(logs: Floats) -> Floats:
        trial = np.zeros(factors)
        trial[kept] = np.exp(logs)
        return trial

    # The search stops where the deviance hardly changes, which is some way from where it is smallest.
    logs, is_bowl = np.log(best[kept]), True
    for _ in range(5 if kept.any() else 0):
        slope, bend = derivatives(lambda at: likelihood.profiled(with_logs(at)), logs)
        is_bowl = bool(np.linalg.eigvalsh(bend).min() > 0)
        if not is_bowl:
            break
        step = np.clip(np.linalg.solve(bend, slope), -1, 1)
        logs = logs - step
        if np.abs(step).max() < 1e-7:
            break
    polished = with_logs(logs)
    if is_bowl and likelihood.profiled(polished) <= likelihood.profiled(best) + 1e-9:
        return polished, True
    return best, bool(found.success) and is_bowl


def derivatives(function: Callable[[Floats], float], at: Floats) -> tuple[Floats, Floats]:
    """The gradient and the matrix of second derivatives, by central differences."""
    size = len(at)
    steps = STEP * np.eye(size)
    middle = function(at)
    up, down = ([function(at + sign * step) for step in steps] for sign in (1, -1))
    slope = (np.array(up) - np.array(down)) / (2 * STEP)
    bend = np.diag((np.array(up) - 2 * middle + np.array(down)) / STEP**2)
    for i in range(size):
        for j in range(i):
            a, b = steps[i], steps[j]
            mixed = function(at + a + b) - function(at + a - b) - function(at - a + b) + function(at - a - b)
            bend[i, j] = bend[j, i] = mixed / (4 * STEP**2)
    return slope, bend
