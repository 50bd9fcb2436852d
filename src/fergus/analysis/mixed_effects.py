"""What a mixed model says: effects with their tests, and how much scores vary with whom and what.

The degrees of freedom are Satterthwaite's, and for several effects at once those of Fai and Cornelius (1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Notice
from fergus.analysis.mixed_likelihood import CrossedLikelihood
from fergus.analysis.mixed_search import STEP, derivatives

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESIDUAL = "residual"
WIDE = 20.0
"""Where the logarithm of a standard deviation is known no better than this, nothing is known of it."""


@dataclass(frozen=True)
class Effect:
    """A fixed effect, or a contrast of several."""

    name: str
    value: float
    standard_error: float
    degrees: float
    """Satterthwaite's."""
    t: float
    p: float
    low: float
    high: float


@dataclass(frozen=True)
class Component:
    """How much scores vary with a factor."""

    name: str
    levels: int
    """The number of judges, of items; of the residual, of judgements."""
    variance: float
    deviation: float
    low: float
    high: float
    """The standard deviation's 95% interval (Wald's, of its logarithm); NaN if it is 0."""
    share: float
    """Of the variance that fixed effects leave."""


@dataclass(frozen=True)
class JointTest:
    """Whether any of some effects is not 0."""

    effects: tuple[str, ...]
    f: float
    degrees: tuple[int, float]
    p: float


@dataclass(frozen=True)
class Fit:
    """What tests are made of; ``logs`` are the logarithms of the standard deviations above 0, the residuals' last."""

    deviations: Floats
    logs: Floats
    logs_covariance: Floats
    coefficients: Floats
    covariance: Floats
    changes: Floats
    """How the coefficients' covariance changes with each of ``logs``."""

    @classmethod
    def of(cls, likelihood: CrossedLikelihood, relative: Floats) -> Fit:
        """At these relative variances, which must be the best."""
        found = likelihood.solve(relative)
        error = float(np.sqrt(found.squares / (likelihood.n - likelihood.p)))
        kept = relative > 0

        def unpacked(logs: Floats) -> tuple[Floats, float]:
            trial = np.zeros(len(relative))
            trial[kept] = np.exp(2 * (logs[:-1] - logs[-1]))
            return trial, float(np.exp(logs[-1]))

        def covariance(logs: Floats) -> Floats:
            trial, sigma = unpacked(logs)
            return sigma**2 * likelihood.solve(trial).inverse

        logs = np.log(np.append(np.sqrt(relative[kept]) * error, error))
        _, bend = derivatives(lambda at: likelihood.deviance(*unpacked(at)), logs)
        steps = STEP * np.eye(len(logs))
        changes = np.array([(covariance(logs + step) - covariance(logs - step)) / (2 * STEP) for step in steps])
        return cls(
            np.append(np.sqrt(relative) * error, error),
            logs,
            (2 * np.linalg.pinv(bend, hermitian=True)).astype(np.float64),  # the deviance is twice the logarithm
            found.coefficients,
            error**2 * found.inverse,
            changes,
        )

    def degrees(self, row: Floats) -> float:
        """Satterthwaite's: of the chi-square whose variance is that of the contrast's estimated variance."""
        variance = float(row @ self.covariance @ row)
        change = np.array([row @ one @ row for one in self.changes])
        return 2 * variance**2 / max(float(change @ self.logs_covariance @ change), 1e-300)

    def effect(self, name: str, row: Floats) -> Effect:
        """A sum of coefficients with its test."""
        from scipy.special import stdtr, stdtrit

        value, spread = float(row @ self.coefficients), float(np.sqrt(row @ self.covariance @ row))
        degrees = self.degrees(row)
        t, width = value / spread, float(stdtrit(degrees, 0.975)) * spread
        return Effect(name, value, spread, degrees, t, float(2 * stdtr(degrees, -abs(t))), value - width, value + width)

    def joint(self, names: Sequence[str]) -> JointTest:
        """All coefficients but the intercept at once: F is the mean of the squared t of independent contrasts."""
        from scipy.special import fdtrc

        size = len(names)
        values, vectors = np.linalg.eigh(self.covariance[1:, 1:])
        rows = np.column_stack([np.zeros(size), vectors.T])
        f = float(np.mean((rows @ self.coefficients) ** 2 / values))
        degrees = [self.degrees(row) for row in rows]
        if size == 1:
            below = degrees[0]
        else:
            expected = sum(nu / (nu - 2) for nu in degrees if nu > 2)
            below = 2 * expected / (expected - size) if expected > size else 2.0
        return JointTest(tuple(names), f, (size, below), float(fdtrc(size, below, f)))


def components_of(fit: Fit, names: Sequence[str], sizes: Sequence[int]) -> tuple[tuple[Component, ...], list[Notice]]:
    """Every factor's, and the residual's; those without variance are named."""
    total = float(np.sum(fit.deviations**2))
    spreads = iter(np.sqrt(np.maximum(np.diag(fit.logs_covariance), 0)))
    found = []
    for name, size, deviation in zip((*names, RESIDUAL), sizes, fit.deviations, strict=True):
        low = high = float("nan")
        if deviation > 0:
            spread = 1.96 * float(next(spreads))
            factor = float(np.exp(spread)) if spread < WIDE else float("inf")
            low, high = float(deviation) / factor, float(deviation) * factor
        variance = float(deviation**2)
        found.append(Component(name, size, variance, float(deviation), low, high, variance / total))
    absent = [one.name for one in found if one.deviation == 0]
    notices = []
    if absent:
        message = f"scores do not vary with {', '.join(absent)} beyond chance: the variance is estimated as 0"
        notices.append(Notice("no variance", message, len(absent)))
    return tuple(found), notices
