from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.features import FIRST_FORM, LAST_FORM, Encoder, hashed
from fergus.realize.learn_order import (
    LEARNED,
    add_observed,
    all_backward,
    all_forward,
    learn_order,
    learnable,
    log_add,
    ordering_corpus,
    subtract_expected,
)
from fergus.realize.order_scores import TreeletScores, room
from fergus.realize.order_search import NEVER, search_room, sum_pairs
from fergus.realize.templates import Templates, parse_templates, shipped_templates
from fergus.realize.unravel import OrderingModel, Unraveler
from tests.realize.order_oracle import all_orders, order_score, random_scores

ROOM = search_room()
TABLES = ("side", "before_left", "before_right", "next_left", "next_right")


def log_likelihood(s: TreeletScores, gold: tuple[int, ...]) -> float:
    scores = [order_score(s, order) for order in all_orders(len(gold) - 1)]
    return order_score(s, gold) - math.log(math.fsum(map(math.exp, scores)))


def gradient(s: TreeletScores, gold: tuple[int, ...]) -> TreeletScores:
    k = len(gold) - 1
    g = room(k, 1, 1)
    sum_pairs(k, s, ROOM.sum_left, ROOM.sum_right)
    add_observed(k, np.array(gold), g)
    total = all_forward(k, s, ROOM)
    all_backward(k, s, ROOM)
    subtract_expected(k, s, ROOM, total, g)
    return g


@settings(max_examples=15)
@given(st.integers(1, 3).flatmap(lambda k: st.permutations(range(k + 1))), st.integers(0, 2**32 - 1))
def test_the_gradient_is_that_of_the_log_likelihood(gold: list[int], seed: int) -> None:
    k = len(gold) - 1
    s = random_scores(k, seed)
    g = gradient(s, tuple(gold))
    step = 1e-4
    for name in TABLES:
        table, slopes = getattr(s, name), getattr(g, name)
        for place in np.ndindex(table.shape):
            if name != "side" and place[0] == place[1]:
                continue
            here = table[place]
            table[place] = here + step
            above = log_likelihood(s, tuple(gold))
            table[place] = here - step
            below = log_likelihood(s, tuple(gold))
            table[place] = here
            assert slopes[place] == pytest.approx((above - below) / (2 * step), abs=1e-5)


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_the_sum_over_all_orders(k: int, seed: int) -> None:
    s = random_scores(k, seed)
    sum_pairs(k, s, ROOM.sum_left, ROOM.sum_right)
    expected = math.log(math.fsum(math.exp(order_score(s, order)) for order in all_orders(k)))
    assert all_forward(k, s, ROOM) == pytest.approx(expected)


def test_log_add() -> None:
    assert log_add(math.log(2), math.log(3)) == pytest.approx(math.log(5))
    assert log_add(NEVER, 1.5) == log_add(1.5, NEVER) == 1.5


def ordered(words: list[tuple[str, str, str, int]]) -> OrderedTree:
    """Words (form, category, relation, head counted from 1) in their order."""
    nodes = tuple(Node(form, upos=upos, deprel=deprel) for form, upos, deprel, _ in words)
    return OrderedTree(DependencyTree(nodes, tuple(h - 1 for *_, h in words)), tuple(range(len(words))))


def head_final(random: np.random.Generator, vocabulary: str) -> OrderedTree:
    """A language with adjectives before nouns, subject before object before verb, and a particle at the end."""

    def word() -> str:
        return vocabulary + "".join(random.choice(list("aeioptk"), 4))

    words: list[tuple[str, str, str, int]] = []
    nouns = []
    for relation in ["nsubj", "obj"][: random.integers(1, 3)]:
        adjectives = int(random.integers(0, 3))
        noun = len(words) + adjectives + 1
        words += [(word(), "ADJ", "amod", noun) for _ in range(adjectives)]
        words.append((word(), "NOUN", relation, 0))
        nouns.append(noun)
    verb = len(words) + 1
    words = [(f, u, d, verb if i in nouns else h) for i, (f, u, d, h) in enumerate(words, 1)]
    words.append((word(), "VERB", "root", 0))
    words.append(("yo", "PART", "discourse", verb))
    return ordered(words)


def corpus_of(trees: list[OrderedTree], encoder: Encoder) -> list:  # type: ignore[type-arg]
    return [(encoder.encode(o.tree), np.argsort(np.array(o.order)).astype(np.int32)) for o in trees]


def learned(trees: list[OrderedTree], templates: Templates, **changes: object) -> np.ndarray:
    options = {"bits": 14, "epochs": 3, "rate": 0.2, "drop": 0.2, "seed": 1} | changes
    return learn_order(ordering_corpus(corpus_of(trees, Encoder())), templates, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["labels", "mine"])
def test_a_head_final_language_is_learned(name: str) -> None:
    random = np.random.default_rng(3)
    templates = (
        shipped_templates(name)
        if name == "labels"
        else parse_templates("[daughter]\na.deprel h.upos\n[sisters]\na.deprel b.deprel h.upos\n")
    )
    weights = learned([head_final(random, "x") for _ in range(150)], templates)
    assert not weights[-1].any()  # the row of what was dropped out
    unraveler = Unraveler(OrderingModel(templates, weights), margin=0.0)
    for _ in range(30):
        unseen = head_final(random, "z")
        tree = unseen.tree.permuted(random.permutation(len(unseen.tree)).tolist())
        arrays = Encoder().encode(tree)
        orders = [
            [tree.nodes[arrays.original[i]].deprel for i in path] for path, _ in unraveler.unravel(arrays).paths()
        ]
        gold = [node.deprel for node in unseen.tree.nodes]
        assert orders
        assert all(order == gold for order in orders)


def test_the_same_seed_gives_the_same_weights() -> None:
    trees = [head_final(np.random.default_rng(i), "x") for i in range(20)]
    templates = parse_templates("[daughter]\na.deprel\na.form\n[sisters]\na.deprel b.deprel\n")
    one = learned(trees, templates)
    assert np.array_equal(one, learned(trees, templates))
    assert not np.array_equal(one, learned(trees, templates, seed=2))


def test_progress_counts_the_treelets() -> None:
    # Two treelets are learned from; the third has too many daughters.
    crowd = [("v", "VERB", "root", 0), *[(f"w{i}", "X", "dep", 1) for i in range(LEARNED + 1)]]
    trees = [head_final(np.random.default_rng(1), "x"), ordered(crowd)]
    treelets = sum(bool(d) and len(d) <= LEARNED for o in trees for d in o.tree.daughters)
    told: list[int] = []
    learned(trees, parse_templates("a.deprel"), epochs=2, progress=told.append)
    assert sum(told) == 2 * treelets


def test_no_leaf_is_taken_for_the_mother_of_the_next_root() -> None:
    trees = [ordered([("Go", "VERB", "root", 0)]), ordered([("Go", "VERB", "root", 0), ("!", "PUNCT", "punct", 1)])] * 2
    corpus = ordering_corpus(corpus_of(trees, Encoder()))
    assert learnable(corpus).tolist() == [1, 4]


def test_nothing_but_single_words() -> None:
    weights = learned([ordered([("Go", "VERB", "root", 0)])], parse_templates("a.deprel"))
    assert not weights.any()


def test_phrases_of_the_corpus_begin_and_end_as_in_the_treebank() -> None:
    # b(a c(d)) reads "a b d c"
    tree = OrderedTree(DependencyTree(tuple(map(Node, "abdc")), (1, -1, 3, 1)), (0, 1, 2, 3))
    other = OrderedTree(DependencyTree((Node("z"),), (-1,)), (0,))
    corpus = ordering_corpus(corpus_of([other, tree], Encoder()))
    root = 1  # after the one word of the first tree
    assert corpus.head.tolist()[:2] == [-1, -1]
    assert corpus.x[root, FIRST_FORM] == hashed("a")
    assert corpus.x[root, LAST_FORM] == hashed("c")
    c = next(i for i in range(len(corpus.head)) if corpus.x[i, 0] == hashed("c"))
    assert corpus.x[c, FIRST_FORM] == hashed("d")
    assert corpus.position.tolist()[0] == 0
    assert corpus.first.tolist()[-1] == 5
