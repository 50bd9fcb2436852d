"""A metric learned from judgements (section 4.2 of Bangalore et al. 2000), and whether it is better than its parts.

Mean normalised judgements are fitted by a linear model of metrics and counts of errors. What does not belong in an
accuracy (length, or a metric that has no best value) may take part in a first fit and is dropped in the second. The
model is divided by its value for a perfect sentence. It is judged by its predictions for inputs, and for systems, that
it was not fitted to; the choice of metrics is part of what is validated so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from fergus.analysis.beside_parts import Beside, beside_parts
from fergus.analysis.coefficients import KINDS, coefficient
from fergus.analysis.judgements import Items, Notice, Ratings
from fergus.analysis.learning_data import LearningData, Part, parts_that_stay
from fergus.analysis.many_tests import LEVEL, enough_trials
from fergus.analysis.regress import Exclusion, Regression, regress
from fergus.analysis.select_predictors import INNER, PENALTIES, Chosen, candidates, choose, folds_of
from fergus.analysis.written import is_p
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


FEWEST = 3
"""Parts of the inputs: with one left out and another to choose by, there must be one to fit to."""


@dataclass(frozen=True)
class Scaled:
    """A linear model by which a perfect sentence has 1."""

    intercept: float
    coefficients: Mapping[str, float]
    """As fitted."""
    perfect: float
    """What they give a perfect sentence, by which everything is divided."""

    def scores(self, parts: Mapping[str, Floats]) -> Floats:
        """The scores of items whose parts are given."""
        total = self.intercept + sum(weight * np.asarray(parts[name]) for name, weight in self.coefficients.items())
        result: Floats = np.asarray(total, np.float64) / self.perfect
        return result


def scaled(intercept: float, coefficients: Mapping[str, float], perfect: Mapping[str, float]) -> Scaled:
    """Scale a model, given what a perfect sentence has of each of its parts.

    The paper's Understandability Accuracy divides by .8689:

    >>> both = {"simple_tree_accuracy": 1.3147, "substitutions": -0.1039}
    >>> round(scaled(-0.4458, both, {"simple_tree_accuracy": 1, "substitutions": 0}).perfect, 4)
    0.8689
    """
    value = intercept + sum(weight * perfect[name] for name, weight in coefficients.items())
    if value <= 0:
        raise InputError(
            f"a perfect sentence would have {value:.4g}, and only what is above 0 can be scaled to 1",
            remedy="choose other metrics: by these a perfect sentence is no better than the mean of those judged",
        )
    return Scaled(intercept, dict(coefficients), value)


@dataclass(frozen=True)
class Validation:
    """How well scores go with judgements of what the model was not fitted to."""

    left_out: Literal["inputs", "systems"]
    folds: int
    n: int
    pearson: float
    spearman: float
    kendall: float
    by_system: Mapping[str, float]
    """Of systems left out: Pearson's r within each."""


@dataclass(frozen=True)
class Learned:
    """A learned metric."""

    dimension: str
    metric: Scaled
    regression: Regression
    """Of the parts that stay, by least squares."""
    regression_with_dropped: Regression | None
    """The first fit, with what was then dropped."""
    penalty: float
    """Of ridge regression, 0 for least squares."""
    r_squared: float
    """The share of the variance of judgements that the metric, as it is, explains where it was fitted."""
    against: tuple[str, ...]
    """Parts that count against their direction."""
    tried: int
    """Combinations of metrics among which the parts were chosen."""
    texts: int
    inputs: int
    systems: int
    judges: int
    by_inputs: Validation
    by_systems: Validation | None
    beside: tuple[Beside, ...]
    """Every metric, best first, whether it could be a part or not, and the learned one's lead over it."""
    notices: tuple[Notice, ...]

    @property
    def best_part(self) -> Beside:
        """The part that alone goes best with the judgements."""
        return next(one for one in self.beside if one.name in self.metric.coefficients)

    @property
    def beats_best_part(self) -> bool:
        """Whether it is better by both tests and by the interval; a part on another scale, or turned round, is not."""
        return len(self.metric.coefficients) > 1 and self.best_part.is_beaten

    @property
    def verdict(self) -> str:
        """Whether it is worth having, in a sentence."""
        return verdict(self)


def check_folds(folds: int) -> None:
    """Raise if a choice cannot be validated with so many parts: one is fitted to, one chosen by, one left out."""
    if folds != 0 and folds < FEWEST:
        remedy = f"give {FEWEST} parts or more, or 0 to leave out one input at a time"
        raise InputError(f"{folds} parts of the inputs are too few to choose by and to validate with", remedy=remedy)


def learn(
    items: Items,
    ratings: Ratings,
    parts: Sequence[Part],
    *,
    others: Mapping[str, Floats] | None = None,
    predictors: Sequence[str] | None = None,
    largest: int = 3,
    ridge: float | Literal["choose"] | None = None,
    folds: int = 10,
    exclude: Sequence[Exclusion] = (),
    trials: int = 1000,
    samples: int = 1000,
    seed: int = 12345,
) -> Learned:
    """Fit, scale, validate.

    ``ratings`` are normalised. ``predictors`` are the parts to be used, by name; without them all combinations of at
    most ``largest`` are tried by cross-validation, leaving out those in which a part counts against its direction.
    Parts without a best value take part in a first fit only. ``folds`` of 0 leaves out one input at a time. ``others``
    are metrics that cannot be parts, to be compared with; of all of them more is better.
    """
    check_folds(folds)
    data = LearningData.of(items, ratings, parts, predictors, exclude)
    tries = [tuple(range(len(data.parts)))] if predictors else candidates(len(data.parts), largest=largest)
    penalties = PENALTIES if ridge == "choose" else (ridge or 0.0,)

    def chosen_without(outer: Ints) -> Chosen:
        return choose(
            data.X,
            data.y,
            outer=outer,
            inner=folds_of(data.inputs, folds=INNER, seed=seed + 1) if folds == 0 or folds > INNER else input_parts,
            combinations=tries,
            penalties=penalties,
            directions=data.directions,
        )

    input_parts = folds_of(data.inputs, folds=folds, seed=seed)
    if int(input_parts.max()) + 1 < FEWEST:
        told = "one input" if int(input_parts.max()) == 0 else "two inputs"
        raise InputError(
            f"all judgements are of {told}",
            remedy="learn from three inputs at least: one to fit to, one to choose by, one to validate with",
        )
    by_inputs = chosen_without(input_parts)
    predicted = by_inputs.held_out(data.X, input_parts)
    notices = [*data.notices]
    names = [part.name for part in data.parts]
    final = by_inputs.choices[-1]
    weights = dict(zip(names, by_inputs.models[-1, 1:].tolist(), strict=True))
    coefficients = {names[i]: weights[names[i]] for i in final.chosen}
    against = [
        names[i] for i in final.chosen if coefficients[names[i]] * (1 if data.parts[i].higher_is_better else -1) < 0
    ]
    if against:
        message = f"what is worse counts in favour of a text: {', '.join(against)}; a score may be above 1"
        notices.append(Notice("against its direction", message, len(against)))
    perfect = {part.name: part.perfect for part in data.parts if part.perfect is not None}
    columns = {name: data.X[:, names.index(name)] for name in coefficients}
    residuals = data.y - by_inputs.models[-1, 0] - data.X @ by_inputs.models[-1, 1:]
    first = regress({**columns, **data.dropped}, data.y, items=data.ids) if data.dropped else None
    by_systems = None
    systems = len(set(data.systems.tolist()))
    if systems > 1:
        held_out = chosen_without(data.systems).held_out(data.X, data.systems)
        by_systems = _validation("systems", data, held_out, systems)
    else:
        notices.append(Notice("one system", "nothing can be said about systems that were not judged"))
    alone = {part.name: part.oriented for part in parts_that_stay(parts)} | dict(others or {})
    judges = len(set(ratings.judge[data.kept[ratings.item]].tolist()))
    if judges == 1:
        notices.append(Notice("one judge", "nothing can be said of other people's judgements"))
    beside = beside_parts(
        items,
        ratings,
        data.over_all(predicted),
        alone,
        judged=data.over_all(data.y),
        trials=enough_trials(trials, len(alone)),
        samples=samples,
        seed=seed,
    )
    return Learned(
        ratings.dimension,
        scaled(float(by_inputs.models[-1, 0]), coefficients, perfect),
        regress(columns, data.y, items=data.ids),
        first,
        final.penalty,
        1 - float(np.var(residuals) / np.var(data.y)),
        tuple(against),
        by_inputs.tried,
        len(data.y),
        len(set(data.inputs.tolist())),
        systems,
        judges,
        _validation("inputs", data, predicted, int(input_parts.max()) + 1),
        by_systems,
        tuple(beside),
        tuple(notices),
    )


def verdict(learned: Learned) -> str:
    """Whether a learned metric is worth having, in a sentence or two."""
    best, r = learned.best_part, learned.by_inputs.pearson
    figures = (
        f"difference {best.difference:+.3f}, 95% interval {best.low:+.3f} to {best.high:+.3f}, "
        f"permutation {is_p(best.corrected_p)}, Williams {is_p(best.williams_p)}"
    )
    if learned.against and len(learned.metric.coefficients) == 1:
        told = (
            f"It is {best.name} counted against its direction: worse scores, better judgements "
            f"(r = {best.pearson:.3f})."
        )
    elif len(learned.metric.coefficients) == 1:
        told = f"It is {best.name} on another scale, and no better (r = {best.pearson:.3f})."
    elif best.is_beaten:
        told = (
            f"It agrees with {learned.dimension} significantly better than its best part: r = {r:.3f} on inputs it "
            f"was not fitted to, {best.name} has {best.pearson:.3f} ({figures})."
        )
    else:
        told = (
            f"It is NOT significantly better than its best part: r = {r:.3f} on inputs it was not fitted to, "
            f"{best.name} has {best.pearson:.3f} ({figures})."
        )
        if best.difference > 0 and max(best.corrected_p, best.williams_p) < LEVEL:
            told += " Over these texts it is, but other inputs and other judges might say otherwise."
    top = learned.beside[0]
    if top.name not in learned.metric.coefficients and top.pearson > best.pearson:
        told += (
            f" {top.name}, which is not among its parts, has {top.pearson:.3f} (difference {top.difference:+.3f}, 95% "
            f"interval {top.low:+.3f} to {top.high:+.3f}, permutation {is_p(top.corrected_p)})."
        )
    systems = learned.by_systems
    if systems is not None and not systems.pearson > 0:
        told += f" For systems it was not fitted to it does not agree with people (r = {systems.pearson:.3f})."
    return told


def _validation(
    left_out: Literal["inputs", "systems"], data: LearningData, predicted: Floats, folds: int
) -> Validation:
    pearson, spearman, kendall = (coefficient(kind, predicted, data.y).value for kind in KINDS)
    by_system = {}
    if left_out == "systems":
        for number, name in enumerate(data.system_names):
            own = data.systems == number
            by_system[name] = coefficient("pearson", predicted[own], data.y[own]).value
    return Validation(left_out, folds, len(data.y), pearson, spearman, kendall, by_system)
