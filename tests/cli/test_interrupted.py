"""Who is interrupted or killed in the middle of writing over a file leaves the old file whole."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fergus.analysis.preregister import freeze_plan
from fergus.studies.storage.migrate import open_database
from tests.interrupted import begun
from tests.studies.small_study import ITEMS, put, study_text

from .conftest import EXAMPLES
from .test_analyse import table

SLOW = """\
import io, os, time
from fergus import whole_file
from fergus.cli.main import main
from fergus.studies.storage import backup

class Stuck(io.BufferedWriter):
    is_first = True
    # Half of what is to be written is on disk, and then nothing happens until somebody interrupts.
    def write(self, data):
        if not self.is_first:
            return super().write(data)
        self.is_first = False
        super().write(data[: len(data) // 2])
        self.flush()
        time.sleep(60)

class StuckFile(whole_file.WholeFile):
    def __init__(self, path):
        super().__init__(path)
        self._stream = Stuck(self._stream.detach())

whole_file.WholeFile = StuckFile  # before anybody imports it
backup.os.fsync = lambda number: time.sleep(60)
main()
"""
OLD = b"the old file\n"
PLAN = 'format = "fergus-plan"\nversion = 1\nstudy = "small"\n'
COMMANDS = {
    "train": ("out.txt", "train few.conllu -q --out out.txt"),
    "evaluate": ("page.html", "evaluate mine.txt references.conllu -m string -q --json --out out.txt --html page.html"),
    "analyse": ("out.txt", "analyse ratings.csv --score quality --samples 10 --trials 10 -q --json --out out.txt"),
    "learn": ("out.toml", "learn ratings.csv --score quality --parts substitutions --folds 0 -q --out out.toml"),
    "plan freeze": ("plan.frozen.json", "plan freeze plan.toml --amend because"),
    "plan heds": ("out.txt", "plan heds study.yaml --json --out out.txt"),
    "study export": ("out.txt", "study export small --out out.txt"),
    "study backup": ("out.txt", "study backup out.txt --force"),
    "study new": ("items.csv", "study new . --name mine --force"),
    "grammar extract": ("out.txt", "grammar extract few.conllu -q --out out.txt"),
    "convert": ("out.txt", "convert few.conllu --to json --out out.txt"),
}
KILLED = ("evaluate", "plan freeze", "study export", "study backup")
"""A kill is tried on one command of each way to write."""


@pytest.fixture(scope="module")
def given(small_treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that the commands read, and old files where they write."""
    folder = tmp_path_factory.mktemp("given")
    for name in ("mine.txt", "references.conllu"):
        shutil.copy(EXAMPLES / name, folder / name)
    sentences = small_treebank.read_text(encoding="utf-8").split("\n\n")
    (folder / "few.conllu").write_text("\n\n".join(sentences[:5]) + "\n\n", encoding="utf-8")
    table(folder / "ratings.csv")
    (folder / "study.yaml").write_text(study_text(), encoding="utf-8")
    (folder / "items.csv").write_text(ITEMS, encoding="utf-8")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    freeze_plan(folder / "plan.toml", now=datetime(2026, 1, 1, tzinfo=UTC))
    (folder / "plan.toml").write_text(PLAN + "level = 0.01\n", encoding="utf-8")
    with open_database(folder / "fergus.db") as database:
        put(database)
    for name in ("out.txt", "out.toml", "page.html"):
        (folder / name).write_bytes(OLD)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """All files, but for what SQLite has beside a database that is open."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith("fergus.db")}


CASES = [(signal.SIGINT, name) for name in COMMANDS] + [(signal.SIGKILL, name) for name in KILLED]


@pytest.mark.parametrize(("number", "name"), CASES, ids=lambda given: getattr(given, "name", given))
def test_the_old_file_stands(number: signal.Signals, name: str, given: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(given, tmp_path / "folder"))
    before, (writes, command) = contents(folder), COMMANDS[name]
    process = begun([sys.executable, "-c", SLOW, *shlex.split(command)], folder=folder, writes=writes)
    assert contents(folder).keys() > before.keys()
    process.send_signal(number)
    _, told = process.communicate(timeout=30)
    after = contents(folder)
    if number == signal.SIGINT:
        assert (process.returncode, told) == (130, b"")
        assert after == before
    else:
        assert process.returncode == -number
        assert after.items() > before.items()
        assert all(left.startswith(".") and ".part" in left for left in after.keys() - before.keys())


def test_a_parser_in_training_leaves_no_temporary_files(fergus_command: str, given: Path, tmp_path: Path) -> None:
    folder, below = Path(shutil.copytree(given, tmp_path / "folder")), tmp_path / "temporary"
    below.mkdir()
    before = contents(folder)
    command = [fergus_command, "train-parser", "few.conllu", "--no-vectors", "--tokenizer", "none", "--out", "out.txt"]
    command += ["--tagger", "models=1;iterations=1", "--parser", "iterations=100000"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(below)},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    assert process.stderr is not None
    for line in process.stderr:
        if b"Iteration 1" in line and list(below.glob("fergus-*/tagger.udpipe")):
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert contents(folder) == before
    deadline = time.monotonic() + 60  # whoever tidies up sees that the other is gone
    while list(below.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
