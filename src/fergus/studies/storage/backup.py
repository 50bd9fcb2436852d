"""A copy of a database while a server works on it: whole, and as it was at one moment."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fergus.errors import InputError
from fergus.studies.storage.database import Database, DatabaseError


def back_up(database: Database, out: Path, *, force: bool = False) -> None:
    """Write a copy: a SQLite file, or what ``pg_restore`` reads. A file that is there is kept, unless it is forced."""
    if out.exists() and not force:
        raise InputError("is there already", path=str(out), remedy="give another name, or write over it (--force)")
    _refuse_database_at_work(database, out)
    with _beside(out) as part:
        if database.is_sqlite:
            _copy_file(database, part)
        else:
            _dump(database, part, out)
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())


def restore_hint(database: Database, out: Path) -> str:
    """How one gets the data back."""
    if database.is_sqlite:
        return f"it is a database itself: fergus serve --database {out}"
    return f"pg_restore --dbname=ADDRESS {out}"


def _refuse_database_at_work(database: Database, out: Path) -> None:
    """Whoever has the old file open would go on in it, and its journal would be applied to the new one."""
    if database.is_sqlite and out.exists() and out.samefile(database.shown):
        raise InputError("is the database itself", path=str(out), remedy="give another name")
    for real in {out, out.resolve()}:
        for suffix in ("-wal", "-shm"):
            beside = real.with_name(real.name + suffix)
            if beside.exists():
                problem = f"is a database at work: there is {beside.name} beside it"
                raise InputError(problem, path=str(out), remedy="give another name, or stop what uses it")


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    """A file beside the other, which takes its place when all is well; readable by its owner alone."""
    try:
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.", suffix=".part")
    except OSError as error:
        remedy = "give a file in a folder that is there and can be written to"
        raise InputError(f"cannot be written ({error.strerror})", path=str(out), remedy=remedy) from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _copy_file(database: Database, part: Path) -> None:
    source = Path(database.shown).resolve()
    try:
        with (
            closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=30)) as connection,
            closing(sqlite3.connect(part)) as copy,
        ):
            connection.backup(copy)  # all pages in one read transaction; writers go on meanwhile
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            told = copy.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        raise DatabaseError(f"{database.shown}: {error}") from None
    if told != "ok":
        raise DatabaseError(f"{database.shown}: the copy is damaged ({told}), as the database must be")


def _dump(database: Database, part: Path, out: Path) -> None:
    address = database.shown  # without its password: others can see the arguments of a program
    password = database.url.password or database.url.query.get("password")
    program = shutil.which("pg_dump")
    if program is None:
        remedy = f"install PostgreSQL's client programs, or run where they are: pg_dump -Fc --file={out} {address}"
        raise InputError("a backup of PostgreSQL needs pg_dump, which is not installed", remedy=remedy)
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    command = [program, "--format=custom", "--no-password", f"--file={part}", f"--dbname={address}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
        raise DatabaseError(f"{database.shown}: pg_dump failed: {last}")
