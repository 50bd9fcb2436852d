"""Mixed-effects models: what systems or metrics do to scores, with judges and items as crossed random effects.

score ~ fixed effects + (1 | judge) + (1 | item), by restricted maximum likelihood. The t tests and intervals of fixed
effects have Satterthwaite's degrees of freedom, so that few judges count as few however many judgements they gave;
a group of effects is tested together by F with the degrees of freedom of Fai and Cornelius (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Notice, Ratings, numbered
from fergus.analysis.mixed_likelihood import CrossedLikelihood
from fergus.analysis.regress import DEPENDENT, INTERCEPT, refuse_dependent
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

RESIDUAL = "residual"
SMALL, NOTHING = 0.01, 1e-4
"""Relative variances below the first are tried at 0, and stay so if the deviance grows by no more than the second."""
WIDE = 20.0
"""Where the logarithm of a standard deviation is known no better than this, nothing is known of it."""
STEP = 1e-3
"""Of numerical derivatives by the logarithms of standard deviations."""


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
class MixedModel:
    """A fitted model."""

    effects: tuple[Effect, ...]
    contrasts: tuple[Effect, ...]
    components: tuple[Component, ...]
    joint: JointTest | None
    """Of all effects but the intercept."""
    n: int
    deviance: float
    """-2 log restricted likelihood."""
    has_converged: bool
    notices: tuple[Notice, ...]


def mixed_model(
    y: Floats,
    fixed: Mapping[str, Floats],
    random: Mapping[str, Sequence[str] | Ints],
    *,
    contrasts: Mapping[str, Mapping[str, float]] | None = None,
) -> MixedModel:
    """Fit a model with an intercept; rows are judgements, and those with a missing value are left out.

    ``random`` has the level of every row for each factor; ``contrasts`` are further sums of effects to be tested.
    """
    kept = np.isfinite(y) & np.all([np.isfinite(column) for column in fixed.values()] or [np.isfinite(y)], axis=0)
    notices = []
    if not kept.all():
        message = "judgements lack a score or a predictor and are left out"
        notices.append(Notice("missing value", message, int((~kept).sum())))
    X = np.column_stack([np.ones(int(kept.sum())), *(np.asarray(x, np.float64)[kept] for x in fixed.values())])
    y = np.asarray(y[kept], np.float64)
    n, p = X.shape
    if n < p + 2:
        raise InputError(f"{n} judgements for {p} effects", remedy=f"at least {p + 2} are needed")
    if np.ptp(y) == 0:
        raise InputError(f"all {n} judgements are the same", remedy="there is nothing to explain")
    refuse_dependent(X[:, 1:], np.linalg.qr(X).R, list(fixed))
    factors = {}
    for name, given in random.items():
        levels = numbered([str(given[i]) for i in np.flatnonzero(kept).tolist()])
        size = int(levels.max()) + 1
        if size in (1, n):
            why = "has one level" if size == 1 else "has a level for every judgement, like the residual"
            notices.append(Notice("factor left out", f"{name} {why}, so that its variance cannot be told apart"))
        else:
            factors[name] = levels
    likelihood = CrossedLikelihood(X, y, list(factors.values()))
    if _left(likelihood, len(factors)) <= DEPENDENT * float(np.sum((y - y.mean()) ** 2)):
        raise InputError("the effects explain every judgement", remedy="leave some out")
    try:
        relative, has_converged = _best(likelihood, len(factors))
        fit = _Fit.of(likelihood, relative)
    except np.linalg.LinAlgError:
        causes = ", ".join([*fixed, *factors])
        remedy = "what is left must vary too: more judgements are needed, or fewer effects"
        raise InputError(f"all {n} judgements follow from {causes}", remedy=remedy) from None
    sizes = [*(int(levels.max()) + 1 for levels in factors.values()), n]
    components, told = _components(fit, list(factors), sizes)
    notices += told
    if not has_converged:
        message = "the search for the variances did not converge; take none of this for granted"
        notices.append(Notice("no convergence", message))
    names = [INTERCEPT, *fixed]
    rows = np.array([[parts.get(name, 0.0) for name in names] for parts in (contrasts or {}).values()]).reshape(-1, p)
    return MixedModel(
        tuple(fit.effect(name, row) for name, row in zip(names, np.eye(p), strict=True)),
        tuple(fit.effect(name, row) for name, row in zip(contrasts or {}, rows, strict=True)),
        components,
        fit.joint(list(fixed)) if fixed else None,
        n,
        likelihood.profiled(relative),
        has_converged,
        tuple(notices),
    )


def rating_model(
    items: Items,
    ratings: Ratings,
    *,
    metrics: Mapping[str, Floats] | None = None,
    baseline: str | None = None,
    has_inputs: bool = False,
) -> MixedModel:
    """Scores by system, or by ``metrics`` (columns of the items), with judges and items as random effects.

    Systems are compared with ``baseline`` (the first by name); the contrasts are the systems' means. An item is one
    system's realization of an input; with ``has_inputs`` inputs are a random effect as well.
    """
    fixed: dict[str, Floats] = {}
    contrasts: dict[str, dict[str, float]] = {}
    if metrics is not None:
        fixed = {name: np.asarray(column, np.float64)[ratings.item] for name, column in metrics.items()}
    else:
        judged = items.system_numbers[ratings.item]
        systems = [name for number, name in enumerate(items.system_names) if (judged == number).any()]
        baseline = systems[0] if baseline is None and systems else baseline
        if baseline not in systems:
            raise InputError(f"there is no system {baseline!r}", remedy=f"the systems are {', '.join(systems)}")
        for name in systems:
            effect = f"{name} - {baseline}"
            if name != baseline:
                fixed[effect] = (judged == items.system_names.index(name)).astype(np.float64)
            contrasts[f"mean of {name}"] = {INTERCEPT: 1.0, effect: 1.0}
    factors: dict[str, Sequence[str] | Ints] = {"judge": ratings.judge, "item": ratings.item}
    if has_inputs:
        factors["input"] = items.input_numbers[ratings.item]
    return mixed_model(ratings.score, fixed, factors, contrasts=contrasts)


def _left(likelihood: CrossedLikelihood, factors: int) -> float:
    """The sum of squares that fixed effects alone leave; a table without any has no Cholesky factor."""
    try:
        return likelihood.solve(np.zeros(factors)).squares
    except np.linalg.LinAlgError:
        return 0.0


def _best(likelihood: CrossedLikelihood, factors: int) -> tuple[Floats, bool]:
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
        slope, bend = _derivatives(lambda at: likelihood.profiled(with_logs(at)), logs)
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


def _derivatives(function: Callable[[Floats], float], at: Floats) -> tuple[Floats, Floats]:
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


@dataclass(frozen=True)
class _Fit:
    """What tests are made of; ``logs`` are the logarithms of the standard deviations above 0, the residuals' last."""

    deviations: Floats
    logs: Floats
    logs_covariance: Floats
    coefficients: Floats
    covariance: Floats
    changes: Floats
    """How the coefficients' covariance changes with each of ``logs``."""

    @classmethod
    def of(cls, likelihood: CrossedLikelihood, relative: Floats) -> _Fit:
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
        _, bend = _derivatives(lambda at: likelihood.deviance(*unpacked(at)), logs)
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


def _components(fit: _Fit, names: Sequence[str], sizes: Sequence[int]) -> tuple[tuple[Component, ...], list[Notice]]:
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
