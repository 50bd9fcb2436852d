"""Tests of fergus.cli.second_compiler."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import fergus.compiled
from fergus.cli.second_compiler import COMMAND, second_compiler
from fergus.lm.kernels import lm_score
from fergus.realize.choose_path import best_paths
from fergus.realize.joining_model import decide_gaps
from fergus.realize.pipeline import load
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


def test_the_other_compiles_what_the_default_preset_needs_last() -> None:
    tree = parse_tree("saw(I her)")
    default = load("en")
    default.text(default.realize(tree).sentence)
    kernels: list[Any] = [best_paths, lm_score, decide_gaps]
    before = [set(kernel.signatures) for kernel in kernels]
    assert all(before)
    other = load("en", preset=COMMAND[COMMAND.index("--preset") + 1])
    other.text(other.realize(tree).sentence)
    assert [set(kernel.signatures) for kernel in kernels] == before


def test_its_command_works() -> None:
    done = subprocess.run([sys.executable, "-m", "fergus", *COMMAND], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "saw" in done.stdout


def test_it_is_gone_when_it_is_no_longer_needed(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    monkeypatch.setattr(fergus.compiled, "is_compiled", lambda function: False)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    with second_compiler():
        (other,) = started
        assert other.poll() is None
    assert other.poll() is not None


@pytest.mark.parametrize(("compiled", "cores"), [(True, 2), (False, 1)])
def test_none_is_started_in_vain(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]], compiled: bool, cores: int
) -> None:
    monkeypatch.setattr(fergus.compiled, "is_compiled", lambda function: compiled)
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    with second_compiler():
        pass
    assert started == []
