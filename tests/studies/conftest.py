"""Databases for the tests of studies: everything that is stored is tested on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from tests.studies import postgresql

# The rows of all other tables hang on these. Faster by far than to make and drop a database for every test.
_EMPTY_ALL = "DELETE FROM studies; DELETE FROM accounts; DELETE FROM attempts"


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[postgresql.Server]:
    """A PostgreSQL server (one a worker); tests that need it are skipped where PostgreSQL is not installed."""
    programs = postgresql.folder_of_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server (initdb, postgres) is not installed; on Debian: apt-get install postgresql")
    with postgresql.running(programs) as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_address(postgresql_server: postgresql.Server) -> str:
    """The address of a database with the schema; who uses it empties its tables again."""
    address = postgresql_server.address("postgres")
    open_database(address).close()
    return address


@pytest.fixture(scope="session")
def postgresql_empty_address(postgresql_server: postgresql.Server) -> str:
    """The address of a database without the schema; who uses it leaves nothing in it."""
    postgresql_server.execute("postgres", "CREATE DATABASE empty TEMPLATE template0")
    return postgresql_server.address("empty")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the schema and no rows."""
    path = tmp_path_factory.mktemp("template") / "template.db"
    open_database(path).close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database that has nothing in it yet."""
    if request.param == "sqlite":
        yield str(tmp_path / "empty.db")
        return
    yield request.getfixturevalue("postgresql_empty_address")
    server: postgresql.Server = request.getfixturevalue("postgresql_server")
    server.execute("empty", "DROP SCHEMA public CASCADE; CREATE SCHEMA public")  # faster than another database


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with the schema, for this test alone."""
    if request.param == "sqlite":
        path = tmp_path / "study.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield str(path)
        return
    yield request.getfixturevalue("postgresql_address")
    request.getfixturevalue("postgresql_server").execute("postgres", _EMPTY_ALL)


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    """An open database with the schema, for this test alone."""
    with open_database(address) as opened:
        yield opened
