"""Everything of one database put into another, empty one: from SQLite to PostgreSQL, or back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Table, func, insert, select, text
from sqlalchemy.exc import DBAPIError

from fergus.errors import InputError
from fergus.studies.storage.database import Database, DatabaseError, Transaction, cause
from fergus.studies.storage.tables import metadata

AT_ONCE = 1000


def copy_database(source: Database, target: Database) -> dict[str, int]:
    """Copy every table in one transaction: the number of rows of each; all of it or, after an error, nothing.

    What was written is read again before the transaction ends. People who answer meanwhile are not in the copy.
    """
    if source.url == target.url:
        raise InputError("a database cannot be copied into itself", path=source.shown, remedy="name another one")

    def work(transaction: Transaction) -> dict[str, int]:
        for table in metadata.sorted_tables:
            if transaction.scalar(select(func.count()).select_from(table)):
                problem = f"the database is not empty (there is something in {table.name})"
                raise InputError(problem, path=target.shown, remedy="copy into a new one")
        with source.read() as given:
            return {table.name: _copy_table(table, given, transaction, target) for table in metadata.sorted_tables}

    try:
        return target.write(work)
    except DBAPIError as error:  # such as a text that PostgreSQL does not take
        raise DatabaseError(f"{target.shown}: {cause(error)}; nothing was copied") from None


def _copy_table(table: Table, source: Transaction, target: Transaction, database: Database) -> int:
    names = [column.name for column in table.columns]
    count, mark = 0, 0
    for rows in _batches(table, source):
        target.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
        count, mark = count + len(rows), mark + _mark(rows)
    copied = [(len(rows), _mark(rows)) for rows in _batches(table, target)]
    if (sum(size for size, _ in copied), sum(one for _, one in copied)) != (count, mark):
        raise DatabaseError(f"{database.shown}: {table.name} came out different; nothing was copied")
    _go_on_counting(table, source, target)
    return count


def _batches(table: Table, transaction: Transaction) -> Iterator[Sequence[Any]]:
    with transaction.execute(select(table).execution_options(yield_per=AT_ONCE)) as rows:
        yield from rows.partitions()


def _mark(rows: Sequence[Any]) -> int:
    """A number that tells rows from others, in whatever order: the two databases sort words differently."""
    return sum(int.from_bytes(sha256(repr(tuple(row)).encode("utf-8", "surrogatepass")).digest()) for row in rows)


def _go_on_counting(table: Table, source: Transaction, target: Transaction) -> None:
    """Give new rows the numbers after the last one there ever was: those of deleted participants are never reused."""
    if "id" not in table.columns:
        return
    last = max(_last_number(table, source), target.scalar(select(func.max(table.c.id))) or 0)
    if last and target.dialect.name == "postgresql":
        target.execute(
            text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)"), {"name": table.name, "last": last}
        )
    elif last and _counts_on(table):
        target.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
        target.execute(
            text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), {"name": table.name, "last": last}
        )


def _last_number(table: Table, source: Transaction) -> int:
    if source.dialect.name == "postgresql":
        sequence = source.scalar(text("SELECT pg_get_serial_sequence(:name, 'id')"), {"name": table.name})
        return int(source.scalar(text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")) or 0)
    if not _counts_on(table):
        return 0
    return int(source.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}) or 0)


def _counts_on(table: Table) -> bool:
    """Does SQLite never give a number of this table twice?"""
    return bool(table.dialect_options["sqlite"]["autoincrement"])
