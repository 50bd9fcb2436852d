from __future__ import annotations

import numpy as np
import pytest

from fergus.errors import ModelError
from fergus.realize.features import FORM, NODE_ATTRIBUTES, TREELET_ATTRIBUTES, UPOS
from fergus.realize.templates import CODES, WIDTH, gather, hash_rows, parse_templates, shipped_templates


def test_two_sections_with_comments() -> None:
    text = "# a comment\n[daughter]\na.form h.form t.core # why\n\na.upos\n[sisters]\na.form b.form\n"
    templates = parse_templates(text)
    assert templates.text == text
    core = 4 * WIDTH + TREELET_ATTRIBUTES.index("core")
    assert templates.daughter.tolist() == [[FORM, 2 * WIDTH + FORM, core], [UPOS, -1, -1]]
    assert templates.sisters.tolist() == [[FORM, WIDTH + FORM]]


def test_nothing_at_all() -> None:
    templates = parse_templates("")
    assert templates.daughter.shape == templates.sisters.shape == (0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[cousins]\na.form", r"no section \[cousins\]; there are \[daughter\] and \[sisters\]"),
        ("a.from", "'a.from' is no attribute; legal are a.form, a.shape"),
        ("t.form", "'t.form' is no attribute"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse_templates(text)


@pytest.mark.parametrize("name", ["labels", "guessed"])
def test_the_shipped_ones_look_at_their_own_daughters_only(name: str) -> None:
    templates = shipped_templates(name)
    assert len(templates.daughter) > 10
    assert len(templates.sisters) > 10
    of_b = range(WIDTH, 2 * WIDTH)
    assert not np.isin(templates.daughter, of_b).any()
    assert np.isin(templates.sisters, of_b).any()


def test_the_codes_of_all_attributes_differ() -> None:
    assert sorted(CODES.values()) == list(range(4 * len(NODE_ATTRIBUTES) + len(TREELET_ATTRIBUTES)))


def rows(values: list[int], text: str, *, salt: int = 0) -> list[int]:
    templates = parse_templates(text).daughter
    out = np.empty(len(templates), np.int64)
    hash_rows(np.array(values, np.int64), templates, salt, (1 << 20) - 1, out)
    return out.tolist()


def test_rows_depend_on_template_values_and_salt() -> None:
    values = list(range(4 * WIDTH + 16))
    other = [*values]
    other[FORM] = 77
    text = "a.form\na.form h.form\na.upos"
    one, two = rows(values, text), rows(other, text)
    assert all(0 <= row < 1 << 20 for row in one)
    assert len(set(one)) == 3
    assert one[0] != two[0]
    assert one[1] != two[1]
    assert one[2] == two[2]
    assert rows(values, text, salt=5) != one
    assert rows(values, "a.form\na.form")[0] != rows(values, "a.form\na.form")[1]


def test_gather_lines_up_who_is_looked_at() -> None:
    x = np.arange(4 * WIDTH, dtype=np.int32).reshape(4, WIDTH) + 100
    treelet = np.arange(len(TREELET_ATTRIBUTES), dtype=np.int32)
    values = np.zeros(4 * WIDTH + 16, np.int64)
    gather(x, treelet, 2, 3, 1, 0, values)
    assert values[:WIDTH].tolist() == x[2].tolist()
    assert values[WIDTH : 2 * WIDTH].tolist() == x[3].tolist()
    assert values[2 * WIDTH : 3 * WIDTH].tolist() == x[1].tolist()
    assert values[3 * WIDTH : 4 * WIDTH].tolist() == x[0].tolist()
    assert values[4 * WIDTH :][: len(treelet)].tolist() == treelet.tolist()
    gather(x, treelet, 2, -1, 1, -1, values)
    assert (values[3 * WIDTH : 4 * WIDTH] == 1).all()  # no grandmother
