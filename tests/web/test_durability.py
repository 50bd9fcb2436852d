"""An answer is on disk before the page says so: the server is killed (SIGKILL) while people answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.kills import answer_under_kills

from fergus.cli.local_server import LocalServer
from fergus.studies.simulation import Simulation
from fergus.studies.storage import participants
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import find_study
from fergus.studies.study_file import read_study
from fergus.studies.verify import verify
from tests.studies.small_study import ITEMS, study_text

KILLS = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("durability")
    (folder / "study.yaml").write_text(study_text("assignment: {design: all}\n"))
    (folder / "items.csv").write_text(ITEMS)
    return folder


@pytest.fixture(scope="module")
def found(folder: Path) -> Simulation:
    """Twenty raters answer without a pause while the server is killed and started again."""
    with LocalServer(folder / "study.yaml", folder / "study.db", log=folder / "server.log") as server:
        return answer_under_kills(folder / "study.yaml", server, kills=KILLS, raters=20, seed=1, longest_seconds=0.3)


def test_the_server_was_away_and_everybody_came_through(found: Simulation) -> None:
    assert found.lost >= KILLS  # otherwise nothing was tested
    assert found.problems == {}
    assert set(found.states) <= {"completed", "stopped"}


def test_what_was_acknowledged_is_there_once_and_as_it_was_sent(folder: Path, found: Simulation) -> None:
    study = read_study(folder / "study.yaml")
    with open_database(folder / "study.db", must_exist=True) as database:
        verified = verify(database, study, found.sent)
    assert verified.pages == len(found.sent) > 20
    assert verified.is_good, str(verified)


def test_nobody_answered_a_page_twice_or_skipped_one(folder: Path, found: Simulation) -> None:
    pages: dict[str, list[int]] = {}
    for sent in found.sent:
        pages.setdefault(sent.key, []).append(sent.page)
    with open_database(folder / "study.db", must_exist=True) as database, database.read() as transaction:
        for key, answered in pages.items():
            row = participants.by_key(transaction, key)
            assert row is not None
            assert answered == list(range(len(answered)))
            assert len(answered) == row.page  # at the end everybody has heard of everything that they sent


def test_a_form_to_join_that_was_sent_again_makes_no_second_participant(folder: Path, found: Simulation) -> None:
    with open_database(folder / "study.db", must_exist=True) as database, database.read() as transaction:
        study = find_study(transaction, "small")
        assert study is not None
        joined = {row.key for row in participants.of_study(transaction, study.id)}
    assert joined == {visit.key for visit in found.visits}
