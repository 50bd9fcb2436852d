"""Every example runs and prints what its reader is led to expect."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

from fergus.treebank import read_trees

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SMALL = Path(__file__).parent / "fixtures" / "small.conllu"

# Coverage need not follow what is shown: everything has tests of its own, and it takes twice as long.
pytestmark = pytest.mark.no_cover


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    from fergus.realize.model import write_model
    from fergus.realize.train import train
    from fergus.realize.training_settings import Settings

    path = tmp_path_factory.mktemp("model") / "small.fergus"
    write_model(path, {"language": "en"}, train(list(read_trees(SMALL)), settings=Settings(bits=14)))
    return str(path)


def output_of(
    name: str, *arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    monkeypatch.setattr("sys.argv", [name, *arguments])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def test_n_best(model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output_of("n_best.py", model, monkeypatch=monkeypatch, capsys=capsys)
    assert 2 <= len(lines) <= 3
    assert lines[0].endswith("there was no cost estimate for the second phase")


def test_weather(model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output_of("weather.py", model, monkeypatch=monkeypatch, capsys=capsys)
    assert len(lines) == 2
    assert all(word in lines[1].lower() for word in ("weather", "lyon", "was", "very", "good"))


def test_train_and_compare(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output_of("train_and_compare.py", str(SMALL), str(SMALL), monkeypatch=monkeypatch, capsys=capsys)
    # Its own training sentences: all but the one that is not projective, and a few that differ in nothing else.
    assert lines[0].startswith("with labels: 3")
    assert lines[0].endswith(" of 40 sentences exactly")
    assert lines[1].startswith("bare lexemes: ")


def test_score_outputs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = output_of("score_outputs.py", monkeypatch=monkeypatch, capsys=capsys)
    # Table 1 of the paper.
    assert lines[0] == "generation_string_accuracy = 0.5556"
    assert lines[2] == "generation_tree_accuracy = 0.6667"
    assert any("mine - theirs" in line for line in lines)
    assert lines[-2] == "worst sentence: 1 with 0.33"


def test_constraints_and_rules(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from fergus.cli.main import cli

    monkeypatch.chdir(EXAMPLES)
    arguments = ["realize", "--model", model, "--output", "tokens", "--quiet"]
    first, second = CliRunner().invoke(cli, [*arguments, "constraints.txt"]).stdout.splitlines()
    assert first.split().index("yesterday") < first.split().index("saw")
    assert second.split().index("book") < second.split().index("teacher")
    result = CliRunner().invoke(cli, [*arguments, "trees.txt", "--rules", "orders.rules"])
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3


def test_every_example_is_in_the_list() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        assert path.name in listed or path.name in ("README.md", "__pycache__")


def test_the_shipped_model_realizes_the_papers_figure_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fergus.cli.model import SHIPPED

    if not (SHIPPED / "en.fergus").exists():
        pytest.skip("there is no shipped model")
    lines = output_of("n_best.py", monkeypatch=monkeypatch, capsys=capsys)
    assert lines[0].endswith("there was no cost estimate for the second phase")
