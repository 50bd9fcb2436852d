"""Rows of codings: what coders said of answers; only ever added to, the latest of a coder counts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select

from fergus.studies.storage.database import Transaction
from fergus.studies.storage.participants import COUNTED
from fergus.studies.storage.tables import answers, codings, participants, submissions


@dataclass(frozen=True)
class CodingRow:
    """What a coder said of an answer, or of a part of it (the remark of a review, from 0)."""

    id: int
    answer_id: int
    part: int
    coder: str
    codes: tuple[str, ...]
    grade: float | None
    """From 0 to 1, where a solution is graded by hand."""
    coded_ms: int


def add_coding(
    transaction: Transaction,
    answer_id: int,
    *,
    coder: str,
    codes: Sequence[str],
    now_ms: int,
    part: int = 0,
    grade: float | None = None,
) -> None:
    """Put a coding in; it takes the place of what the coder said before of the same part."""
    values = {
        "answer_id": answer_id, "part": part, "coder": coder, "codes": json.dumps(list(codes), ensure_ascii=False),
        "grade": grade, "coded_ms": now_ms,
    }  # fmt: skip
    transaction.execute(insert(codings).values(values))


def of_study(transaction: Transaction, study_id: int, *, kinds: Sequence[str] = COUNTED) -> Iterator[CodingRow]:
    """What counts, in a whole study: by participant, page, answer (as ``answers.of_study``), part and coder."""
    c = codings.c
    latest = (
        select(func.max(c.id))
        .join(answers, answers.c.id == c.answer_id)
        .join(submissions, submissions.c.id == answers.c.submission_id)
        .join(participants, participants.c.id == submissions.c.participant_id)
        .where(participants.c.study_id == study_id, participants.c.kind.in_(kinds))
        .group_by(c.answer_id, c.part, c.coder)
    )
    query = (
        select(*c)
        .join(answers, answers.c.id == c.answer_id)
        .join(submissions, submissions.c.id == answers.c.submission_id)
        .where(c.id.in_(latest))
        .order_by(submissions.c.participant_id, submissions.c.page, c.answer_id, c.part, c.coder)
        .execution_options(yield_per=1000)
    )
    with transaction.execute(query) as rows:  # so that it is closed if nobody wants the rest
        for number, answer, part, coder, codes, grade, coded_ms in rows:
            yield CodingRow(number, answer, part, coder, tuple(json.loads(codes)), grade, coded_ms)


def last_of_study(transaction: Transaction, study_id: int) -> int:
    """The number of the last coding in a study, which changes whenever somebody codes; 0 if there is none."""
    query = (
        select(func.max(codings.c.id))
        .join(answers, answers.c.id == codings.c.answer_id)
        .join(submissions, submissions.c.id == answers.c.submission_id)
        .join(participants, participants.c.id == submissions.c.participant_id)
        .where(participants.c.study_id == study_id, participants.c.kind.in_(COUNTED))
    )
    return int(transaction.execute(query).scalar() or 0)
