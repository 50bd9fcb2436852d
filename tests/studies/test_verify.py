from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from fergus.studies.service import Service
from fergus.studies.simulation import Sent
from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.studies.study import Study
from fergus.studies.verify import verify
from tests.studies.live_server import put_texts
from tests.studies.small_study import ITEMS, put, study_text

PAGE = {"0.good.good": ["3"], "1.good.good": ["5"], "page.why.comment": ["because"]}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db") as opened:
        yield opened


@pytest.fixture
def study(database: Database) -> Study:
    return put_texts(database, study_text(), ITEMS)


@pytest.fixture
def sent(database: Database, study: Study) -> Sent:
    """A page that was answered and acknowledged."""
    service = Service(database)
    key = service.join(put(database), nonce="n" * 43, parameters={})
    outcome = service.submit(key, 0, PAGE)
    assert outcome is not None
    assert not outcome.problems
    return Sent(0, key, 0, 0.0, 0.1, 3, PAGE)


def test_what_is_stored_as_it_was_sent_is_good(database: Database, study: Study, sent: Sent) -> None:
    found = verify(database, study, [sent])
    assert found.is_good
    assert str(found) == "1 acknowledged pages: 0 missing, 0 repeated, 0 different"


def test_a_page_that_was_not_stored_is_missing(database: Database, study: Study, sent: Sent) -> None:
    found = verify(database, study, [sent, replace(sent, page=1), replace(sent, key="nobody")])
    assert found.missing == ((sent.key, 1), ("nobody", 0))
    assert not found.is_good


def test_answers_that_are_gone_are_missing(database: Database, study: Study, sent: Sent) -> None:
    database.write(lambda transaction: transaction.execute(text("DELETE FROM answers")))
    assert verify(database, study, [sent]).missing == ((sent.key, 0),)
    # A page that asks nothing leaves no answers, only the participant who is one page further.
    assert verify(database, study, [replace(sent, judgements=0)]).is_good


def test_an_answer_that_counts_twice_is_found(database: Database, study: Study, sent: Sent) -> None:
    again = "INSERT INTO answers (submission_id, question, items, value) SELECT submission_id, question, items, value"
    database.write(lambda transaction: transaction.execute(text(f"{again} FROM answers LIMIT 1")))
    assert verify(database, study, [sent]).repeated == ((sent.key, 0),)


def test_another_value_is_found(database: Database, study: Study, sent: Sent) -> None:
    changed = {**PAGE, "1.good.good": ["4"]}
    assert verify(database, study, [replace(sent, form=changed)]).different == ((sent.key, 0),)
    shorter = {name: values for name, values in PAGE.items() if name != "page.why.comment"}
    assert verify(database, study, [replace(sent, form=shorter)]).different == ((sent.key, 0),)
