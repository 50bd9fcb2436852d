"""A database: many readers, one writer whose transactions share their way to the disk.

What ``write`` returns is on disk. Writes that arrive while one is being committed are put into one transaction, so
that 300 people who answer at once cost one ``fsync`` and not 300. Work may be done twice, if its neighbour failed: it
must do nothing but read and write here.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import DatabaseError as AnyDatabaseError

from fergus.errors import FergusError, InputError

Transaction = Connection
"""What the functions of this package do their work in."""
Result = TypeVar("Result")
MOST_AT_ONCE = 64
"""Writes that share a transaction at most: nobody waits for more than these."""
LONGEST_WAIT_SECONDS = 30
"""For others that use a SQLite file."""


class DatabaseError(FergusError):
    """A database that cannot be opened, read or written."""


class Database:
    """An open database; ``address`` is a file for SQLite or a ``postgresql://`` URL."""

    def __init__(self, address: str | Path) -> None:
        self.url = _url(address)
        self._engine = _engine(self.url)
        self._waiting: queue.SimpleQueue[tuple[Callable[[Connection], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._closing, self._is_closed = threading.Lock(), False
        self._writer = threading.Thread(target=self._write_all, name="fergus-writer", daemon=True)
        self._writer.start()

    @property
    def engine(self) -> Engine:
        """For migrations and backups, which are of this package."""
        return self._engine

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A transaction that only reads, and sees one state of the database from beginning to end."""
        # SQLite's transactions are so by themselves.
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        try:
            with self._engine.connect().execution_options(**options) as connection:
                yield connection
        except AnyDatabaseError as error:
            raise self._told(error) from None

    def write(self, work: Callable[[Transaction], Result]) -> Result:
        """Do the work in a transaction; when this returns, what it wrote is on disk. Not for use inside ``work``."""
        return self.write_later(work).result()

    def write_later(self, work: Callable[[Transaction], Result]) -> Future[Result]:
        """As ``write``, without waiting."""
        future: Future[Result] = Future()
        with self._closing:
            if self._is_closed:  # nobody would ever do it
                raise DatabaseError(f"{self.shown}: the database is closed")
            self._waiting.put((work, future))
        return future

    @property
    def shown(self) -> str:
        """The address as it is given, but for passwords: for messages, and for other programs."""
        url = self.url
        if self.is_sqlite:
            return url.database or ""
        query = {name: value for name, value in url.query.items() if "password" not in name}
        plain = URL.create("postgresql", url.username, None, url.host, url.port, url.database, query)
        return plain.render_as_string()

    @property
    def address(self) -> str:
        """What opens it again in another process: with the password, and so never to be shown."""
        return self.shown if self.is_sqlite else self.url.render_as_string(hide_password=False)

    @property
    def is_sqlite(self) -> bool:
        """Is it a file?"""
        return self.url.get_backend_name() == "sqlite"

    def close(self) -> None:
        """Finish what is waiting, then let go of every connection."""
        with self._closing:
            self._is_closed = True
            self._waiting.put(None)
        self._writer.join()
        self._engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_all(self) -> None:
        last = False
        while not last:
            first = self._waiting.get()
            batch = []
            while first is not None:
                batch.append(first)
                if len(batch) == MOST_AT_ONCE:
                    break
                try:
                    first = self._waiting.get_nowait()
                except queue.Empty:
                    break
            last = first is None
            if batch:
                self._write_batch(batch)

    def _write_batch(self, batch: list[tuple[Callable[[Connection], Any], Future[Any]]]) -> None:
        batch = [(work, future) for work, future in batch if future.set_running_or_notify_cancel()]
        outcomes = self._outcomes([work for work, _ in batch])
        for place, (_, problem) in enumerate(outcomes):
            if _is_deadlock(problem):  # with another process; the rest of the batch is kept, so this can be done alone
                outcomes[place] = self._outcomes([batch[place][0]])[0]
        for (_, future), (result, problem) in zip(batch, outcomes, strict=True):
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(self._told(problem))

    def _outcomes(self, works: list[Callable[[Connection], Any]]) -> list[tuple[Any, BaseException | None]]:
        """Do them together; if one fails, all of them anew, each behind a savepoint, so that the others are kept.

        Savepoints would cost a third of the time that writing an answer takes, and hardly any work ever fails.
        """
        try:
            with self._begin() as connection:
                return [(work(connection), None) for work in works]
        except Exception as error:
            if len(works) == 1:
                return [(None, error)]
        except BaseException as error:  # the thread must live on for what comes next
            return [(None, error)] * len(works)
        try:
            with self._begin() as connection:
                return [_attempt(connection, work) for work in works]
        except BaseException as error:  # nothing was kept
            return [(None, error)] * len(works)

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        with self._engine.connect().execution_options(fergus_writes=True) as connection, connection.begin():
            yield connection

    def _told(self, error: BaseException) -> BaseException:
        """The error of a database that does not work, as ours; errors in what it was asked to do stay as they are."""
        if isinstance(error, OperationalError) or type(error) is AnyDatabaseError:
            return DatabaseError(f"{self.shown}: {cause(error)}")
        return error


def _is_deadlock(error: BaseException | None) -> bool:
    return isinstance(error, OperationalError) and getattr(error.orig, "sqlstate", None) == "40P01"


def _attempt(connection: Connection, work: Callable[[Connection], Any]) -> tuple[Any, BaseException | None]:
    """Do one piece of work behind a savepoint: its result, or its error with all that it wrote undone.

    What fails here is the whole transaction: SQLite gives it up by itself when the disk is full, and then the
    savepoint is gone as well; neighbours who had been written before must not hear that they are on disk.
    """
    savepoint = connection.begin_nested()
    try:
        result = work(connection)
    except Exception as error:
        savepoint.rollback()
        return None, error
    savepoint.commit()
    return result, None


def _url(address: str | Path) -> URL:
    if isinstance(address, str) and "://" in address:
        try:
            url = make_url(address)
        except (ArgumentError, ValueError):  # not shown: it may hold a password
            raise InputError("this is no address of a database", remedy=_REMEDY) from None
        if url.get_backend_name() == "postgresql":
            return url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
            return url
        raise InputError("this is neither a file nor a database of PostgreSQL", remedy=_REMEDY)
    return URL.create("sqlite", database=str(address))


_REMEDY = "give a file (study.db) or postgresql://user:password@host/name"


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True)
        except ModuleNotFoundError:
            remedy = "install it: pip install 'fergus[postgresql]'"
            raise InputError("PostgreSQL needs the package psycopg, which is not installed", remedy=remedy) from None
    engine = create_engine(url, connect_args={"timeout": LONGEST_WAIT_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        _keep_log(connection)
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes its lock at once: to read first and write later would fail when another writes in between.
        writes = connection.get_execution_options().get("fergus_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _keep_log(connection: sqlite3.Connection) -> None:
    """Write to a log ahead of the file; where several do that to a new file at once, SQLite does not wait by itself."""
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


def cause(error: SQLAlchemyError) -> str:
    """The first line of what the driver said, without the statement that SQLAlchemy adds."""
    original = getattr(error, "orig", None) or error
    return (str(original).strip() or type(original).__name__).splitlines()[0]


def lock(transaction: Transaction, study_id: int) -> None:
    """Let no other process assign participants of this study until the transaction ends (SQLite has one writer)."""
    if transaction.dialect.name == "postgresql":
        transaction.execute(text("SELECT id FROM studies WHERE id = :id FOR UPDATE"), {"id": study_id})
