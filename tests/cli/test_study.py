"""``fergus study``: its table, ``check`` and ``questions``."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from fergus.cli.study import COMMANDS, study
from fergus.studies.presets import FOLDER
from fergus.studies.questions import TYPES
from tests.cli.conftest import Run

GOOD = FOLDER / "hardcastle-2008"


def test_the_table_names_commands_that_are_there(run: Run) -> None:
    for name in COMMANDS:
        assert isinstance(study.get_command(click.Context(study), name), click.Command)
    shown = run("study", "--help")
    assert shown.exit_code == 0
    assert all(line in " ".join(shown.output.split()) for _, line in COMMANDS.values())
    assert run("study", "chekc").exit_code == 2


def test_a_good_study_is_told_what_it_will_be_like(run: Run) -> None:
    result = run("study", "check", GOOD, FOLDER / "task" / "study.yaml")
    assert result.exit_code == 0
    assert "study hardcastle-2008 is good" in result.output
    assert "43 pages, 38 judgements of items" in result.output
    assert "practice (practice)" in result.output
    assert "latin-square, 2 conditions" in result.output
    assert "no limit" in result.output


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.yaml"
    path.write_text(
        "study: Bad!\ntitle: t\nquestions: {q: {type: comment}}\nblocks:\n  - name: a\n    text: x\n    pratice: yes\n",
        encoding="utf-8",
    )
    return path


def test_every_mistake_of_a_bad_study_is_told(run: Run, bad: Path) -> None:
    result = run("study", "check", bad, GOOD)
    assert result.exit_code == 2
    assert "bad.yaml:1: 'Bad!' is no name for a study" in result.stderr
    assert "bad.yaml:7:5: block 'a' has no 'pratice'; did you mean practice?" in result.stderr
    assert "bad.yaml: 2 mistakes" in result.stderr
    assert re.search(r"^warning: .*bad\.yaml:3:.* no block asks question 'q'", result.stderr, re.MULTILINE)
    assert result.stdout.startswith(f"{GOOD / 'study.yaml'}: study hardcastle-2008 is good\n")


def test_a_study_that_is_not_there(run: Run) -> None:
    result = run("study", "check", "none.yaml")
    assert result.exit_code == 2
    assert "none.yaml: the file cannot be read" in result.stderr
    assert "none.yaml: 1 mistake\n" in result.stderr


def test_check_as_json(run: Run, bad: Path) -> None:
    result = run("study", "check", bad, GOOD, "--json")
    assert result.exit_code == 2
    first, second = json.loads(result.stdout)
    assert (first["ok"], second["ok"]) == (False, True)
    assert "estimate" not in first
    severities = [(problem["line"], problem["severity"]) for problem in first["problems"]]
    assert severities == [(1, "error"), (3, "warning"), (7, "error")]
    assert first["problems"][0]["remedy"].startswith("use small letters")
    assert second["study"] == "hardcastle-2008"
    assert len(second["version"]) == 12
    assert second["estimate"]["judgements"] == 38


def test_all_types_of_questions_are_listed_with_their_parameters(run: Run) -> None:
    result = run("study", "questions")
    assert result.exit_code == 0
    for name, kind in TYPES.items():
        assert f"{name}: " in result.output
        for parameter in kind.parameters():
            assert parameter.metadata["help"] in result.output
    assert "How many points a scale has.  [7]" in result.output
    assert "Must it be answered?  [yes]" in result.output
    assert "`" not in result.output


@pytest.mark.parametrize(
    ("name", "asked", "asks"),
    [
        ("rating", "(asked of every item, or once a page)", ["item", "page"]),
        ("pair", "(asked once a page, of all its items)", ["page"]),
        ("consent", "(asked once a page)", ["page"]),
        ("review", "(asked of every item)", ["item"]),
    ],
)
def test_what_a_question_can_be_asked_of(run: Run, name: str, asked: str, asks: list[str]) -> None:
    assert run("study", "questions", name).output.split("\n")[0].endswith(asked)
    assert json.loads(run("study", "questions", name, "--json").output)[0]["asks"] == asks


def test_questions_as_json_have_schemas_of_answers(run: Run) -> None:
    records = json.loads(run("study", "questions", "--json").output)
    assert [record["type"] for record in records] == list(TYPES)
    assert all(record["answer"]["type"] == "object" for record in records)
    rating = next(record for record in records if record["type"] == "rating")
    assert rating["parameters"]["points"] == {"help": "How many points a scale has.", "required": False, "default": 7}
    assert [record["type"] for record in json.loads(run("study", "questions", "pair", "--json").output)] == ["pair"]


def test_an_unknown_type_of_question(run: Run) -> None:
    result = run("study", "questions", "ratting")
    assert result.exit_code == 2
    assert "did you mean rating?" in result.output
