"""Every reader takes its good files, and what once was too much for it is answered with an error that says why."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from fuzz.good_files import good
from fuzz.outcome import Finding, check, minimised
from fuzz.targets import TARGETS, Target

from fergus.treebank.read import read_trees

CASES = Path(__file__).parent / "cases"
KEPT = sorted(path for path in CASES.glob("*/*") if path.is_file())


@pytest.mark.parametrize("case", KEPT, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_what_was_found_once_is_borne(case: Path) -> None:
    found = check(TARGETS[case.parent.name], case.read_bytes())
    assert found is None, found


LONG = {
    "trees-conllu": lambda: b"\xff\n\n" * 20_000,  # every sentence has a fault
    "judgements-csv": lambda: b"judge,item,text,quality\n" + b"".join(b"A,one,text %d,4\n" % i for i in range(8000)),
    "items-csv": lambda: b"text," + b",".join(b"c%d" % i for i in range(30_000)) + b"\n",
    "metric": lambda: b"[coefficients]\n" + b"a." * 131_000 + b"a = 1",
    "plan": lambda: b" " * 39_000 + b"\n" + good("plan.toml").replace(b"0.05", b"5"),
    "rules": lambda: b"".join(b"fix word w%d left of head\n" % i for i in range(8000)),
}
"""Each took more than 5 seconds once: its time was that of the square of its length."""


@pytest.mark.parametrize("name", LONG)
def test_long_files_take_little_time(name: str) -> None:
    assert check(TARGETS[name], LONG[name]()) is None


@pytest.mark.parametrize("name", TARGETS)
def test_fuzzing_begins_with_a_good_file(name: str) -> None:
    first, *others = TARGETS[name].seeds
    TARGETS[name].read(first)  # raises nothing
    for data in others:
        assert check(TARGETS[name], data) is None


@pytest.mark.parametrize("input_format", ["conllu", "t1", "t2", "notation", "json", "bracketed"])
def test_fuzzing_begins_with_good_trees(input_format: str) -> None:
    for data in TARGETS[f"trees-{input_format}"].seeds:
        assert list(read_trees(io.BytesIO(data), input_format=input_format))


def _digits(data: bytes) -> int:
    return int(data)


def _for_ever(data: bytes) -> None:
    while data:
        pass


def test_an_error_that_is_not_ours_is_a_finding_and_can_be_shortened() -> None:
    target = Target("digits", _digits, lambda: [b"12"])
    assert check(target, b"12") is None
    found = check(target, b"1234x5678")
    assert found is not None
    assert found.name == "ValueError"
    assert minimised(target, found).data == b""  # which is no number either


def test_what_takes_too_long_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.outcome.SECONDS", 0.05)
    found = check(Target("slow", _for_ever, lambda: [b""]), b"x")
    assert isinstance(found, Finding)
    assert found.name == "TooSlowError"
