"""The fuzzer itself: it finds what is planted, says how far it came, and ends when its time is over."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from fuzz.mutate import LONGEST, mutated
from fuzz.one_target import Recorder
from fuzz.targets import Target

from fuzz import readers

SEEDS = (b"one two", b"three")


def _stumbles_over_brackets(data: bytes) -> None:
    if b"[" in data:
        raise IndexError(len(data))


def test_a_planted_mistake_is_found_and_the_shortest_input_is_kept(tmp_path: Path) -> None:
    recorder, random = Recorder(Target("planted", _stumbles_over_brackets, lambda: SEEDS), tmp_path, "plain"), Random(1)
    while "IndexError" not in recorder.findings and recorder.executions < 10_000:
        recorder(mutated(SEEDS, random))
    recorder(b"[")
    assert (tmp_path / "IndexError").read_bytes() == b"["
    record = json.loads((tmp_path / "record.json").read_bytes())
    assert record["findings"] == {"IndexError": "IndexError: 1"}
    assert record["executions"] == recorder.executions


def test_changes_are_the_same_for_the_same_seed_and_not_too_long() -> None:
    first, again, other = ([mutated(SEEDS, random) for _ in range(200)] for random in (Random(1), Random(1), Random(2)))
    assert first == again != other
    assert max(map(len, first)) <= LONGEST
    assert len(set(first)) > 150


@pytest.mark.parametrize("planted", [False, True])
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: bool) -> None:
    monkeypatch.setattr(readers, "CASES", tmp_path / "cases")
    if planted:  # a process that finds something, and dies of it
        monkeypatch.setattr(readers.sys, "executable", "/bin/false")
        (tmp_path / "lexicon").mkdir()
    options = ["--target", "lexicon", "--seconds", "0.2", "--plain", "--keep", "--out", str(tmp_path)]
    result = CliRunner().invoke(readers.main, options)
    assert result.exit_code == planted, result.output
    assert ("the process ended with 1" in result.output) == planted
    assert "lexicon" in result.output
    if not planted:
        assert json.loads((tmp_path / "lexicon" / "record.json").read_bytes())["executions"] > 2


def test_what_is_found_is_shortened_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "CASES", tmp_path / "cases")
    target = Target("planted", _stumbles_over_brackets, lambda: SEEDS)
    monkeypatch.setattr(readers, "TARGETS", {"planted": target})
    (tmp_path / "IndexError").write_bytes(b"one [two] three")
    readers.shortened("planted", tmp_path, {"findings": {"IndexError": "", "died": "no input is known"}}, keep=True)
    assert (tmp_path / "cases" / "planted" / "IndexError").read_bytes() == b"["
    assert [path.name for path in (tmp_path / "cases" / "planted").iterdir()] == ["IndexError"]
