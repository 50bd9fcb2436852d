"""The evaluator of the benchmark against cases counted by hand."""

from __future__ import annotations

import pytest
from benchmarks.conll18 import raw_text, scores

from fergus.core.tree import DependencyTree, Node, OrderedTree


def sentence(words: str, heads: str, *, metadata: tuple[tuple[str, str], ...] = ()) -> OrderedTree:
    """``form/UPOS/deprel`` with heads counted from 1, as CoNLL-U has them."""
    parts = [word.split("/") for word in words.split(" ")]
    nodes = tuple(Node(form, upos=upos, deprel=deprel) for form, upos, deprel in parts)
    tree = DependencyTree(nodes, tuple(int(head) - 1 for head in heads.split(" ")), metadata=metadata)
    return OrderedTree(tree, tuple(range(len(nodes))))


GOLD = sentence("Dogs/NOUN/nsubj:pass bark/VERB/root loudly/ADV/advmod", "2 0 2")


def test_the_same_parse_is_perfect() -> None:
    assert set(scores([GOLD], [GOLD]).values()) == {100}


def test_heads_and_labels() -> None:
    system = sentence("Dogs/NOUN/nsubj bark/NOUN/root loudly/ADV/obj", "2 0 1")
    found = scores([GOLD], [system])
    # UPOS: bark is wrong, 2 of 3. Head of loudly is wrong: UAS 2 of 3. nsubj:pass counts as nsubj: LAS 2 of 3.
    assert found["upos"] == found["uas"] == found["las"] == pytest.approx(200 / 3)
    labels = scores([GOLD], [sentence("Dogs/NOUN/obj bark/VERB/root loudly/ADV/obj", "2 0 2")])
    assert (labels["uas"], labels["las"]) == (100, pytest.approx(100 / 3))


def test_tokens_that_are_split_otherwise() -> None:
    # Gold: Dogs bark loudly (3 tokens). System: Dogs bark loud ly (4): 2 tokens in common, F1 = 2 * 2 / 7.
    system = sentence("Dogs/NOUN/nsubj bark/VERB/root loud/ADV/advmod ly/ADV/dep", "2 0 2 3")
    found = scores([GOLD], [system])
    assert found["tokens"] == found["words"] == found["las"] == pytest.approx(400 / 7)
    assert found["sentences"] == 100


def test_sentences_that_are_split_otherwise() -> None:
    halves = [sentence("Dogs/NOUN/root", "0"), sentence("bark/VERB/root loudly/ADV/advmod", "0 1")]
    found = scores([GOLD], halves)
    assert found["sentences"] == 0
    assert found["tokens"] == 100
    # The head of Dogs is bark in gold and the root in the system's: 2 of 3 words are right.
    assert found["las"] == pytest.approx(200 / 3)


def test_multiword_tokens_are_aligned_inside() -> None:
    whole = (("multiword 1-2", "don't"),)
    gold = sentence("do/AUX/aux n't/PART/advmod go/VERB/root", "3 3 0", metadata=whole)
    same = sentence("do/AUX/aux n't/PART/advmod go/VERB/root", "3 3 0")
    # One token "don't" against two, "do" and "n't": of 2 and 3 tokens only "go" is common; all words are.
    found = scores([gold], [same])
    assert found["tokens"] == pytest.approx(200 * 1 / 5)
    assert found["words"] == found["las"] == 100
    assert scores([same], [gold])["words"] == 100
    # One word where gold has two: nothing of "don't" is aligned, "go" is: 2 * 1 / (3 + 2).
    one = sentence("don't/AUX/aux go/VERB/root", "2 0")
    assert scores([gold], [one])["words"] == pytest.approx(40)
    assert scores([one], [gold])["words"] == pytest.approx(40)


def test_multiword_tokens_that_overlap_other_tokens() -> None:
    # ab | c  against  a | bc, where bc is b + c: the stretch is the whole, and "c" is common to both.
    gold = sentence("ab/X/root c/X/dep", "0 1")
    system = sentence("a/X/root b/X/dep c/X/dep", "0 1 1", metadata=(("multiword 2-3", "bc"),))
    assert scores([gold], [system])["words"] == pytest.approx(200 / 5)
    assert scores([system], [gold])["words"] == pytest.approx(200 / 5)


def test_other_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="not the same text"):
        scores([GOLD], [sentence("Cats/NOUN/root", "0")])


def test_the_text_of_a_treebank() -> None:
    def node(form: str, misc: str | None = None) -> Node:
        return Node(form, misc=misc)

    def tree(*nodes: Node, metadata: tuple[tuple[str, str], ...] = ()) -> OrderedTree:
        heads = (-1, *[0] * (len(nodes) - 1))
        return OrderedTree(DependencyTree(nodes, heads, metadata=metadata), tuple(range(len(nodes))))

    trees = [
        tree(node("Stop", "SpaceAfter=No"), node("!", "SpaceAfter=No"), metadata=(("newdoc id", "1"),)),
        tree(node("Do"), node("n't"), node("go"), metadata=(("multiword 1-2", "Don't"),)),
        tree(node("New"), metadata=(("newpar id", "2"),)),
    ]
    assert raw_text(trees) == "Stop! Don't go \n\nNew "
