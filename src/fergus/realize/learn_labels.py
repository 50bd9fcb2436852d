"""Training the label model: AdaGrad on the log likelihood of whole trees, by exact sum-product messages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.features import FORM, SHAPE, SUFFIX, TreeArrays
from fergus.realize.fill_labels import LabelModel
from fergus.realize.label_scores import (
    KNOWN,
    MOST_FEATURES,
    NARROW,
    WIDE,
    Candidates,
    edge_score,
    edge_slots,
    feature_slots,
    score_nodes,
)


def learn_candidates(
    corpus: Sequence[tuple[TreeArrays, NDArray[np.int32]]],
) -> Candidates:
    """Count which labels go with which word, ending and shape; the most frequent first."""
    counts: dict[int, Counter[int]] = {}
    for tree, labels in corpus:
        for row, label in zip(tree.base.tolist(), labels.tolist(), strict=True):
            for key in candidate_keys(row[FORM], row[SUFFIX], row[SHAPE]) if label >= 0 else ():
                counts.setdefault(key, Counter())[label] += 1
    keys = np.array(sorted(counts), np.int64)
    start: list[int] = [0]
    labels_out: list[int] = []
    for key in keys.tolist():
        ranked = sorted(counts[key].items(), key=lambda item: (-item[1], item[0]))[:WIDE]
        # A negative first entry marks a rare word: its own labels are not enough.
        total = sum(counts[key].values())
        labels_out.extend(label for label, _ in ranked)
        labels_out.append(-1 if total < KNOWN else -2)
        start.append(len(labels_out))
    return Candidates(keys, np.array(start, np.int32), np.array(labels_out, np.int32))


def candidate_keys(form: int, suffix: int, shape: int) -> tuple[int, int, int]:
    """The keys under which labels are looked up: the word, its ending with its shape, its shape."""
    return form, (1 << 40) + suffix * 16 + shape, (1 << 41) + shape


def learn_labels(
    corpus: Sequence[tuple[TreeArrays, NDArray[np.int32]]],
    labels: tuple[tuple[str, str], ...],
    *,
    bits: int,
    epochs: int,
    rate: float,
    drop: float,
    seed: int,
    progress: Callable[[int], None] = lambda _: None,
) -> LabelModel:
    """Train on trees without labels (arrays) and the label number of every canonical node."""
    candidates = learn_candidates(corpus)
    model = LabelModel(labels, candidates, np.zeros(1 << bits, np.float32))
    squares = np.zeros(1 << bits, np.float32)
    random = np.random.default_rng(seed)
    state = np.uint64(1234567 + seed)
    codes = model.codes
    for epoch in range(epochs):
        step = rate if epoch < epochs - 1 else rate / 2
        for number, index in enumerate(random.permutation(len(corpus)).tolist()):
            tree, gold = corpus[index]
            state = np.uint64(learn_tree(
                tree.base, tree.head, tree.first_daughter, candidates, codes, gold, model.weights, squares, step,
                np.uint64(int(drop * 65536)), state,
            ))  # fmt: skip
            if number % 500 == 499:
                progress(500)
    # Features were left out at random while learning: together they speak too loudly.
    model.weights[:] *= 1.0 - drop
    return model


@compiled
def learn_tree(base, head, first, candidates, codes, gold, weights, squares, rate, threshold, state):  # fmt: skip
    """One AdaGrad step on the log likelihood of one tree's labels (sum-product, exact)."""
    n = head.shape[0]
    chosen, scores = np.zeros((n, NARROW), np.int32), np.zeros((n, NARROW))
    counts = np.zeros((n, 2), np.int32)
    features = np.empty((n, MOST_FEATURES), np.uint64)
    state = score_nodes(
        base,
        head,
        first,
        candidates,
        codes,
        weights,
        gold,
        chosen,
        scores,
        features,
        counts,
        threshold,
        state,
    )
    slots = np.empty(5, np.uint64)
    edge = np.zeros((n, NARROW, NARROW))
    inside, message = np.zeros((n, NARROW)), np.zeros((n, NARROW))
    for i in range(n):
        for c in range(counts[i, 0]):
            inside[i, c] = scores[i, c]
    for i in range(n - 1, 0, -1):
        h = head[i]
        for m in range(counts[h, 0]):
            top = -1e30
            for c in range(counts[i, 0]):
                edge[i, c, m] = edge_score(base, i, h, codes[chosen[i, c]], codes[chosen[h, m]], weights, slots)
                top = max(top, inside[i, c] + edge[i, c, m])
            total = 0.0
            for c in range(counts[i, 0]):
                total += math.exp(inside[i, c] + edge[i, c, m] - top)
            message[i, m] = top + math.log(total)
            inside[h, m] += message[i, m]
    outside = np.zeros((n, NARROW))
    log_total = 0.0
    for i in range(n):
        if i == 0:
            top = -1e30
            for c in range(counts[0, 0]):
                top = max(top, inside[0, c])
            total = 0.0
            for c in range(counts[0, 0]):
                total += math.exp(inside[0, c] - top)
            log_total = top + math.log(total)
        else:
            h = head[i]
            for c in range(counts[i, 0]):
                top = -1e30
                for m in range(counts[h, 0]):
                    top = max(top, edge[i, c, m] + outside[h, m] + inside[h, m] - message[i, m])
                total = 0.0
                for m in range(counts[h, 0]):
                    total += math.exp(edge[i, c, m] + outside[h, m] + inside[h, m] - message[i, m] - top)
                outside[i, c] = top + math.log(total)
        if gold[i] < 0:  # a label too rare to be learned
            continue
        for c in range(counts[i, 0]):
            gradient = -math.exp(inside[i, c] + outside[i, c] - log_total)
            if chosen[i, c] == gold[i]:
                gradient += 1.0
            if abs(gradient) > 1e-3:
                for x in range(counts[i, 1]):
                    feature_slots(features[i, x], codes[chosen[i, c]], weights.shape[0], slots)
                    for o in range(3):
                        step_up(weights, squares, slots[o], gradient, rate)
        if i > 0 and gold[head[i]] >= 0:
            h = head[i]
            for c in range(counts[i, 0]):
                for m in range(counts[h, 0]):
                    gradient = -math.exp(
                        inside[i, c] + edge[i, c, m] + outside[h, m] + inside[h, m] - message[i, m] - log_total
                    )
                    if chosen[i, c] == gold[i] and chosen[h, m] == gold[h]:
                        gradient += 1.0
                    if abs(gradient) > 1e-3:
                        edge_slots(base, i, h, codes[chosen[i, c]], codes[chosen[h, m]], weights.shape[0], slots)
                        for o in range(5):
                            step_up(weights, squares, slots[o], gradient, rate)
    return state


@compiled
def step_up(weights, squares, slot, gradient, rate):
    """One AdaGrad step on one weight."""
    squares[slot] += gradient * gradient
    weights[slot] += rate * gradient / math.sqrt(squares[slot] + 0.1)
