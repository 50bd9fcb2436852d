"""Mixed-effects models: what systems or metrics do to scores, with judges and items as crossed random effects.

score ~ fixed effects + (1 | judge) + (1 | item), by restricted maximum likelihood. The t tests and intervals of fixed
effects have Satterthwaite's degrees of freedom, so that few judges count as few however many judgements they gave;
a group of effects is tested together by F with the degrees of freedom of Fai and Cornelius (1996).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Notice, Ratings, numbered
from fergus.analysis.mixed_effects import Component, Effect, Fit, JointTest, components_of
from fergus.analysis.mixed_likelihood import CrossedLikelihood
from fergus.analysis.mixed_search import best_variances
from fergus.analysis.regress import DEPENDENT, INTERCEPT, refuse_dependent
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


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
        relative, has_converged = best_variances(likelihood, len(factors))
        fit = Fit.of(likelihood, relative)
    except np.linalg.LinAlgError:
        causes = ", ".join([*fixed, *factors])
        remedy = "what is left must vary too: more judgements are needed, or fewer effects"
        raise InputError(f"all {n} judgements follow from {causes}", remedy=remedy) from None
    sizes = [*(int(levels.max()) + 1 for levels in factors.values()), n]
    components, told = components_of(fit, list(factors), sizes)
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
