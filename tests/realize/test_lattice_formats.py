from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.lattice import Arc, Lattice, build, expanded
from fergus.drawing.lattice_cut import best_path
from fergus.drawing.lattice_layout import lay_out, spread
from fergus.realize.lattice_formats import to_att, to_dot, to_svg

WORDS = ["the", "second", "phase"]
# the second phase (-.25), second the phase (-2 - .5)
PHASE = build([[Arc(0, 1, 0, -0.25), Arc(0, 2, 1, -2.0), Arc(1, 3, 1, 0.0), Arc(2, 3, 0, -0.5), Arc(3, 4, 2, 0.125)]])
SVG = "{http://www.w3.org/2000/svg}"


def symbol_of(word: str) -> str:
    """How a word is written in AT&T text: the symbol with number 1."""
    return to_att(build([[Arc(0, 1, 0, 0.0)]]), [word]).symbols.split("\n")[1].rsplit("\t", 1)[0]


def test_att_text_by_hand() -> None:
    att = to_att(PHASE, WORDS)
    assert att.fsm == (
        "0\t1\tthe\t0.25\n"
        "0\t2\tsecond\t2\n"
        "1\t3\tsecond\t0\n"
        "2\t3\tthe\t0.5\n"
        "3\t4\tphase\t-0.125\n"
        "4\n"
    )  # fmt: skip
    assert att.symbols == "<eps>\t0\nphase\t1\nsecond\t2\nthe\t3\n"


@pytest.mark.parametrize(
    ("word", "symbol"),
    [
        ("New York", r"New\sYork"),
        ("a\tb\nc", r"a\tb\nc"),
        ("a\\b", r"a\\b"),
        ("a\u00a0b\u2003", r"a\u00a0b\u2003"),
        ("<eps>", r"\<eps>"),
        ("日本", "日本"),
    ],
)
def test_words_that_att_text_cannot_hold_as_they_are(word: str, symbol: str) -> None:
    assert symbol_of(word) == symbol


def test_an_empty_word_is_epsilon() -> None:
    att = to_att(build([[Arc(0, 1, 0, 0.0)]]), [""])
    assert att.fsm == "0\t1\t<eps>\t0\n1\n"
    assert att.symbols == "<eps>\t0\n"


@given(st.lists(st.text(max_size=4), min_size=1, max_size=4, unique=True))
def test_att_lines_have_four_fields_and_different_words_different_symbols(words: list[str]) -> None:
    lattice = build([[Arc(i, i + 1, i, -1.5) for i in range(len(words))]])
    att = to_att(lattice, words)
    *arcs, final = att.fsm.removesuffix("\n").split("\n")
    assert final == str(len(words))
    assert [len(line.split()) for line in arcs] == [4] * len(words)
    assert len({line.split()[2] for line in arcs}) == len(words)


def test_pynini_reads_what_we_write(tmp_path: Path) -> None:
    pynini = pytest.importorskip("pynini", reason="pynini is not installed (the extra 'fst')")
    import pywrapfst  # comes with pynini

    att = to_att(PHASE, WORDS)
    (tmp_path / "symbols.txt").write_text(att.symbols, encoding="utf-8")
    symbols = pywrapfst.SymbolTable.read_text(str(tmp_path / "symbols.txt"))
    compiler = pywrapfst.Compiler(isymbols=symbols, osymbols=symbols, acceptor=True)
    compiler.write(att.fsm)
    paths = pynini.Fst.from_pywrapfst(compiler.compile()).paths(input_token_type=symbols, output_token_type=symbols)
    read = {tuple(string.split()): float(cost) for string, _, cost in paths.items()}
    assert read == {tuple(WORDS[i] for i in order): pytest.approx(-weight) for order, weight in PHASE.paths()}


def test_dot() -> None:
    dot = to_dot(PHASE, ["the", 'se"c\\ond', "pha\nse"], [0, 1, 2])
    assert dot.startswith("digraph lattice {\n")
    assert dot.endswith("}\n")
    assert '0 -> 2 [label="se\\"c\\\\ond / \N{MINUS SIGN}2.00"];' in dot
    assert 'pha\\nse / 0.12", color=' in dot
    assert "4 [shape=doublecircle]" in dot
    assert dot.count("penwidth=2") == 3
    assert "penwidth" not in to_dot(PHASE, WORDS)
    assert "doublecircle" not in to_dot(build([[]]), [])


def test_svg_is_xml_with_every_word_and_weight() -> None:
    words = ["<the>", 's"e&c ond', "phase"]
    root = ET.fromstring(to_svg(PHASE, words))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert Counter(texts[::2]) == {"<the>": 2, 's"e&c ond': 2, "phase": 1}
    assert sorted(str(text) for text in texts[1::2]) == sorted(["−0.25", "−2.00", "0.00", "−0.50", "0.12"])
    # Five states, the final one with two rings.
    assert len(list(root.iter(f"{SVG}circle"))) == 6
    assert {group.get("class") for group in root.iter(f"{SVG}g")} == {"arc"}


def test_svg_highlights_the_winning_path() -> None:
    root = ET.fromstring(to_svg(PHASE, WORDS, [1, 0, 2]))
    best = [group.find(f"{SVG}text") for group in root.iter(f"{SVG}g") if group.get("class") == "arc best"]
    assert [text.text for text in best if text is not None] == ["second", "the", "phase"]
    assert len({text.get("y") for text in best if text is not None}) == 1


def test_svg_knows_dark_mode_and_grows_with_the_lattice() -> None:
    assert "prefers-color-scheme:dark" in to_svg(PHASE, WORDS)
    long = build([[Arc(i, i + 1, 0, 0.0) for i in range(100)]])
    width = [float(ET.fromstring(to_svg(lattice, WORDS)).attrib["width"]) for lattice in (PHASE, long)]
    assert width[1] > 20 * width[0]
    assert ET.fromstring(to_svg(build([[]]), [])).attrib["viewBox"]


def test_states_that_no_arc_touches_are_not_drawn() -> None:
    root = ET.fromstring(to_svg(build([[Arc(0, 5, 0, 0.0)]]), WORDS))
    assert len(list(root.iter(f"{SVG}circle"))) == 3


def test_the_best_of_two_paths_with_the_same_words() -> None:
    twice = build([[Arc(0, 1, 0, -1.0), Arc(0, 2, 0, 0.0), Arc(1, 3, 1, 0.0), Arc(2, 3, 1, -0.5)]])
    # Arcs sorted by source: 0->1, 0->2, 1->3, 2->3; over state 1 it costs 1, over state 2 one half.
    assert best_path(twice, [0, 1]) == (1, 3)
    same_states = build([[Arc(0, 1, 0, -1.0), Arc(0, 1, 0, -3.0)]])
    assert best_path(same_states, [0]) in [(0,), (1,)]
    assert list(same_states.arcs(0))[best_path(same_states, [0])[0]].weight == -1.0


@pytest.mark.parametrize("order", [[2, 1, 0], [0, 1], [0, 1, 2, 2], []])
def test_an_order_that_no_path_has(order: list[int]) -> None:
    with pytest.raises(ValueError, match="no path of the lattice has this order"):
        best_path(PHASE, order)


@pytest.mark.parametrize("export", [to_att, to_dot, to_svg])
def test_a_packed_lattice_must_be_expanded_first(export: object) -> None:
    packed = build([[Arc(0, 1, 0, 0.0)], [Arc(0, 1, -1, 0.0)]])
    with pytest.raises(ValueError, match="expand it first"):
        export(packed, WORDS)  # type: ignore[operator]
    export(expanded(packed), WORDS)  # type: ignore[operator]


@st.composite
def flat_lattices(draw: st.DrawFn) -> Lattice:
    states = draw(st.integers(2, 8))
    arcs = []
    for _ in range(draw(st.integers(1, 14))):
        source = draw(st.integers(0, states - 2))
        arcs.append(Arc(source, draw(st.integers(source + 1, states - 1)), draw(st.integers(0, 2)), 0.0))
    return build([arcs])


@given(flat_lattices(), st.data())
def test_nothing_in_a_column_is_nearer_than_the_distance(lattice: Lattice, data: st.DataObject) -> None:
    arcs = list(lattice.arcs(0))
    spine = data.draw(st.sets(st.integers(0, len(arcs) - 1)))
    layout = lay_out(arcs, lattice.part_states[0], spine)
    used = {0, *(arc.source for arc in arcs), *(arc.target for arc in arcs)}
    places = [(layout.state_column[s], layout.state_height[s]) for s in used]
    places += [place for route in layout.routes for place in route]
    for i, (column, height) in enumerate(places):
        for other_column, other_height in places[:i]:
            assert column != other_column or abs(height - other_height) > 0.999
    for arc, route in zip(arcs, layout.routes, strict=True):
        first, last = layout.state_column[arc.source], layout.state_column[arc.target]
        assert [column for column, _ in route] == list(range(first + 1, last))
    assert layout == lay_out(arcs, lattice.part_states[0], spine)


def test_spread_moves_as_little_as_it_must() -> None:
    # Both want 0 and must be 1 apart: half a step each, or three quarters for the one that weighs a third.
    assert spread([0.0, 0.0], [1.0, 1.0], 1.0) == pytest.approx([-0.5, 0.5])
    assert spread([0.0, 0.0], [3.0, 1.0], 1.0) == pytest.approx([-0.25, 0.75])
    assert spread([0.0, 5.0, 5.0], [1.0, 1.0, 1.0], 1.0) == pytest.approx([0.0, 4.5, 5.5])
    assert spread([], [], 1.0) == []
