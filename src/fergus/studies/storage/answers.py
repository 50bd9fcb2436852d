"""Rows of answers: only ever added to, a page at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, insert, select

from fergus.studies.model import Answer
from fergus.studies.storage.database import Transaction
from fergus.studies.storage.participants import COUNTED
from fergus.studies.storage.tables import answers, participants, submissions

_ADD_SUBMISSION, _ADD_ANSWERS = insert(submissions), insert(answers)


@dataclass(frozen=True)
class Given:
    """The answer to one question, and the items that it is about, in the order shown."""

    question: str
    items: tuple[str, ...]
    value: Answer


@dataclass(frozen=True)
class Submission:
    """A page that was sent: when, and in which order its items stood."""

    page: int
    block: str
    items: tuple[str, ...]
    opened_ms: int | None
    shown_ms: int | None
    submitted_ms: int | None
    active_ms: int | None


@dataclass(frozen=True)
class AnswerRow:
    """An answer with its page and its participant's number."""

    id: int
    participant_id: int
    submission: Submission
    given: Given


def add_submission(
    transaction: Transaction, participant_id: int, submission: Submission, given: Sequence[Given]
) -> None:
    """Put a page in with its answers; a page that is there already raises IntegrityError."""
    values = {**vars(submission), "participant_id": participant_id, "items": _list(submission.items)}
    number = transaction.execute(_ADD_SUBMISSION, values).inserted_primary_key
    if number is None:  # pragma: no cover - both databases give it
        raise LookupError(participant_id)
    rows = [_answer(number[0], one) for one in given]
    if rows:
        transaction.execute(_ADD_ANSWERS, rows)


def add_submissions(
    transaction: Transaction, participant_id: int, pages: Sequence[tuple[Submission, Sequence[Given]]]
) -> None:
    """Put many pages of one participant in at once, which is faster than one by one."""
    values = [{**vars(page), "participant_id": participant_id, "items": _list(page.items)} for page, _ in pages]
    transaction.execute(insert(submissions), values)
    c = submissions.c
    found = transaction.execute(select(c.page, c.id).where(c.participant_id == participant_id))
    numbers = {row.page: row.id for row in found}
    rows = [_answer(numbers[page.page], one) for page, given in pages for one in given]
    if rows:
        transaction.execute(insert(answers), rows)


def _answer(submission_id: int, given: Given) -> dict[str, object]:
    return {
        "submission_id": submission_id,
        "question": given.question,
        "items": _list(given.items),
        "value": json.dumps(given.value, ensure_ascii=False),
    }


def of_study(transaction: Transaction, study_id: int, *, kinds: Sequence[str] = COUNTED) -> Iterator[AnswerRow]:
    """Every answer in a study, by participant and page."""
    return _rows(transaction, participants.c.study_id == study_id, participants.c.kind.in_(kinds))


def of_participant(transaction: Transaction, participant_id: int) -> list[AnswerRow]:
    """One participant's answers, by page."""
    return list(_rows(transaction, submissions.c.participant_id == participant_id))


def _rows(transaction: Transaction, *where: ColumnElement[bool]) -> Iterator[AnswerRow]:
    s = submissions.c
    query = (
        select(
            answers.c.id, s.participant_id, s.page, s.block, s["items"], s.opened_ms, s.shown_ms, s.submitted_ms,
            s.active_ms, answers.c.question, answers.c["items"], answers.c.value,
        )
        .join(submissions, s.id == answers.c.submission_id)
        .join(participants, participants.c.id == s.participant_id)
        .where(*where)
        .order_by(s.participant_id, s.page, answers.c.id)
        .execution_options(yield_per=1000)
    )  # fmt: skip
    with transaction.execute(query) as rows:  # so that it is closed if nobody wants the rest
        for number, participant, page, block, items, *times, question, about, value in rows:
            submission = Submission(page, block, tuple(json.loads(items)), *times)
            given = Given(question, tuple(json.loads(about)), json.loads(value))
            yield AnswerRow(number, participant, submission, given)


def _list(items: Sequence[str]) -> str:
    return json.dumps(list(items), ensure_ascii=False)
