"""All studies of a database at a glance: their states, who took part, what was judged."""

from __future__ import annotations

from dataclasses import dataclass

from fergus.errors import FergusError
from fergus.studies.export import rows_of
from fergus.studies.service import Service
from fergus.studies.storage import participants, studies
from fergus.studies.storage.studies import StudyRow


@dataclass(frozen=True)
class Line:
    """A study; previews count nowhere."""

    row: StudyRow
    completed: int
    active: int
    judgements: int | None
    """As many as an export has rows; None if this Fergus cannot read what an older one stored."""


def overview(service: Service) -> list[Line]:
    """Every study, newest first."""
    with service.database.read() as transaction:
        rows = studies.all_studies(transaction)
        loads = [participants.loads(transaction, row.id, since_ms=0).values() for row in rows]
    found = []
    for row, load in zip(rows, loads, strict=True):
        try:
            judgements: int | None = sum(1 for _ in rows_of(service, row))
        except FergusError:
            judgements = None
        found.append(Line(row, sum(one.completed for one in load), sum(one.active for one in load), judgements))
    return found
