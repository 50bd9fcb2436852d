"""Pairs and control pairs."""

from __future__ import annotations

from random import Random

import pytest

from fergus.errors import InputError
from fergus.studies.pairs import Text, choose_pairs


def texts(system: str, lines: int = 10) -> list[Text]:
    return [Text(f"{system} {line}", system) for line in range(1, lines + 1)]


def test_pairs_and_controls_share_no_line() -> None:
    pairs = choose_pairs([texts("h1"), texts("h2")], [texts("m1"), texts("m2")], count=4, controls=3, random=Random(1))
    assert [pair.kind for pair in pairs] == [""] * 4 + ["human-human"] * 3 + ["machine-machine"] * 3
    assert len({pair.line for pair in pairs}) == 10
    for pair in pairs:
        assert [text.text for text in pair.texts] == [f"{text.system} {pair.line}" for text in pair.texts]
    assert {pair.texts[1].system for pair in pairs if not pair.kind} == {"m1", "m2"}


def test_controls_get_the_lines_that_pairs_leave() -> None:
    human, generated = [texts("h1", 5), texts("h2", 5)], [texts("m1", 5), texts("m2", 5)]
    for count, kinds in (
        (9, [""] * 5),
        (4, [""] * 4 + ["human-human"]),
        (1, ["", *["human-human"] * 3, "machine-machine"]),
    ):
        pairs = choose_pairs(human, generated, count=count, controls=3, random=Random(1))
        assert [pair.kind for pair in pairs] == kinds
        assert len({pair.line for pair in pairs}) == 5


def test_the_rows_tell_who_wrote_what() -> None:
    (pair,) = choose_pairs([texts("h", 1)], [texts("m", 1)], count=5, controls=5, random=Random(1))
    assert pair.rows() == [
        {
            "item": f"pair-1-{number}",
            "group": "pair-1",
            "author": author,
            "system": system,
            "block": "main",
            "control": "",
            "text": f"{system} 1",
        }
        for number, (author, system) in enumerate([("human", "h"), ("machine", "m")], 1)
    ]
    controls = choose_pairs([texts("h", 2), texts("g", 2)], [texts("m", 2)], count=1, controls=1, random=Random(1))
    assert [[row["author"] for row in pair.rows()] for pair in controls] == [["human", "machine"], ["human", "human"]]


def test_equal_and_empty_texts_make_no_pair() -> None:
    human = [Text("same", "h"), Text("", "h"), Text("one", "h"), Text("two", "h")]
    machine = [Text(" same", "m"), Text("x", "m"), Text("other", "m"), Text(" ", "m")]
    assert [pair.line for pair in choose_pairs([human], [machine], count=9, controls=0, random=Random(3))] == [3]
    with pytest.raises(InputError, match="no line has two different texts"):
        choose_pairs([human[:2]], [machine[:2]], count=9, controls=0, random=Random(3))


def test_the_seed_decides() -> None:
    chosen = [
        [p.line for p in choose_pairs([texts("h")], [texts("m")], count=3, controls=0, random=Random(seed))]
        for seed in (1, 1, 2)
    ]
    assert chosen[0] == chosen[1] != chosen[2]
