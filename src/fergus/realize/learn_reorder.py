"""Learning which nodes are lifted, from the non-projective sentences of a treebank, if it pays at all."""

from __future__ import annotations

import logging
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from fergus.core.tree import ROOT, OrderedTree
from fergus.realize.reordering_model import HIGHEST, ReorderingModel, Surroundings

BITS = 14
EPOCHS = 8
RATE = 0.2
RARE = 0.01
"""Pairs of relations of which a smaller share is lifted are never lifted."""
SEEN = 2
"""Pairs of relations lifted less often than this are never lifted."""
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
FOLDS, BLOCK = 5, 20
COST = 2
"""A wrong lift costs about twice what a right one gains: without it a sentence is often only a little off."""
SURE = 2 / 3
"""It pays if, judged by held-out sentences, this share of lifts is right with a confidence of 95%."""

log = logging.getLogger(__name__)


class Decision(NamedTuple):
    """One question that was asked of a treebank's tree: is this node lifted from here?"""

    pair: tuple[str, str]
    features: list[int]
    lifted: bool


def projective_heads(ordered: OrderedTree) -> tuple[int, ...]:
    """The heads under which the treebank's order is projective: the shortest crossing edge is lifted, again and again.

    (Pseudo-projective parsing, Nivre and Nilsson 2005, makes trees projective in the same way.)
    """
    heads = list(ordered.tree.heads)
    if ordered.is_projective:
        return tuple(heads)
    position = [0] * len(heads)
    for place, node in enumerate(ordered.order):
        position[node] = place
    while True:
        entered, exited = visits(heads)
        crossing = []
        for node, head in enumerate(heads):
            if head != ROOT:
                low, high = sorted((position[node], position[head]))
                between = ordered.order[low + 1 : high]
                if any(not entered[head] <= entered[other] <= exited[head] for other in between):
                    crossing.append((high - low, position[node], node))
        if not crossing:
            return tuple(heads)
        node = min(crossing)[2]
        heads[node] = heads[heads[node]]


def visits(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """Number the nodes depth first: the nodes below one have the numbers from its own to its last."""
    daughters: list[list[int]] = [[] for _ in heads]
    for node, head in enumerate(heads):
        if head != ROOT:
            daughters[head].append(node)
    entered, exited = [0] * len(heads), [0] * len(heads)
    stack, top_down = [heads.index(ROOT)], list[int]()
    while stack:
        node = stack.pop()
        entered[node] = exited[node] = len(top_down)
        top_down.append(node)
        stack.extend(daughters[node])
    for node in reversed(top_down):
        if heads[node] != ROOT:
            exited[heads[node]] = max(exited[heads[node]], exited[node])
    return entered, exited


def lifted(ordered: OrderedTree, model: ReorderingModel) -> OrderedTree:
    """The sentence as the ordering models learn from it: nodes that the model can lift are where its order has them."""
    tree = ordered.tree
    goals = projective_heads(ordered)
    heads = tuple(
        goal if goal != head and (tree.nodes[node].deprel, tree.nodes[head].deprel) in model.pairs else head
        for node, (head, goal) in enumerate(zip(tree.heads, goals, strict=True))
    )
    return ordered if heads == tree.heads else OrderedTree(replace(tree, heads=heads), ordered.order)


def decisions(ordered: OrderedTree, pairs: frozenset[tuple[str, str]] | None = None) -> list[Decision]:
    """What is to be learned from one sentence, of all pairs of relations or some."""
    tree, goals = ordered.tree, projective_heads(ordered)
    nodes = tree.nodes
    surroundings = None
    found = []
    for node, head in enumerate(tree.heads):
        left = head
        for _ in range(HIGHEST):
            if left == ROOT or tree.heads[left] == ROOT:
                break
            pair = (nodes[node].deprel or "", nodes[left].deprel or "")
            goes = goals[node] != left
            if pairs is None or pair in pairs:
                surroundings = surroundings or Surroundings(tree)
                features = surroundings.features(node, left, tree.heads) if pairs else []
                found.append(Decision(pair, features, goes))
            if not goes:
                break
            left = tree.heads[left]
    return found


def learn_reordering(trees: Sequence[OrderedTree], *, seed: int = 1) -> ReorderingModel | None:
    """A model of lifting, or None where the treebank does not show that it pays."""
    asked: Counter[tuple[str, str]] = Counter()
    went: Counter[tuple[str, str]] = Counter()
    for ordered in trees:
        for pair, _, goes in decisions(ordered):
            asked[pair] += 1
            went[pair] += goes
    pairs = frozenset(pair for pair, count in went.items() if count >= SEEN and count >= RARE * asked[pair])
    if not pairs:
        return None
    folds: list[list[Decision]] = [[] for _ in range(FOLDS)]
    for i, ordered in enumerate(trees):
        folds[i // BLOCK % FOLDS] += decisions(ordered, pairs)
    judged: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        rest = [decision for other in range(FOLDS) if other != fold for decision in folds[other]]
        model = fit(rest, pairs, seed)
        judged += [(model.probability(decision.features), decision.lifted) for decision in folds[fold]]
    _, threshold = max(
        (sum(1 if goes else -COST for p, goes in judged if p > threshold), threshold) for threshold in THRESHOLDS
    )
    right, made = sum(goes for p, goes in judged if p > threshold), sum(p > threshold for p, _ in judged)
    log.info("reordering: %d lifts, %d right and %d wrong when held out", sum(went.values()), right, made - right)
    if least_share(right, made) < SURE:
        return None
    return replace(fit([d for fold in folds for d in fold], pairs, seed), threshold=threshold)


def least_share(right: int, made: int) -> float:
    """The lower end of Wilson's 95% interval of a share."""
    if not made:
        return 0.0
    z, share = 1.96, right / made
    middle = share + z * z / (2 * made)
    return (middle - z * math.sqrt((share * (1 - share) + z * z / (4 * made)) / made)) / (1 + z * z / made)


def fit(examples: Sequence[Decision], pairs: frozenset[tuple[str, str]], seed: int) -> ReorderingModel:
    """Logistic regression by AdaGrad."""
    mask = (1 << BITS) - 1
    rows = [np.unique(np.array(example.features) & mask) for example in examples]
    weights, squares = np.zeros(1 << BITS), np.full(1 << BITS, 0.1)
    generator = random.Random(seed)
    for _ in range(EPOCHS):
        for i in generator.sample(range(len(rows)), len(rows)):
            row = rows[i]
            gradient = examples[i].lifted - 1.0 / (1.0 + np.exp(-weights[row].sum()))
            if abs(gradient) > 1e-3:
                squares[row] += gradient * gradient
                weights[row] += RATE * gradient / np.sqrt(squares[row])
    return ReorderingModel(pairs, weights.astype(np.float16).astype(np.float32), 0.5)
