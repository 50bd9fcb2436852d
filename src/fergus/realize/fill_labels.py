"""The Tree Chooser of ``default``, first half: category and relation of every node whose input has none.

A conditional random field on the tree: each node takes one of a few labels (category, relation), scored by
its words and neighbours and by the pair of its own and its mother's label; the best assignment is found
exactly, bottom-up. Labels that the input does give are kept.

    estimate    NOUN:root                bare lexemes in,
    ├── was     AUX:cop                  labels out: the ordering model then
    └── no      DET:det                  knows what it is looking at
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.features import (
    CASE_OR_MARK,
    DEPREL,
    FLAGS,
    FORM,
    FUNCTION,
    FUNCTION_RELATIONS,
    MARKING_RELATIONS,
    SHAPE,
    SUFFIX,
    UNLABELLED,
    UPOS,
    Ints,
    TreeArrays,
    hashed,
    mix,
)

WIDE = 24
"""Labels looked at for a node, from the lexicon of its word or, for rare words, of its ending."""
NARROW = 8
"""Labels kept for the search over the tree, the best by the node's own features."""
KNOWN = 5
"""A word seen this often takes only labels it was seen with."""
MOST_NEIGHBOURS = 12


class Candidates(NamedTuple):
    """Which labels a word form (or an ending, or a shape) was seen with: sorted keys, ranges, label numbers."""

    keys: NDArray[np.int64]
    start: Ints
    labels: Ints


@dataclass(frozen=True)
class LabelModel:
    """The labels, who may take which, and the weights of the hashed features."""

    labels: tuple[tuple[str, str], ...]
    candidates: Candidates
    weights: NDArray[np.float32]

    @property
    def codes(self) -> Ints:
        """Rows (category hash, relation hash, flags) of the labels."""
        rows = []
        for upos, deprel in self.labels:
            flags = (CASE_OR_MARK | FUNCTION) if deprel in MARKING_RELATIONS else 0
            flags |= FUNCTION if deprel in FUNCTION_RELATIONS else 0
            rows.append((hashed(upos), hashed(deprel), flags))
        return np.array(rows, np.int32).reshape(-1, 3)


class Labeller:
    """Fills in missing labels of encoded trees."""

    def __init__(self, model: LabelModel) -> None:
        self.model = model
        self._codes = model.codes

    def label(self, tree: TreeArrays) -> tuple[Ints, NDArray[np.float32]]:
        """For every node the chosen label's number and the probability of each of its candidates' best trees."""
        labels, odds = label_tree(
            tree.base, tree.head, tree.first_daughter, self.model.candidates, self._codes, self.model.weights
        )
        return labels, odds

    def fill(self, tree: TreeArrays) -> TreeArrays:
        """The tree with every missing category and relation replaced by the chosen one."""
        if not np.any(tree.base[:, FLAGS] & UNLABELLED):
            return tree
        labels, _ = self.label(tree)
        return tree._replace(base=filled(tree.base, labels, self._codes))


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
    start, labels_out = [0], []
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
def filled(base, labels, codes):  # type: ignore[no-untyped-def]
    """A copy of the base array in which nodes without labels have the chosen ones."""
    out = base.copy()
    for i in range(base.shape[0]):
        if base[i, FLAGS] & UNLABELLED:
            c = labels[i]
            if out[i, UPOS] == 0:
                out[i, UPOS] = codes[c, 0]
            if out[i, DEPREL] == 0:
                out[i, DEPREL] = codes[c, 1]
                out[i, FLAGS] |= codes[c, 2]
    return out


@compiled
def find_key(keys, key):  # type: ignore[no-untyped-def]
    """The place of ``key`` among the sorted keys, or -1."""
    place = np.searchsorted(keys, key)
    return place if place < keys.shape[0] and keys[place] == key else -1


@compiled
def list_candidates(base, i, candidates, codes, out):  # type: ignore[no-untyped-def]
    """Write the labels that node ``i`` may take to ``out``; given labels restrict them; returns how many."""
    count = 0
    form, ending = base[i, FORM], (np.int64(1) << 40) + np.int64(base[i, SUFFIX]) * 16 + base[i, SHAPE]
    shape = (np.int64(1) << 41) + base[i, SHAPE]
    for level in range(3):
        place = find_key(candidates.keys, np.int64(form) if level == 0 else ending if level == 1 else shape)
        if place < 0:
            continue
        begin, end = candidates.start[place], candidates.start[place + 1] - 1
        for c in range(begin, end):
            label = candidates.labels[c]
            known = False
            for o in range(count):
                known |= out[o] == label
            if known or count >= WIDE or not agrees(base, i, codes, label):
                continue
            out[count] = label
            count += 1
        if count > 0 and (level > 0 or candidates.labels[end] == -2) and level < 2 and count >= (1 if level == 0 else 4):
            break
    if count == 0:  # nothing seen fits what is given: every label that does
        for label in range(codes.shape[0]):
            if count < WIDE and agrees(base, i, codes, label):
                out[count] = label
                count += 1
    if count == 0:
        out[0] = 0
        count = 1
    return count


@compiled
def agrees(base, i, codes, label):  # type: ignore[no-untyped-def]
    """Whether a label contradicts nothing that the input says of the node."""
    return (base[i, UPOS] == 0 or base[i, UPOS] == codes[label, 0]) and (
        base[i, DEPREL] == 0 or base[i, DEPREL] == codes[label, 1]
    )


@compiled
def node_features(base, head, first, i, out):  # type: ignore[no-untyped-def]
    """Hashes of what is seen at and around node ``i``; returns how many."""
    n = 0
    h = head[i]
    form, suffix, shape = np.uint64(base[i, FORM]), np.uint64(base[i, SUFFIX]), np.uint64(base[i, SHAPE])
    degree = np.uint64(min(first[i + 1] - first[i], 5))
    h_form = np.uint64(base[h, FORM]) if h >= 0 else np.uint64(1)
    h_suffix = np.uint64(base[h, SUFFIX]) if h >= 0 else np.uint64(1)
    g = head[h] if h >= 0 else -1
    g_form = np.uint64(base[g, FORM]) if g >= 0 else np.uint64(1)
    for t in range(12):
        a, b = form, np.uint64(0)
        if t == 0:
            a = form
        elif t == 1:
            a, b = suffix, shape
        elif t == 2:
            a, b = form, degree
        elif t == 3:
            a, b = form, h_form
        elif t == 4:
            a, b = form, h_suffix
        elif t == 5:
            a, b = suffix, h_form
        elif t == 6:
            a, b = mix(suffix, shape), h_suffix
        elif t == 7:
            a, b = mix(shape, degree), h_form
        elif t == 8:
            a, b = suffix, degree
        elif t == 9:
            a, b = form, g_form
        elif t == 10:
            a, b = h_form, g_form
        else:
            a, b = mix(shape, degree), np.uint64(h < 0)
        out[n] = mix(mix(np.uint64(100 + t), a), b)
        n += 1
    for d in range(first[i], min(first[i + 1], first[i] + MOST_NEIGHBOURS)):
        out[n] = mix(np.uint64(200), np.uint64(base[d, FORM]))
        out[n + 1] = mix(mix(np.uint64(201), np.uint64(base[d, FORM])), suffix)
        out[n + 2] = mix(mix(np.uint64(202), np.uint64(base[d, SUFFIX])), form)
        n += 3
    if h >= 0:
        for d in range(first[h], min(first[h + 1], first[h] + MOST_NEIGHBOURS)):
            if d != i:
                out[n] = mix(mix(np.uint64(203), np.uint64(base[d, FORM])), suffix)
                out[n + 1] = mix(mix(np.uint64(204), np.uint64(base[d, FORM])), form)
                n += 2
    return n


@compiled
def feature_slots(feature, code, size, slots):  # type: ignore[no-untyped-def]
    """Where the weights of a feature with a label stand: for the label, its category, its relation."""
    mask = np.uint64(size - 1)
    slots[0] = mix(mix(feature, np.uint64(code[0])), np.uint64(code[1])) & mask
    slots[1] = mix(feature, np.uint64(code[0])) & mask
    slots[2] = mix(feature, np.uint64(code[1]) + np.uint64(77)) & mask


@compiled
def edge_slots(base, i, h, code, h_code, size, slots):  # type: ignore[no-untyped-def]
    """Where the weights of a pair of labels of daughter ``i`` and mother ``h`` stand."""
    mask = np.uint64(size - 1)
    own = mix(np.uint64(code[0]), np.uint64(code[1]))
    mother = np.uint64(h_code[0])
    slots[0] = mix(mix(mix(np.uint64(301), own), mother), np.uint64(h_code[1])) & mask
    slots[1] = mix(mix(np.uint64(302), own), mother) & mask
    slots[2] = mix(mix(mix(np.uint64(303), own), mother), np.uint64(base[i, FORM])) & mask
    slots[3] = mix(mix(mix(np.uint64(304), own), mother), np.uint64(base[h, FORM])) & mask
    slots[4] = mix(mix(np.uint64(305), np.uint64(code[1])), np.uint64(h_code[1])) & mask


@compiled
def score_nodes(base, head, first, candidates, codes, weights, gold, chosen, scores, features, counts, threshold, state):  # type: ignore[no-untyped-def]  # fmt: skip
    """The NARROW best labels of every node with their scores; a gold label, if given, is always among them."""
    n = head.shape[0]
    wide, wide_scores = np.empty(WIDE + 1, np.int32), np.empty(WIDE + 1)
    slots = np.empty(5, np.uint64)
    for i in range(n):
        count = list_candidates(base, i, candidates, codes, wide)
        if gold.shape[0] and gold[i] >= 0:
            known = False
            for c in range(count):
                known |= wide[c] == gold[i]
            if not known:
                wide[count] = gold[i]
                count += 1
        f = node_features(base, head, first, i, features[i])
        if threshold > 0:
            kept = 0
            for x in range(f):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                if (state & np.uint64(65535)) >= threshold:
                    features[i, kept] = features[i, x]
                    kept += 1
            f = kept
        counts[i, 1] = f
        for c in range(count):
            total = 0.0
            for x in range(f):
                feature_slots(features[i, x], codes[wide[c]], weights.shape[0], slots)
                total += weights[slots[0]] + weights[slots[1]] + weights[slots[2]]
            wide_scores[c] = total
        ranked = np.argsort(-wide_scores[:count], kind="mergesort")
        keep = min(count, NARROW)
        for c in range(keep):
            chosen[i, c], scores[i, c] = wide[ranked[c]], wide_scores[ranked[c]]
        if gold.shape[0] and gold[i] >= 0:
            known = False
            for c in range(keep):
                known |= chosen[i, c] == gold[i]
            if not known:
                for c in range(count):
                    if wide[c] == gold[i]:
                        chosen[i, keep - 1], scores[i, keep - 1] = wide[c], wide_scores[c]
        counts[i, 0] = keep
    return state


@compiled
def edge_score(base, i, h, code, h_code, weights, slots):  # type: ignore[no-untyped-def]
    """The score of a daughter's and her mother's label together."""
    edge_slots(base, i, h, code, h_code, weights.shape[0], slots)
    return weights[slots[0]] + weights[slots[1]] + weights[slots[2]] + weights[slots[3]] + weights[slots[4]]


@compiled
def label_tree(base, head, first, candidates, codes, weights):  # type: ignore[no-untyped-def]
    """The best label of every node, exactly (max-product), and the max-marginals of its candidates."""
    n = head.shape[0]
    chosen, scores = np.zeros((n, NARROW), np.int32), np.zeros((n, NARROW))
    counts = np.zeros((n, 2), np.int32)
    features = np.empty((n, 12 + 5 * MOST_NEIGHBOURS), np.uint64)
    score_nodes(
        base, head, first, candidates, codes, weights, np.empty(0, np.int32), chosen, scores, features, counts,
        np.uint64(0), np.uint64(1),
    )  # fmt: skip
    slots = np.empty(5, np.uint64)
    inside = scores.copy()
    best_for = np.zeros((n, NARROW), np.int32)
    for i in range(n - 1, 0, -1):
        h = head[i]
        for m in range(counts[h, 0]):
            top, arg = -1e30, 0
            for c in range(counts[i, 0]):
                score = inside[i, c] + edge_score(base, i, h, codes[chosen[i, c]], codes[chosen[h, m]], weights, slots)
                if score > top:
                    top, arg = score, c
            inside[h, m] += top
            best_for[i, m] = arg
    picked = np.zeros(n, np.int32)
    labels = np.zeros(n, np.int32)
    odds = np.zeros((n, 3), np.float32)
    for i in range(n):
        if i == 0:
            for c in range(counts[0, 0]):
                if inside[0, c] > inside[0, picked[0]]:
                    picked[0] = c
        else:
            picked[i] = best_for[i, picked[head[i]]]
        labels[i] = chosen[i, picked[i]]
        # How sure: softmax over this node's candidates given the mother's chosen label.
        total, best = 0.0, 0.0
        top = -1e30
        local = np.empty(NARROW)
        for c in range(counts[i, 0]):
            local[c] = inside[i, c]
            if i > 0:
                h = head[i]
                local[c] += edge_score(base, i, h, codes[chosen[i, c]], codes[labels[h]], weights, slots)
            top = max(top, local[c])
        second, second_label = -1e30, -1
        for c in range(counts[i, 0]):
            total += math.exp(local[c] - top)
            if c == picked[i]:
                best = math.exp(local[c] - top)
            elif local[c] > second:
                second, second_label = local[c], chosen[i, c]
        odds[i, 0] = best / total
        odds[i, 1] = second_label
        odds[i, 2] = math.exp(second - top) / total if second_label >= 0 else 0.0
    return labels, odds


@compiled
def learn_tree(base, head, first, candidates, codes, gold, weights, squares, rate, threshold, state):  # type: ignore[no-untyped-def]  # fmt: skip
    """One AdaGrad step on the log likelihood of one tree's labels (sum-product, exact)."""
    n = head.shape[0]
    chosen, scores = np.zeros((n, NARROW), np.int32), np.zeros((n, NARROW))
    counts = np.zeros((n, 2), np.int32)
    features = np.empty((n, 12 + 5 * MOST_NEIGHBOURS), np.uint64)
    state = score_nodes(
        base, head, first, candidates, codes, weights, gold, chosen, scores, features, counts, threshold, state
    )
    slots = np.empty(5, np.uint64)
    edge = np.zeros((n, NARROW, NARROW))
    inside, message = scores.copy(), np.zeros((n, NARROW))
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
def step_up(weights, squares, slot, gradient, rate):  # type: ignore[no-untyped-def]
    """One AdaGrad step on one weight."""
    squares[slot] += gradient * gradient
    weights[slot] += rate * gradient / math.sqrt(squares[slot] + 0.1)
