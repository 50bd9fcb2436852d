"""Extraction: supertags, attachments, adjunction table."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.grammar.adjunction import Adjunction
from fergus.grammar.arguments import argument_table, category_of
from fergus.grammar.extract import Attachment, extract
from fergus.grammar.names import parse_supertag, supertag_name
from tests.grammar.trees import BOOK, DOG, SEES, ordered


def test_every_node_gets_its_elementary_tree() -> None:
    tagged = extract([SEES]).tagged[0]
    assert tagged.supertags == ("g.NOUN", "a.PRON", "a.VERB(nsubj * obj)", "a.PRON")
    assert tagged.attachments == (
        Attachment(None, "left", 1),  # today: *she* stands between it and the verb
        Attachment(0, "left"),
        Attachment(None, None),
        Attachment(1, "right"),
    )


def test_gaps_count_the_slots_between_modifier_and_anchor() -> None:
    tagged = extract([BOOK]).tagged[0]
    assert tagged.supertags[1] == "a.VERB(nsubj * obj)"
    assert tagged.attachments[4] == Attachment(None, "right", 1)
    assert tagged.attachments[2] == Attachment(None, "left", 0)


def test_grammar_of_three_trees() -> None:
    grammar = extract([SEES, DOG, BOOK]).grammar
    assert list(grammar.trees) == sorted(grammar.trees)
    statistics = grammar.statistics()
    # alpha: NOUN, PRON, two VERBs; gamma: ADJ, ADV, DET, NOUN. Tokens: 4 + 5 + 5.
    assert (statistics.alpha, statistics.gamma, statistics.tokens) == (4, 4, 14)
    # Once: a.VERB(nsubj *), g.ADJ, g.ADV; twice: a.NOUN, g.DET, g.NOUN; thrice: a.PRON.
    assert statistics.seen_once == 3
    assert grammar.adjunction.counts[Adjunction("g.NOUN", "a.VERB(nsubj * obj)", "left", 1)] == 1
    assert grammar.adjunction.by_category()["g.NOUN", "VERB", "right", 1] == 1
    assert grammar.fillers == {
        ("nsubj", "PRON"): 2,
        ("obj", "PRON"): 1,
        ("nsubj", "NOUN"): 1,
        ("obj", "NOUN"): 1,
    }
    assert grammar.families["VERB[nsubj obj]"] == ("a.VERB(nsubj * obj)",)
    assert grammar.by_word("today") == {"g.NOUN": 2}


def test_trees_without_labels_are_of_category_x() -> None:
    tagged = extract([ordered("a/_:_>2 b/_:_>0")]).tagged[0]
    assert tagged.supertags == ("g.X", "a.X")


def test_penn_tags_give_the_category_where_there_is_no_upos() -> None:
    tree = ordered("of/IN:PP>0 cancer/NN:POBJ>1", tag="xpos")
    assert extract([tree]).tagged[0].supertags == ("a.ADP(* POBJ)", "a.NOUN")
    assert category_of(Node("?", xpos="NOSUCH")) == "X"


def test_another_argument_table() -> None:
    table = argument_table("obl NOUN>det")
    assert extract([DOG], arguments=table).tagged[0].supertags[2] == "g.NOUN(det *)"
    assert extract([BOOK], arguments=table).tagged[0].supertags[1] == "a.VERB(* obl)"
    # A subtype is its relation, unless the table names the subtype alone.
    assert argument_table("obl").has("obl:agent", "VERB")
    assert not argument_table("obl:agent").has("obl", "VERB")
    assert not table.has(None, "VERB")


@pytest.mark.parametrize("entry", ["", ">det", "NOUN>"])
def test_a_bad_entry_is_refused(entry: str) -> None:
    with pytest.raises(InputError, match="not an argument relation"):
        argument_table([entry])


def test_modifiers_named_after_their_relation() -> None:
    assert extract([SEES], relations=True).tagged[0].supertags[0] == "g.NOUN/obl"


def test_trees_need_not_be_kept() -> None:
    extraction = extract([SEES], keep=False)
    assert extraction.tagged == ()
    assert extraction.grammar == extract([SEES]).grammar


def test_names_are_ascii_whatever_the_labels_are() -> None:
    tree = OrderedTree(
        DependencyTree((Node("a", upos="VERB (x)"), Node("b", upos="Ä*", deprel="nsubj:é")), (-1, 0)), (1, 0)
    )
    tags = extract([tree]).tagged[0].supertags
    assert tags == ("a.VERB__x_(nsubj:_ *)", "a.__")
    for tag in tags:
        parsed = parse_supertag(tag)
        assert parsed is not None
        assert parsed.name == tag


@pytest.mark.parametrize("name", ["betaDnx", "a.", "a.VERB(nsubj)", "a.VERB(* *)", "g.ADV(", "x.ADV", "g.A V"])
def test_other_names_are_no_extracted_trees(name: str) -> None:
    assert parse_supertag(name) is None


labels = st.text(alphabet="abcXYZ:_-", min_size=1, max_size=6)


@given(st.sampled_from(["alpha", "gamma"]), labels, labels | st.just(""), st.lists(labels), st.lists(labels))
def test_names_read_back(kind: str, category: str, relation: str, left: list[str], right: list[str]) -> None:
    name = supertag_name(kind, category, relation, left, right)  # type: ignore[arg-type]
    tree = parse_supertag(name)
    assert tree is not None
    assert (tree.kind, tree.category) == (kind, category)
    assert [s.category for s in tree.left] == left
    assert [s.category for s in tree.right] == right
    assert name.isascii()


@given(st.permutations(range(5)))
def test_the_order_in_which_nodes_are_stored_is_immaterial(permutation: list[int]) -> None:
    place = {old: new for new, old in enumerate(permutation)}
    shuffled = OrderedTree(DOG.tree.permuted(permutation), tuple(place[node] for node in DOG.order))
    before, after = extract([DOG]).tagged[0], extract([shuffled]).tagged[0]
    assert tuple(after.supertags[place[i]] for i in range(5)) == before.supertags
    assert tuple(after.attachments[place[i]] for i in range(5)) == before.attachments


def test_long_chains_and_wide_treelets_are_quick() -> None:
    size = 10_000
    nodes = tuple(Node(f"w{i % 7}", upos="NOUN", deprel="obj" if i % 2 else "nmod") for i in range(size))
    chain = OrderedTree(DependencyTree(nodes, (-1, *range(size - 1))), tuple(range(size)))
    order = list(range(size))
    random.Random(0).shuffle(order)
    wide = OrderedTree(DependencyTree(nodes, (-1, *[0] * (size - 1))), tuple(order))
    start = time.perf_counter()
    extract([chain, wide])
    assert time.perf_counter() - start < 60
