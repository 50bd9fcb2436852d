"""Opening a database: a new one gets the schema, an old one is brought up to date, a foreign one is refused."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from fergus.errors import InputError
from fergus.studies.storage.database import Database, DatabaseError, cause
from fergus.studies.storage.tables import metadata

HEAD = "fergus_0002"
"""The newest step; known here so that a database that is up to date opens without alembic, which is slow to import."""
VERSION_TABLE = "fergus_version"
"""Not alembic's usual name: a PostgreSQL database may hold other applications' tables too."""
APPLICATION = 0x46455247
"""What SQLite's file header says of whose file it is: "FERG"."""
_MAGIC, _HEADER_LENGTH, _APPLICATION_AT = b"SQLite format 3\0", 100, 68
_LOCK = 7_205_759_403
"""Held on PostgreSQL while steps are taken, so that two servers that start at once do not take them twice."""


def open_database(address: str | Path, *, must_exist: bool = False) -> Database:
    """Open a database with the present schema; a file that is not there is made, readable by its owner alone."""
    database = Database(address)
    try:
        if database.is_sqlite:
            _prepare_file(Path(database.shown), must_exist=must_exist)
        migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def migrate(database: Database) -> None:
    """Bring an empty or an old database to the present schema; one of a newer Fergus is refused."""
    try:
        with database.engine.connect() as connection:
            version = _version(connection)
        if version == HEAD:
            return
        if version is not None and not _is_older(version):
            raise InputError(
                f"the database is of a newer Fergus (its schema is {version}, this one knows {HEAD})",
                path=database.shown,
                remedy="install the newer one, or give another database",
            )
        with database.engine.connect().execution_options(fergus_writes=True) as connection, connection.begin():
            _upgrade(connection, database.shown)
    except DBAPIError as error:
        raise DatabaseError(f"{database.shown}: {cause(error)}") from None


def _upgrade(connection: Connection, shown: str) -> None:
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    if _version(connection) is None:
        taken = sorted(set(inspect(connection).get_table_names()) & set(metadata.tables))
        if taken:
            problem = f"there are tables of something else ({', '.join(taken)})"
            raise InputError(problem, path=shown, remedy="give an empty database, or a schema of its own")
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
    return found


def _is_older(version: str) -> bool:
    return version < HEAD  # all are as long as one another


def _prepare_file(path: Path, *, must_exist: bool) -> None:
    """Make an empty file ours; raise InputError for a file that is somebody else's, without changing it."""
    if must_exist and not path.exists():
        raise InputError("there is no such file", path=str(path), remedy="name the database of `fergus serve`")
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise InputError(f"cannot be made ({error.strerror})", path=str(path), remedy=_FOLDER) from None
    try:
        with path.open("rb") as stream:
            header = stream.read(_HEADER_LENGTH)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path=str(path), remedy=_OTHER) from None
    if not header:
        with closing(sqlite3.connect(path, timeout=30)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        return
    owner = int.from_bytes(header[_APPLICATION_AT : _APPLICATION_AT + 4], "big")
    if not header.startswith(_MAGIC) or owner != APPLICATION:
        raise InputError("is no database of Fergus", path=str(path), remedy=_OTHER)


_FOLDER = "give a file in a folder that is there and can be written to"
_OTHER = "give a file that Fergus made, or one that is not there yet"
