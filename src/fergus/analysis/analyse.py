"""The whole analysis of a set of ratings, chained: what a report is made from.

::

    Judgements ─> normalise ─> reliability ─> systems, mixed model ─> correlations ─> comparisons ─> regressions
                                                    (metric scores) ┘
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.clusters import clusters
from fergus.analysis.combinations import Combination, every_combination
from fergus.analysis.compare_metrics import MetricComparison, compare_metrics
from fergus.analysis.correlate import Correlation, correlations
from fergus.analysis.judge_correlations import MeanCorrelation, correlation_with_others, pairwise_correlation
from fergus.analysis.judgements import Items, Judgements, Notice, Ratings
from fergus.analysis.mixed_models import MixedModel, rating_model
from fergus.analysis.normalise import Normalised, normalise
from fergus.analysis.pairwise import PairAccuracy, pair_accuracy
from fergus.analysis.regress import Exclusion, Regression, regress
from fergus.analysis.regression_interval import r_squared_interval
from fergus.analysis.reliability import (
    Intraclass,
    JudgeReport,
    ceiling,
    interval_alpha,
    intraclass,
    judge_reports,
)
from fergus.analysis.reliability_intervals import ReliabilityIntervals, reliability_intervals
from fergus.analysis.score_sources import COUNTS, LENGTH
from fergus.analysis.soft_pairwise import SoftAccuracy, soft_pairwise_accuracies
from fergus.analysis.systems import SystemComparison, SystemScore, system_scores
from fergus.analysis.warnings import warnings_of
from fergus.cluster.chunks import Workers
from fergus.errors import InputError
from fergus.version import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is computed, and how thoroughly; part of every report."""

    samples: int = 1000
    """Resamples of inputs and judges, for intervals."""
    trials: int = 1000
    """Of each permutation test at least; the more comparisons, the more there are (``enough_trials``)."""
    seed: int = 12345
    predictors: tuple[str, ...] = ()
    """What regressions may use: names of metrics, length and counts of errors; none: all of them."""
    lower_is_better: tuple[str, ...] = ()
    """Metrics whose sign is turned in correlations and comparisons; regressions take them as they are."""
    largest: int = 3
    """Predictors of a regression at most."""
    exclude: tuple[Exclusion, ...] = ()
    """Items that regressions are not fitted to, with reasons."""


@dataclass(frozen=True)
class Reliability:
    """How far the judges agree along one dimension."""

    alpha_raw: float | None
    alpha_normalised: float | None
    """Krippendorff's, for interval data."""
    intraclass: Intraclass
    pairwise: MeanCorrelation
    """Of pairs of judges with three items or more in common."""
    with_others: MeanCorrelation
    """Of each judge with the mean of the others."""
    judges: tuple[JudgeReport, ...]
    ceiling: float
    """The highest correlation with the mean judgement that a metric could reach."""
    raw: ReliabilityIntervals
    normalised: ReliabilityIntervals
    """Intervals of the above: alpha_raw and ICC by scores as given, alpha_normalised and ceiling normalised."""


@dataclass(frozen=True)
class MetricAgreement:
    """How one metric orders texts and systems as people do."""

    metric: str
    pairs: PairAccuracy
    soft_pairwise: SoftAccuracy


@dataclass(frozen=True)
class DimensionAnalysis:
    """Everything about one dimension."""

    dimension: str
    judgements: int
    judges: int
    items: int
    inputs: int
    lowest: float
    highest: float
    mean: float
    deviation: float
    reliability: Reliability
    systems: tuple[SystemScore, ...]
    system_comparisons: tuple[SystemComparison, ...]
    correlations: tuple[Correlation, ...]
    agreement: tuple[MetricAgreement, ...]
    metric_comparisons: tuple[MetricComparison, ...]
    metric_clusters: tuple[tuple[str, ...], ...]
    regressions: tuple[Combination, ...]
    best_regression: Regression | None
    notices: tuple[Notice, ...]
    mixed: MixedModel | None = None
    """Scores as given by system, with judges, texts and inputs as random effects; beside the best system."""


@dataclass(frozen=True)
class Analysis:
    """The whole: what a report says."""

    source: str
    version: str
    settings: Settings
    inputs: int
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    dimensions: tuple[DimensionAnalysis, ...]
    between_dimensions: Mapping[tuple[str, str], Correlation]
    """Pearson's r of the items' mean normalised judgements."""
    notices: tuple[Notice, ...]
    points: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    """By dimension, the mean normalised judgement of each item, for figures; and by ``metrics``, their scores."""


def analyse(
    judgements: Judgements,
    metrics: Mapping[str, Floats],
    *,
    predictors: Mapping[str, Floats] | None = None,
    settings: Settings = Settings(),
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> Analysis:
    """Analyse every dimension; ``predictors`` are what regressions may use beside metrics: length, counts of errors.

    ``progress`` is told what is being worked on; ``workers`` compute statistics of resamples.
    """
    told = progress or (lambda _: None)
    items = judgements.items
    dimensions, means, own = [], {}, {}
    for name, ratings in judgements.ratings.items():
        told(name)
        normalised = normalise(ratings)
        own[name] = normalised.ratings
        means[name] = own[name].item_means(len(items))
        usable = {**metrics, **(predictors or {})}
        dimensions.append(_dimension(judgements, normalised, means[name], metrics, usable, settings, workers))
    between: dict[tuple[str, str], Correlation] = {}
    for a, b in combinations(means, 2):  # the first as a metric is: over texts, by Pearson's r, is what comes first
        between[a, b] = correlations(
            items, own[b], {a: means[a]}, samples=settings.samples, seed=settings.seed, workers=workers
        )[0]
    return Analysis(
        judgements.source,
        __version__,
        settings,
        items.input_count,
        items.system_names,
        tuple(metrics),
        tuple(dimensions),
        between,
        judgements.notices,
        {**{name: {"judged": list(map(float, column))} for name, column in means.items()},
         "metrics": {name: list(map(float, column)) for name, column in metrics.items()}},
    )  # fmt: skip


def _dimension(
    judgements: Judgements,
    normalised: Normalised,
    means: Floats,
    metrics: Mapping[str, Floats],
    predictors: Mapping[str, Floats],
    settings: Settings,
    workers: Workers | None,
) -> DimensionAnalysis:
    # A dimension that people judged of some texts only is analysed as if there were no others.
    judged = np.isfinite(means)
    items, means, size = judgements.items.only(judged), means[judged], int(judged.sum())
    metrics = {
        name: (-scores if name in settings.lower_is_better else scores)[judged] for name, scores in metrics.items()
    }
    predictors = {name: scores[judged] for name, scores in predictors.items()}
    ratings, z = normalised.raw.among(judged), normalised.ratings.among(judged)
    once, once_z = ratings.averaged(), z.averaged()  # a judge who agrees with himself is no second judge
    reliability = Reliability(
        interval_alpha(once),
        interval_alpha(once_z),
        intraclass(once, size),
        pairwise_correlation(items, once),
        correlation_with_others(items, ratings),
        tuple(judge_reports(ratings, size)),
        ceiling(once_z, size),
        *(reliability_intervals(items, own, samples=settings.samples, seed=settings.seed) for own in (once, once_z)),
    )
    systems, system_comparisons = system_scores(
        items, ratings, z, samples=settings.samples, trials=settings.trials, seed=settings.seed, workers=workers
    )
    found = correlations(items, z, metrics, samples=settings.samples, seed=settings.seed, workers=workers)
    compared = compare_metrics(metrics, means, inputs=items.input_numbers, trials=settings.trials, seed=settings.seed)
    by_item = {c.metric: c.value for c in found if c.level == "item" and c.kind == "pearson"}
    soft = soft_pairwise_accuracies(
        items, z, metrics, samples=settings.samples, trials=settings.trials, seed=settings.seed, workers=workers
    )
    agreement = tuple(
        MetricAgreement(
            name, pair_accuracy(items, own, means, samples=settings.samples, seed=settings.seed), soft[name]
        )
        for name, own in metrics.items()
    )
    rows, best, notices = _regressions(items, z, predictors, settings, workers)
    mixed, told = _mixed(items, ratings, systems)
    analysis = DimensionAnalysis(
        ratings.dimension, len(ratings), len(np.unique(ratings.judge)), size, items.input_count,
        float(ratings.score.min()), float(ratings.score.max()), float(ratings.score.mean()),
        float(ratings.score.std(ddof=1)) if len(ratings) > 1 else 0.0,
        reliability, tuple(systems), tuple(system_comparisons), tuple(found), agreement, tuple(compared),
        tuple(map(tuple, clusters(by_item, compared))), rows, best, (), mixed,
    )  # fmt: skip
    warned = (*_constant(metrics), *warnings_of(analysis, ratings))
    return replace(analysis, notices=(*normalised.notices, *notices, *told, *warned))


def _constant(metrics: Mapping[str, Floats]) -> list[Notice]:
    """Metrics that say the same of every text; they agree and disagree with nobody."""
    same = [name for name, scores in metrics.items() if len(set(scores[np.isfinite(scores)].tolist())) == 1]
    message = f"one score for every text, so that nothing can be said of: {', '.join(same)}"
    return [Notice("constant metric", message, len(same))] if same else []


def _regressions(
    items: Items, ratings: Ratings, predictors: Mapping[str, Floats], settings: Settings, workers: Workers | None
) -> tuple[tuple[Combination, ...], Regression | None, tuple[Notice, ...]]:
    """Every combination, and the one with the lowest BIC in full; why there is none, if there is none."""
    used = {name: predictors[name] for name in settings.predictors or predictors}
    if not used:
        return (), None, ()
    ids, means = items.ids, ratings.item_means(len(items))
    try:
        found = every_combination(used, means, largest=settings.largest, items=ids, exclude=settings.exclude)
        best = min(found.models, key=lambda one: (one.bic, one.predictors), default=None)
        if best is None:
            return (), None, found.notices
        chosen = {name: used[name] for name in best.predictors}
        full = regress(chosen, means, items=ids, exclude=settings.exclude)
        low, high = r_squared_interval(
            items, ratings, chosen, full.r_squared, exclude=settings.exclude, samples=settings.samples,
            seed=settings.seed, workers=workers,
        )  # fmt: skip
        told = (*full.notices, *_against(full, settings))
        full = replace(full, r_squared_low=low, r_squared_high=high, notices=told)
    except InputError as error:  # too few points, columns that do not vary: said, and the rest goes on
        return (), None, (Notice("no regression", str(error)),)
    return found.models, full, (*found.notices, *full.notices)


def _against(model: Regression, settings: Settings) -> list[Notice]:
    """Predictors whose coefficient has the sign that their name does not lead one to expect."""
    less = {*settings.lower_is_better, *COUNTS}
    odd = [t.name for t in model.terms[1:] if t.name != LENGTH and (t.value > 0) == (t.name in less) and t.value]
    message = f"the model counts errors as a merit, or accuracy as a fault, all else equal: {', '.join(odd)}"
    return [Notice("against its direction", message, len(odd))] if odd else []


def _mixed(
    items: Items, ratings: Ratings, systems: Sequence[SystemScore]
) -> tuple[MixedModel | None, tuple[Notice, ...]]:
    """Systems beside the best one, if there are several; why there is no model, if there is none."""
    judged = [own.system for own in systems if own.judgements]
    if len(judged) < 2:
        return None, ()
    try:
        found = rating_model(items, ratings, baseline=judged[0], has_inputs=1 < items.input_count < len(items))
    except InputError as error:
        return None, (Notice("no mixed model", str(error)),)
    if not found.has_converged:
        message = "the variances that suit best could not be found, as where nearly all follows from who judged"
        return None, (Notice("no mixed model", message),)
    return found, tuple(replace(one, kind=f"mixed model, {one.kind}") for one in found.notices)
