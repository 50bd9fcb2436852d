"""Rows of studies: their versions, their states, their links."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, insert, select, update

from fergus.studies.storage.database import Transaction
from fergus.studies.storage.tables import closed_conditions, links, studies, versions

STATES = ("open", "paused", "closed")


@dataclass(frozen=True)
class StudyRow:
    """A study as it stands: its current version, and may people take part?"""

    id: int
    name: str
    state: str
    version: str
    created_ms: int


@dataclass(frozen=True)
class VersionRow:
    """The two files of a version, as they were given."""

    version: str
    file_name: str
    text: str
    items_name: str
    items_text: str
    created_ms: int


@dataclass(frozen=True)
class LinkRow:
    """A private link: for one person."""

    id: int
    study_id: int
    token: str
    label: str
    condition: str | None


def add_version(transaction: Transaction, name: str, files: VersionRow) -> StudyRow:
    """Put a study in, or a new version of it, which becomes the current one; a known version is taken up again."""
    row = find_study(transaction, name)
    if row is None:
        transaction.execute(
            insert(studies).values(name=name, state="open", version=files.version, created_ms=files.created_ms)
        )
    else:
        transaction.execute(update(studies).where(studies.c.id == row.id).values(version=files.version))
    row = find_study(transaction, name)
    if row is None:  # pragma: no cover - it was just written
        raise LookupError(name)
    known = transaction.execute(
        select(versions.c.id).where(versions.c.study_id == row.id, versions.c.version == files.version)
    ).first()
    if known is None:
        transaction.execute(insert(versions).values(study_id=row.id, **vars(files)))
    return row


def find_study(transaction: Transaction, name: str) -> StudyRow | None:
    """The study of a name."""
    if "\0" in name:  # PostgreSQL does not take it, and no name has it
        return None
    row = transaction.execute(select(*studies.c).where(studies.c.name == name)).first()
    return None if row is None else StudyRow(*row)


def all_studies(transaction: Transaction) -> list[StudyRow]:
    """Every study, newest first."""
    query = select(*studies.c).order_by(studies.c.created_ms.desc(), studies.c.id.desc())
    return [StudyRow(*row) for row in transaction.execute(query)]


def find_version(transaction: Transaction, study_id: int, version: str) -> VersionRow | None:
    """The files of one version."""
    c = versions.c
    query = select(c.version, c.file_name, c.text, c.items_name, c.items_text, c.created_ms)
    row = transaction.execute(query.where(c.study_id == study_id, c.version == version)).first()
    return None if row is None else VersionRow(*row)


def all_versions(transaction: Transaction, study_id: int) -> list[VersionRow]:
    """Every version of a study, oldest first."""
    c = versions.c
    query = select(c.version, c.file_name, c.text, c.items_name, c.items_text, c.created_ms)
    return [VersionRow(*row) for row in transaction.execute(query.where(c.study_id == study_id).order_by(c.id))]


def set_state(transaction: Transaction, study_id: int, state: str) -> None:
    """Open, pause or close."""
    transaction.execute(update(studies).where(studies.c.id == study_id).values(state=state))


def delete_study(transaction: Transaction, study_id: int) -> None:
    """Remove a study with everything that hangs on it."""
    transaction.execute(delete(studies).where(studies.c.id == study_id))


def closed(transaction: Transaction, study_id: int) -> set[str]:
    """The conditions that take nobody any more."""
    query = select(closed_conditions.c.condition).where(closed_conditions.c.study_id == study_id)
    return set(transaction.scalars(query))


def close_condition(transaction: Transaction, study_id: int, condition: str, *, is_closed: bool) -> None:
    """Close a condition, or open it again."""
    t = closed_conditions
    transaction.execute(delete(t).where(t.c.study_id == study_id, t.c.condition == condition))
    if is_closed:
        transaction.execute(insert(t).values(study_id=study_id, condition=condition))


def add_link(
    transaction: Transaction, study_id: int, *, token: str, label: str, condition: str | None, now_ms: int
) -> None:
    """Make a private link."""
    transaction.execute(
        insert(links).values(study_id=study_id, token=token, label=label, condition=condition, created_ms=now_ms)
    )


def find_link(transaction: Transaction, token: str) -> LinkRow | None:
    """The private link of a token."""
    if "\0" in token:
        return None
    c = links.c
    row = transaction.execute(select(c.id, c.study_id, c.token, c.label, c.condition).where(c.token == token)).first()
    return None if row is None else LinkRow(*row)


def all_links(transaction: Transaction, study_id: int) -> list[LinkRow]:
    """The private links of a study, oldest first."""
    c = links.c
    query = select(c.id, c.study_id, c.token, c.label, c.condition).where(c.study_id == study_id).order_by(c.id)
    return [LinkRow(*row) for row in transaction.execute(query)]
