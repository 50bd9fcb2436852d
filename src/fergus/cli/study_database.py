"""The database that commands about studies and accounts work on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.studies.storage.database import Database
    from fergus.studies.storage.studies import StudyRow

database_option = click.option(
    "--database", default="fergus.db", show_default=True, help="A file (SQLite) or a postgresql:// address."
)

GONE_LATER = "others are reading, so the log beside the database holds the old rows until the server is stopped once"
"""What is said when rows are removed while SQLite's log cannot be emptied."""


@contextmanager
def opened(address: str, *, must_exist: bool = True) -> Iterator[Database]:
    """The database of an address."""
    from fergus.studies.storage.migrate import open_database

    with open_database(address, must_exist=must_exist) as database:
        yield database


def find(database: Database, name: str) -> StudyRow:
    """The study of a name; an InputError that tells which there are if there is none."""
    from fergus.studies.problems import legal
    from fergus.studies.storage import studies

    with database.read() as transaction:
        row = studies.find_study(transaction, name)
        names = [] if row is not None else [known.name for known in studies.all_studies(transaction)]
    if row is None:
        raise InputError(f"there is no study “{name}” in the database", path=database.shown, remedy=legal(name, names))
    return row
