from __future__ import annotations

import pytest

from fergus.core.bracketing import parse_bracketing
from fergus.core.supertag import ElementaryTree, Slot
from fergus.drawing import draw_elementary
from fergus.drawing.elementary import phrase_of
from fergus.grammar.phrase_structure import elementary_tree
from tests.drawing.shapes import SVG, check, root_of, texts_of

TRANSITIVE = elementary_tree("alphanx0Vnx1", parse_bracketing("(S_r NP_0:substp (VP V:headp NP_1:substp))"))
DETERMINER = elementary_tree("betaDnx", parse_bracketing("(NP_r D:headp NP_f:footp:NA)"))
SEES = ElementaryTree("a.VERB(nsubj * obj?)", "alpha", "VERB", (Slot("nsubj"),), (Slot("obj", optional=True),))
COMPOUND = ElementaryTree("g.NOUN/compound", "gamma", "NOUN")


def words_of(tree: ElementaryTree, word: str = "") -> list[str]:
    svg = draw_elementary(tree, word=word)
    check(svg)
    return [text.words for text in texts_of(svg)]


def test_phrase_structure() -> None:
    assert words_of(TRANSITIVE) == ["S_r", "NP_0↓", "VP", "V◊", "NP_1↓"]
    assert words_of(DETERMINER, "the") == ["NP_r", "D◊", "the", "NP_f*"]
    roles = [group.get("class") for group in root_of(draw_elementary(DETERMINER)).iter(f"{SVG}g")]
    assert roles == ["phrase", "phrase headp", "phrase footp"]
    assert "It adjoins to NP, on its left." in draw_elementary(DETERMINER)


def test_slots_around_the_anchor_where_there_is_no_phrase_structure() -> None:
    assert words_of(SEES, "sees") == ["VERB", "nsubj↓", "VERB◊", "sees", "obj?↓"]
    assert "anchored by sees, VERB. Slots from left to right: nsubj, obj?." in draw_elementary(SEES, word="sees")
    assert "stroke-dasharray" not in draw_elementary(SEES)


def test_a_modifier_hangs_from_what_it_modifies() -> None:
    assert words_of(COMPOUND) == ["…*", "NOUN", "NOUN◊"]
    assert draw_elementary(COMPOUND).count("stroke-dasharray") == 1
    assert "The tree of a modifier, anchored by NOUN. It has no slots." in draw_elementary(COMPOUND)


@pytest.mark.parametrize(
    ("side", "leaves"), [("left", ["V", "PL", "VP"]), ("right", ["VP", "V", "PL"]), (None, ["V", "PL", "VP"])]
)
def test_a_foot_stands_on_its_side(side: str | None, leaves: list[str]) -> None:
    tree = ElementaryTree("x", "gamma", "V", root="VP_r", foot="VP", side=side, co_anchors=("PL",))  # type: ignore[arg-type]
    assert [node.label for node in phrase_of(tree)] == ["VP_r", *leaves]
    assert "adjoins to VP" in draw_elementary(tree)


def test_a_tree_without_an_anchor() -> None:
    empty = elementary_tree("alphaE", parse_bracketing("(S NP:substp ε)"))
    assert words_of(empty, "nothing") == ["S", "NP↓", "ε"]
    assert draw_elementary(empty, title="Mine").count("<title>Mine</title>") == 1
