"""Copies of databases that are at work."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from fergus.errors import InputError
from fergus.studies.service import Service
from fergus.studies.storage.backup import back_up, restore_hint
from fergus.studies.storage.database import Database, DatabaseError
from fergus.studies.storage.migrate import open_database
from tests.studies import postgresql
from tests.studies.small_study import answer_all, put


@pytest.fixture
def sqlite(sqlite_template: Path, tmp_path: Path) -> Database:
    path = tmp_path / "study.db"
    shutil.copy(sqlite_template, path)
    return open_database(path)


def test_a_copy_made_while_answers_come_in_is_whole(sqlite: Database, tmp_path: Path) -> None:
    service, row, out = Service(sqlite), put(sqlite), tmp_path / "copy.db"
    answer_all(service, service.join(row, nonce="first", parameters={}))
    go_on = threading.Event()

    def work() -> None:
        n = 0
        while not go_on.is_set():
            answer_all(service, service.join(row, nonce=f"n{n}", parameters={}))
            n += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            back_up(sqlite, out, force=True)
            with closing(sqlite3.connect(out)) as copy:
                assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert copy.execute("PRAGMA foreign_key_check").fetchall() == []
                # Every page that was answered is there with its answers.
                pages = copy.execute("SELECT sum(page) FROM participants").fetchone()[0]
                assert copy.execute("SELECT count(*) FROM submissions").fetchone()[0] == pages >= 3
                assert copy.execute("SELECT count(*) FROM answers").fetchone()[0] == 3 * pages
    finally:
        go_on.set()
        thread.join()
        sqlite.close()
    assert out.stat().st_mode & 0o777 == 0o600
    with open_database(out) as copied:
        assert answer_all(Service(copied), Service(copied).join(row, nonce="later", parameters={})) is None
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "study.db"]


def test_a_file_that_is_there_is_kept_unless_it_is_forced(sqlite: Database, tmp_path: Path) -> None:
    out = tmp_path / "copy.db"
    out.write_text("precious")
    with sqlite:
        with pytest.raises(InputError, match=r"copy\.db: is there already; give another name, or write over it"):
            back_up(sqlite, out)
        assert out.read_text() == "precious"
        back_up(sqlite, out, force=True)
    assert out.read_bytes().startswith(b"SQLite format 3")


def test_a_folder_that_is_not_there(sqlite: Database, tmp_path: Path) -> None:
    with sqlite, pytest.raises(InputError, match=r"copy\.db: cannot be written \(No such file or directory\)"):
        back_up(sqlite, tmp_path / "nowhere" / "copy.db")


def test_a_backup_that_fails_leaves_nothing(sqlite: Database, tmp_path: Path) -> None:
    with sqlite, Database(tmp_path / "gone.db") as gone, pytest.raises(DatabaseError, match="unable to open"):
        back_up(gone, tmp_path / "copy.db")
    assert [file.name for file in tmp_path.iterdir()] == ["study.db"]


def test_a_damaged_database_is_not_backed_up_in_silence(sqlite: Database, tmp_path: Path) -> None:
    put(sqlite)
    sqlite.close()
    path = tmp_path / "study.db"
    with path.open("r+b") as stream:
        stream.seek(4096 * 3)
        stream.write(b"\xff" * 4096 * 8)
    with Database(path) as damaged, pytest.raises(DatabaseError, match=r"study\.db: .*(damaged|malformed)"):
        back_up(damaged, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


class TestPostgresql:
    @pytest.fixture
    def address(self, postgresql_address: str, postgresql_server: postgresql.Server) -> str:
        return postgresql_address

    def test_what_is_dumped_can_be_restored(
        self, address: str, postgresql_server: postgresql.Server, postgresql_empty_address: str, tmp_path: Path
    ) -> None:
        if shutil.which("pg_dump") is None or shutil.which("pg_restore") is None:
            pytest.skip("PostgreSQL's client programs (pg_dump, pg_restore) are not on the path")
        out = tmp_path / "copy.dump"
        with open_database(address) as database:
            service, row = Service(database), put(database)
            answer_all(service, service.join(row, nonce="first", parameters={}))
            back_up(database, out)
            assert "pg_restore" in restore_hint(database, out)
        postgresql_server.execute("postgres", "DELETE FROM studies")
        command = ["pg_restore", f"--dbname={postgresql_empty_address}", out]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        try:
            with open_database(postgresql_empty_address) as copied, copied.read() as transaction:
                assert transaction.scalar(text("SELECT count(*) FROM answers")) == 9
        finally:
            postgresql_server.execute("empty", "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        assert out.stat().st_mode & 0o777 == 0o600

    def test_without_pg_dump_it_is_said_what_to_run(
        self, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgresql_server: postgresql.Server
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with open_database(address) as database, pytest.raises(InputError) as caught:
            back_up(database, tmp_path / "copy.dump")
        told = str(caught.value)
        assert f"pg_dump -Fc --file={tmp_path / 'copy.dump'} postgresql://fergus@127.0.0.1:" in told
        assert postgresql_server.password not in told

    def test_what_pg_dump_complains_of_is_told(
        self, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program = tmp_path / "pg_dump"
        program.write_text("#!/bin/sh\necho 'pg_dump: error: server version mismatch' >&2\nexit 1\n")
        program.chmod(0o700)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        told = "pg_dump failed: pg_dump: error: server version mismatch"
        with open_database(address) as database, pytest.raises(DatabaseError, match=told):
            back_up(database, tmp_path / "copy.dump")
        assert not (tmp_path / "copy.dump").exists()


def test_a_sqlite_copy_is_a_database_itself(sqlite: Database, tmp_path: Path) -> None:
    with sqlite:
        assert restore_hint(sqlite, tmp_path / "x.db").endswith(f"fergus serve --database {tmp_path / 'x.db'}")


@pytest.mark.parametrize("way", ["itself", "link", "hard link"])
def test_a_database_is_never_written_over_itself(sqlite: Database, tmp_path: Path, way: str) -> None:
    out = Path(sqlite.shown)
    if way != "itself":
        out = tmp_path / "other.db"
        (out.symlink_to if way == "link" else out.hardlink_to)(sqlite.shown)
    with sqlite:
        before = out.stat().st_ino
        with pytest.raises(InputError, match="is the database itself"):
            back_up(sqlite, out, force=True)
        assert out.stat().st_ino == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_database_that_is_at_work_is_never_written_over(sqlite: Database, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / "other.db"
    out.write_bytes(b"another")
    (tmp_path / f"other.db{suffix}").touch()
    with sqlite, pytest.raises(InputError, match=f"at work: there is other.db{suffix} beside it"):
        back_up(sqlite, out, force=True)
    assert out.read_bytes() == b"another"
