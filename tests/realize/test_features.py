from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Before, Choice, DependencyTree, Node, Place
from fergus.realize.features import (
    BASE,
    CAPITAL,
    CASE,
    CASE_OR_MARK,
    CASES,
    CORE,
    COUNT,
    DEGREE,
    DEPREL,
    FIRST_FORM,
    FIRST_INITIAL,
    FLAGS,
    FORM,
    FRAME,
    FUNCTION,
    FUNCTIONS,
    INITIAL,
    IS_ROOT,
    LAST_UPOS,
    LEAF_FORMS,
    LEAVES,
    MARKER,
    NODE_ATTRIBUTES,
    OWN_INITIAL,
    PRON_TYPE,
    PUNCTUATION,
    QUESTION,
    RELATION,
    RELATIONS,
    SENTENCE_CAPITAL,
    SENTENCE_QUESTION,
    SIZE,
    TREELET_ATTRIBUTES,
    UNLABELLED,
    UPOS,
    VERB_FORM,
    Encoder,
    TreeArrays,
    bucket,
    copy_edges,
    hashed,
    learn_usually_lower,
    lowered,
    node_attributes,
    treelet_attributes,
    word_shape,
)
from tests.realize.random_trees import trees


def attributes(tree: TreeArrays) -> tuple[np.ndarray, np.ndarray]:
    x = node_attributes(tree.base, tree.head, tree.first_daughter)
    return x, treelet_attributes(x, tree.head, tree.first_daughter)


@given(trees(), st.data())
def test_arrays_do_not_depend_on_the_order_of_the_nodes(tree: DependencyTree, data: st.DataObject) -> None:
    permutation = data.draw(st.permutations(range(len(tree))))
    encoder = Encoder({"the"})
    one, two = encoder.encode(tree), encoder.encode(tree.permuted(permutation))
    for a, b in zip(one[:3], two[:3], strict=True):
        assert np.array_equal(a, b)
    # The nodes behind the rows are the same too, or twins that nobody can tell apart.
    for mine, other in zip(one.original.tolist(), two.original.tolist(), strict=True):
        assert tree.nodes[mine] == tree.nodes[permutation[other]]
    for a, b in zip(attributes(one), attributes(two), strict=True):
        assert np.array_equal(a, b)


@given(trees())
def test_mothers_come_first_and_daughters_are_neighbours(tree: DependencyTree) -> None:
    arrays = Encoder().encode(tree)
    assert sorted(arrays.original.tolist()) == list(range(len(tree)))
    assert arrays.head[0] == -1
    for node in range(len(tree)):
        daughters = range(arrays.first_daughter[node], arrays.first_daughter[node + 1])
        assert {int(arrays.original[d]) for d in daughters} == set(tree.daughters[arrays.original[node]])
        assert all(arrays.head[d] == node < d for d in daughters)


@pytest.mark.parametrize(
    "constraints",
    [
        (Place(1, "left"),),
        (Place(1, "left", 1), Place(2, "left", 2)),
        (Before(1, 3),),
        (Before(4, 1), Before(2, 0)),
    ],
)
def test_twins_are_told_apart_by_their_constraints(constraints: tuple[Before | Place, ...]) -> None:
    tree = DependencyTree(tuple(map(Node, ["h", "ha", "ha", "x", "y"])), (-1, 0, 0, 0, 0), constraints)
    swapped = (4, 2, 0, 1, 3)
    encoder = Encoder()
    one, two = encoder.encode(tree).original, encoder.encode(tree.permuted(swapped)).original
    assert one.tolist() == [swapped[i] for i in two]


def test_a_chain_of_ten_thousand() -> None:
    size = 10_000
    arrays = Encoder().encode(DependencyTree((Node("a"),) * size, tuple(range(-1, size - 1))))
    assert arrays.original.tolist() == list(range(size))
    x, _ = attributes(arrays)
    assert x[0, SIZE] == bucket(size) == 9


def test_hashes_are_the_same_in_every_process() -> None:
    # 0xCBF43926 is the check value of CRC-32; the highest bit goes. The CRC of nothing is 0 and becomes 1.
    assert hashed("123456789") == 0x4BF43926
    assert hashed("") == 1
    assert hashed("nsubj") == hashed("nsubj") != hashed("obj")


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        *[("dog", 1), ("Dog", 2), ("DOG", 3), ("I", 4), ("iPod", 5), ("McX", 5), ("42nd", 6), ("7", 6)],
        *[(",", 7), ("--", 7), ("", 7), ("B2B", 8), ("b2b", 9), ("n't", 9), ("$5", 9), ("犬", 5)],
    ],
)
def test_word_shapes(form: str, shape: int) -> None:
    assert word_shape(form) == shape


def test_words_that_are_usually_written_small() -> None:
    text = [["The", "dog"], ["He", "saw", "the", "Dog"], ["a", "The"], ["I", "i", "Rome"], ["Rome"]]
    # the: once lower, once capitalised inside; dog: once each; he: only first; saw, a: lower; i never counts
    assert learn_usually_lower(text) == {"saw", "a"}
    assert learn_usually_lower([]) == frozenset()
    # a sentence without any capital says nothing about capitals
    assert learn_usually_lower([["rome", "fell", "."]]) == frozenset()


def one_word(node: Node, *, usually_lower: tuple[str, ...] = ()) -> np.ndarray:
    return Encoder(usually_lower).encode(DependencyTree((node,), (-1,))).base[0]


def test_flags_of_single_nodes() -> None:
    assert one_word(Node("The"), usually_lower=("the",))[FLAGS] == SENTENCE_CAPITAL | UNLABELLED
    assert one_word(Node("the"), usually_lower=("the",))[FLAGS] == UNLABELLED
    assert one_word(Node("dog", upos="NOUN", deprel="obj"))[FLAGS] == 0
    assert one_word(Node("of", upos="ADP", deprel="case"))[FLAGS] == CASE_OR_MARK | FUNCTION
    assert one_word(Node("is", upos="AUX", deprel="cop"))[FLAGS] == FUNCTION
    # a relation speaks even where the category is missing
    assert one_word(Node("of", deprel="case"))[FLAGS] == UNLABELLED | CASE_OR_MARK | FUNCTION


def test_columns_of_missing_labels_are_zero() -> None:
    row = one_word(Node("Dog"))
    assert row[FORM] == hashed("dog")
    assert row[UPOS] == row[DEPREL] == 0
    assert one_word(Node("dog", feats=()))[5] == hashed("_")
    assert one_word(Node("dog", feats=(("Number", "Sing"), ("X", "y"))))[5] == hashed("Number=Sing|X=y")


def test_single_features_and_relations_without_their_subtype() -> None:
    row = one_word(Node("evi", feats=(("Case", "Acc"), ("Number", "Sing")), deprel="obl:arg"))
    assert (row[CASE], row[VERB_FORM], row[PRON_TYPE]) == (hashed("Acc"), 1, 1)  # 1: there are features, not this one
    assert (row[RELATION], row[DEPREL]) == (hashed("obl"), hashed("obl:arg"))
    assert one_word(Node("evi"))[CASE] == one_word(Node("evi"))[RELATION] == 0


def test_a_capital_that_the_lemma_lacks_begins_the_sentence() -> None:
    assert one_word(Node("Bilimde", lemma="bilim", upos="NOUN"))[OWN_INITIAL] == 2
    assert one_word(Node("bilimde", lemma="bilim", upos="NOUN"))[OWN_INITIAL] == 1
    assert one_word(Node("Ankara", lemma="Ankara", upos="NOUN"))[OWN_INITIAL] == 1
    assert one_word(Node("Ankara", lemma="ankara", upos="PROPN"))[OWN_INITIAL] == 1
    assert one_word(Node("Bilimde"))[OWN_INITIAL] == 1
    # yok(yer(Bilimde)): whoever has the word below her is marked, and the phrase that begins with it
    nodes = (Node("yok", lemma="yok"), Node("yer", lemma="yer"), Node("Bilimde", lemma="bilim"))
    arrays = Encoder().encode(DependencyTree(nodes, (-1, 0, 1)))
    x, _ = attributes(arrays)
    assert x[:, INITIAL].tolist() == [2, 2, 2]
    assert x[:, FIRST_INITIAL].tolist() == x[:, OWN_INITIAL].tolist() == [1, 1, 2]
    copy_edges(x, 1, 2, 1)
    assert x[:, FIRST_INITIAL].tolist() == [1, 2, 2]


def test_the_dotted_capital_of_turkish_is_one_letter() -> None:
    assert lowered("İfade") == "ifade"
    assert one_word(Node("İfade"))[FORM] == one_word(Node("ifade"))[FORM]
    assert learn_usually_lower([["Bu", "ifade"], ["Bu", "İfade", "ve", "ifade"]]) == {"ifade", "ve"}


def test_attributes_of_a_question() -> None:
    # sees(Who/nsubj dog/obj(the/det of/case) ?/punct)
    nodes = (
        Node("sees", upos="VERB", deprel="root"),
        Node("Who", upos="PRON", deprel="nsubj", feats=(("PronType", "Int"),)),
        Node("dog", upos="NOUN", deprel="obj"),
        Node("the", upos="DET", deprel="det"),
        Node("of", upos="ADP", deprel="case"),
        Node("?", upos="PUNCT", deprel="punct"),
    )
    arrays = Encoder({"who"}).encode(DependencyTree(nodes, (-1, 0, 0, 2, 2, 0)))
    x, treelets = attributes(arrays)
    at = {nodes[old].form: new for new, old in enumerate(arrays.original.tolist())}
    root, dog = at["sees"], at["dog"]
    assert x.shape == (6, len(NODE_ATTRIBUTES))
    assert np.array_equal(x[:, :BASE], arrays.base)
    assert (x[root, SIZE], x[root, DEGREE], x[dog, SIZE], x[dog, DEGREE]) == (6, 3, 3, 2)
    assert (x[root, CAPITAL], x[dog, CAPITAL]) == (2, 1)
    assert x[dog, MARKER] != 0 == x[root, MARKER]
    assert x[dog, LEAVES] != 0 != x[dog, FRAME]
    assert x[dog, FIRST_FORM] == hashed("dog")
    assert treelets.shape == (6, len(TREELET_ATTRIBUTES))
    # a question mark (1) and an interrogative word (2), counted from 1; the whole sentence asks
    assert (treelets[root, QUESTION], treelets[root, SENTENCE_QUESTION], treelets[root, IS_ROOT]) == (4, 2, 2)
    assert (treelets[dog, QUESTION], treelets[dog, SENTENCE_QUESTION], treelets[dog, IS_ROOT]) == (1, 2, 1)
    assert (treelets[root, COUNT], treelets[dog, COUNT]) == (3, 2)
    assert treelets[root, CORE] == 1 + 0b11  # nsubj and obj
    assert treelets[dog, FUNCTIONS] != 0 == treelets[root, FUNCTIONS]
    assert treelets[root, PUNCTUATION] != 0 == treelets[dog, PUNCTUATION]
    assert treelets[root, RELATIONS] != treelets[dog, RELATIONS]
    assert treelets[root, LEAF_FORMS] != 0
    assert treelets[root, CASES] != treelets[dog, CASES]
    assert not treelets[at["the"]].any()


def test_edges_of_a_phrase_are_those_of_its_first_and_last_item() -> None:
    tree = DependencyTree((Node("b", upos="B"), Node("a", upos="A"), Node("c", upos="C")), (-1, 0, 0))
    arrays = Encoder().encode(tree)
    x, _ = attributes(arrays)
    at = {old: new for new, old in enumerate(arrays.original.tolist())}
    copy_edges(x, at[0], at[1], at[2])
    assert x[at[0], FIRST_FORM] == hashed("a")
    assert x[at[0], LAST_UPOS] == hashed("C")


def test_buckets_of_sizes() -> None:
    assert [bucket(n) for n in (1, 5, 6, 8, 9, 13, 14, 24, 25, 9999)] == [1, 5, 6, 6, 7, 7, 8, 8, 9, 9]


def test_words_to_choose_from_tell_sisters_apart() -> None:
    words = [("buy",), ("purchase",), ("buy", "purchase")]
    sisters = [Node("", upos="VERB", deprel="conj", alternatives=tuple(map(Choice, own))) for own in words]
    nodes = (Node("go", upos="VERB", deprel="root"), *sisters)
    tree = DependencyTree(nodes, (-1, 0, 0, 0))
    orders = set()
    for permutation in permutations(range(4)):
        stored = tree.permuted(permutation)
        original = Encoder().encode(stored).original
        orders.add(tuple(stored.nodes[i].alternatives for i in original))
    assert len(orders) == 1


def test_a_tree_that_is_said_to_ask_is_a_question() -> None:
    tree = DependencyTree((Node("go", upos="VERB", deprel="root"), Node("you", upos="PRON", deprel="nsubj")), (-1, 0))
    for asks, answer in ((False, 1), (True, 2)):
        arrays = Encoder().encode(tree, asks=asks)
        nodes = node_attributes(arrays.base, arrays.head, arrays.first_daughter)
        treelets = treelet_attributes(nodes, arrays.head, arrays.first_daughter)
        assert treelets[0, QUESTION] == treelets[0, SENTENCE_QUESTION] == answer
