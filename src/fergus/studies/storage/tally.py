"""How often each answer was given: counted by the database, one row for all who said the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from fergus.studies.model import Answer
from fergus.studies.storage.database import Transaction
from fergus.studies.storage.tables import answers, participants, submissions

PEOPLE = ("person", "imported")


@dataclass(frozen=True)
class Counted:
    """An answer about some items, in the order shown, and how many gave it."""

    block: str
    question: str
    items: tuple[str, ...]
    value: Answer
    count: int


def count_answers(
    transaction: Transaction, study_id: int, questions: Sequence[str], *, kinds: Sequence[str] = PEOPLE
) -> list[Counted]:
    """Every answer to these questions with its number; without artificial raters, who are not people."""
    a, s = answers.c, submissions.c
    query = (
        select(s.block, a.question, a["items"], a.value, func.count())
        .join(submissions, s.id == a.submission_id)
        .join(participants, participants.c.id == s.participant_id)
        .where(participants.c.study_id == study_id, participants.c.kind.in_(kinds), a.question.in_(questions))
        .group_by(s.block, a.question, a["items"], a.value)
    )
    return [
        Counted(block, question, tuple(json.loads(items)), json.loads(value), count)
        for block, question, items, value, count in transaction.execute(query)
    ]
