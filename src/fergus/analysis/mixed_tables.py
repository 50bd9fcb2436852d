"""The tables of a mixed-effects model: systems beside the best one, and how much scores vary with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fergus.analysis.many_tests import LEVEL, corrected_for_number
from fergus.analysis.report_tables import Table
from fergus.analysis.written import NOTHING, counted, figure, interval, is_p, listed, percent, probability

if TYPE_CHECKING:
    from fergus.analysis.analyse import DimensionAnalysis
    from fergus.analysis.mixed_models import MixedModel

FACTORS = {"judge": "judges", "item": "texts", "input": "inputs", "residual": "what is left"}


def mixed_table(dimension: str, model: MixedModel) -> Table:
    """Every system's mean, and its difference from the best one."""
    best = baseline_of(model)
    differences = {one.name.removesuffix(f" - {best}"): one for one in model.effects[1:]}
    # Any system could have come out best: every pair counts as a comparison.
    number = len(model.contrasts) * (len(model.contrasts) - 1) // 2
    p = corrected_for_number([one.p for one in differences.values()], comparisons=number)
    corrected = dict(zip(differences, p, strict=True))
    rows = []
    for mean in sorted(model.contrasts, key=lambda one: (-one.value, one.name)):
        name = mean.name.removeprefix("mean of ")
        own = differences.get(name)
        rows.append(
            (
                name, figure(mean.value, 2), interval(mean.low, mean.high, 2),
                *((NOTHING,) * 5 if own is None else (
                    figure(own.value, 2, signed=True), interval(own.low, own.high, 2), figure(own.degrees, 1),
                    probability(own.p), probability(corrected[name]),
                )),
            )
        )  # fmt: skip
    return Table(
        f"{dimension}-mixed", "Systems by a mixed-effects model",
        ("system", "mean", "95% interval", f"beside {best}", "95% interval", "df", "p", "corrected p"), tuple(rows),
        f"Scores as given, {listed(_random(model))} as crossed random effects, restricted maximum likelihood, "
        f"n = {model.n:,} judgements. Means are estimated for a judge and a text that are like all others, and need "
        f"not have the order of plain means. Degrees of freedom: Satterthwaite’s; p corrected by Holm’s method for "
        f"{counted(number, 'pair')}, since any system could have come out best.{joint_of(model)}",
    )  # fmt: skip


def components_table(dimension: str, model: MixedModel) -> Table:
    """How much scores vary from judge to judge, from text to text, and otherwise."""
    rows = tuple(
        (
            FACTORS.get(one.name, one.name), f"{one.levels:,}", figure(one.deviation, 2),
            interval(one.low, one.high, 2), percent(one.share),
        )
        for one in model.components
    )  # fmt: skip
    return Table(
        f"{dimension}-variances", "How much scores vary with what",
        ("with", "number", "SD", "95% interval", "share of variance"), rows,
        "Standard deviations of random effects in units of the scale; shares of the variance that systems leave. The "
        "number of what is left is that of judgements.",
    )  # fmt: skip


def mixed_sentence(one: DimensionAnalysis) -> str:
    """The same in plain language; empty without a model."""
    model = one.mixed
    if model is None or model.joint is None:
        return ""
    joint = model.joint
    shares = [f"{FACTORS.get(own.name, own.name)} for {percent(own.share)}" for own in model.components[:-1]]
    shares[:1] = [share.replace(" for ", " account for ") for share in shares[:1]]
    # What has one level, as where one judge judged all, is in no model.
    asked = f", in which other {listed(_random(model))} could have been asked," if model.components[1:] else ""
    told = "differ" if joint.p < LEVEL else "cannot be told apart"
    text = (
        f"A mixed-effects model{asked} says that systems {told} "
        f"(F({joint.degrees[0]}, {figure(joint.degrees[1], 1)}) = {figure(joint.f, 2)}, {is_p(joint.p)})"
    )
    return f"{text}; {listed(shares)} of the variance that systems leave." if shares else f"{text}."


def baseline_of(model: MixedModel) -> str:
    """The system that the others are compared with: the one that has a mean and no effect."""
    names = [one.name.removeprefix("mean of ") for one in model.contrasts]
    effects = {one.name for one in model.effects}
    return next(name for name in names if all(f"{other} - {name}" in effects for other in names if other != name))


def joint_of(model: MixedModel) -> str:
    """The test of all systems at once, as the end of a caption."""
    joint = model.joint
    if joint is None:
        return ""
    degrees = f"{joint.degrees[0]}, {figure(joint.degrees[1], 1)}"
    return f" All systems at once: F({degrees}) = {figure(joint.f, 2)}, {is_p(joint.p)}."


def _random(model: MixedModel) -> list[str]:
    return [FACTORS.get(one.name, one.name) for one in model.components[:-1]] or ["nothing"]
