from __future__ import annotations

from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.realize.readings import LEFT_OUT, WEIGHT, Reading, as_lemma, completed, with_word

# see -> girl -> the, with an article that may be missing and a noun of two forms.
TREE = DependencyTree((Node("", "see"), Node("", "girl"), Node("", "the")), (ROOT, 0, 1))
OPTIONS = [[TREE.nodes[0]], [TREE.nodes[1]], [None, TREE.nodes[2]]]
READINGS = [
    [Reading("saw", 0.0)],
    [Reading("girl", -0.1), Reading("girls", -2.0)],
    [Reading("", -0.2, 0), Reading("the", -1.7, 1)],
]


def test_the_most_probable_words_stand_in_the_tree() -> None:
    found = completed(TREE, OPTIONS, READINGS, [2])
    assert [node.form for node in found.tree.nodes] == ["saw", "girl", "the"]
    assert found.inserted == {2}
    assert found.word(1, READINGS[1][1]) == Node("girls", "girl")
    assert found.word(2, READINGS[2][0]) is None
    assert found.word(2, READINGS[2][1]) == Node("the", "the")
    chosen = found.as_chosen([found.word(0, READINGS[0][0]), found.word(1, READINGS[1][1]), None])
    assert [node.form for node in chosen.nodes] == ["saw", "girls", ""]
    assert found.described()[2] == (("", -0.2), ("the", -1.7))


def test_the_lattice_weighs_them() -> None:
    (article,) = completed(TREE, OPTIONS, READINGS).alternatives([2])
    assert [(one.form, one.logprob) for one in article] == [("", WEIGHT * -0.2 - LEFT_OUT), ("the", WEIGHT * -1.7)]


def test_words_become_lemmas() -> None:
    assert as_lemma(Node("saw", "see")) == Node("", "see")
    assert as_lemma(Node("see")) == Node("", "see")
    assert as_lemma(Node("", None, deprel="goeswith")) == Node("", None, deprel="goeswith")


def test_a_chosen_word_is_a_lemma_where_it_is_inflected() -> None:
    node = Node("", upos="VERB")
    assert with_word(node, "buy", inflect=False) == Node("buy", "buy", "VERB")
    assert with_word(node, "buy", inflect=True) == Node("", "buy", "VERB")
    past = Node("", upos="VERB", feats=(("Tense", "Past"),))
    assert with_word(past, "buy", inflect=False).lemma == "buy"
