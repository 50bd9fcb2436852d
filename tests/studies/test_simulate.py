from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fergus.studies.export import Choice, export_study
from fergus.studies.model import Item, Json
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.raters import RaterSettings
from fergus.studies.service import Service
from fergus.studies.simulate import Crowd, Load, PageError
from fergus.studies.simulation import Simulation
from fergus.studies.storage import answers, participants
from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import find_study
from fergus.studies.study import Block, Study
from fergus.studies.verify import verify
from tests.studies.live_server import ScriptedServer, put_file, put_texts, served
from tests.studies.small_study import ITEMS, study_text

EXAMPLES = sorted(Path(str(files("fergus.studies") / "examples")).iterdir())
EVERY_TYPE = Path(__file__).parents[1] / "web" / "every-type.yaml"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db") as opened:
        yield opened


def simulate(study: Study, address: str, **options: Any) -> Simulation:
    return Crowd(study, address, **options).simulate()


def exported(database: Database, study: Study) -> list[dict[str, str]]:
    with database.read() as transaction:
        row = find_study(transaction, study.name)
    assert row is not None
    text = "".join(export_study(Service(database), row, choice=Choice(practice=True)))
    return list(csv.DictReader(io.StringIO(text)))


def given(database: Database, found: Simulation) -> dict[tuple[int, str, tuple[str, ...]], Json]:
    """What each rater answered, by question and items (for a question of the page, all of it) in alphabetical order."""
    answered: dict[tuple[int, str, tuple[str, ...]], Json] = {}
    with database.read() as transaction:
        for visit in found.visits:
            row = participants.by_key(transaction, visit.key)
            assert row is not None
            for answer in answers.of_participant(transaction, row.id):
                one = answer.given
                answered[visit.rater, one.question, tuple(sorted(one.items or answer.submission.items))] = one.value
    return answered


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, str, dict[str, Study]]]:
    """A server with every example, and a study that asks questions of every type."""
    with open_database(tmp_path_factory.mktemp("site") / "study.db") as database:
        studies = [put_file(database, folder / "study.yaml") for folder in EXAMPLES]
        studies.append(put_texts(database, EVERY_TYPE.read_text(), EVERY_TYPE.with_suffix(".csv").read_text()))
        with served(database) as address:
            yield database, address, {study.name: study for study in studies}


@pytest.mark.parametrize("name", [*(folder.name for folder in EXAMPLES), "every-type"])
def test_raters_come_through_every_example(name: str, site: tuple[Database, str, dict[str, Study]]) -> None:
    database, address, studies = site
    study = studies[name]
    found = simulate(study, address, seed=1, load=Load(raters=3, concurrent=2))
    assert found.problems == {}
    assert found.states == {"completed": 3}
    assert verify(database, study, found.sent).is_good
    rows = exported(database, study)
    assert {row["kind"] for row in rows} == {"simulated"}
    assert len(rows) == found.judgements


def test_the_same_seed_gives_the_same_answers_in_any_order(tmp_path: Path) -> None:
    answered = []
    for run, seed in enumerate((5, 5, 6)):
        with open_database(tmp_path / f"{run}.db") as database:
            study = put_texts(database, study_text(), ITEMS)
            with served(database) as address:
                found = simulate(study, address, seed=seed, load=Load(raters=5, concurrent=1 + run))
            answered.append(given(database, found))
    assert 5 * 6 < len(answered[0]) <= 5 * (6 + 3)  # each rater: six items rated, three pages commented on or not
    assert answered[0] == answered[1]
    assert answered[0] != answered[2]


def test_better_texts_are_rated_better_by_raters_without_noise(database: Database) -> None:
    study = put_texts(database, study_text(), ITEMS)
    qualities = {item.text: {"good": place - 2.5} for place, item in enumerate(study.items)}
    settings = RaterSettings(bias=0, noise=0, inattention=0)
    with served(database) as address:
        simulate(study, address, seed=1, load=Load(raters=2), settings=settings, qualities=qualities)
    rated = {(row["participant"], row["item"]): int(row["value"]) for row in exported(database, study) if row["item"]}
    # Of five points, 3 + 0.8 q: -2.5 to 2.5 gives 1, 1.8, 2.6, 3.4, 4.2 and 5.
    for participant in {participant for participant, _ in rated}:
        assert [rated[participant, item.id] for item in study.items] == [1, 2, 3, 3, 4, 5]


def test_who_comes_too_late_is_refused(database: Database) -> None:
    study = put_texts(database, study_text("assignment: {participants: 2}\n"), ITEMS)
    seen: list[tuple[str, int, int]] = []
    with served(database) as address:
        found = simulate(
            study, address, seed=1, load=Load(raters=4, concurrent=1), report=lambda *told: seen.append(told)
        )
    assert found.states == {"completed": 2, "refused": 2}
    assert [visit.key == "" for visit in found.visits] == [False, False, True, True]
    assert seen == [("raters", done, 4) for done in (1, 2, 3, 4)]


def test_raters_come_by_the_links_of_a_recruiter_where_that_is_required(database: Database) -> None:
    settings = "recruitment: {parameters: [PID, SESSION], required: yes}\n"
    study = put_texts(database, study_text(settings), ITEMS)
    with served(database) as address:
        found = simulate(study, address, seed=3, load=Load(raters=2))
        again = simulate(study, f"{address}/s/small?SESSION=a+b&PID=ann", seed=3, load=Load(raters=1))
    assert (found.states, again.states) == ({"completed": 2}, {"completed": 1})
    with database.read() as transaction:
        names = set(transaction.exec_driver_sql("SELECT external FROM participants").scalars())
    assert names == {"simulated-3-0", "simulated-3-1", "ann"}


def test_everybody_leaves_when_the_time_is_up(database: Database) -> None:
    study = put_texts(database, study_text(), ITEMS)
    with served(database) as address:
        load = Load(raters=100_000, concurrent=3, think_seconds=0.05, stop_after_seconds=1)
        found = simulate(study, address, seed=1, load=load)
    assert set(found.states) <= {"stopped", "completed"}
    assert 3 <= len(found.visits) < 1000
    assert verify(database, study, found.sent).is_good
    with database.read() as transaction:
        row = participants.by_key(transaction, found.sent[0].key)
        assert row is not None
        active_ms = answers.of_participant(transaction, row.id)[0].submission.active_ms
    assert active_ms is not None
    assert 0 < active_ms <= 50  # the time to think, and not more than the server saw


@pytest.mark.parametrize(
    ("address", "message"), [("/s/unknown", "answers with status 404"), ("/nowhere", "answers with status 404")]
)
def test_a_study_that_is_not_there(database: Database, address: str, message: str) -> None:
    study = put_texts(database, study_text(), ITEMS)
    with served(database) as base, pytest.raises(PageError, match=message):
        simulate(study, base + address, seed=1)


def test_nobody_answers() -> None:
    with pytest.raises(PageError, match=r"127\.0\.0\.1:1.*fergus serve"):
        simulate(Study("s", "S", ()), "http://127.0.0.1:1", seed=1)


def test_a_text_that_is_not_in_the_file_tells_of_another_version(database: Database) -> None:
    study = put_texts(database, study_text(), ITEMS)
    other = replace(study, items=tuple(replace(item, text="Another text.") for item in study.items))
    with served(database) as address:
        found = simulate(other, address, seed=1, load=Load(raters=1))
    ((problem, count),) = found.problems.items()
    assert "is no item of small; another version?" in problem
    assert count == 1
    assert found.sent == ()


# A server that answers as it is told: what a rater makes of pages that are not as they should be.

STUDY = Study(
    "s",
    "S",
    (Block("main", (Rating("r", dimensions={"good": Dimension("Good?")}),), items={}),),
    items=(Item("a", "A text."),),
)
FIRST = '<form method="post"><input type="hidden" name="nonce" value="n"></form>'
PAGE = (
    '<form method="post" data-block="main"><input type="hidden" name="page" value="0">'
    '<p data-place="0">A text.</p><input type="radio" name="0.r.good" value="1"></form>'
)
LAST = '<main data-finished="completed"></main>'


def visit(*pages: str | tuple[int, str] | None, patience_seconds: float = 5.0) -> tuple[Simulation, list[bytes]]:
    server = ScriptedServer.of_pages(FIRST, *pages)

    async def run() -> Simulation:
        listening, address = await server.listen()
        load = Load(raters=1, patience_seconds=patience_seconds)
        try:
            return await Crowd(STUDY, f"{address}/s/s", seed=1, load=load).run()
        finally:
            await server.end(listening)

    return asyncio.run(run()), server.requests


def test_what_is_sent() -> None:
    found, requests = visit(FIRST, PAGE, LAST)
    assert found.states == {"completed": 1}
    assert requests[2].endswith(b"\r\n\r\nnonce=n&kind=simulated")
    assert b"HX-Request: true\r\n" in requests[3]
    assert b"\r\n\r\npage=0&shown_ms=" in requests[3]
    assert b"&0.r.good=" in requests[3]
    (sent,) = found.sent
    assert (sent.page, sent.judgements, sent.rater) == (0, 1, 0)


def test_a_lost_connection_is_tried_again_with_the_same_form() -> None:
    found, requests = visit(FIRST, PAGE, None, (503, ""), LAST)
    assert (found.completed, found.lost, len(found.sent)) == (1, 1, 1)
    bodies = {request.partition(b"\r\n\r\n")[2] for request in requests[3:]}
    assert len(requests[3:]) == 3
    assert len(bodies) == 1


@pytest.mark.parametrize(
    ("pages", "problem"),
    [
        ((FIRST, PAGE, (422, PAGE)), "page 0 of block main refused what a rater filled in"),
        ((FIRST, PAGE.replace("main", "other")), "of block “other”, which s does not have"),
        ((FIRST, PAGE.replace("0.r.good", "0.r.bad")), "the page has no field 0.r.good"),
        ((FIRST, (403, "")), "start it with `fergus serve --simulation`"),
        ((FIRST, PAGE, (500, "")), "the server answered with status 500"),
        ((FIRST, PAGE, None), "closed the connection before it had answered"),
    ],
)
def test_a_page_that_is_not_as_it_should_be_ends_the_visit(pages: tuple[str, ...], problem: str) -> None:
    found, _ = visit(*pages, patience_seconds=0)
    assert found.states == {"failed": 1}
    assert problem in next(iter(found.problems))
    assert found.sent == ()


@pytest.mark.parametrize("pages", [("<p>closed</p>",), (FIRST, (409, "<p>full</p>")), (FIRST, PAGE, (409, PAGE))])
def test_a_refusal_is_no_failure(pages: tuple[str, ...]) -> None:
    found, _ = visit(*pages)
    assert (found.states, found.problems, found.sent) == ({"refused": 1}, {}, ())


def test_a_server_that_stays_away_is_given_up() -> None:
    found, _ = visit(FIRST, PAGE, (503, ""), (503, ""), patience_seconds=0)
    assert found.states == {"failed": 1}
    assert found.problems == {"the server answered with status 503": 1}
