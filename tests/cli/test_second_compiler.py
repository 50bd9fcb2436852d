"""Tests of fergus.cli.second_compiler."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import pytest

from fergus.cli.second_compiler import COMMAND, PRESET, second_compiler
from fergus.cli.streaming import Job, stream
from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank.notation import parse_tree


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Where processes are found that the second compiler starts."""
    every: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def start_and_note(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        every.append(start(*arguments, **options))
        return every[-1]

    monkeypatch.setattr("subprocess.Popen", start_and_note)
    return every


SAME = f"""
from fergus.lm.kernels import lm_score
from fergus.realize.choose_path import best_paths
from fergus.realize.joining_model import decide_gaps
from fergus.realize.pipeline import load
from fergus.treebank.notation import parse_tree

for preset in {(PRESET, "default")}:
    realizer = load("en", preset=preset)
    realizer.text(realizer.realize(parse_tree("saw(I her)")).sentence)
    print([len(kernel.signatures) for kernel in (best_paths, lm_score, decide_gaps)])
"""


def test_the_other_compiles_what_the_default_preset_needs_last() -> None:
    done = subprocess.run([sys.executable, "-c", SAME], capture_output=True, text=True, check=True)
    assert done.stdout == "[1, 1, 1]\n[1, 1, 1]\n"


def test_its_command_works() -> None:
    done = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "saw" in done.stdout


@pytest.fixture
def nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after an installation, on two cores."""
    monkeypatch.setattr("fergus.compiled.is_compiled", lambda function: False)
    monkeypatch.setattr("fergus.cli.second_compiler.usable_cores", lambda: 2)


@pytest.mark.usefixtures("nothing_is_compiled")
def test_it_is_ended_when_it_is_no_longer_needed(started: list[subprocess.Popen[bytes]]) -> None:
    with second_compiler():
        (other,) = started
        assert other.poll() is None
    assert other.poll() == -signal.SIGKILL


@pytest.mark.usefixtures("nothing_is_compiled")
@pytest.mark.parametrize(("preset", "processes"), [("default", 1), (PRESET, 0)])
def test_it_starts_none_itself(started: list[subprocess.Popen[bytes]], preset: str, processes: int) -> None:
    broken, good = InputError("broken", path="trees.txt", line=1), OrderedTree(parse_tree("saw(I her)"), (1, 0, 2))
    found = stream([broken, good, good], Job("en", preset))
    assert next(found).error
    assert [other.poll() for other in started] == [None] * processes  # a tree that is none compiles nothing
    assert "saw" in next(found).printed
    next(found)
    assert all(other.poll() is not None for other in started)
    assert len(started) == processes


@pytest.mark.usefixtures("nothing_is_compiled")
def test_a_machine_without_room_for_a_process_goes_on_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", full)
    went_on = False
    with second_compiler():
        went_on = True
    assert went_on


@pytest.mark.parametrize(("compiled", "cores"), [(True, 2), (False, 1)])
def test_none_is_started_in_vain(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]], compiled: bool, cores: int
) -> None:
    monkeypatch.setattr("fergus.compiled.is_compiled", lambda function: compiled)
    monkeypatch.setattr("fergus.cli.second_compiler.usable_cores", lambda: cores)
    with second_compiler():
        pass
    assert started == []
