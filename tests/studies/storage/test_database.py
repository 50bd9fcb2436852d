"""Group commit: what is said to be written is written, and one failure is nobody else's."""

from __future__ import annotations

import builtins
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from fergus.errors import InputError
from fergus.studies.storage.database import MOST_AT_ONCE, Database, DatabaseError, Transaction, cause
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.tables import attempts, studies


def add(transaction: Transaction, name: str) -> str:
    values = {"name": name, "state": "open", "version": "v", "created_ms": 0}
    transaction.execute(insert(studies).values(values))
    return name


def names(database: Database) -> set[str]:
    with database.read() as transaction:
        return set(transaction.scalars(select(studies.c.name)))


class Batch:
    """Writes that are sure to share a transaction: the writer is held up until all of them wait."""

    def __init__(self, database: Database) -> None:
        self._database, self._go = database, threading.Event()
        started = threading.Event()

        def hold(_: Transaction) -> None:
            started.set()
            assert self._go.wait(10)

        self._held = database.write_later(hold)
        assert started.wait(10)

    def __enter__(self) -> Database:
        return self._database

    def __exit__(self, *_: object) -> None:
        self._go.set()
        self._held.result(10)


def test_what_a_write_returns_is_there_for_everybody(database: Database) -> None:
    assert database.write(lambda t: add(t, "one")) == "one"
    assert names(database) == {"one"}


def test_a_failing_write_does_not_harm_its_neighbours(database: Database) -> None:
    def fails(transaction: Transaction) -> None:
        add(transaction, "half-done")
        raise KeyError("my fault")

    with Batch(database) as waiting:
        before = waiting.write_later(lambda t: add(t, "before"))
        failing = waiting.write_later(fails)
        twice = waiting.write_later(lambda t: add(t, "before"))
        after = waiting.write_later(lambda t: add(t, "after"))
    assert (before.result(10), after.result(10)) == ("before", "after")
    with pytest.raises(KeyError, match="my fault"):
        failing.result(10)
    with pytest.raises(IntegrityError):
        twice.result(10)
    assert names(database) == {"before", "after"}


def test_a_transaction_that_is_lost_is_lost_for_all_of_the_batch(database: Database) -> None:
    """As when the disk is full: SQLite rolls back by itself, and nobody may be told that something was kept."""

    def loses(transaction: Transaction) -> None:
        transaction.exec_driver_sql("ROLLBACK")
        raise OSError("the disk is full")

    with Batch(database) as waiting:
        futures = [
            waiting.write_later(lambda t: add(t, "before")),
            waiting.write_later(loses),
            waiting.write_later(lambda t: add(t, "after")),
        ]
    for future in futures:
        with pytest.raises(Exception, match=r"[Ss]avepoint|SAVEPOINT"):
            future.result(10)
    assert names(database) == set()
    assert database.write(lambda t: add(t, "later")) == "later"


def test_the_writer_outlives_what_no_work_should_raise(database: Database) -> None:
    def leaves(_: Transaction) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        database.write(leaves)
    assert database.write(lambda t: add(t, "later")) == "later"


def test_a_write_that_is_cancelled_while_it_waits_is_not_done(database: Database) -> None:
    """As when somebody closes the browser."""
    with Batch(database) as waiting:
        cancelled = waiting.write_later(lambda t: add(t, "cancelled"))
        other = waiting.write_later(lambda t: add(t, "other"))
        assert cancelled.cancel()
    assert other.result(10) == "other"
    assert names(database) == {"other"}


def test_a_write_cannot_be_cancelled_when_it_has_begun(database: Database) -> None:
    futures: list[Future[str]] = []
    begun = threading.Event()

    def work(transaction: Transaction) -> str:
        assert begun.wait(10)
        assert not futures[0].cancel()
        return add(transaction, "begun")

    futures.append(database.write_later(work))
    begun.set()
    assert futures[0].result(10) == "begun"


def test_more_writes_than_a_batch_has_room_for(database: Database) -> None:
    with Batch(database) as waiting:
        futures = [waiting.write_later(lambda t, n=n: add(t, f"s{n}")) for n in range(MOST_AT_ONCE + 5)]  # type: ignore[misc]
    assert [future.result(10) for future in futures] == [f"s{n}" for n in range(MOST_AT_ONCE + 5)]
    assert len(names(database)) == MOST_AT_ONCE + 5


def test_writes_from_many_threads(database: Database) -> None:
    def write(first: int) -> None:
        for n in range(first, first + 25):
            database.write(lambda t, n=n: t.execute(insert(attempts).values(name=f"{n}", address="", tried_ms=n)))  # type: ignore[misc]

    threads = [threading.Thread(target=write, args=(25 * n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as transaction:
        assert transaction.scalar(select(func.count(attempts.c.name.distinct()))) == 200


def test_two_databases_on_one_file_take_turns(address: str, database: Database) -> None:
    with open_database(address) as other:
        futures = [(database, other)[n % 2].write_later(lambda t, n=n: add(t, f"s{n}")) for n in range(20)]  # type: ignore[misc]
        assert {future.result(30) for future in futures} == {f"s{n}" for n in range(20)}


def test_closing_finishes_what_waits_and_then_takes_nothing(address: str) -> None:
    database = open_database(address)
    with Batch(database) as waiting:
        waiting.write_later(lambda t: add(t, "last"))
        closing = threading.Thread(target=database.close)
        closing.start()
    closing.join(10)
    with pytest.raises(DatabaseError, match="the database is closed"):
        database.write(lambda t: add(t, "too late"))
    database.close()
    with open_database(address) as again:
        assert names(again) == {"last"}


def test_a_database_that_does_not_work_says_so_when_read_and_written(tmp_path: Path) -> None:
    with Database(tmp_path / "nowhere" / "study.db") as database:
        with pytest.raises(DatabaseError, match=r"study\.db: unable to open database file"):
            database.write(lambda t: add(t, "one"))
        with pytest.raises(DatabaseError, match="unable to open"), database.read():
            pass


def test_an_error_in_a_question_is_not_the_databases(database: Database) -> None:
    with pytest.raises(Exception, match="no_such_column") as caught, database.read() as transaction:
        transaction.execute(text("SELECT no_such_column FROM studies"))
    assert isinstance(caught.value, DatabaseError) == database.is_sqlite  # SQLite has one error for both


def test_postgresql_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **options: Any) -> Any:
        if name.startswith("psycopg"):
            raise ModuleNotFoundError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"which is not installed; install it: pip install 'fergus\[postgresql\]'"):
        Database("postgresql://me@127.0.0.1/x")


def test_a_password_is_never_shown() -> None:
    with pytest.raises(InputError) as caught:
        Database("postgresql://me:secret@host:notaport/x")
    assert "secret" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        Database("mysql://me:secret@host/x")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("postgresql://me:secret@host:5433/x", "postgresql://me@host:5433/x"),
        ("postgresql:///x?host=/run/pg&password=secret", "postgresql:///x?host=%2Frun%2Fpg"),
        ("studies/a b.db", "studies/a b.db"),
        ("sqlite:///studies/x.db", "studies/x.db"),
    ],
)
def test_an_address_is_shown_as_it_was_given_without_a_password(given: str, shown: str) -> None:
    with Database(given) as database:
        assert database.shown == shown


@pytest.mark.parametrize("given", ["postgresql://ann:secret@host/studies", "a.db"])
def test_an_address_opens_the_same_database_again(given: str) -> None:
    with Database(given) as database, Database(database.address) as again:
        assert again.url == database.url
        assert "***" not in again.address


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)  # SQLite has one writer at a time
def test_a_deadlock_with_another_server_is_sorted_out(address: str, database: Database) -> None:
    """Each of two servers writes one row and waits for the other one's; both get through in the end."""
    for name in ("left", "right"):
        database.write(lambda t, n=name: add(t, n))  # type: ignore[misc]
    both = threading.Barrier(2, timeout=60)
    tries: list[str] = []

    def work(first: str, second: str) -> Any:
        def both_rows(transaction: Transaction) -> str:
            tries.append(first)
            touch = text("UPDATE studies SET created_ms = created_ms + 1 WHERE name = :name")
            transaction.execute(touch, {"name": first})
            if tries.count(first) == 1:
                both.wait()
            transaction.execute(touch, {"name": second})
            return first

        return both_rows

    with open_database(address) as other:
        futures = [database.write_later(work("left", "right")), other.write_later(work("right", "left"))]
        assert [future.result(30) for future in futures] == ["left", "right"]
    with database.read() as transaction:
        assert transaction.scalars(select(studies.c.created_ms)).all() == [2, 2]
    assert len(tries) == 3


@pytest.mark.parametrize(("said", "told"), [("no\nLINE 1: SELECT", "no"), ("", "ValueError"), (" \n", "ValueError")])
def test_the_cause_is_a_line_whatever_the_driver_says(said: str, told: str) -> None:
    assert cause(OperationalError("SELECT 1", {}, ValueError(said))) == told
