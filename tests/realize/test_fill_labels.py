from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import DependencyTree, Node
from fergus.realize.features import CASE_OR_MARK, DEPREL, FLAGS, FUNCTION, UPOS, Encoder, TreeArrays, hashed
from fergus.realize.fill_labels import Labeller, LabelModel
from fergus.realize.label_scores import (
    MOST_FEATURES,
    NARROW,
    WIDE,
    Candidates,
    edge_slots,
    feature_slots,
    list_candidates,
    node_features,
)
from fergus.realize.learn_labels import candidate_keys, learn_candidates

LABELS = (
    *(("NOUN", "nsubj"), ("VERB", "root"), ("DET", "det"), ("NOUN", "root"), ("ADP", "case"), ("VERB", "acl")),
    ("NOUN", "obj"),
)
NUMBER = {label: i for i, label in enumerate(LABELS)}
WORDS = ("dog", "saw", "the", "of", "walks", "talks")
# Which labels each word was seen with; all rare, so endings and shapes help too.
SEEN = {"dog": [0, 3], "saw": [1, 5, 0], "the": [2], "of": [4], "walks": [1, 6]}


def small_model(seed: int, *, labels: tuple[tuple[str, str], ...] = LABELS, bits: int = 12) -> LabelModel:
    encoder = Encoder()
    corpus = [
        (encoder.encode(DependencyTree((Node(word),), (-1,))), np.array([number], np.int32))
        for word, numbers in SEEN.items()
        for number in numbers
    ]
    weights = np.random.default_rng(seed).normal(size=1 << bits).astype(np.float32)
    return LabelModel(labels, learn_candidates(corpus), weights)


@st.composite
def bare_trees(draw: st.DrawFn) -> DependencyTree:
    size = draw(st.integers(1, 4))
    heads = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, size))]
    return DependencyTree(tuple(Node(draw(st.sampled_from(WORDS))) for _ in range(size)), tuple(heads))


def arrays_of(*nodes: Node) -> TreeArrays:
    return Encoder().encode(DependencyTree(nodes, (-1, *[0] * (len(nodes) - 1))))


def candidates_of(model: LabelModel, tree: TreeArrays, node: int) -> list[int]:
    out = np.empty(WIDE + 1, np.int32)
    return out[: list_candidates(tree.base, node, model.candidates, model.codes, out)].tolist()


def score(model: LabelModel, tree: TreeArrays, labels: tuple[int, ...]) -> float:
    """The score of a labelling: each node's features with its label, and each pair of daughter and mother."""
    codes, weights = model.codes, model.weights
    slots, features = np.empty(5, np.uint64), np.empty(MOST_FEATURES, np.uint64)
    total = 0.0
    for i, label in enumerate(labels):
        count = node_features(tree.base, tree.head, tree.first_daughter, i, features)
        for f in range(count):
            feature_slots(features[f], codes[label], len(weights), slots)
            total += float(weights[slots[:3]].astype(float).sum())
        if i:
            h = tree.head[i]
            edge_slots(tree.base, i, h, codes[label], codes[labels[h]], len(weights), slots)
            total += float(weights[slots].astype(float).sum())
    return total


@settings(max_examples=60)
@given(bare_trees(), st.integers(0, 2**32 - 1))
def test_the_best_labelling_of_all(tree: DependencyTree, seed: int) -> None:
    model = small_model(seed)
    arrays = Encoder().encode(tree)
    options = [candidates_of(model, arrays, node) for node in range(len(tree))]
    assert all(len(o) <= NARROW for o in options)
    scores = {labels: score(model, arrays, labels) for labels in product(*options)}
    labels, odds = Labeller(model).label(arrays)
    assert scores[tuple(labels.tolist())] == pytest.approx(max(scores.values()), abs=1e-4)
    assert ((odds[:, 0] > 0) & (odds[:, 0] <= 1)).all()
    assert (odds[:, 0] + odds[:, 2] <= 1 + 1e-6).all()
    for node, option in enumerate(options):  # a runner-up wherever there is a choice
        assert (odds[node, 1] >= 0) == (len(option) > 1)


@given(bare_trees(), st.integers(0, 99))
def test_the_root_and_only_the_root_is_root(tree: DependencyTree, seed: int) -> None:
    arrays = Encoder().encode(tree)
    filled = Labeller(small_model(seed)).fill(arrays)
    assert filled.base[0, DEPREL] == hashed("root")
    assert not (filled.base[1:, DEPREL] == hashed("root")).any()
    assert (filled.base[:, UPOS] != 0).all()


@given(bare_trees(), st.data())
def test_given_labels_are_kept(tree: DependencyTree, data: st.DataObject) -> None:
    nodes = []
    for node in tree.nodes:
        upos, deprel = data.draw(st.sampled_from(LABELS))
        what = data.draw(st.sampled_from(["both", "category", "relation", "nothing"]))
        nodes.append(
            replace(
                node,
                upos=upos if what in ("both", "category") else None,
                deprel=deprel if what in ("both", "relation") else None,
            )
        )
    arrays = Encoder().encode(DependencyTree(tuple(nodes), tree.heads))
    filled = Labeller(small_model(1)).fill(arrays)
    for row, old in zip(filled.base, arrays.original.tolist(), strict=True):
        if nodes[old].upos:
            assert row[UPOS] == hashed(nodes[old].upos)
        if nodes[old].deprel:
            assert row[DEPREL] == hashed(nodes[old].deprel)
        assert row[UPOS] != 0 != row[DEPREL]


def test_a_tree_with_all_labels_is_left_alone() -> None:
    arrays = Encoder().encode(DependencyTree((Node("dog", upos="X", deprel="odd"),), (-1,)))
    assert Labeller(small_model(1)).fill(arrays) is arrays


def test_filled_relations_bring_their_flags() -> None:
    model = small_model(1)
    assert model.codes[NUMBER["ADP", "case"]].tolist() == [hashed("ADP"), hashed("case"), CASE_OR_MARK | FUNCTION]
    assert model.codes[NUMBER["DET", "det"], 2] == 0
    arrays = arrays_of(Node("dog"), Node("of", upos="ADP"))
    filled = Labeller(model).fill(arrays)  # the only label of that category is (ADP, case)
    assert filled.base[1, FLAGS] & CASE_OR_MARK
    assert not arrays.base[1, FLAGS] & CASE_OR_MARK


def test_candidates_of_words_endings_and_shapes() -> None:
    model = small_model(1)
    root, talks = arrays_of(Node("dog"), Node("talks")), 1
    # The root takes root labels only; dog was seen as (NOUN, root), and its shape with (VERB, root).
    assert set(candidates_of(model, root, 0)) == {NUMBER["NOUN", "root"], NUMBER["VERB", "root"]}
    # "talks" is unknown: its ending was seen on "walks" first, then whatever lower-case words were.
    found = candidates_of(model, root, talks)
    assert found[0] == NUMBER["NOUN", "obj"]
    assert set(found) == set(range(len(LABELS))) - {NUMBER["VERB", "root"], NUMBER["NOUN", "root"]}


def test_a_given_category_restricts_the_candidates() -> None:
    model = small_model(1)
    assert candidates_of(model, arrays_of(Node("dog"), Node("walks", upos="DET")), 1) == [NUMBER["DET", "det"]]
    # Never seen in this shape at all: every label that agrees
    assert candidates_of(model, arrays_of(Node("dog"), Node("42", upos="ADP")), 1) == [NUMBER["ADP", "case"]]
    # Nothing agrees: the most frequent label stands in
    assert candidates_of(model, arrays_of(Node("dog"), Node("42", upos="INTJ")), 1) == [0]


def test_a_well_known_word_keeps_to_its_categories() -> None:
    encoder = Encoder()
    tree = encoder.encode(DependencyTree((Node("dog"),), (-1,)))
    other = encoder.encode(DependencyTree((Node("the"),), (-1,)))
    corpus = [(tree, np.array([NUMBER["NOUN", "nsubj"]], np.int32))] * 5 + [(other, np.array([2], np.int32))]
    model = LabelModel(LABELS, learn_candidates(corpus), np.zeros(16, np.float32))
    found = candidates_of(model, arrays_of(Node("the"), Node("dog")), 1)
    assert {LABELS[number] for number in found} == {("NOUN", "nsubj"), ("NOUN", "obj")}


def test_candidates_are_counted_by_word_ending_and_shape() -> None:
    encoder = Encoder()
    tree = encoder.encode(DependencyTree((Node("dog"), Node("dog"), Node("fog")), (-1, 0, 0)))
    found = learn_candidates([(tree, np.array([1, 2, 2], np.int32)), (tree, np.array([-1, -1, 2], np.int32))])
    assert isinstance(found, Candidates)
    assert found.keys.tolist() == sorted(found.keys.tolist())
    by_key = {
        key: found.labels[found.start[i] : found.start[i + 1]].tolist() for i, key in enumerate(found.keys.tolist())
    }
    base = tree.base.tolist()
    names = {int(old): new for new, old in enumerate(tree.original)}
    form, ending, shape = candidate_keys(*(base[names[0]][column] for column in (0, 2, 1)))
    assert len(by_key) == 2 + 2 + 1  # two forms, two endings, one shape
    assert sorted(by_key[form][:-1]) in ([1, 2], [2])
    assert by_key[shape][0] == 2
    assert by_key[shape][-1] == -1  # seen less than KNOWN times
    assert by_key[ending][-1] == -1
