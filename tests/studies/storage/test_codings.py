"""What coders said: the latest of each counts."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from fergus.studies.service import Service
from fergus.studies.storage import answers, codings
from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import StudyRow
from fergus.studies.storage.tables import codings as table
from tests.studies.small_study import answer_all, put


def answered(database: Database, name: str = "small", kind: str = "person") -> tuple[StudyRow, list[int]]:
    """A study in which one person has answered everything, and the numbers of the answers."""
    service, row = Service(database), put(database, name=name)
    key = service.join(row, nonce=f"n-{name}-{kind}", parameters={}, kind=kind)
    answer_all(service, key)
    view = service.view(key)
    assert view is not None
    with database.read() as transaction:
        return row, [one.id for one in answers.of_participant(transaction, view.participant.id)]


def code(database: Database, answer: int, coder: str, codes: str, part: int = 0, grade: float | None = None) -> None:
    database.write(
        lambda t: codings.add_coding(t, answer, coder=coder, codes=codes.split(), now_ms=7, part=part, grade=grade)
    )


def found(database: Database, row: StudyRow, **options: tuple[str, ...]) -> list[tuple[int, int, str, tuple[str, ...]]]:
    with database.read() as transaction:
        rows = list(codings.of_study(transaction, row.id, **options))
    return [(one.answer_id, one.part, one.coder, one.codes) for one in rows]


def test_the_latest_of_each_coder_counts_and_nothing_is_overwritten(database: Database) -> None:
    row, numbers = answered(database)
    code(database, numbers[2], "eve", "order")
    code(database, numbers[2], "ada", "style")
    code(database, numbers[2], "ada", "order tense")
    code(database, numbers[0], "ada", "", part=1, grade=0.5)
    assert found(database, row) == [
        (numbers[0], 1, "ada", ()),
        (numbers[2], 0, "ada", ("order", "tense")),
        (numbers[2], 0, "eve", ("order",)),
    ]
    with database.read() as transaction:
        first = next(codings.of_study(transaction, row.id))
        assert (first.grade, first.coded_ms) == (0.5, 7)
        assert transaction.scalar(select(func.count()).select_from(table)) == 4


def test_codes_taken_back_are_no_codes(database: Database) -> None:
    row, numbers = answered(database)
    code(database, numbers[2], "ada", "style")
    code(database, numbers[2], "ada", "")
    assert found(database, row) == [(numbers[2], 0, "ada", ())]


def test_other_studies_and_previews_are_left_out(database: Database) -> None:
    row, numbers = answered(database)
    _, others = answered(database, "other")
    _, previewed = answered(database, kind="preview")
    for number in (numbers[2], others[2], previewed[2]):
        code(database, number, "ada", "x")
    assert found(database, row) == [(numbers[2], 0, "ada", ("x",))]
    assert found(database, row, kinds=("preview",)) == [(previewed[2], 0, "ada", ("x",))]


def test_an_answer_that_is_not_there(database: Database) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        code(database, 999, "ada", "x")


def test_the_last_coding_of_a_study(database: Database) -> None:
    def last(row: StudyRow) -> int:
        with database.read() as transaction:
            return codings.last_of_study(transaction, row.id)

    row, numbers = answered(database)
    _, others = answered(database, "other")
    assert last(row) == 0
    code(database, numbers[0], "ann", "order")
    first = last(row)
    code(database, others[0], "ann", "order")
    assert last(row) == first > 0
    code(database, numbers[0], "ann", "order")
    assert last(row) > first
