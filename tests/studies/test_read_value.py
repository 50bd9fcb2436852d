"""Values as the types that dataclasses declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from fergus.studies.located import read_yaml
from fergus.studies.problems import Problems
from fergus.studies.read_value import WRONG, read_value


@dataclass(frozen=True)
class Scale:
    text: str
    labels: Mapping[int, str] = field(default_factory=dict)
    right: int | None = None


@dataclass(frozen=True)
class Sizes:
    least: int
    most: int = 5


def read(text: str, hint: Any) -> tuple[Any, list[str]]:
    problems = Problems("a.yaml")
    node = read_yaml(text, problems)
    assert node is not None
    return read_value(node, hint, problems, name="it"), [str(problem) for problem in problems.sorted()]


@pytest.mark.parametrize(
    ("text", "hint", "value"),
    [
        ("no", str, "no"),
        ("0123", str, "0123"),
        ("12", int, 12),
        ("'12'", int, 12),
        ("-3", int, -3),
        ("12", float, 12.0),
        (".5", float, 0.5),
        ("1e3", float, 1000.0),
        ("yes", bool, True),
        ("False", bool, False),
        ("a", Literal["a", "b"], "a"),
        ("2", Literal[1, 2], 2),
        ("~", int | None, None),
        ("3", int | None, 3),
        ("[a, b]", tuple[str, ...], ("a", "b")),
        ("a", tuple[str, ...], ("a",)),
        ("[1, 2]", list[int], [1, 2]),
        ("[1, 2]", Sequence[int], (1, 2)),
        ("[a, a]", frozenset[str], frozenset({"a"})),
        ("{1: a, 2: b}", Mapping[int, str], {1: "a", 2: "b"}),
        ("{a: [x, y], b: z}", Mapping[str, tuple[str, ...]], {"a": ("x", "y"), "b": ("z",)}),
        ("[a, b]", Mapping[str, str] | tuple[str, ...], ("a", "b")),
        ("{a: b}", Mapping[str, str] | tuple[str, ...], {"a": "b"}),
        ("{text: How?, right: 3}", Scale, Scale("How?", {}, 3)),
        ("How is it?", Scale, Scale("How is it?")),
        ("{least: 1}", Sizes, Sizes(1)),
    ],
)
def test_values(text: str, hint: Any, value: Any) -> None:
    text = text.replace("How?,", "'How?',")
    assert read(text, hint) == (value, [])


@pytest.mark.parametrize(
    ("text", "hint", "problem"),
    [
        ("seven", int, "a.yaml:1:1: it is 'seven'; write a whole number"),
        ("1.5", int, "a.yaml:1:1: it is '1.5'; write a whole number"),
        ("1e999", float, "a.yaml:1:1: it is '1e999'; write a number"),
        ("nan", float, "a.yaml:1:1: it is 'nan'; write a number"),
        ("'yes'", bool, "a.yaml:1:1: it is 'yes'; write yes or no"),
        ("maybe", bool, "a.yaml:1:1: it is 'maybe'; write yes or no"),
        ("[a]", str, "a.yaml:1:1: it is a list; write a text"),
        ("{a: b}", int, "a.yaml:1:1: it is a mapping; write a whole number"),
        ("rnadom", Literal["random", "file"], "it is 'rnadom'; did you mean random? Possible are random, file"),
        ("[a]", Literal["random", "file"], "it is a list; possible are random, file"),
        ("x", int | None, "it is 'x'; write a whole number"),
        ("[1, x, y]", tuple[int, ...], "it is 'x'; write a whole number"),
        ("a", Mapping[str, str], "it is 'a'; write key: value"),
        ("{a: b}", Mapping[int, str], "a key of it is 'a'; write a whole number"),
        ("{a: b}", Mapping[str, int], "'a' in it is 'b'; write a whole number"),
        ("{txet: a, text: b}", Scale, "it has no 'txet'; did you mean text? Possible are text, labels, right"),
        ("{right: 1}", Scale, "it has no text; add text"),
        ("{text: }", Scale, "text of it is empty; give it a value, or delete the line"),
        ("[a]", Scale, "it is a list; write a mapping with some of text, labels, right"),
        ("3", Sizes, "it is '3'; write a mapping with some of least, most"),
    ],
)
def test_mistakes(text: str, hint: Any, problem: str) -> None:
    value, problems = read(text, hint)
    assert problem in problems[0]
    if "txet" not in text:  # an unknown key leaves the others as they are
        assert value is WRONG


def test_all_mistakes_of_a_mapping_are_told() -> None:
    _, problems = read("a: {text: x, right: y}\nb: {right: z}\nc: {labels: {q: r}, text: t}\n", Mapping[str, Scale])
    assert [problem.split(" ", 1)[1] for problem in problems] == [
        "right of 'a' in it is 'y'; write a whole number",
        "'b' in it has no text; add text",
        "right of 'b' in it is 'z'; write a whole number",
        "a key of labels of 'c' in it is 'q'; write a whole number",
    ]


def test_a_type_that_no_file_can_give_is_a_programmers_mistake() -> None:
    with pytest.raises(TypeError, match="cannot give"):
        read("a", bytes)
