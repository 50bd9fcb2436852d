"""A tiny model, trained once for all tests of the command line, and a way to run commands."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FIGURE_2 = "estimate(there was no cost for(phase(the second)))"

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def small_treebank() -> Path:
    """Forty sentences, one of them not projective."""
    return FIXTURES / "small.conllu"


@pytest.fixture(scope="session")
def model(small_treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a model trained on the small treebank."""
    from fergus.realize.model import write_model
    from fergus.realize.train import train
    from fergus.realize.training_settings import Settings
    from fergus.treebank import read_trees
    from fergus.treebank.deep_conversion import deepened

    path = tmp_path_factory.mktemp("model") / "small.fergus"
    settings = Settings(bits=16)
    trees = list(read_trees(small_treebank))
    sections = train(trees, deep=[deepened(sentence) for sentence in trees], settings=settings)
    write_model(path, {"name": "small", "language": "en"}, sections)
    return str(path)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in an empty folder; an exception that is not a way to exit fails the test."""
    from fergus.cli.main import cli

    monkeypatch.chdir(tmp_path)
    # The first test after an installation waits for the compiler, and no test is to see what is said about it.
    monkeypatch.setattr("fergus.cli.progress.PATIENCE_SECONDS", 3600.0)

    def runner(*arguments: str | Path, stdin: str | bytes = "") -> Result:
        return CliRunner().invoke(
            cli, list(map(str, arguments)), input=stdin, catch_exceptions=False, prog_name="fergus"
        )

    return runner


@pytest.fixture
def folder(run: Run, tmp_path: Path) -> Path:
    """The folder in which commands run, with outputs of two systems and their references in it."""
    for name in ("mine.txt", "theirs.txt", "references.conllu"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    return tmp_path


@pytest.fixture(scope="session")
def fergus_command() -> str:
    """The installed command, for tests that need a process of their own."""
    import sys

    beside = Path(sys.executable).with_name("fergus")
    found = str(beside) if beside.exists() else shutil.which("fergus")
    if found is None:
        pytest.skip("the fergus command is not installed")
    return found
