"""A database copied into another: SQLite to PostgreSQL, back, and each into its own kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, text, update

from fergus.errors import InputError
from fergus.studies.export import export_study
from fergus.studies.service import Service
from fergus.studies.storage import accounts, codings, copy
from fergus.studies.storage.copy import copy_database
from fergus.studies.storage.database import Database, DatabaseError, Transaction
from fergus.studies.storage.erase import erase_participant
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import StudyRow, close_condition, find_study
from fergus.studies.storage.tables import metadata, studies
from tests.studies.small_study import answer_all, link, put


@pytest.fixture
def target(empty_address: str) -> Iterator[Database]:
    """An empty database, of either kind."""
    with open_database(empty_address) as opened:
        yield opened


@pytest.fixture
def row(database: Database) -> StudyRow:
    """Something in every table; the last participant was deleted."""
    service, row = Service(database), put(database, settings="conditions: [long, short]\n")
    used = link(database, row, "token", condition="short")
    keys = [service.join(row, nonce=nonce, parameters={}) for nonce in ("a", "b", "ä")]
    answer_all(service, service.join(row, nonce="by link", parameters={}, link=used))
    answer_all(service, keys[0])
    answer_all(service, keys[1], pages=1)
    gone = service.view(service.join(row, nonce="gone", parameters={}))
    assert gone is not None

    def work(transaction: Transaction) -> None:
        close_condition(transaction, row.id, "long", is_closed=True)
        number = transaction.scalar(text("SELECT min(id) FROM answers"))
        codings.add_coding(transaction, number, coder="ann", codes=("odd",), grade=0.1, now_ms=5)
        made = accounts.add_account(transaction, "ann", password="-", role="admin", now_ms=1)
        accounts.add_session(transaction, made.id, token="secret", expires_ms=2**40)
        accounts.add_attempt(transaction, name="ann", address="::1", now_ms=7)

    database.write(work)
    erase_participant(database, gone.participant.id)
    return row


def everything(database: Database) -> dict[str, list[tuple[object, ...]]]:
    with database.read() as transaction:
        return {
            table.name: sorted((tuple(row) for row in transaction.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }


def test_every_row_of_every_table(database: Database, row: StudyRow, target: Database) -> None:
    before = everything(database)
    assert all(before.values()), "a table is not tested"
    counts = copy_database(database, target)
    assert counts == {name: len(rows) for name, rows in before.items()}
    assert everything(target) == before == everything(database)
    exports = ["".join(export_study(Service(one), row)) for one in (database, target)]
    assert exports[0] == exports[1]


def test_people_go_on_in_the_copy_with_new_numbers(database: Database, row: StudyRow, target: Database) -> None:
    with database.read() as transaction:
        last = transaction.scalar(text("SELECT max(id) FROM participants"))
    copy_database(database, target)
    service = Service(target)
    view = service.view(service.join(row, nonce="b", parameters={}))
    assert view is not None
    answer_all(service, view.participant.key)  # as they were, after one page
    new = service.view(service.join(row, nonce="new", parameters={}))
    assert new is not None
    assert new.participant.id == last + 2  # the number of the one who was deleted is not given again
    assert put(target, name="second").id > row.id
    answer_all(service, new.participant.key)


def test_an_empty_database_too(database: Database, target: Database) -> None:
    assert set(copy_database(database, target).values()) == {0}
    assert put(target).name == "small"


def test_a_database_that_is_not_empty_is_left_alone(database: Database, row: StudyRow, target: Database) -> None:
    put(target, name="mine")
    before = everything(target)
    with pytest.raises(InputError, match=r"the database is not empty \(there is something in studies\)"):
        copy_database(database, target)
    assert everything(target) == before


def test_into_itself(database: Database, row: StudyRow) -> None:
    with pytest.raises(InputError, match="cannot be copied into itself"):
        copy_database(database, database)


def test_what_comes_out_different_is_not_kept(
    database: Database, row: StudyRow, target: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = copy._batches

    def changed(table: object, transaction: object) -> Iterator[object]:
        for rows in real(table, transaction):  # type: ignore[arg-type]
            is_copy = transaction.engine is target.engine  # type: ignore[attr-defined]
            yield rows[:-1] if is_copy and table.name == "answers" else rows  # type: ignore[attr-defined]

    monkeypatch.setattr(copy, "_batches", changed)
    with pytest.raises(DatabaseError, match="answers came out different; nothing was copied"):
        copy_database(database, target)
    assert not any(everything(target).values())


def test_what_the_other_database_does_not_take(
    tmp_path: Path, postgresql_empty_address: str, postgresql_server: object
) -> None:
    """SQLite does not mind how long a name is."""
    with open_database(tmp_path / "x.db") as source, open_database(postgresql_empty_address) as target:
        put(source)
        source.write(lambda transaction: transaction.execute(update(studies).values(name="x" * 101)))
        with pytest.raises(DatabaseError, match=r"^postgresql://.*value too long.*; nothing was copied"):
            copy_database(source, target)
        assert not any(everything(target).values())
    postgresql_server.execute("empty", "DROP SCHEMA public CASCADE; CREATE SCHEMA public")  # type: ignore[attr-defined]


def test_by_the_command(address: str, database: Database, row: StudyRow, empty_address: str) -> None:
    from fergus.cli.main import cli

    result = CliRunner().invoke(cli, ["study", "copy", "--database", address, "--to", empty_address])
    assert result.exit_code == 0, result.output
    assert f"All of {database.shown} is in " in result.output
    assert "psycopg" not in result.output
    with open_database(empty_address) as opened, opened.read() as transaction:
        assert find_study(transaction, "small") is not None
