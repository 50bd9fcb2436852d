"""Bracketings, slots, and the drawings of trees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.bracketing import BracketingError, PhraseNode, parse_bracketing, to_bracketing
from fergus.core.supertag import ElementaryTree, Slot
from fergus.grammar.draw import describe, draw
from fergus.grammar.extract import extract
from fergus.grammar.inventory import Grammar, LexicalEntry
from fergus.grammar.phrase_structure import dependency_slots, elementary_tree, foot_of, main_anchor
from tests.grammar.trees import BOOK, DOG, SEES

TRANSITIVE = "(S_r NP_0:substp (VP V:headp NP_1:substp))"
PASSIVE = "(S_r NP_1:substp (VP V:headp (PP_0 (P_0 by) NP_0:substp)))"
PARTICLE = "(S_r (NP_0:NA PRO) (VP V:headp PL:headp NP_1:substp))"
PP = "(S_r NP_0:substp (VP V:headp (VP_e (V_e:NA ε_v) (PP:DUMMY P:substp NP_1:substp))))"
CLEFT = "(S_r (NP_0 N:headp) (VP V:headp (VP_1 (V_1:NA ε) NP_1:substp S_2:substp)))"
DETERMINER = "(NP_r D:headp NP_f:footp:NA)"
THINK = "(S_r NP_0:substp (VP V:headp S_1:footp:NA))"


@pytest.mark.parametrize("text", [TRANSITIVE, PASSIVE, PARTICLE, PP, CLEFT, DETERMINER, THINK, "A:headp"])
def test_bracketings_read_back(text: str) -> None:
    assert to_bracketing(parse_bracketing(text)) == text


def test_nodes_know_their_parts() -> None:
    node = parse_bracketing(DETERMINER)[2]
    assert node == PhraseNode("NP_f", 0, "footp", "NA")
    assert (node.category, node.index, str(node)) == ("NP", "f", "NP_f:footp:NA")
    assert parse_bracketing("(S :)")[1].label == ":"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no tree"),
        ("(S (NP)", "not closed"),
        ("(S", "not closed"),
        ("(", "not closed"),
        ("((S))", "where a label should stand"),
        ("()", "holds nothing"),
        ("(S)) ", "not opened"),
        (")", "not opened"),
        ("(S) NP", "after the end"),
        ("S NP", "after the end"),
    ],
)
def test_broken_bracketings_are_refused(text: str, problem: str) -> None:
    with pytest.raises(BracketingError, match=problem):
        parse_bracketing(text)


def test_slots_foot_and_side() -> None:
    tree = elementary_tree("alphanx0Vnx1", parse_bracketing(TRANSITIVE), family="Tnx0Vnx1")
    assert (tree.kind, tree.category, tree.root, tree.foot, tree.side) == ("alpha", "V", "S_r", "", None)
    assert (tree.left, tree.right) == ((Slot("NP_0"),), (Slot("NP_1"),))
    determiner = elementary_tree("betaDnx", parse_bracketing(DETERMINER))
    assert (determiner.kind, determiner.category, determiner.foot, determiner.side) == (
        "gamma",
        "D",
        "NP",
        "left",
    )
    assert elementary_tree("betavx", parse_bracketing("(VP_r VP:footp Ad:headp)")).side == "right"
    particle = elementary_tree("alphanx0Vplnx1", parse_bracketing(PARTICLE))
    assert (particle.category, particle.co_anchors) == ("V", ("PL",))
    assert elementary_tree("alphaX", parse_bracketing("(NP x)")).category == "NP"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (TRANSITIVE, ["NP_0", "NP_1"]),
        (PASSIVE, ["NP_1", "PP_0"]),  # a fixed word and its slot are one dependent
        (PARTICLE, ["PL", "NP_1"]),  # PRO is empty
        (PP, ["NP_0", "PP"]),  # the empty verb's phrase is opened
        (CLEFT, ["NP_0", "NP_1", "S_2"]),
        (DETERMINER, []),  # the foot is the mother
        ("(A (A_0:NA Ad:headp A_1:footp:NA) Conj:headp A_2:substp)", ["Conj", "A_2"]),
        ("(X (Y Z_f:footp W:substp) V:headp)", []),  # what shares a phrase with the foot is the mother's
    ],
)
def test_dependents_of_the_anchor(text: str, labels: list[str]) -> None:
    phrase = parse_bracketing(text)
    places = dependency_slots(phrase, main_anchor(phrase), foot_of(phrase))
    assert [phrase[place].label for place in places] == labels


def test_a_foot_that_is_a_complement_is_a_dependent() -> None:
    phrase = parse_bracketing(THINK)
    assert [phrase[p].label for p in dependency_slots(phrase, main_anchor(phrase), -1)] == ["NP_0", "S_1"]


def test_phrase_structure_is_drawn() -> None:
    drawing = draw(elementary_tree("alphanx0Vnx1", parse_bracketing(TRANSITIVE)))
    assert drawing == (
        "     S_r\n"
        "  ┌───┴───┐\n"
        "NP_0↓     VP\n"
        "       ┌──┴──┐\n"
        "       V◊  NP_1↓"
    )  # fmt: skip
    assert draw(elementary_tree("alphaA", parse_bracketing("A:headp"))) == "A◊"
    # A label wider than what stands below it, and a middle daughter under the branch.
    assert draw(elementary_tree("a", parse_bracketing("(Abcdefgh:NA x)"))).split("\n")[1].strip() == "│"
    assert "┼" in draw(elementary_tree("a", parse_bracketing("(S x y z)")))


def test_extracted_trees_are_a_row() -> None:
    assert draw(extract([SEES]).grammar.tree("a.VERB(nsubj * obj)")) == "nsubj↓   VERB◊   obj↓"
    optional = ElementaryTree("t", "alpha", "V", left=(Slot("a", True),), right=(Slot("b", True),))
    assert draw(optional) == "a?↓   V◊   b?↓"


def test_a_tree_is_described() -> None:
    grammar = extract([SEES, BOOK, DOG]).grammar
    text = describe(grammar, "g.NOUN")
    assert text.startswith("g.NOUN: gamma tree, anchor NOUN, seen 2 times\n")
    assert "words: today (2)\n" in text
    assert "adjoins to VERB, left, 1 slot from the anchor: 1\n" in text
    assert "adjoins to NOUN, left, beside the anchor: 1" in describe(grammar, "g.ADJ")
    listed = Grammar(
        {"betaDnx": elementary_tree("betaDnx", parse_bracketing(DETERMINER)),
         "alphap": elementary_tree("alphap", parse_bracketing(PARTICLE), family="T")},
        {f"w{i}": (LexicalEntry("betaDnx"),) for i in range(10)} | {"look": (LexicalEntry("T"),)},
    )  # fmt: skip
    assert "foot NP: adjoins on the left of it\nwords: w0, w1, w2, w3, w4, w5, w6, w7 and 2 more" in describe(
        listed, "betaDnx"
    )
    assert "co-anchors PL" in describe(listed, "alphap")
    assert "family T: 1 trees\nwords: look" in describe(listed, "alphap")


words = st.text(alphabet="abNPV_01", min_size=1, max_size=4).filter(lambda text: not text.startswith("_"))
trees = st.recursive(words, lambda inner: st.tuples(words, st.lists(inner, min_size=1, max_size=3)), max_leaves=12)


def written(tree: object) -> str:
    if isinstance(tree, str):
        return tree
    label, daughters = tree  # type: ignore[misc]
    return f"({label} {' '.join(map(written, daughters))})"


@given(trees)
def test_any_tree_reads_back_and_is_drawn_whole(tree: object) -> None:
    text = written(tree)
    phrase = parse_bracketing(text)
    assert to_bracketing(phrase) == text
    drawing = draw(elementary_tree("alphax", phrase))
    assert sorted(drawing.translate({ord(c): " " for c in "┌┐┴┬┼─│"}).split()) == sorted(n.label for n in phrase)
