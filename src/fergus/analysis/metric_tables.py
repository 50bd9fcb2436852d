"""The tables of a report about metrics: correlations, comparisons and regressions, each with its n and method."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.abbreviations import explained, full_title
from fergus.analysis.many_tests import enough_trials
from fergus.analysis.report import short_of, title_of
from fergus.analysis.report_tables import Table, beside_best, better_of
from fergus.analysis.score_sources import PREDICTORS
from fergus.analysis.written import counted, figure, general, interval, is_p, listed, percent, probability

if TYPE_CHECKING:
    from fergus.analysis.analyse import DimensionAnalysis, Settings
    from fergus.analysis.combinations import Combination
    from fergus.analysis.correlate import Correlation, Level
    from fergus.analysis.regress import Regression

LEVEL_NAMES = {"item": "text by text", "input": "within inputs", "system": "whole systems"}
KIND_NAMES = {"pearson": "Pearson’s r", "spearman": "Spearman’s ρ", "kendall": "Kendall’s τ-b"}
BEST_MODELS = 10
"""Models of each size that a table shows, those with one predictor all."""


def metrics_table(one: DimensionAnalysis, settings: Settings) -> Table:
    """One line a metric: Pearson’s r at all levels, and pairs; best first."""
    by = {(c.metric, c.level): c for c in one.correlations if c.kind == "pearson"}
    best = next((own.metric for own in _by_value(one)), "")
    rows = []
    for own in _by_value(one):
        cells = [
            title_of(own.metric) + _turned(own.metric, settings),
            beside_best(own.metric, best, one.metric_comparisons),
        ]
        for level in ("item", "input", "system"):
            found = by[own.metric, level]
            cells += [figure(found.value), interval(found.low, found.high, 2)]
        pair = next(a for a in one.agreement if a.metric == own.metric)
        rows.append((*cells, percent(pair.pairs.value), figure(pair.soft_pairwise.value)))
    head = (
        "metric", "p beside best", "text by text", "95% interval", "within inputs", "95% interval", "systems",
        "95% interval", "pairs", "SPA",
    )  # fmt: skip
    n: dict[str, int] = {}
    for c in one.correlations:
        n[c.level] = max(n.get(c.level, 0), c.n)
    chance = next((own.pairs.chance for own in one.agreement), float("nan"))
    count = next((own.pairs.pairs for own in one.agreement), 0)
    comparisons, tested = len(one.metric_comparisons), sum(not isnan(c.corrected_p) for c in one.metric_comparisons)
    caption = (
        f"Pearson’s r with the mean normalised judgement over {n.get('item', 0):,} texts, averaged within "
        f"{n.get('input', 0):,} inputs, and over {n.get('system', 0):,} systems; {settings.samples:,} resamples of "
        f"inputs and judges. Pairs: two texts of an input ordered as people do, {count:,} pairs, by "
        f"chance {percent(chance)}. SPA: soft pairwise accuracy of systems, by chance about .5. p: text by text, "
        f"paired permutation over inputs, {enough_trials(settings.trials, comparisons):,} trials, Holm’s correction "
        f"for {counted(tested, 'comparison')}. The human ceiling text by text is {figure(one.reliability.ceiling)}."
    )
    if turned := [full_title(own.metric) for own in _by_value(one) if _turned(own.metric, settings)]:
        caption += f" −: less is better, and the sign is turned: {listed(turned)}."
    return Table(f"{one.dimension}-metrics", "Metrics against people", head, tuple(rows), caption)


def correlations_table(one: DimensionAnalysis, level: Level, settings: Settings) -> Table:
    """All coefficients of every metric at one level."""
    by = {(c.metric, c.kind): c for c in one.correlations if c.level == level}
    sizes = {c.n for c in by.values()}
    several = len(sizes) > 1  # otherwise the caption says it
    rows = []
    for metric in dict.fromkeys(own.metric for own in _by_value(one)):
        cells = [title_of(metric) + _turned(metric, settings)]
        for kind in KIND_NAMES:
            found = by[metric, kind]  # type: ignore[index]
            cells += [figure(found.value), interval(found.low, found.high, 2)]
            cells += [probability(found.p)] if level != "input" else []
        rows.append((*cells, *([f"{by[metric, 'pearson'].n:,}"] if several else [])))
    head = ["metric"]
    for name in KIND_NAMES.values():
        head += [name, "95% interval", *(["p"] if level != "input" else [])]
    unit = {"item": "texts", "input": "inputs with a coefficient", "system": "systems"}[level]
    n = f"n: {unit}" if several else f"n = {max(sizes):,} {unit}"
    p = (
        "the mean of the inputs’ coefficients"
        if level == "input"
        else "p by t and, for τ, exact or normal, uncorrected"
    )
    return Table(
        f"{one.dimension}-correlations-{level}", f"Correlations, {LEVEL_NAMES[level]}",
        (*head, *(["n"] if several else [])), tuple(rows),
        f"{n}; {p}; intervals: {settings.samples:,} resamples of inputs and judges.",
    )  # fmt: skip


def pairs_table(one: DimensionAnalysis, settings: Settings) -> Table:
    """Pairwise accuracies."""
    ranked = sorted(one.agreement, key=lambda own: (-_known(own.pairs.value), own.metric))
    rows = tuple(
        (
            title_of(own.metric) + _turned(own.metric, settings), percent(own.pairs.value),
            interval(100 * own.pairs.low, 100 * own.pairs.high, 1), percent(own.pairs.chance),
            f"{own.pairs.pairs:,}", f"{own.pairs.ties:,}", general(own.pairs.threshold),
            figure(own.soft_pairwise.value), interval(own.soft_pairwise.low, own.soft_pairwise.high, 2),
        )
        for own in ranked
    )  # fmt: skip
    pairs = max((own.soft_pairwise.pairs for own in ranked), default=0)
    return Table(
        f"{one.dimension}-pairs", "Does a metric order as people do?",
        ("metric", "pairs right", "95% interval (%)", "chance", "pairs", "ties", "threshold", "SPA", "95% interval"),
        rows,
        "Pairs of texts for one input, better, worse or equal, with ties calibrated: scores that differ by no more "
        "than the threshold are equal (Deutsch, Foster and Freitag 2023); interval: "
        f"percentiles of {settings.samples:,} resamples of inputs with the same threshold. SPA: soft pairwise accuracy "
        f"(Thompson et al. 2024) of {counted(pairs, 'pair')} of systems, {settings.trials:,} permutations a pair; "
        f"interval: {settings.samples:,} resamples of inputs and judges.",
    )  # fmt: skip


def metric_pairs_table(one: DimensionAnalysis) -> Table:
    """Every pair of metrics."""
    rows = tuple(
        (
            title_of(own.first), title_of(own.second), figure(own.difference, signed=True), f"{own.n:,}",
            figure(own.williams_t, 2), probability(own.williams_p), probability(own.permutation_p),
            probability(own.corrected_p), better_of(own.first, own.second, own.difference, own.corrected_p),
        )
        for own in one.metric_comparisons
    )  # fmt: skip
    head = ("first", "second", "difference of r", "n", "Williams’ t", "p", "permutation p", "corrected p", "better")
    caption = "Both metrics against the same judgements, text by text; corrected: the permutation’s p by Holm’s method."
    return Table(f"{one.dimension}-metric-pairs", "Every pair of metrics", head, rows, caption, (0, 1, 8))


def regressions_table(one: DimensionAnalysis) -> Table:
    """The paper's Table 3: all models with one predictor, the best of each larger size."""
    rows = tuple(
        (
            " + ".join(short_of(name) for name in own.predictors), figure(own.r_squared),
            figure(own.adjusted_r_squared), figure(own.f, 2), probability(own.p),
            probability(own.corrected_p), figure(own.bic, 1),
        )
        for own in shown_models(one.regressions)
    )  # fmt: skip
    n = one.regressions[0].n if one.regressions else 0
    return Table(
        f"{one.dimension}-regressions", "Regressions",
        ("model", "R²", "adjusted R²", "F", "p", "corrected p", "BIC"), rows,
        f"Ordinary least squares, mean normalised judgement of a text, n = {n:,} texts; p of the F test, corrected by "
        f"Holm’s method for all {len(one.regressions):,} models. Every model of one predictor, and the {BEST_MODELS} "
        "of each larger size that explain most. S, I, D: substitutions, insertions, deletions; M: moves; I', D': those "
        f"that are no part of a move.{_others(one)}",
    )  # fmt: skip


def _others(one: DimensionAnalysis) -> str:
    """What the short names of metrics among the predictors stand for."""
    names = dict.fromkeys(name for own in one.regressions for name in own.predictors if name not in PREDICTORS)
    told = explained(names)
    return f" {told}." if told else ""


def shown_models(models: Sequence[Combination]) -> list[Combination]:
    """By size, best first."""
    found: list[Combination] = []
    for size in sorted({len(own.predictors) for own in models}):
        ranked = sorted(
            (own for own in models if len(own.predictors) == size), key=lambda own: (-own.r_squared, own.predictors)
        )
        found += ranked if size == 1 else ranked[:BEST_MODELS]
    return found


def coefficients_table(dimension: str, best: Regression) -> Table:
    """The model in full."""
    rows = tuple(
        (
            term.name if term.name == "intercept" else title_of(term.name), general(term.value),
            f"{general(term.low)} to {general(term.high)}", general(term.standard_error, 3), figure(term.t, 2),
            probability(term.p), figure(term.inflation, 1),
        )
        for term in best.terms
    )  # fmt: skip
    return Table(
        f"{dimension}-coefficients", "The model with the lowest BIC",
        ("predictor", "coefficient", "95% interval", "standard error", "t", "p", "VIF"), rows,
        f"R² = {figure(best.r_squared)}{r_squared_bounds(best)}, adjusted {figure(best.adjusted_r_squared)}; "
        f"F({best.degrees[0]}, {best.degrees[1]:,}) = {figure(best.f, 2)}, {is_p(best.p)}; n = {best.n:,}; residual SD "
        f"{figure(best.error)}; condition number {figure(best.condition, 1)}; Breusch and Pagan’s test of constant "
        f"variance {is_p(best.breusch_pagan_p)}. Intervals of coefficients by Student’s t, that of "
        "R² by resamples of inputs and judges. The model was chosen among all models, which "
        "makes its own p too small, and its R² too large. Predictors are as they were scored: no sign is turned.",
    )  # fmt: skip


def r_squared_bounds(best: Regression) -> str:
    """The interval of R², in brackets, where there is one."""
    low, high = best.r_squared_low, best.r_squared_high
    return "" if isnan(low) else f" (95% interval {interval(low, high)})"


def excluded_of(best: Regression) -> str:
    """The points that the model was not fitted to, with their reasons."""
    return listed([f"{point.item} ({point.excluded})" for point in best.points if point.excluded])


def _by_value(one: DimensionAnalysis) -> list[Correlation]:
    """The metrics' correlations text by text, the highest first."""
    found = [c for c in one.correlations if c.level == "item" and c.kind == "pearson"]
    return sorted(found, key=lambda c: (-_known(c.value), c.metric))


def _known(value: float) -> float:
    return -2.0 if isnan(value) else value


def _turned(metric: str, settings: Settings) -> str:
    return " −" if metric in settings.lower_is_better else ""
