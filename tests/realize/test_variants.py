from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.realize.variants import as_typed


def ordered(text: str) -> OrderedTree:
    """Words in their order, each ``form/UPOS/relation/head`` with heads counted from 1."""
    rows = [word.split("/") for word in text.split()]
    nodes = tuple(Node(form, upos=upos, deprel=deprel) for form, upos, deprel, _ in rows)
    return OrderedTree(DependencyTree(nodes, tuple(int(head) - 1 for *_, head in rows)), tuple(range(len(rows))))


def drawn(tree: OrderedTree, *, node: int | None = None) -> str:
    """The tree as ``head/relation(daughters ...)``, daughters in sentence order."""
    here = tree.tree.root if node is None else node
    daughters = " ".join(drawn(tree, node=d) for d in tree.order if tree.tree.heads[d] == here)
    name = f"{tree.tree.nodes[here].form}/{tree.tree.nodes[here].deprel}"
    return f"{name}({daughters})" if daughters else name


def test_prepositions_become_heads() -> None:
    tree = ordered("waits/VERB/root/0 for/ADP/case/4 the/DET/det/4 phase/NOUN/obl/1")
    assert drawn(as_typed(tree, prepositions_head=True)) == "waits/root(for/obl(phase/case:object(the/det)))"
    assert drawn(as_typed(tree, prepositions_head=False)) == "waits/root(phase/obl(for/case the/det))"


def test_existentials_are_headed_by_their_noun() -> None:
    tree = ordered("there/PRON/expl/2 was/VERB/root/0 no/DET/det/4 cost/NOUN/nsubj/2 today/ADV/advmod/2")
    assert drawn(as_typed(tree, prepositions_head=True)) == "cost/root(there/expl was/cop no/det today/advmod)"


def test_one_within_the_other() -> None:
    tree = ordered(
        "There/PRON/expl/2 was/VERB/root/0 no/DET/det/4 man/NOUN/nsubj/2 in/ADP/case/7 the/DET/det/7 "
        "house/NOUN/obl/2 of/ADP/case/9 wood/NOUN/nmod/7 ./PUNCT/punct/2"
    )
    assert drawn(as_typed(tree, prepositions_head=True)) == (
        "man/root(there/expl was/cop no/det in/obl(house/case:object(the/det of/nmod(wood/case:object))))"
    )


@pytest.mark.parametrize(
    "text",
    [
        "up/ADP/case/3 to/ADP/case/3 ten/NUM/nsubj/4 came/VERB/root/0",  # two prepositions
        "to/ADP/case/3 right/ADV/advmod/1 ten/NUM/obl/4 came/VERB/root/0",  # one with a daughter
        "of/ADP/case/2 wood/NOUN/root/0",  # of the root
        "go/VERB/root/0 by/ADP/case/3 air/NOUN/conj/1",  # of a conjunct
        "dogs/NOUN/nmod/3 's/PART/case/1 tails/NOUN/root/0",  # not a preposition
        "it/PRON/expl/2 rains/VERB/root/0",  # an expletive without subject
        "it/PRON/expl/2 costs/VERB/root/0 that/PRON/nsubj/2 money/NOUN/obj/2",  # with an object
        "there/PRON/expl/2 is/AUX/cop/3 nothing/NOUN/root/0",  # its head is the copula already
        "it/PRON/expl/0",
    ],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert drawn(as_typed(ordered(text), prepositions_head=True)) == drawn(ordered(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The/DET/det/2 dog/NOUN/root/0 ./PUNCT/punct/2", "the dog"),
        ("A/DET/det/2 dog/NOUN/root/0 !/PUNCT/punct/2", "a dog"),
        ("I/PRON/nsubj/2 see/VERB/root/0", "I see"),
        ("Rome/PROPN/nsubj/2 fell/VERB/root/0", "Rome fell"),
        ("NATO/NOUN/nsubj/2 acts/VERB/root/0", "NATO acts"),
        ("./PUNCT/root/0", "."),
        ("go/VERB/root/0 )/PUNCT/punct/3 ./PUNCT/root/1", "go ) ."),  # a mark with a daughter stays
        ("Go/VERB/parataxis/2 ./PUNCT/root/0", "go ."),  # so does one that is the root
    ],
)
def test_first_capital_and_final_mark(text: str, words: str) -> None:
    assert " ".join(as_typed(ordered(text), prepositions_head=False).forms) == words


@st.composite
def treebank_trees(draw: st.DrawFn) -> OrderedTree:
    size = draw(st.integers(1, 8))
    heads = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, size))]
    words = [("A", "DET"), ("Dog", "NOUN"), ("dog", "NOUN"), ("of", "ADP"), (".", "PUNCT"), ("is", "VERB")]
    relations = ["case", "expl", "nsubj", "obl", "obj", "cop", "conj", "punct"]
    nodes = []
    for head in heads:
        form, upos = draw(st.sampled_from(words))
        nodes.append(Node(form, upos=upos, deprel="root" if head == ROOT else draw(st.sampled_from(relations))))
    order = draw(st.permutations(range(size)))
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads)), tuple(order))


@given(treebank_trees(), st.booleans())
def test_still_a_tree_of_the_same_words(tree: OrderedTree, prepositions_head: bool) -> None:
    typed = as_typed(tree, prepositions_head=prepositions_head)  # building it checks that it is a tree
    before, after = list(tree.forms), list(typed.forms)
    if len(after) < len(before):
        assert before.pop() == "."
    assert after[0] in (before[0], before[0].lower())
    assert after[1:] == before[1:]
    relations = Counter(n.deprel for n in typed.tree.nodes)
    assert relations["root"] == 1
    assert typed.tree.nodes[typed.tree.root].deprel == "root"
