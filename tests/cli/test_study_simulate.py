from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fergus.cli.local_server import LocalServer
from fergus.cli.study_simulate import told
from fergus.errors import FergusError
from fergus.studies.simulation import Sent, Simulation, Visit
from fergus.studies.storage.migrate import open_database
from fergus.studies.verify import Verified
from tests.cli.conftest import Run
from tests.studies.live_server import put_file, served
from tests.studies.small_study import ITEMS, study_text


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "items.csv").write_text(ITEMS)
    (folder / "study.yaml").write_text(study_text())
    return folder


def test_a_study_file_is_enough(run: Run, study: Path, tmp_path: Path) -> None:
    kept = ("--database", "kept.db", "--export", "judgements.csv")
    result = run("study", "simulate", study, "-n", "3", "--seed", "4", *kept, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["states"], found["answers"], found["lost_connections"]) == ({"completed": 3}, 9, 0)
    assert found["verified"] == {"pages": 9, "missing": 0, "repeated": 0, "different": 0}
    assert (tmp_path / "kept.db").exists()
    with (tmp_path / "judgements.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert {row["kind"] for row in rows} == {"simulated"}
    assert sum(row["question"] == "good" for row in rows) == 18


def test_on_a_server_that_runs_already(run: Run, study: Path, tmp_path: Path) -> None:
    (tmp_path / "qualities.csv").write_text("item,quality\n" + "".join(f"{g}-{s},9\n" for g in "123" for s in "xy"))
    with open_database(tmp_path / "study.db") as database:
        put_file(database, study / "study.yaml")
        with served(database) as address:
            options = ("--bias", "0", "--noise", "0", "--inattention", "0", "--skill", "1", "--think", "0.01")
            where = ("--address", f"{address}/s/small", "--quality", "qualities.csv")
            result = run("study", "simulate", study / "study.yaml", "-n", "2", *where, *options, "-q")
    assert result.exit_code == 0, result.output
    lines = dict(line.split("  ", 1) for line in result.stdout.splitlines())
    assert lines["raters"].strip() == "2 completed"
    assert lines["answers"].strip().startswith("6 pages, ")
    assert set(lines) == {"raters", "answers", "speed", "waiting"}
    with open_database(tmp_path / "study.db") as database, database.read() as transaction:
        values = set(transaction.exec_driver_sql("SELECT value FROM answers WHERE question = 'good'").scalars())
    assert values == {'{"good": 5}'}  # all texts are as good as can be, and raters neither err nor differ


def test_a_rater_who_fails_is_told_by_the_exit_code(run: Run, study: Path, tmp_path: Path) -> None:
    with open_database(tmp_path / "study.db") as database:
        put_file(database, study / "study.yaml")
        with served(database) as address:
            (study / "items.csv").write_text(ITEMS.replace("Text", "Another text"))
            result = run("study", "simulate", study, "-n", "1", "--address", address)
    assert result.exit_code == 1
    assert "another version? (1 time)" in result.stdout


def test_it_is_told_if_nobody_comes_through(run: Run, study: Path, tmp_path: Path) -> None:
    with open_database(tmp_path / "study.db") as database:
        put_file(database, study / "study.yaml")
        database.write(lambda transaction: transaction.exec_driver_sql("UPDATE studies SET state = 'closed'"))
        with served(database) as address:
            result = run("study", "simulate", study, "-n", "2", "--address", address, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["states"] == {"refused": 2}
    assert result.stderr == "nobody came to the end of the study\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--address", "http://127.0.0.1:1"), "is `fergus serve` running there?"),
        (("--address", "127.0.0.1"), "“127.0.0.1” is no address of a page"),
        (("--address", "http://127.0.0.1:1", "--export", "x.csv"), "--database and --export are for a server"),
        (("--export", "x.xlsx"), "“x.xlsx” is neither .csv nor .jsonl"),
        (("--noise", "-1"), "noise is -1.0; it must be 0 or more"),
        (("--quality", "none.csv"), "none.csv: the file cannot be read"),
        (("-n", "0"), "0 is not in the range"),
    ],
)
def test_mistakes(run: Run, study: Path, options: tuple[str, ...], message: str) -> None:
    result = run("study", "simulate", study, *options)
    assert result.exit_code == 2
    assert message in result.output


def test_no_such_study(run: Run) -> None:
    result = run("study", "simulate", "nowhere.yaml")
    assert result.exit_code == 2
    assert "nowhere.yaml" in result.output


def test_what_is_told() -> None:
    visits = (Visit(0, "a", "completed", 1), Visit(1, "", "failed", 0, "gone"))
    found = Simulation(visits, (Sent(0, "a", 0, 0.0, 0.0254, 2),), 0.5, lost=2)
    assert told(found, Verified(1, (("a", 0),), (), ())).splitlines() == [
        "raters            1 completed, 1 failed",
        "answers           1 page, 2 judgements",
        "speed             2.0 pages/s in 0.5 s",
        "waiting           25 ms (50 %), 25 ms (95 %), 25 ms (99 %)",
        "lost connections  2",
        "in the database   1 acknowledged pages: 1 missing, 0 repeated, 0 different",
        "problem           gone (1 time)",
    ]


def test_a_server_that_does_not_start_says_why(study: Path, tmp_path: Path) -> None:
    (study / "study.yaml").write_text("study: [")
    server = LocalServer(study / "study.yaml", tmp_path / "study.db", log=tmp_path / "server.log")
    with pytest.raises(FergusError, match="the server did not start: nothing was put in"):
        server.start()
    assert server.pid == 0
    server.stop()  # nothing is there to be stopped
