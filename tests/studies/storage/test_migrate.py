"""Opening databases: new, current, newer, foreign."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from fergus.errors import InputError
from fergus.studies.storage import migrate as migrate_module
from fergus.studies.storage import participants
from fergus.studies.storage.database import Database, DatabaseError
from fergus.studies.storage.migrate import HEAD, VERSION_TABLE, open_database
from fergus.studies.storage.tables import metadata


def version_of(database: Database) -> str:
    with database.read() as transaction:
        return str(transaction.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")))


def test_an_empty_database_gets_the_schema_of_the_tables(empty_address: str) -> None:
    with open_database(empty_address) as database, database.read() as transaction:
        context = MigrationContext.configure(transaction, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []


def test_a_difference_would_be_found(empty_address: str) -> None:
    with open_database(empty_address) as database:
        database.write(lambda transaction: transaction.execute(text("ALTER TABLE studies DROP COLUMN state")))
        with database.read() as transaction:
            context = MigrationContext.configure(transaction, opts={"version_table": VERSION_TABLE})
            assert [difference[0] for difference in compare_metadata(context, metadata)] == ["add_column"]


def test_the_newest_step_is_the_one_that_is_known() -> None:
    folder = Path(migrate_module.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_heads() == [HEAD]


def test_opening_again_changes_nothing(empty_address: str) -> None:
    for _ in range(2):
        with open_database(empty_address) as database:
            assert version_of(database) == HEAD


def test_a_database_that_is_up_to_date_opens_without_alembic(sqlite_template: Path) -> None:
    program = (
        "import sys; from fergus.studies.storage.migrate import open_database\n"
        f"open_database({str(sqlite_template)!r}).close(); print('alembic' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout == "False\n"


def test_several_that_open_an_empty_database_at_once_make_one_schema(empty_address: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(open_database, [empty_address] * 4))
    for database in opened:
        assert version_of(database) == HEAD
        database.close()


@pytest.mark.no_cover  # what fails once in 300 times takes many
def test_new_files_are_opened_by_several_again_and_again(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(12):
            for database in list(pool.map(open_database, [tmp_path / f"{number}.db"] * 8)):
                database.close()


def test_a_database_of_a_newer_fergus_is_refused(empty_address: str) -> None:
    with open_database(empty_address) as database:
        database.write(lambda t: t.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = 'fergus_9999'")))
    with pytest.raises(InputError, match=rf"of a newer Fergus \(its schema is fergus_9999, this one knows {HEAD}\)"):
        open_database(empty_address)


def test_an_old_database_is_brought_up_to_date_with_its_rows(
    empty_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alembic import command

    real = command.upgrade
    monkeypatch.setattr(command, "upgrade", lambda config, _: real(config, "fergus_0001"))
    with open_database(empty_address) as database:
        assert version_of(database) == "fergus_0001"
        database.write(lambda t: t.execute(text("INSERT INTO studies VALUES (1, 's', 'open', 'v', 1)")))
        row = "(1, 1, 'v', 'key', 'nonce', NULL, NULL, '{}', 'person', 'active', '', 7, '[]', 0, 1, 5, 6, NULL)"
        database.write(lambda t: t.exec_driver_sql(f"INSERT INTO participants VALUES {row}"))
    monkeypatch.undo()
    with open_database(empty_address) as database:
        assert version_of(database) == HEAD
        with database.read() as transaction:
            found = participants.by_key(transaction, "key")
            context = MigrationContext.configure(transaction, opts={"version_table": VERSION_TABLE})
            assert compare_metadata(context, metadata) == []
    assert found is not None
    assert (found.seed, found.seen_ms, found.served_ms) == (7, 6, None)


def test_a_step_that_fails_leaves_nothing_behind(empty_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import command

    real = command.upgrade

    def interrupted(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "upgrade", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_database(empty_address)
    monkeypatch.undo()
    with open_database(empty_address) as database:
        assert version_of(database) == HEAD


@pytest.mark.parametrize("empty_address", ["postgresql"], indirect=True)
def test_tables_of_something_else_are_left_alone(empty_address: str) -> None:
    with Database(empty_address) as database:
        database.write(lambda transaction: transaction.execute(text("CREATE TABLE answers (mine integer)")))
        with pytest.raises(InputError, match=r"tables of something else \(answers\); give an empty database"):
            open_database(empty_address)


@pytest.mark.parametrize("empty_address", ["postgresql"], indirect=True)
def test_tables_with_other_names_are_no_hindrance(empty_address: str) -> None:
    with Database(empty_address) as database:
        database.write(lambda transaction: transaction.execute(text("CREATE TABLE alembic_version (mine integer)")))
    open_database(empty_address).close()


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with open_database(path) as database:
        database.write(lambda transaction: transaction.execute(text("DELETE FROM studies")))
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {"new.db": 0o600, "new.db-wal": 0o600, "new.db-shm": 0o600}


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch(mode=0o640)
    open_database(f"sqlite:///{path}").close()
    open_database(path).close()
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_text_file_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    with pytest.raises(InputError, match=r"notes\.txt: is no database of Fergus; give a file that Fergus made"):
        open_database(path)
    assert path.read_text() == "dear diary"


def test_a_sqlite_file_of_something_else_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (address text)")
    before = path.read_bytes()
    with pytest.raises(InputError, match="is no database of Fergus"):
        open_database(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"study\.db: cannot be made \(No such file or directory\); give a file in a"):
        open_database(tmp_path / "nowhere" / "study.db")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\)"):
        open_database(tmp_path)


def test_a_damaged_file_is_told(tmp_path: Path, sqlite_template: Path) -> None:
    path = tmp_path / "damaged.db"
    content = bytearray(sqlite_template.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match=r"damaged\.db: .*(malformed|not a database)"):
        open_database(path)


def test_a_server_that_does_not_answer() -> None:
    with pytest.raises(DatabaseError, match=r"^postgresql://me@127\.0\.0\.1:1/x: .*"):
        open_database("postgresql://me:secret@127.0.0.1:1/x")


@pytest.mark.parametrize("address", ["mysql://host/x", "sqlite://", "postgresql://host:port/x", "sqlite:///:memory:"])
def test_an_address_of_another_kind(address: str) -> None:
    with pytest.raises(InputError, match=r"give a file \(study\.db\) or postgresql://"):
        open_database(address)
