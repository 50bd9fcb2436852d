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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.realization import SupertagChoice
from fergus.realize.features import (
    CASE_OR_MARK,
    DEPREL,
    FLAGS,
    FUNCTION,
    FUNCTION_RELATIONS,
    MARKING_RELATIONS,
    UNLABELLED,
    UPOS,
    Ints,
    TreeArrays,
    hashed,
)
from fergus.realize.label_scores import MOST_FEATURES, NARROW, Candidates, edge_score, score_nodes


@dataclass(frozen=True)
class LabelModel:
    """The labels, who may take which, and the weights of the hashed features."""

    labels: tuple[tuple[str, str], ...]
    """Pairs of category and relation, the most frequent first."""
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

    def choices(self, tree: TreeArrays) -> tuple[SupertagChoice, ...]:
        """For every canonical node its label with its probability, and the runner-up."""
        numbers, odds = self.label(tree)
        names = [f"{upos}:{deprel}" for upos, deprel in self.model.labels]
        return tuple(
            SupertagChoice(names[number], float(p), ((names[int(second)], float(q)),) if second >= 0 else ())
            for number, (p, second, q) in zip(numbers.tolist(), odds.tolist(), strict=True)
        )

    def fill(self, tree: TreeArrays) -> TreeArrays:
        """The tree with every missing category and relation replaced by the chosen one."""
        if not np.any(tree.base[:, FLAGS] & UNLABELLED):
            return tree
        labels, _ = self.label(tree)
        return tree._replace(base=filled(tree.base, labels, self._codes))


@compiled
def filled(base, labels, codes):
    """A copy of the base array in which nodes without labels have the chosen ones."""
    out = np.empty_like(base)
    for i in range(base.shape[0]):
        for c in range(base.shape[1]):
            out[i, c] = base[i, c]
        if base[i, FLAGS] & UNLABELLED:
            c = labels[i]
            if out[i, UPOS] == 0:
                out[i, UPOS] = codes[c, 0]
            if out[i, DEPREL] == 0:
                out[i, DEPREL] = codes[c, 1]
                out[i, FLAGS] |= codes[c, 2]
    return out


@compiled
def label_tree(base, head, first, candidates, codes, weights):
    """The best label of every node, exactly (max-product), and the max-marginals of its candidates."""
    n = head.shape[0]
    chosen, scores = np.zeros((n, NARROW), np.int32), np.zeros((n, NARROW))
    counts = np.zeros((n, 2), np.int32)
    features = np.empty((n, MOST_FEATURES), np.uint64)
    score_nodes(
        base, head, first, candidates, codes, weights, np.empty(0, np.int32), chosen, scores, features, counts,
        np.uint64(0), np.uint64(1),
    )  # fmt: skip
    slots = np.empty(5, np.uint64)
    inside = np.zeros((n, NARROW))
    for i in range(n):
        for c in range(counts[i, 0]):
            inside[i, c] = scores[i, c]
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
