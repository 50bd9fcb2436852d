"""Training the choice among neighbours: AdaGrad on the log likelihood of whole sentences (forward and backward).

The words whose lemma and features have several forms in the treebank are learned, each with the counts of all other
words: its own occurrence is taken out, or rare forms would be thought as likely as they look here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.tree import Node, OrderedTree
from fergus.lm.count import NgramCounts
from fergus.realize.inflection_lexicon import InflectionLexicon, lexicon_form, lexicon_key
from fergus.realize.openings import Openings, learn_openings, with_openings
from fergus.realize.sandhi_scores import (
    MOST_FEATURES,
    MOST_FORMS,
    ChainArrays,
    SandhiEncoder,
    SandhiModel,
    chain_scores,
    is_kept,
    pair_features,
    word_features,
)

_HELD_BACK = 0.2
"""Added to every count, so that a form seen only here keeps a little."""


def learn_sandhi(
    trees: Sequence[OrderedTree],
    lexicon: InflectionLexicon,
    vowels: frozenset[str],
    *,
    text: NgramCounts | None = None,
    bits: int,
    epochs: int,
    rate: float,
    drop: float,
    seed: int,
    runs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> SandhiModel:
    """Train on the sentences of a treebank and the lexicon counted from it; of ``text`` on the openings of words.

    The weights are the mean of several runs: each sees the sentences in another order, with other features left out.
    """
    encoder, openings = SandhiEncoder(vowels), learn_openings(trees, lexicon, text)
    corpus = [chain for ordered in trees if (chain := _chain(ordered, lexicon, openings, encoder)) is not None]
    weights = np.zeros(1 << bits, np.float32)
    for run in range(runs):
        weights += _trained(
            corpus, size=1 << bits, epochs=epochs, rate=rate, drop=drop, seed=seed + run, progress=progress
        )
    return SandhiModel(vowels, weights / np.float32(runs), openings)


def _trained(
    corpus: Sequence[tuple[ChainArrays, NDArray[np.int32]]],
    *,
    size: int,
    epochs: int,
    rate: float,
    drop: float,
    seed: int,
    progress: Callable[[int], None],
) -> NDArray[np.float32]:
    """The weights of one run, averaged over its second half."""
    weights, squares, total = (np.zeros(size, np.float32) for _ in range(3))
    random = np.random.default_rng(seed)
    threshold = np.uint64(int(drop * 65536))
    for epoch in range(epochs):
        step = rate if epoch < epochs - 2 else rate / 2
        for index in random.permutation(len(corpus)).tolist():
            arrays, gold = corpus[index]
            words, forms, start, base, sentence = arrays
            salt = np.uint64(random.integers(1 << 62))
            learn_chain(words, forms, start, base, sentence, gold, weights, squares, step, threshold, salt)
        if epoch >= epochs // 2:
            total += weights
        progress(len(corpus))
    total *= np.float32((1.0 - drop) / (epochs - epochs // 2))
    return total


def _chain(
    ordered: OrderedTree, lexicon: InflectionLexicon, openings: Openings, encoder: SandhiEncoder
) -> tuple[ChainArrays, NDArray[np.int32]] | None:
    """A sentence with the candidates of its words and the places of the right ones; None if there is no choice."""
    nodes = [ordered.tree.nodes[i] for i in ordered.order]
    candidates = [_candidates(node, lexicon) for node in nodes]
    if all(len(own) < 2 for own in candidates):
        return None
    gold = [
        next(x for x, (form, _) in enumerate(own) if len(own) == 1 or form == lexicon_form(node))
        for node, own in zip(nodes, candidates, strict=True)
    ]
    return encoder.encode(nodes, with_openings(openings, nodes, candidates)), np.array(gold, np.int32)


def _candidates(node: Node, lexicon: InflectionLexicon) -> list[tuple[str, float]]:
    counts = lexicon.entries.get(lexicon_key(node.lemma, node.upos or "", node.feats), {})
    if len(counts) < 2 or not node.lemma or node.upos == "PUNCT":
        return [(node.form, 0.0)]
    gold = lexicon_form(node)
    ranked = sorted(counts, key=lambda form: (-counts[form], form))
    kept = ranked[:MOST_FORMS] if gold in ranked[:MOST_FORMS] else [*ranked[: MOST_FORMS - 1], gold]
    total = sum(counts.values())
    return [(form, math.log((counts[form] - (form == gold) + _HELD_BACK) / total)) for form in kept]


@compiled
def learn_chain(words, forms, start, base, sentence, gold, weights, squares, rate, threshold, salt):
    """One step on one sentence: expected against observed features, by the forward-backward algorithm."""
    n = words.shape[0]
    mask = np.uint64(weights.shape[0] - 1)
    own, pair = np.zeros((n, MOST_FORMS)), np.zeros((n, MOST_FORMS, MOST_FORMS))
    chain_scores(words, forms, start, base, sentence, weights, threshold, salt, own, pair)
    forward, backward = np.zeros((n, MOST_FORMS)), np.zeros((n, MOST_FORMS))
    forward[0] = own[0]
    for i in range(1, n):
        for y in range(start[i + 1] - start[i]):
            forward[i, y] = own[i, y] + log_sum(forward[i - 1] + pair[i - 1, :, y], start[i] - start[i - 1])
    for i in range(n - 2, -1, -1):
        for x in range(start[i + 1] - start[i]):
            backward[i, x] = log_sum(backward[i + 1] + own[i + 1] + pair[i, x], start[i + 2] - start[i + 1])
    total = log_sum(forward[n - 1], start[n] - start[n - 1])
    into = np.empty(MOST_FEATURES, np.uint64)
    for i in range(n):
        first, end = start[i], start[i + 1]
        for x in range(end - first if end - first > 1 else 0):
            gradient = (1.0 if x == gold[i] else 0.0) - math.exp(forward[i, x] + backward[i, x] - total)
            if abs(gradient) > 1e-3:
                count = word_features(words, i, forms[first + x], sentence, into)
                step_up(into, count, gradient, weights, squares, rate, mask, threshold, salt)
        if i + 1 == n or (end - first < 2 and start[i + 2] - end < 2):
            continue
        for x in range(end - first):
            for y in range(start[i + 2] - end):
                joint = forward[i, x] + pair[i, x, y] + own[i + 1, y] + backward[i + 1, y]
                gradient = (1.0 if x == gold[i] and y == gold[i + 1] else 0.0) - math.exp(joint - total)
                if abs(gradient) > 1e-3:
                    count = pair_features(
                        words[i], forms[first + x], end - first > 1, words[i + 1], forms[end + y],
                        start[i + 2] - end > 1, into,
                    )  # fmt: skip
                    step_up(into, count, gradient, weights, squares, rate, mask, threshold, salt)


@compiled
def log_sum(values, count):
    """The logarithm of the sum of the exponentials of the first values."""
    top = values[:count].max()
    total = 0.0
    for x in range(count):
        total += math.exp(values[x] - top)
    return top + math.log(total)


@compiled
def step_up(features, count, gradient, weights, squares, rate, mask, threshold, salt):
    """An AdaGrad step on the weights of all features that are in."""
    for f in range(count):
        if is_kept(features[f], threshold, salt):
            slot = np.int64(features[f] & mask)
            squares[slot] += gradient * gradient
            weights[slot] += rate * gradient / math.sqrt(squares[slot] + 0.1)
