"""From judgements, or a study of ours, to a report: scores of metrics, the analysis, and what became of the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.analysis.analyse import Settings, analyse
from fergus.analysis.load import within_scale
from fergus.analysis.metric_scores import metric_scores
from fergus.analysis.of_study import SIMULATED, Findings, findings_of, ratings_of, study_rows
from fergus.analysis.report import Report, checked_plan
from fergus.analysis.score_sources import Scores, Sources
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.judgements import Judgements
    from fergus.cluster.chunks import Workers
    from fergus.studies.service import Service
    from fergus.studies.storage.studies import StudyRow

Told = Callable[[str, int, int], None]
"""What is being worked on, how much of it is done, and out of how much."""


def _quietly(job: str, done: int, total: int) -> None:
    """Say nothing."""


def report_of_study(
    service: Service,
    row: StudyRow,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    sources: Sources = Sources(),  # noqa: B008 - frozen
    group: str = "",
    leave_out: tuple[str, ...] = (),
    dimensions: tuple[str, ...] = (),
    scale: tuple[float, float] | None = None,
    plan: Path | None = None,
    command: str = "",
    told: Told = _quietly,
    workers: Workers | None = None,
) -> Report:
    """Everything that a study found so far; InputError if nobody has answered, or nothing can be analysed.

    ``group`` divides people in Turing-style tests: ``condition`` or a question; whatever the study has, if empty.
    ``leave_out`` names the flags of participants who are left out (``fergus.studies.flags.FLAGS``). ``dimensions`` are
    the ratings that are analysed; all of them if empty.
    """
    exported = study_rows(service, row, leave_out=leave_out)
    judgements = kept(ratings_of(exported), dimensions=dimensions, scale=scale)
    found = findings_of(exported, settings=settings, group=group)
    if not judgements.ratings and not (found.turing or found.preferences or found.tasks or found.comments):
        why = "".join(f"; {notice.message}" for notice in found.notices if notice.kind != SIMULATED)
        remedy = "analyse a study with ratings, choices between two texts, tasks, or comments that were coded"
        raise InputError(f"“{row.name}” has nothing that can be analysed{why}", remedy=remedy)
    return report_of_judgements(
        judgements,
        settings=settings,
        sources=sources,
        found=found,
        plan=plan,
        command=command,
        told=told,
        workers=workers,
    )


def report_of_judgements(
    judgements: Judgements,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    sources: Sources = Sources(),  # noqa: B008 - frozen
    item_column: str | None = None,
    found: Findings = Findings(),  # noqa: B008 - frozen
    plan: Path | None = None,
    command: str = "",
    told: Told = _quietly,
    workers: Workers | None = None,
) -> Report:
    """The analysis of judgements, with the scores of metrics that ``sources`` tells of, and what else was found."""
    scores = _scores(judgements, sources, item_column, settings.seed, told)
    _check_items(settings, judgements)
    _check_predictors(settings, scores)
    total = len(judgements.ratings)
    done = iter(range(total + 1))
    analysis = analyse(
        judgements,
        scores.metrics,
        predictors=scores.predictors,
        settings=replace(settings, lower_is_better=scores.lower_is_better),
        progress=lambda name: told(f"analysis of {name}", next(done), total),
        workers=workers,
    )
    return Report(
        analysis=analysis,
        found=found,
        command=command,
        signatures=scores.signatures,
        notices=scores.notices,
        plan=None if plan is None else checked_plan(plan, analysis, found),
    )


def kept(
    judgements: Judgements, *, dimensions: tuple[str, ...] = (), scale: tuple[float, float] | None = None
) -> Judgements:
    """The dimensions that are asked for (all, if none is), within the scale; InputError if one is left empty."""
    from fergus.studies.problems import legal

    for name in dimensions:
        if name not in judgements.ratings:
            raise InputError(f"the study has no dimension {name}", remedy=legal(name, judgements.ratings))
    own = {name: ratings for name, ratings in judgements.ratings.items() if not dimensions or name in dimensions}
    judgements = replace(judgements, ratings=own)
    if scale is not None:
        judgements = within_scale(judgements, *scale)
    for name, ratings in judgements.ratings.items():
        if len(ratings) == 0:
            remedy = "check the column, and the scale (--scale)"
            raise InputError(f"no score is left in {name}", path=judgements.source, remedy=remedy)
    return judgements


def _scores(judgements: Judgements, sources: Sources, item_column: str | None, seed: int, told: Told) -> Scores:
    if judgements.ratings:
        return metric_scores(judgements, sources, item_column=item_column, seed=seed, report=told)
    if sources.references or sources.metrics or sources.metric_columns or sources.evaluation is not None:
        remedy = "leave references and metrics out, or analyse a study with ratings"
        raise InputError(f"{judgements.source} has no ratings that metrics could be compared with", remedy=remedy)
    return Scores()


def _check_items(settings: Settings, judgements: Judgements) -> None:
    from fergus.studies.problems import legal, shown

    ids = judgements.items.ids
    for one in settings.exclude:
        if one.item not in ids:
            remedy = legal(one.item, ids) if len(ids) <= 20 else f"texts have names such as {', '.join(ids[:5])}"
            problem = f"{shown(one.item)} is excluded and is no text of these"
            raise InputError(problem, path=judgements.source, remedy=remedy)


def _check_predictors(settings: Settings, scores: Scores) -> None:
    from fergus.studies.problems import legal

    every: Mapping[str, object] = {**scores.metrics, **scores.predictors}
    for name in settings.predictors:
        if name not in every:
            raise InputError(f"there is no predictor {name}", remedy=legal(name, every))
