"""A person's data, or a whole study, removed from a database: the rows, and what is left of them in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Select, delete, func, or_, select, text

from fergus.studies.storage.database import Database, Transaction
from fergus.studies.storage.participants import delete_participant
from fergus.studies.storage.studies import delete_study
from fergus.studies.storage.tables import answers, codings, links, participants, submissions, versions

_HOLDING = ("participants", "assigned", "submissions", "answers", "codings", "links")
"""Tables that say something of a person."""
_OF_STUDIES = ("studies", "versions", "closed_conditions")
PATIENCE_MS = 5000
"""How long to wait for those who read: nobody can write meanwhile."""


@dataclass(frozen=True)
class Found:
    """Somebody whose data may be removed."""

    id: int
    external: str | None
    kind: str
    state: str


@dataclass(frozen=True)
class Removed:
    """How many rows there were."""

    submissions: int
    answers: int
    codings: int
    links: int
    is_gone_from_file: bool = False
    """False if others were reading all the time, so that SQLite's log still holds the old rows."""


@dataclass(frozen=True)
class Held:
    """How many rows hang on a study."""

    versions: int
    participants: int
    answers: int
    codings: int
    links: int


def find_people(transaction: Transaction, study_id: int, given: str) -> list[Found]:
    """Those in a study whose number it is (``17`` or ``#17``), or whom the recruiter calls so."""
    c = participants.c
    number = given.removeprefix("#")
    is_number = number.isascii() and number.isdigit() and len(number) < 10
    wanted = [] if given.startswith("#") or "\0" in given else [c.external == given]
    wanted += [c.id == int(number)] if is_number else []
    if not wanted:
        return []
    query = select(c.id, c.external, c.kind, c.state).where(c.study_id == study_id, or_(*wanted)).order_by(c.id)
    return [Found(*row) for row in transaction.execute(query)]


def erase_participant(database: Database, number: int) -> Removed:
    """Remove a participant's rows and the private link that was used, and then what is left of them in the file."""
    counts: Removed = database.write(lambda transaction: _remove(transaction, number))
    return replace(counts, is_gone_from_file=_clean(database))


def held_by(transaction: Transaction, study_id: int) -> Held:
    """What would go with a study."""
    people = select(participants.c.id).where(participants.c.study_id == study_id)
    given = (
        select(answers.c.id)
        .join(submissions, submissions.c.id == answers.c.submission_id)
        .where(submissions.c.participant_id.in_(people))
    )
    return Held(
        versions=_count(transaction, select(versions.c.id).where(versions.c.study_id == study_id)),
        participants=_count(transaction, people),
        answers=_count(transaction, given),
        codings=_count(transaction, select(codings.c.id).where(codings.c.answer_id.in_(given))),
        links=_count(transaction, select(links.c.id).where(links.c.study_id == study_id)),
    )


def erase_study(database: Database, study_id: int) -> bool:
    """Remove a study with everything that hangs on it; False if SQLite's log still holds the old rows."""
    database.write(lambda transaction: delete_study(transaction, study_id))
    return _clean(database, (*_HOLDING, *_OF_STUDIES))


def _count(transaction: Transaction, query: Select[Any]) -> int:
    return int(transaction.scalar(select(func.count()).select_from(query.subquery())) or 0)


def _remove(transaction: Transaction, number: int) -> Removed:
    mine = submissions.c.participant_id == number
    given = select(answers.c.id).join(submissions, submissions.c.id == answers.c.submission_id).where(mine)
    link = select(participants.c.link_id).where(participants.c.id == number).scalar_subquery()
    removed = Removed(
        submissions=_count(transaction, select(submissions.c.id).where(mine)),
        answers=_count(transaction, given),
        codings=_count(transaction, select(codings.c.id).where(codings.c.answer_id.in_(given))),
        links=transaction.execute(delete(links).where(links.c.id == link)).rowcount,  # its label may be a name
    )
    delete_participant(transaction, number)  # all else hangs on it
    return removed


def _clean(database: Database, tables: Sequence[str] = _HOLDING) -> bool:
    """Leave no copy of the rows behind: SQLite overwrites them itself (``secure_delete``), but not in its log."""
    with database.engine.connect() as connection:
        if not database.is_sqlite:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(text(f"VACUUM {', '.join(tables)}"))
            return True
        raw = connection.connection.cursor()  # a checkpoint is not done in a transaction
        try:
            before = raw.execute("PRAGMA busy_timeout").fetchone()[0]
            raw.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
            is_busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            raw.execute(f"PRAGMA busy_timeout = {before}")
        finally:
            raw.close()
        return not is_busy
