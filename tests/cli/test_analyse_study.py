"""``fergus analyse STUDY``: pairs, comments and tasks beside ratings; what is missing is said, with exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

from fergus.studies.service import Service
from fergus.studies.storage.migrate import open_database
from tests.analysis.taken_study import code, put_in, take

from .conftest import Run

QUICK = ("--samples", "20", "--trials", "20")


def made(folder: Path, *, people: int, ask: tuple[str, ...] = ("which", "fact", "good", "why", "reader")) -> None:
    """A study ``small`` in the database where commands look for it."""
    with open_database(folder / "fergus.db") as database:
        service = Service(database)
        row = put_in(service, ask=ask)
        take(service, row, people=people)
        if "why" in ask and people:
            code(service, row)


def test_every_kind_of_report_on_a_study(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=4, ask=("which",))
    result = run("analyse", "small", *QUICK, "--html", "r.html", "--latex", "tex", "--figures", "fig")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "4 people told machine from human in" in result.stdout
    assert "which-turing-part" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (tmp_path / "fig" / "which-turing.svg").exists()
    assert (tmp_path / "tex" / "which-identified.tex").exists()


def test_ratings_tasks_and_comments_are_in_the_same_report(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=4)
    result = run("analyse", "small", *QUICK)
    assert (result.exit_code, result.stderr) == (0, "")
    for title in (
        "Systems by a mixed-effects model",
        "Human or machine?",
        "What the comments are about",
        "Tasks completed",
    ):
        assert title in result.stdout


def test_the_careless_are_left_out_by_rule(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=4, ask=("which",))
    result = run("analyse", "small", *QUICK, "--leave-out", "failed", "--leave-out", "straight")
    assert result.exit_code == 0
    assert "participants left out: nobody failed an attention check" in " ".join(result.stdout.split())
    (tmp_path / "t.csv").write_text("judge,item,text,score\nJ,i,x,1\n")
    result = run("analyse", "t.csv", "--leave-out", "fast")
    assert result.exit_code == 2
    assert "--leave-out is for studies" in result.stderr


def test_the_group_is_found_or_named(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=4, ask=("which", "reader"))
    for given in ((), ("--group", "reader")):
        record = json.loads(run("analyse", "small", *QUICK, "--json", "--quiet", *given).stdout)
        assert record["turing"][0]["group_name"] == "reader"
        assert [one["people"] for one in record["turing"][0]["groups"]] == [2, 2]
    result = run("analyse", "small", *QUICK, "--group", "condition")
    assert result.exit_code == 2
    assert "nothing called condition divides people into groups" in result.stderr
    result = run("analyse", "small", *QUICK, "--group", "redaer")
    assert result.exit_code == 2
    assert "nothing called redaer divides people into groups; did you mean reader?" in result.stderr


def test_a_plan_for_pairs(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=3, ask=("which",))
    (tmp_path / "plan.toml").write_text(
        'format = "fergus-plan"\nversion = 1\nstudy = "small"\ntests = ["turing"]\ncorrection = "holm"\n'
        "[numbers]\nparticipants = 3\nitems = 3\njudgements = 9\n"
    )
    record = json.loads(run("analyse", "small", *QUICK, "--plan", "plan.toml", "--json", "--quiet").stdout)
    assert record["plan"]["deviations"] == []


def test_what_cannot_be_analysed_is_said(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=0)
    result = run("analyse", "small", *QUICK)
    assert (result.exit_code, "nobody has answered “small” yet" in result.stderr) == (2, True)
    result = run("analyse", "small", "--scale", "7", "1")
    assert (result.exit_code, "the scale goes from 7 to 1" in result.stderr) == (2, True)


def test_one_judge(run: Run, tmp_path: Path) -> None:
    made(tmp_path, people=1)
    result = run("analyse", "small", *QUICK)
    assert result.exit_code == 0
    assert "1 person told machine from human" in result.stdout
    assert "few participants" in result.stdout


def test_groups_are_of_studies(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("judge,item,system,text,score\nA,1,a,x,3\n")
    result = run("analyse", "ratings.csv", "--group", "reader")
    assert (result.exit_code, "--group is for studies" in result.stderr) == (2, True)
