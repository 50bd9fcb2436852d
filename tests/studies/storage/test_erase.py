"""A person's data is gone: from every table, and from the file."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from fergus.studies.service import Service
from fergus.studies.storage import codings
from fergus.studies.storage.database import Database
from fergus.studies.storage.erase import Found, Held, Removed, erase_participant, erase_study, find_people, held_by
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import StudyRow, all_studies
from fergus.studies.storage.tables import answers, metadata
from tests.studies.small_study import answer_all, form_of, link, put

SECRET = "I-live-at-12-Acacia-Avenue"
NAMED = "recruitment: {parameters: [PROLIFIC_PID]}\n"


def counts(database: Database) -> dict[str, int]:
    with database.read() as transaction:
        return {
            name: transaction.scalar(select(func.count()).select_from(table)) or 0
            for name, table in metadata.tables.items()
        }


def take_part(database: Database, row: StudyRow, name: str, comment: str) -> int:
    """Somebody comes by a private link, answers a page, and a coder says something of it; the number."""
    service = Service(database)
    private = link(database, row, f"token-{name}")
    key = service.join(row, nonce=f"nonce-{name}", parameters={"PROLIFIC_PID": name}, link=private)
    view = service.view(key)
    assert view is not None
    service.submit(key, 0, form_of(view, comment=comment * 30))  # long enough for pages of its own
    with database.read() as transaction:
        number = transaction.scalar(select(func.max(answers.c.id)))
    assert number is not None
    database.write(lambda t: codings.add_coding(t, number, coder="ada", codes=["x"], now_ms=1))
    return view.participant.id


def test_everything_of_a_person_goes_and_nothing_of_others(database: Database) -> None:
    row = put(database, NAMED)
    take_part(database, row, "ada", "kept ")
    before = counts(database)
    number = take_part(database, row, "eve", SECRET)
    removed = erase_participant(database, number)
    assert removed == Removed(submissions=1, answers=3, codings=1, links=1, is_gone_from_file=True)
    assert counts(database) == before


def test_the_text_is_not_in_the_file_any_more(sqlite_template: Path, tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    shutil.copy(sqlite_template, path)

    def is_in_files(word: str) -> bool:
        return any(word.encode() in file.read_bytes() for file in tmp_path.iterdir())

    with open_database(path) as database:
        row = put(database, NAMED)
        number = take_part(database, row, "name-of-eve", SECRET)
        take_part(database, row, "name-of-ada", "kept ")
        assert is_in_files(SECRET)
        assert is_in_files("name-of-eve")
        erase_participant(database, number)
        for word in (SECRET, "name-of-eve", "token-name-of-eve"):
            assert not is_in_files(word)
        assert is_in_files("name-of-ada")


def test_what_others_are_reading_stays_in_the_log_for_now(
    sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fergus.studies.storage.erase.PATIENCE_MS", 50)
    path = tmp_path / "study.db"
    shutil.copy(sqlite_template, path)
    with open_database(path) as database, open_database(path) as other:
        row = put(database, NAMED)
        number = take_part(database, row, "eve", SECRET)
        with other.read() as reading:
            reading.execute(select(answers.c.id)).all()
            assert not erase_participant(database, number).is_gone_from_file
    assert SECRET.encode() not in path.read_bytes()  # closed by all, it is as it should be


def test_the_number_of_somebody_who_is_gone_is_not_given_again(database: Database) -> None:
    row = put(database, NAMED)
    number = take_part(database, row, "eve", SECRET)
    erase_participant(database, number)
    assert take_part(database, row, "ada", "") != number


class TestFinding:
    def find(self, database: Database, row: StudyRow, given: str) -> list[int]:
        with database.read() as transaction:
            return [one.id for one in find_people(transaction, row.id, given)]

    def test_by_number_and_by_name(self, database: Database) -> None:
        row, other = put(database, NAMED), put(database, NAMED, name="other")
        eve, elsewhere = take_part(database, row, "eve", ""), take_part(database, other, "eva", "")
        for given in (str(eve), f"#{eve}", "eve"):
            assert self.find(database, row, given) == [eve]
        for given in ("Eve", "", "#", "#eve", str(elsewhere), "9" * 40, "٣", "e\0ve"):
            assert self.find(database, row, given) == [], given
        with database.read() as transaction:
            assert find_people(transaction, row.id, "eve") == [Found(eve, "eve", "person", "active")]

    def test_a_name_that_is_somebody_elses_number(self, database: Database) -> None:
        row = put(database, NAMED)
        first = take_part(database, row, "eve", "")
        second = take_part(database, row, str(first), "")
        assert self.find(database, row, str(first)) == [first, second]
        assert self.find(database, row, f"#{first}") == [first]


def test_a_study_goes_with_everything_that_hangs_on_it(database: Database) -> None:
    service, row, other = Service(database), put(database), put(database, name="other")
    link(database, row, "token")
    for study in (row, other):
        answer_all(service, service.join(study, nonce=study.name, parameters={}))
    with database.read() as transaction:
        held = held_by(transaction, row.id)
        assert held == Held(versions=1, participants=1, answers=9, codings=0, links=1)
        assert held_by(transaction, other.id) == replace(held, links=0)
    assert erase_study(database, row.id)
    with database.read() as transaction:
        assert held_by(transaction, row.id) == Held(0, 0, 0, 0, 0)
        assert held_by(transaction, other.id) == replace(held, links=0)
        assert [one.name for one in all_studies(transaction)] == ["other"]
