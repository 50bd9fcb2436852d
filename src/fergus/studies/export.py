"""A study's answers as a table: one row a judgement, read and written a few at a time.

::

    study version participant kind condition state block practice page position
    item group system question type dimension value score late shown_order
    opened shown submitted duration_ms active_ms codes grades item_text item_...

``participant`` is a number that says nothing; the recruiter's name for the person is in ``external``, only where it is
asked for. ``page`` and ``position`` (of the item on its page) count from 1. ``duration_ms`` is from the moment when the
page was the next one (with a time limit: was first shown) until it was sent, by the server's clock; ``active_ms`` is
how long it was in view, by the browser's word. ``codes`` and ``grades`` are by coder. Lists and objects are JSON in CSV
too.

CSV has every value as it was given, even a comment that begins with ``=``, which a spreadsheet takes for a formula.
``is_safe`` puts an apostrophe before such texts: for files that are opened in a spreadsheet, not for analysis.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, groupby

from fergus.studies.model import Item, Json, Judgement
from fergus.studies.questions.base import Question
from fergus.studies.questions.task import Task
from fergus.studies.service import Service
from fergus.studies.storage import answers, codings, participants, studies
from fergus.studies.storage.answers import AnswerRow
from fergus.studies.storage.codings import CodingRow
from fergus.studies.storage.participants import KINDS, Who
from fergus.studies.storage.studies import StudyRow
from fergus.studies.study import Study

FORMATS = ("csv", "jsonl")
COLUMNS = (
    "study", "version", "participant", "external", "kind", "condition", "state", "block", "practice", "page",
    "position", "item", "group", "system", "question", "type", "dimension", "value", "score", "late", "shown_order",
    "opened", "shown", "submitted", "duration_ms", "active_ms", "codes", "grades",
)  # fmt: skip
"""Before those of the items."""
ITEM = "item_"
"""What stands before the name of an item's column."""
GRACE_MS = 5000
"""A page sends itself when the time of a task is up; what arrives within this time after it is not late."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With these a spreadsheet begins a formula."""
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Whose answers are exported, and how much is said of them."""

    completed_only: bool = False
    """Leave out those who are not at the end."""
    withdrawn: bool = False
    """Also those of people who stopped taking part, or did not want to."""
    practice: bool = False
    """Also the answers to practice items."""
    previews: bool = False
    """Also the answers of those who looked at the study beforehand."""
    with_ids: bool = False
    """Say by which name the recruiter knows them."""

    def takes(self, who: Who) -> bool:
        """Is this participant exported?"""
        states = {"completed"} if self.completed_only else {"completed", "active"}
        states |= {"withdrawn", "declined"} if self.withdrawn else set()
        return who.state in states and (self.previews or who.kind != "preview")


EVERYBODY = Choice()


def export_study(
    service: Service, row: StudyRow, *, form: str = "csv", choice: Choice = EVERYBODY, is_safe: bool = False
) -> Iterator[str]:
    """The text of the export, in pieces; ``form`` is csv or jsonl."""
    if form == "jsonl":
        for record in rows_of(service, row, choice=choice):
            yield json.dumps(record, ensure_ascii=False) + "\n"
        return
    columns = columns_of(service, row, choice=choice)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for number, record in enumerate(rows_of(service, row, choice=choice), 1):
        writer.writerow([_cell(record.get(column), is_safe=is_safe) for column in columns])
        if number % _ROWS_AT_ONCE == 0:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def columns_of(service: Service, row: StudyRow, *, choice: Choice = EVERYBODY) -> list[str]:
    """The columns of the export: the fixed ones, then those of the items in every version of the study."""
    with service.database.read() as transaction:
        versions = [files.version for files in studies.all_versions(transaction, row.id)]
    found = {f"{ITEM}text": None}
    for version in versions:
        for item in service.study(_in_version(row, version)).items:
            found |= dict.fromkeys(ITEM + name for name in item.values)
    return [*(name for name in COLUMNS if choice.with_ids or name != "external"), *found]


def rows_of(service: Service, row: StudyRow, *, choice: Choice = EVERYBODY) -> Iterator[dict[str, Json]]:
    """Every judgement as a row, by participant and page."""
    with service.database.read() as transaction:
        everyone = participants.who_is_who(transaction, row.id)
        coded = groupby(codings.of_study(transaction, row.id, kinds=KINDS), key=lambda coding: coding.answer_id)
        said: tuple[int, list[CodingRow]] | None = None
        for answer in answers.of_study(transaction, row.id, kinds=KINDS):
            # Both come in the same order, so that one look ahead finds what was said of this answer.
            if said is None:
                said = next(((number, list(rows)) for number, rows in coded), None)
            mine: list[CodingRow] = []
            if said is not None and said[0] == answer.id:
                mine, said = said[1], None
            who = everyone.get(answer.participant_id)
            if who is not None and choice.takes(who):
                study = service.study(_in_version(row, who.version))
                yield from _rows(study, who, answer, mine, choice)


def _in_version(row: StudyRow, version: str) -> StudyRow:
    return StudyRow(row.id, row.name, row.state, version, row.created_ms)


def _rows(
    study: Study, who: Who, answer: AnswerRow, coded: list[CodingRow], choice: Choice
) -> Iterator[dict[str, Json]]:
    block = study.by_name[answer.submission.block]
    if block.practice and not choice.practice:
        return
    question = next(question for question in block.questions if question.name == answer.given.question)
    items = tuple(study.by_id[item] for item in answer.given.items)
    for part, judgement in enumerate(question.judgements(answer.given.value, items)):
        yield {
            "study": study.name,
            "version": who.version,
            "participant": who.id,
            **({"external": who.external} if choice.with_ids else {}),
            "kind": who.kind,
            "condition": who.condition,
            "state": who.state,
            "block": block.name,
            "practice": block.practice,
            "page": answer.submission.page + 1,
            **_about(study, answer, judgement, items),
            "question": question.name,
            "type": question.type,
            "dimension": judgement.dimension,
            "value": judgement.value,
            "score": judgement.score,
            "late": _is_late(question, answer),
            "shown_order": list(answer.submission.items),
            **_times(answer),
            **_coded([one for one in coded if one.part == part]),
            **_columns(study.by_id.get(judgement.item)),
        }


def _about(study: Study, answer: AnswerRow, judgement: Judgement, items: tuple[Item, ...]) -> dict[str, Json]:
    """Where on the page, and which item; a comparison without a winner still has its group."""
    item = study.by_id.get(judgement.item)
    shown = answer.submission.items
    groups = {one.group for one in ((item,) if item is not None else items)}
    return {
        "position": shown.index(item.id) + 1 if item is not None and item.id in shown else None,
        "item": judgement.item,
        "group": groups.pop() if len(groups) == 1 else "",
        "system": item.system if item is not None else "",
    }


def _is_late(question: Question, answer: AnswerRow) -> bool | None:
    """Did the answer come after the time that the task has? None where there is no clock."""
    opened, submitted = answer.submission.opened_ms, answer.submission.submitted_ms
    if not isinstance(question, Task) or question.seconds is None or opened is None or submitted is None:
        return None
    return submitted - opened > question.seconds * 1000 + GRACE_MS


def _times(answer: AnswerRow) -> dict[str, Json]:
    times = answer.submission
    is_timed = times.opened_ms is not None and times.submitted_ms is not None
    return {
        "opened": _iso(times.opened_ms),
        "shown": _iso(times.shown_ms),
        "submitted": _iso(times.submitted_ms),
        "duration_ms": (times.submitted_ms or 0) - (times.opened_ms or 0) if is_timed else None,
        "active_ms": times.active_ms,
    }


def _iso(time_ms: int | None) -> str | None:
    if time_ms is None:
        return None
    return datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _coded(coded: Iterable[CodingRow]) -> dict[str, Json]:
    codes: dict[str, Json] = {}
    grades: dict[str, Json] = {}
    for one in coded:
        codes |= {one.coder: list(one.codes)} if one.codes else {}
        grades |= {one.coder: one.grade} if one.grade is not None else {}
    return {"codes": codes or None, "grades": grades or None}


def _columns(item: Item | None) -> dict[str, Json]:
    if item is None:
        return {}
    pairs: Iterable[tuple[str, str]] = chain([("text", item.text)], item.values.items())
    return {ITEM + name: value for name, value in pairs}


def _cell(value: Json, *, is_safe: bool) -> str | int | float:
    if isinstance(value, str):  # nearly all of them
        return "'" + value if is_safe and value.startswith(FORMULA) else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
