"""Rows of participants: who joined, what they are to see, how far they are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, insert, or_, select, update

from fergus.studies.model import Load, PlannedPage
from fergus.studies.storage.database import Transaction
from fergus.studies.storage.tables import assigned, participants, studies

KINDS = ("person", "preview", "simulated", "imported")
COUNTED = ("person", "simulated", "imported")
"""Previews leave no trace in counts and exports."""


@dataclass(frozen=True)
class ParticipantRow:
    """A participant as stored, with the state of the study."""

    id: int
    study_id: int
    version: str
    key: str
    link_id: int | None
    external: str | None
    parameters: Mapping[str, str]
    kind: str
    state: str
    condition: str
    seed: int
    plan: tuple[PlannedPage, ...]
    page: int
    joined_ms: int
    seen_ms: int
    completed_ms: int | None
    study: str
    study_state: str
    served_ms: int | None = None
    """When the present page was first shown, if it has a time limit."""


@dataclass(frozen=True)
class Standing:
    """Some people of a study, so far as it can be told whether others are gone or have withdrawn."""

    count: int
    sum_of_numbers: int
    """A number is given only once: who is gone is missed here, even if somebody else has come."""
    withdrawn: int


@dataclass(frozen=True, kw_only=True)
class NewParticipant:
    """Somebody who joins: in which study and version, as what, and what they will see."""

    study_id: int = field(kw_only=False)
    version: str
    key: str
    """The secret in the participant's address."""
    nonce: str
    """Of the form that joined."""
    kind: str
    condition: str
    seed: int
    plan: Sequence[PlannedPage]
    link_id: int | None = None
    external: str | None = None
    """The recruiter's name for the person."""
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Who:
    """What an export says of a participant: no plan, and nothing secret."""

    id: int
    version: str
    external: str | None
    kind: str
    state: str
    condition: str


_C = participants.c
_COLUMNS = (
    _C.id, _C.study_id, _C.version, _C.key, _C.link_id, _C.external, _C.parameters, _C.kind, _C.state, _C.condition,
    _C.seed, _C.plan, _C.page, _C.joined_ms, _C.seen_ms, _C.completed_ms, studies.c.name, studies.c.state,
    _C.served_ms,
)  # fmt: skip
_JOINED = select(*_COLUMNS).join(studies, studies.c.id == _C.study_id)
# Put together once: for what every answered page needs, building the statement costs more than running it.
_BY_KEY = _JOINED.where(_C.key == bindparam("wanted"))
_BY_KEY_LOCKED = _BY_KEY.with_for_update(of=participants)
_ADD = insert(participants)
_MOVE = update(participants).where(_C.id == bindparam("number"))
_SET_PAGE = _MOVE.values(page=bindparam("next"), state=bindparam("now"), seen_ms=bindparam("now_ms"), served_ms=None)
_COMPLETE = _SET_PAGE.values(completed_ms=bindparam("now_ms"))


def fits(*, nonce: str, external: str | None) -> bool:
    """Can these be stored? They come from addresses and forms, which anybody can write."""
    return all(0 < len(text) <= most and text.isprintable() for text, most in ((nonce, 64), (external or "-", 200)))


def add_participant(transaction: Transaction, new: NewParticipant, *, now_ms: int) -> int:
    """Put a participant in, with the pages to come."""
    values = {
        **vars(new), "parameters": json.dumps(dict(new.parameters), ensure_ascii=False), "plan": _write_plan(new.plan),
        "state": "active", "page": 0, "pages": len(new.plan), "joined_ms": now_ms, "seen_ms": now_ms,
    }  # fmt: skip
    number = transaction.execute(_ADD, values).inserted_primary_key
    if number is None:  # pragma: no cover - both databases give it
        raise LookupError(new.key)
    pages = {(page.block, page.key) for page in new.plan if page.key}
    rows = [{"participant_id": number[0], "block": block, "key": key} for block, key in pages]
    if rows:
        transaction.execute(insert(assigned), rows)
    return int(number[0])


def by_key(transaction: Transaction, key: str, *, locked: bool = False) -> ParticipantRow | None:
    """The participant with this secret; ``locked`` until the transaction ends."""
    if "\0" in key:  # PostgreSQL does not take it, and no key has it
        return None
    return _one(transaction, _BY_KEY_LOCKED if locked else _BY_KEY, wanted=key)


def by_nonce(transaction: Transaction, nonce: str) -> ParticipantRow | None:
    """The participant who joined by this form."""
    return _one(transaction, _JOINED.where(_C.nonce == nonce))


def by_link(transaction: Transaction, link_id: int) -> ParticipantRow | None:
    """The participant who joined by this private link."""
    return _one(transaction, _JOINED.where(_C.link_id == link_id))


def by_external(transaction: Transaction, study_id: int, kind: str, external: str) -> ParticipantRow | None:
    """The participant with the recruiter's name."""
    return _one(transaction, _JOINED.where(_C.study_id == study_id, _C.kind == kind, _C.external == external))


def by_id(transaction: Transaction, number: int) -> ParticipantRow | None:
    """The participant with this number."""
    return _one(transaction, _JOINED.where(_C.id == number))


def of_study(transaction: Transaction, study_id: int, *, kinds: Sequence[str] = COUNTED) -> list[ParticipantRow]:
    """Everybody in a study, in the order of joining."""
    query = _JOINED.where(_C.study_id == study_id, _C.kind.in_(kinds)).order_by(_C.id)
    return [_row(row) for row in transaction.execute(query)]


def who_is_who(transaction: Transaction, study_id: int) -> dict[int, Who]:
    """Everybody in a study, previews too, by number."""
    query = select(_C.id, _C.version, _C.external, _C.kind, _C.state, _C.condition).where(_C.study_id == study_id)
    return {row[0]: Who(*row) for row in transaction.execute(query)}


def standing(transaction: Transaction, study_id: int, *, up_to: int) -> Standing:
    """How it stands with those up to a number, without a row of them."""
    withdrawn = func.count().filter(_C.state == "withdrawn")
    query = select(func.count(), func.coalesce(func.sum(_C.id), 0), withdrawn).where(
        _C.study_id == study_id, _C.kind.in_(COUNTED), _C.id <= up_to
    )
    count, total, left = transaction.execute(query).one()
    return Standing(int(count), int(total), int(left))


def set_page(transaction: Transaction, number: int, *, page: int, state: str, now_ms: int) -> None:
    """Move on; a state other than ``active`` ends the participation."""
    statement = _COMPLETE if state == "completed" else _SET_PAGE
    transaction.execute(statement, {"number": number, "next": page, "now": state, "now_ms": now_ms})


def set_served(transaction: Transaction, number: int, *, page: int, now_ms: int, is_again: bool = False) -> None:
    """Note that a page is shown, unless it was before or is not the present one; ``is_again`` whether or not it was."""
    where = [_C.id == number, _C.page == page, *([] if is_again else [_C.served_ms.is_(None)])]
    transaction.execute(update(participants).where(*where).values(served_ms=now_ms))


def forget(transaction: Transaction, number: int) -> None:
    """Keep nothing that tells who it was, after somebody declined."""
    transaction.execute(update(participants).where(_C.id == number).values(external=None, parameters="{}"))


def loads(transaction: Transaction, study_id: int, *, since_ms: int, new_since_ms: int = 0) -> dict[str, Load]:
    """How many completed each condition, and how many are still at it.

    These were seen since then; who has answered no page yet joined since ``new_since_ms``, too.
    """
    query = (
        select(_C.condition, _C.state, func.count())
        .where(_C.study_id == study_id, _C.kind.in_(COUNTED), _counts(since_ms, new_since_ms))
        .group_by(_C.condition, _C.state)
    )
    found: dict[str, Load] = {}
    for condition, state, count in transaction.execute(query):
        load = found.get(condition, Load())
        completed = load.completed + count * (state == "completed")
        found[condition] = Load(completed, load.active + count * (state == "active"))
    return found


def judged(
    transaction: Transaction, study_id: int, *, since_ms: int | None, new_since_ms: int = 0
) -> dict[tuple[str, str], int]:
    """By block and key of a page: how many have judged it, or are about to; None: who completed the study alone."""
    query = (
        select(assigned.c.block, assigned.c.key, func.count())
        .join(participants, _C.id == assigned.c.participant_id)
        .where(_C.study_id == study_id, _C.kind.in_(COUNTED), _counts(since_ms, new_since_ms))
        .group_by(assigned.c.block, assigned.c.key)
    )
    return {(block, key): count for block, key, count in transaction.execute(query)}


def delete_participant(transaction: Transaction, number: int) -> None:
    """Remove a participant with all answers and what was said of them."""
    transaction.execute(delete(participants).where(_C.id == number))


def _counts(since_ms: int | None, new_since_ms: int) -> ColumnElement[bool]:
    completed = _C.state == "completed"
    if since_ms is None:
        return completed
    has_begun = or_(_C.page > 0, _C.joined_ms >= new_since_ms)
    return or_(completed, (_C.state == "active") & (_C.seen_ms >= since_ms) & has_begun)


def _one(transaction: Transaction, query: Select[Any], **values: str) -> ParticipantRow | None:
    row = transaction.execute(query, values).first()
    return None if row is None else _row(row)


def _row(row: Sequence[object]) -> ParticipantRow:
    values = list(row)
    values[6] = json.loads(str(values[6]))
    values[11] = _read_plan(str(values[11]))
    return ParticipantRow(*values)  # type: ignore[arg-type]


def _write_plan(plan: Sequence[PlannedPage]) -> str:
    return json.dumps([[page.block, page.key, *page.items] for page in plan], ensure_ascii=False)


@lru_cache(maxsize=2000)  # a participant's plan never changes, and is asked for with every page
def _read_plan(text: str) -> tuple[PlannedPage, ...]:
    return tuple(PlannedPage(block, tuple(items), key) for block, key, *items in json.loads(text))
