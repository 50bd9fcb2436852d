from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from fergus.drawing import draw_alignment
from fergus.metrics import align
from tests.drawing.shapes import SVG, check, root_of, texts_of

REFERENCE = ["There", "was", "no", "cost", "estimate", "for", "the", "second", "phase"]
OUTPUT = ["There", "was", "estimate", "for", "phase", "the", "second", "no", "cost"]


def drawn(reference: list[str], output: list[str], *, width: float = 760.0) -> str:
    found = align(reference, output)
    return draw_alignment(reference, output, found.operations, found.moves, width=width)


def test_the_example_of_the_paper() -> None:
    svg = drawn(REFERENCE, OUTPUT)
    check(svg)
    groups = [group.get("class") for group in root_of(svg).iter(f"{SVG}g")]
    assert groups.count("matched") == 6
    assert groups.count("moved") == 2 * groups.count("move") == 2
    desc = root_of(svg).find(f"{SVG}desc")
    assert desc is not None
    assert desc.text == "Deleted: cost; inserted: phase; substituted: phase by cost; moved: no."
    above = sorted((text for text in texts_of(svg) if text.top < 15), key=lambda text: text.left)
    assert [text.words for text in above] == REFERENCE


@given(
    st.lists(st.sampled_from(["a", "bb", "ccc", "extraordinarily"]), min_size=1, max_size=14),
    st.lists(st.sampled_from(["a", "bb", "ccc", "extraordinarily"]), max_size=14),
    st.sampled_from([90.0, 200.0, 760.0]),
)
def test_texts_never_overlap(reference: list[str], output: list[str], width: float) -> None:
    svg = drawn(reference, output, width=width)
    check(svg)
    found = align(reference, output)
    assert len(list(root_of(svg).iter(f"{SVG}g"))) == len(found.operations) + len(found.moves)
    assert svg == drawn(reference, output, width=width)


def test_long_alignments_go_on_in_the_next_line() -> None:
    long = [f"word{i}" for i in range(40)]
    moved = [*long[1:], long[0]]
    svg = drawn(long, moved, width=400)
    assert float(root_of(svg).attrib["width"]) < 430
    assert len({text.top for text in texts_of(svg) if text.words == "·"}) > 3
    # From the first line to the last: along the gap, down the margin, back along the gap.
    assert re.search(r'd="M[\d. ]+V[\d.]+H[\d.]+V[\d.]+H[\d.]+V[\d.]+"', svg)
    assert "move 1: word0" in svg


def test_nothing_wrong_and_nothing_there() -> None:
    assert "All tokens match." in drawn(["a"], ["a"])
    assert 'class="matched"' not in draw_alignment([], [], [])


def test_a_long_token_is_cut() -> None:
    svg = drawn(["x" * 99], ["y"])
    check(svg)
    assert f"<title>{'x' * 99}</title>" in svg
