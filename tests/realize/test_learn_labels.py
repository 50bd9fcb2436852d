from __future__ import annotations

import numpy as np

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.features import DEPREL, UPOS, Encoder, hashed
from fergus.realize.fill_labels import Labeller, LabelModel
from fergus.realize.learn_labels import learn_labels
from fergus.realize.train_order import prepare

# word, category, relation, head counted from 1; "fish" is a noun or a verb, by its place in the tree
TREEBANK = """
the/DET/det/2 dog/NOUN/nsubj/3 sleeps/VERB/root/0
the/DET/det/2 cat/NOUN/nsubj/3 saw/VERB/root/0 a/DET/det/5 dog/NOUN/obj/3
a/DET/det/2 man/NOUN/nsubj/3 saw/VERB/root/0 the/DET/det/5 cat/NOUN/obj/3
they/PRON/nsubj/2 fish/VERB/root/0
a/DET/det/2 fish/NOUN/nsubj/3 swims/VERB/root/0
they/PRON/nsubj/2 saw/VERB/root/0 the/DET/det/4 fish/NOUN/obj/2
we/PRON/nsubj/2 fish/VERB/root/0
the/DET/det/2 man/NOUN/nsubj/3 sleeps/VERB/root/0
"""


def read(text: str) -> list[OrderedTree]:
    trees = []
    for line in filter(None, text.splitlines()):
        rows = [word.split("/") for word in line.split()]
        nodes = tuple(Node(form, upos=upos, deprel=deprel) for form, upos, deprel, _ in rows)
        tree = DependencyTree(nodes, tuple(int(head) - 1 for *_, head in rows))
        trees.append(OrderedTree(tree, tuple(range(len(nodes)))))
    return trees


def learned(text: str, *, seed: int = 1, epochs: int = 15, told: list[int] | None = None) -> LabelModel:
    trees = read(text)
    prepared = prepare(trees, range(len(trees)), Encoder(), bare=True)
    corpus = list(zip(prepared.arrays, prepared.gold, strict=True))
    return learn_labels(
        corpus,
        prepared.labels,
        bits=14,
        epochs=epochs,
        rate=0.2,
        drop=0.1,
        seed=seed,
        progress=(told if told is not None else []).append,
    )


def test_a_tiny_treebank_is_learned() -> None:
    labeller = Labeller(learned(TREEBANK))
    for ordered in read(TREEBANK):
        arrays = Encoder().encode(ordered.tree.bare())
        filled = labeller.fill(arrays).base
        for row, old in zip(filled, arrays.original.tolist(), strict=True):
            node = ordered.tree.nodes[old]
            assert (row[UPOS], row[DEPREL]) == (hashed(node.upos or ""), hashed(node.deprel or "")), node


def test_an_unknown_word_is_known_by_its_neighbours() -> None:
    labeller = Labeller(learned(TREEBANK))
    arrays = Encoder().encode(DependencyTree((Node("sleeps"), Node("gnu"), Node("the")), (-1, 0, 1)))
    filled = labeller.fill(arrays)
    at = filled.original.tolist().index(1)
    assert filled.base[at, UPOS] == hashed("NOUN")
    assert filled.base[at, DEPREL] == hashed("nsubj")


def test_the_same_seed_gives_the_same_weights() -> None:
    one = learned(TREEBANK, epochs=3).weights
    assert np.array_equal(one, learned(TREEBANK, epochs=3).weights)
    assert not np.array_equal(one, learned(TREEBANK, epochs=3, seed=2).weights)


def test_labels_seen_once_are_not_learned() -> None:
    text = TREEBANK + "hey/INTJ/root/0\n"
    assert ("INTJ", "root") not in learned(text, epochs=1).labels


def test_progress_is_told_now_and_then() -> None:
    told: list[int] = []
    learned(TREEBANK * 63, epochs=1, told=told)  # 504 trees
    assert told == [500]
