"""What a study of ours found besides ratings: choices between texts, coded comments, tasks; and the rows.

::

    study_rows(service, row) ─> StudyRows ─┬─ ratings_of ──> Judgements ─> analyse
                                           └─ findings_of ─> Findings: turing, preferences, comments, tasks
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fergus.analysis.comments import CodedComments, coded_comments
from fergus.analysis.judgements import Items, Judgements, Notice
from fergus.analysis.left_out import LeftOut, left_out
from fergus.analysis.load import NUMERIC, from_export
from fergus.analysis.preferences import Preferences, analyse_preferences
from fergus.analysis.tasks import TRIALS, Tasks, analyse_tasks
from fergus.analysis.turing import CONDITION, Turing, analyse_turing, groups_of
from fergus.analysis.warnings import TENTATIVE
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.analysis.analyse import Settings
    from fergus.studies.model import Json
    from fergus.studies.service import Service
    from fergus.studies.storage.studies import StudyRow
    from fergus.studies.study import Study

    Row = Mapping[str, Json]

SIMULATED = "simulated participants"
MOST_GROUPS = 6
"""A question with more answers than these divides people into groups only if it is asked to."""


@dataclass(frozen=True, kw_only=True)
class StudyRows:
    """The rows of a study's export, and what the study says of them."""

    source: str
    rows: tuple[Row, ...]
    right: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By question of type pair: which text is a person's, by columns of the items; empty where none is right."""
    factors: tuple[str, ...] = ("system",)
    """The columns whose values tasks may be compared by."""
    groups: tuple[str, ...] = ()
    """What may divide people into groups, see ``dividing``."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """By question of type choice: what people read."""
    systems: Mapping[str, str] = field(default_factory=dict)
    """By item: who or what wrote it."""
    left_out: tuple[LeftOut, ...] = ()
    """Whose answers are not among the rows, by rule."""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What was found besides ratings."""

    turing: tuple[Turing, ...] = ()
    """One a question."""
    preferences: tuple[Preferences, ...] = ()
    """One a question of type pair without a right answer."""
    comments: tuple[CodedComments, ...] = ()
    """One a question."""
    tasks: tuple[Tasks, ...] = ()
    """One a question and a column whose values are compared."""
    notices: tuple[Notice, ...] = ()
    left_out: tuple[str, ...] = ()
    """The rules by which participants were left out, in words."""

    @property
    def all_notices(self) -> tuple[tuple[str, Notice], ...]:
        """Every one, with the question that it is about."""
        pairs = [(one.question, notice) for one in self.turing for notice in one.notices]
        pairs += [(one.question, notice) for one in self.preferences for notice in one.notices]
        solved = [(one.question, notice) for one in self.tasks for notice in one.notices]
        return tuple(dict.fromkeys((*(("", notice) for notice in self.notices), *pairs, *solved)))


def study_rows(service: Service, row: StudyRow, *, leave_out: Sequence[str] = ()) -> StudyRows:
    """The rows of those who completed a study or are at it; practice and previews are left out.

    So is everybody who falls under one of the rules that ``leave_out`` names (``fergus.studies.flags.FLAGS``).
    """
    from fergus.studies.export import rows_of
    from fergus.studies.questions.choice import Choice
    from fergus.studies.questions.pair import Pair

    rows = tuple(rows_of(service, row))
    if not rows:
        remedy = "ask again when somebody has; fergus study simulate answers with artificial raters"
        raise InputError(f"nobody has answered “{row.name}” yet", remedy=remedy)
    gone = left_out(service, row, leave_out, among={one["participant"] for one in rows})
    rows = tuple(one for one in rows if not any(one["participant"] in own.people for own in gone))
    if not rows:
        remedy = "leave out by fewer rules, and look at the participants' answers"
        raise InputError(f"everybody who answered “{row.name}” is left out", remedy=remedy)
    study = service.study(row)
    asked = [question for block in study.blocks if not block.practice for question in block.questions]
    return StudyRows(
        source=row.name,
        rows=rows,
        right={one.name: one.right for one in asked if isinstance(one, Pair)},
        factors=_factors(study),
        groups=dividing(study),
        texts={one.name: one.text for one in asked if isinstance(one, Choice)},
        systems={item.id: item.system for item in study.items},
        left_out=gone,
    )


def _factors(study: Study) -> tuple[str, ...]:
    from fergus.studies.export import ITEM

    rotated = [study.assignment.factor] if study.assignment.design == "latin-square" else []
    columns = [name if name in ("system", "group", "item") else ITEM + name for name in rotated]
    return tuple(dict.fromkeys([*columns, *([] if columns else ["system"]), CONDITION]))


def dividing(study: Study) -> tuple[str, ...]:
    """What may divide people into groups: the conditions, and questions about themselves with one answer, none right.

    Several answers would put somebody into several groups; a right answer makes a question a check of attention.
    """
    from fergus.studies.questions.choice import Choice

    asked = [one for block in study.blocks if block.items is None and not block.practice for one in block.questions]
    named = [one.name for one in asked if isinstance(one, Choice) and not one.multiple and not one.right]
    return (*([CONDITION] if study.conditions else []), *named)


def ratings_of(told: StudyRows) -> Judgements:
    """The scores of items among the rows; a table without dimensions if there are none."""
    if any(row["type"] in NUMERIC and row["item"] for row in told.rows):
        return from_export(told.rows, source=told.source)
    return Judgements(Items((), (), ()), {}, (), told.source)


def findings_of(told: StudyRows, *, settings: Settings, group: str = "") -> Findings:
    """Everything but ratings; ``group`` divides people: ``condition``, a question, or whatever the study has."""
    rows, notices = told.rows, [*_about_people(told.rows), *(one.notice for one in told.left_out)]
    if group:
        _check_group(told, group)
    turing, preferences, group = [], [], group or _group_of(told)
    for question in _asked(rows, "pair"):
        try:
            if not told.right.get(question):
                preferences.append(_preferences(told, question, settings))
                continue
            found = analyse_turing(
                rows,
                question=question,
                group=group,
                human=told.right[question],
                group_text=told.texts.get(group, ""),
                samples=settings.samples,
                seed=settings.seed,
            )
        except InputError as error:  # only control pairs or ties so far: said, and the rest goes on
            kind = "no Turing-style test" if told.right.get(question) else "no preferences"
            notices.append(Notice(kind, str(error)))
            continue
        turing.append(found)
    tasks = [
        analyse_tasks(
            rows,
            factor=factor,
            question=question,
            samples=settings.samples,
            trials=max(settings.trials, TRIALS),
            seed=settings.seed,
        )
        for question in _asked(rows, "task")
        for factor in _levelled(told, question)
    ]
    comments = tuple(coded_comments(rows))
    coded = {one.question for one in comments}
    notices += [notice for one in comments for notice in _about_coders(one)]
    for question in [*_asked(rows, "comment"), *_asked(rows, "review")]:
        if question not in coded:
            count = sum(_is_of(row, question) for row in rows)
            notices.append(Notice("uncoded comments", f"nobody has coded the comments of “{question}” yet", count))
    return Findings(
        turing=tuple(turing),
        preferences=tuple(preferences),
        comments=comments,
        tasks=tuple(tasks),
        notices=tuple(notices),
        left_out=tuple(one.reason for one in told.left_out),
    )


def _preferences(told: StudyRows, question: str, settings: Settings) -> Preferences:
    return analyse_preferences(
        told.rows, question=question, systems=told.systems, samples=settings.samples, seed=settings.seed
    )


def _about_people(rows: Iterable[Row]) -> list[Notice]:
    made_up = len({row["participant"] for row in rows if row["kind"] == "simulated"})
    message = "answers are those of artificial raters, and say nothing of people"
    return [Notice(SIMULATED, message, made_up)] if made_up else []


def _about_coders(found: CodedComments) -> list[Notice]:
    alpha, name = found.overall.alpha, found.question
    if len(found.coders) < 2:
        return [Notice("one coder", f"the comments of “{name}” were coded by one person: nobody else may agree")]
    if alpha is not None and alpha < TENTATIVE:
        message = f"those who coded “{name}” agree little (alpha {alpha:.2f}, below {TENTATIVE}): the codes are unclear"
        return [Notice("low agreement of coders", message)]
    return []


def _asked(rows: Iterable[Row], kind: str) -> list[str]:
    return list(dict.fromkeys(str(row["question"]) for row in rows if row["type"] == kind))


def _is_of(row: Row, question: str) -> bool:
    return row["question"] == question


def _check_group(told: StudyRows, group: str) -> None:
    from fergus.studies.problems import legal

    if group not in told.groups:
        remedy = legal(group, told.groups) if told.groups else "the study has no conditions, and asks nothing of people"
        raise InputError(f"nothing called {group} divides people into groups", remedy=remedy)


def _group_of(told: StudyRows) -> str:
    """The first that divides those who answered into at least two groups, and not into ever so many."""
    for name in told.groups:
        if 2 <= len(set(groups_of(told.rows, name).values())) <= MOST_GROUPS:
            return name
    return CONDITION


def _levelled(told: StudyRows, question: str) -> list[str]:
    """The columns with several values among a question's answers; one that has any; or the question's own name."""
    rows = [row for row in told.rows if row["type"] == "task" and row["question"] == question]
    levels = {name: {str(row.get(name) or "") for row in rows} - {""} for name in told.factors}
    if CONDITION in levels:  # one that is a number is a row of a Latin square, as is what follows the slash
        named = {own.partition("/")[0] for own in levels[CONDITION]}
        levels[CONDITION] = {own for own in named if own and not own.isdigit()}
    several = [name for name, found in levels.items() if len(found) > 1]
    return several or [name for name, found in levels.items() if found][:1] or ["question"]
