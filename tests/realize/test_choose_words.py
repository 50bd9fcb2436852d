from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Choice, DependencyTree, Node, OrderedTree
from fergus.errors import ModelError
from fergus.realize.choose_words import WordChooser
from fergus.realize.learn_words import WordSettings, fitted, learn_words
from fergus.realize.model import Section
from fergus.realize.word_context import KINDS, context_hash, contexts, event_keys, word_hash
from fergus.realize.word_model import TEXT, UNSEEN, WordModel, words_from, words_section


def sentence(verb: str, noun: str, *, adverb: str = "") -> OrderedTree:
    """*we buy houses*, *we take trains quickly*."""
    nodes = [
        Node(verb + "s", verb, "VERB", feats=(("Tense", "Pres"),), deprel="root"),
        Node("we", "we", "PRON", deprel="nsubj"),
        Node(noun + "s", noun, "NOUN", feats=(("Number", "Plur"),), deprel="obj"),
        *([Node(adverb, adverb, "ADV", deprel="advmod")] if adverb else []),
    ]
    tree = DependencyTree(tuple(nodes), (-1, *[0] * (len(nodes) - 1)))
    return OrderedTree(tree, tuple(range(len(nodes))))


TREEBANK = [
    *[sentence("buy", noun) for noun in ("house", "car", "book", "house", "car", "book") * 10],
    *[sentence("take", noun, adverb="often") for noun in ("train", "bus", "train") * 10],
]
SETTINGS = WordSettings(block=2, held_out=4)


@pytest.fixture(scope="module")
def model() -> WordModel:
    return learn_words(TREEBANK, frequencies={"we": 1, "acquire": 2, "houses": 1}, settings=SETTINGS)


def chosen(model: WordModel, tree: DependencyTree, node: int, *lemmas: str) -> str:
    scores = WordChooser(model).scores(tree, node, lemmas)
    assert math.isclose(sum(map(math.exp, scores)), 1.0)
    return lemmas[int(np.argmax(scores))]


def test_the_context_decides(model: WordModel) -> None:
    # The object is what tells the verbs apart: "take" was never seen with a house, nor "buy" with a train.
    assert chosen(model, sentence("buy", "house").tree, 0, "take", "buy") == "buy"
    assert chosen(model, sentence("buy", "train", adverb="often").tree, 0, "buy", "take") == "take"
    assert chosen(model, sentence("take", "x").tree, 2, "bus", "house", "zebra") != "zebra"


def test_the_own_word_is_not_looked_at_and_open_words_say_nothing(model: WordModel) -> None:
    tree, chooser = sentence("buy", "house").tree, WordChooser(model)
    other = replace(tree, nodes=(Node("", upos="VERB", feats=(("Tense", "Pres"),), deprel="root"), *tree.nodes[1:]))
    assert chooser.scores(tree, 0, ["buy", "take"]) == chooser.scores(other, 0, ["buy", "take"])
    opened = replace(tree, nodes=(*tree.nodes[:2], Node("", deprel="obj", alternatives=(Choice("a"), Choice("b")))))
    found = contexts(opened, 0, {})
    assert not [value for kind, value in found if KINDS[kind] == "daughter" and value.startswith("obj")]
    assert chosen(model, opened, 0, "buy", "take") == "buy"


def test_the_order_of_nodes_and_lemmas_does_not_matter(model: WordModel) -> None:
    tree, chooser = sentence("take", "train", adverb="often").tree, WordChooser(model)
    scores = chooser.scores(tree, 0, ["buy", "take", "zzz"])
    again = chooser.scores(tree.permuted([3, 1, 0, 2]), 2, ["zzz", "take", "buy"])
    assert again == pytest.approx(scores[::-1])


def test_contexts_of_a_drawn_tree() -> None:
    # (in the order of the module's drawing) bought(firm house 1990(in))
    nodes = (
        Node("bought", "buy", "VERB", feats=(("Tense", "Past"),), deprel="root"),
        Node("firm", "firm", "NOUN", deprel="nsubj"),
        Node("1990", "1990", "NUM", deprel="obl"),
        Node("in", "in", "ADP", deprel="case"),
        Node("old"),
    )
    tree = DependencyTree(nodes, (-1, 0, 0, 2, 1))

    def shown(node: int) -> set[tuple[str, str]]:
        return {(KINDS[kind], value) for kind, value in contexts(tree, node, {"VERB": ("obj", "obl")})}

    assert shown(0) == {
        ("relation", "root"),
        ("features", "Tense=Past"),
        ("feature", "Tense=Past"),
        ("daughter", "nsubj firm"),
        ("daughter", "obl 1990"),
        ("daughter's category", "nsubj NOUN"),
        ("daughter's category", "obl NUM"),
        ("daughter's marker", "obl in"),
        ("absent relation", "obj"),
        ("relations below", "nsubj obl"),
    }
    assert shown(1) == {
        ("relation", "nsubj"),
        ("mother", "buy"),
        ("mother by relation", "nsubj buy"),
        ("sister", "nsubj obl 1990"),
        ("daughter", "old"),
        ("relations below", ""),
    }
    assert shown(4) == {("mother", "firm"), ("sentence", "buy")}


def test_words_without_labels(model: WordModel) -> None:
    tree = sentence("take", "train", adverb="often").tree.bare()
    assert chosen(model, tree, 0, "buy", "take") == "buy"  # the more frequent one; nothing else is known
    assert WordChooser(model).scores(tree, 0, []) == ()
    assert WordChooser(model).scores(tree, 0, ["nobody-knows"]) == (0.0,)


def test_rare_words_are_told_apart_by_text(model: WordModel) -> None:
    assert model.weights[1] >= 0 or chosen(model, sentence("buy", "house").tree, 0, "zzz", "acquire") == "zzz"
    frequency = model.count(np.array([word_hash("acquire", TEXT)], np.uint64), np.zeros(1, np.uint64))
    assert frequency.tolist() == [2.0]


def test_evidence_is_a_smoothed_ratio() -> None:
    # 4 verbs, of them 3 "buy"; the context stands with 2 verbs, both "buy". P(context) = 1/2; with a prior of 1:
    # buy: log (2 / .5 + 1) / (3 + 1) = log 5/4; take: log (0 + 1) / (1 + 1) = log 1/2.
    context = np.array([context_hash(0, "root")], np.uint64)
    none = np.zeros(1, np.uint64)
    words = {"buy": 3.0, "take": 1.0, "": 4.0}
    keys = [int(event_keys(np.array([word_hash(w, "VERB")], np.uint64), none)[0]) for w in words]
    pairs = {"buy": 2.0, "": 2.0}
    keys += [int(event_keys(np.array([word_hash(w, "VERB")], np.uint64), context)[0]) for w in pairs]
    counts = [*words.values(), *pairs.values()]
    order = np.argsort(keys)
    model = WordModel(
        np.array(keys, np.uint32)[order], np.array(counts, np.float32)[order], {}, np.ones(2 + len(KINDS)), 1.0
    )
    rows = model.evidence(["buy", "take"], "VERB", np.array([0]), context)
    assert rows[:, 2] == pytest.approx([math.log(5 / 4), math.log(1 / 2)])
    assert rows[:, 0] == pytest.approx([math.log(3 + UNSEEN), math.log(1 + UNSEEN)])
    assert not rows[:, 3:].any()


def test_an_empty_treebank_says_nothing() -> None:
    model = learn_words([])
    scores = WordChooser(model).scores(sentence("buy", "house").tree, 0, ["a", "b"])
    assert scores == pytest.approx([math.log(0.5)] * 2)
    assert WordChooser(replace(model, relations={})).scores(sentence("a", "b").tree.bare(), 0, ["a"]) == (0.0,)


def test_without_rivals_the_weights_stay() -> None:
    model = learn_words([sentence("buy", "house")] * 8, settings=SETTINGS)
    assert model.weights[0] == 1.0
    only_held_out = [Node("a", "a", "X"), Node("b", "b", "VERB")]
    trees = [OrderedTree(DependencyTree((node,), (-1,)), (0,)) for node in only_held_out]
    assert learn_words(trees, settings=WordSettings(block=1, held_out=2)).weights[0] == 1.0


def test_the_section_comes_back(model: WordModel) -> None:
    again = words_from(words_section(model))
    assert (again.keys == model.keys).all()
    # 16 steps for each doubling: at most 2 ** (1 / 32) away.
    assert np.abs(np.log2(again.counts / model.counts)).max() <= 1 / 32 + 1e-6
    assert (again.relations, again.prior) == (model.relations, model.prior)
    assert again.weights == pytest.approx(model.weights, abs=1e-4)


def test_learning_is_the_same_every_time(model: WordModel) -> None:
    again = learn_words(TREEBANK, frequencies={"we": 1, "acquire": 2, "houses": 1}, settings=SETTINGS)
    assert (again.keys == model.keys).all()
    assert (again.weights == model.weights).all()


def test_broken_sections(model: WordModel) -> None:
    section = words_section(model)
    settings, arrays = dict(section.settings), dict(section.arrays)
    for broken in (
        Section(settings, {**arrays, "counts": arrays["counts"][1:]}),
        Section(settings, {**arrays, "keys": np.full_like(arrays["keys"], 255)}),
        Section({**settings, "kinds": ["moon"]}, arrays),
        Section({**settings, "weights": [1.0]}, arrays),
    ):
        with pytest.raises(ModelError, match="train"):
            words_from(broken)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=2, max_size=30))
def test_fitted_weights_are_at_a_minimum(rows: list[tuple[float, float]]) -> None:
    cases = [np.array(rows[i : i + 2]) for i in range(0, len(rows) - 1, 2)]

    def loss(weights: np.ndarray) -> float:
        rows = [case @ weights for case in cases]
        return float(np.mean([np.log(np.exp(row - row[0]).sum()) for row in rows]) + 0.1 * weights @ weights)

    weights = fitted(cases, penalty=0.1)
    for step in ([0.01, 0], [-0.01, 0], [0, 0.01], [0, -0.01]):
        assert loss(weights) <= loss(weights + step) + 1e-5
