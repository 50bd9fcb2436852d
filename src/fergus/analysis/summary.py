"""An analysis in plain language: what a reader who stops after a minute should have read."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.clusters import Compared
from fergus.analysis.many_tests import LEVEL
from fergus.analysis.mixed_tables import mixed_sentence
from fergus.analysis.report import PlanCheck, Report, title_of
from fergus.analysis.study_summary import study_paragraphs
from fergus.analysis.warnings import RELIABLE, TENTATIVE
from fergus.analysis.written import counted, figure, interval, is_p, listed, percent

if TYPE_CHECKING:
    from fergus.analysis.analyse import Analysis, DimensionAnalysis
    from fergus.analysis.correlate import Correlation, Level


def summary(report: Report) -> tuple[str, ...]:
    """A few sentences a paragraph: for every dimension data, judges, systems, metrics; then pairs, comments, tasks."""
    analysis = report.analysis
    found = []
    several = len(analysis.dimensions) > 1
    for one in analysis.dimensions:
        begin = f"{one.dimension.capitalize()}. " if several else ""
        own = [_data(one), _judges(one), _systems(one), _metrics(one), _regression(one)]
        found += [begin * (not number) + text for number, text in enumerate(filter(None, own))]
    if several:
        found.append(_between(analysis))
    found += study_paragraphs(report.found)
    if report.plan is not None:
        found.append(_plan(report.plan))
    return tuple(found)


def _data(one: DimensionAnalysis) -> str:
    each = figure(one.judgements / max(one.items, 1), 1)
    who = f"{counted(one.judges, 'judge')} gave {counted(one.judgements, 'score')} for {one.dimension}"
    what = f"{counted(one.items, 'text')} by {counted(len(one.systems), 'system')}"
    inputs = f" for {counted(one.inputs, 'input')}" if one.inputs < one.items else ""
    return f"{who} to {what}{inputs}: {each} a text on average."


def _judges(one: DimensionAnalysis) -> str:
    alpha, top = one.reliability.alpha_normalised, one.reliability.ceiling
    if alpha is None:
        return "How far judges agree cannot be told: too few texts were judged by two, or all scores are the same."
    if alpha >= RELIABLE:
        word = "agree well"
    elif alpha >= TENTATIVE:
        word = "agree enough for tentative conclusions"
    else:
        word = "agree only in part" if alpha >= 0.4 else "agree little" if alpha > 0.1 else "hardly agree"
    text = f"On single texts judges {word} (Krippendorff's alpha {figure(alpha, 2)}, each judge's scale normalised)"
    if isnan(top):
        return f"{text}."
    if not one.correlations:
        return f"{text}; the mean judgement of a text would correlate by {figure(top, 2)} with what everybody thinks."
    return (
        f"{text}; even a perfect metric would correlate with a text's mean judgement by no more than {figure(top, 2)}."
    )


def _systems(one: DimensionAnalysis) -> str:
    ranked = [system for system in one.systems if not isnan(system.normalised)]
    if len(ranked) < 2:
        return ""
    best = ranked[0]
    if best.normalised == ranked[-1].normalised:
        return f"All {len(ranked)} systems have the same mean."
    beaten, undecided = against(one.system_comparisons, best.system)
    mean = f"{figure(best.normalised, 2, signed=True)} standard deviations, {figure(best.raw, 1)} on the scale"
    text = f"{best.system} has the highest mean ({mean})"
    if not beaten:
        text += f", but is not significantly better than {_others(undecided)}."
    elif undecided:
        number = f"{len(beaten)} of the other {counted(len(ranked) - 1, 'system')}"
        text += f" and is significantly better than {number}, not than {listed(undecided, most=8)}."
    else:
        text += " and is significantly better than every other system."
    groups = max(system.cluster for system in ranked)
    if 1 < groups < len(ranked):
        told = [
            listed([own.system for own in ranked if own.cluster == number], most=4) for number in range(1, groups + 1)
        ]
        text += f" Significance divides the systems into {groups} groups, best first: {'; '.join(told)}."
    return f"{text} {mixed_sentence(one)}".rstrip()


def _others(names: list[str]) -> str:
    return f"any other of {len(names) + 1:,}" if len(names) > 1 else listed(names)


def _metrics(one: DimensionAnalysis) -> str:
    by_item = _ranked(one, "item")
    if not by_item:
        return "No metric has a defined correlation with these judgements." if one.correlations else ""
    best = by_item[0]
    name = title_of(best.metric)
    within = "" if isnan(best.low) else f", 95% interval {interval(best.low, best.high, 2)}"
    said = f"r = {figure(best.value, 2)}{within}, n = {best.n:,}"
    top = one.reliability.ceiling
    is_below = 0 < best.value < top
    share = f", {100 * best.value / top:.0f}% of the {figure(top, 2)} that is possible" if is_below else ""
    parts = [f"Text by text, {name} agrees best with people ({said}{share})."]
    if best.low <= 0 <= best.high:
        parts = [f"No metric certainly agrees with people text by text; the best is {name} ({said})."]
    beaten, undecided = against(one.metric_comparisons, best.metric)
    if undecided and beaten:
        parts.append(f"It is significantly better than {_all_but(beaten, undecided)}.")
    elif undecided:
        parts.append(f"It is not significantly better than {listed([title_of(n) for n in undecided], most=6)}.")
    elif beaten:
        every = "every other metric" if len(beaten) > 1 else title_of(beaten[0])
        parts.append(f"It is significantly better than {every}.")
    of_systems = _ranked(one, "system")
    if of_systems and of_systems[0].n > 2:
        system = of_systems[0]
        parts.append(
            f"As a judge of whole systems {title_of(system.metric)} comes nearest (r = {figure(system.value, 2)}, "
            + ("" if isnan(system.low) else f"{interval(system.low, system.high, 2)}, ")
            + f"{counted(system.n, 'system')})."
        )
    pairs = [own for own in one.agreement if not isnan(own.pairs.value)]
    if pairs:
        top_pair = max(pairs, key=lambda own: own.pairs.value)
        own = top_pair.pairs
        short = ", which is no more than chance" if own.value <= own.chance else ""
        parts.append(
            f"Of two texts for one input {title_of(top_pair.metric)} orders most as people do: {percent(own.value)} of "
            f"{own.pairs:,} pairs, where chance gives {percent(own.chance)}{short}."
        )
    return " ".join(parts)


def _all_but(beaten: list[str], undecided: list[str]) -> str:
    if len(undecided) < len(beaten):
        return f"every other metric but {listed([title_of(name) for name in undecided])}"
    return f"{listed([title_of(name) for name in beaten], most=6)}, not than {counted(len(undecided), 'other')}"


def _ranked(one: DimensionAnalysis, level: Level) -> list[Correlation]:
    """Pearson's correlations at a level, the highest first."""
    found = [c for c in one.correlations if c.level == level and c.kind == "pearson" and not isnan(c.value)]
    return sorted(found, key=lambda c: (-c.value, c.metric))


def against(comparisons: Iterable[Compared], name: str) -> tuple[list[str], list[str]]:
    """What it is significantly better than, and what it is not."""
    beaten: list[str] = []
    undecided: list[str] = []
    for pair in comparisons:
        if name in (pair.first, pair.second):
            is_first = pair.first == name
            is_better = pair.corrected_p < LEVEL and (pair.difference > 0) == is_first
            (beaten if is_better else undecided).append(pair.second if is_first else pair.first)
    return beaten, undecided


def _regression(one: DimensionAnalysis) -> str:
    best = one.best_regression
    if best is None:
        return ""
    names = listed([title_of(name) for name in best.predictors])
    own = next((model for model in one.regressions if model.predictors == best.predictors), None)
    p = best.p if own is None else own.corrected_p  # the best of many is good by chance too
    low, high = best.r_squared_low, best.r_squared_high
    bounds = "" if isnan(low) else f"95% interval {interval(low, high)}, "
    return (
        f"Of {len(one.regressions):,} linear models the one with the lowest BIC uses {names}; it explains "
        f"{percent(best.r_squared)} of the variance of mean judgements (R² = {figure(best.r_squared, 3)}, "
        f"{bounds}F({best.degrees[0]}, {best.degrees[1]:,}) = {figure(best.f, 2)}, {is_p(p)} "
        f"corrected for their number, n = {best.n:,})."
    )


def _between(analysis: Analysis) -> str:
    parts = [
        f"{first} and {second} by r = {figure(found.value, 2)} ({interval(found.low, found.high, 2)}, n = {found.n:,})"
        for (first, second), found in analysis.between_dimensions.items()
    ]
    return f"The dimensions correlate over texts: {listed(parts, most=6)}."


def _plan(check: PlanCheck) -> str:
    if not check.freeze.frozen:
        begin = f"The analysis plan {check.path} was never frozen"
    elif check.freeze.changes:
        begin = f"The analysis plan {check.path} was changed after it was frozen ({listed(list(check.freeze.changes))})"
    else:
        begin = f"The analysis plan {check.path} is as it was frozen on {check.freeze.frozen[-1].date[:10]}"
    if not check.deviations:
        return f"{begin}, and the analysis follows it."
    return f"{begin}; the analysis deviates from it in {counted(len(check.deviations), 'point')}."
