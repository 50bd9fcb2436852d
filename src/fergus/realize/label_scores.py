"""What speaks for a label of a node: its candidates, the features around it, and the pair with its mother's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.drop_features import drop_features
from fergus.realize.features import DEPREL, FORM, SHAPE, SUFFIX, UPOS, Ints, hashed, mix
from fergus.realize.ranking import best_first

WIDE = 24
"""Labels looked at for a node, from the lexicon of its word or, for rare words, of its ending."""
NARROW = 8
"""Labels kept for the search over the tree, the best by the node's own features."""
KNOWN = 5
"""A word seen this often takes only labels it was seen with."""
MOST_NEIGHBOURS = 12
MOST_FEATURES = 12 + 5 * MOST_NEIGHBOURS
ROOT_RELATION = hashed("root")


class Candidates(NamedTuple):
    """Which labels a word form (or an ending, or a shape) was seen with: sorted keys, ranges, label numbers."""

    keys: NDArray[np.int64]
    start: Ints
    labels: Ints


@compiled
def find_key(keys, key):
    """The place of ``key`` among the sorted keys, or -1."""
    place = np.searchsorted(keys, key)
    return place if place < keys.shape[0] and keys[place] == key else -1


@compiled
def list_candidates(base, i, candidates, codes, out):
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
            label: Any = np.int64(candidates.labels[c])
            known = False
            for o in range(count):
                known |= out[o] == label
            if known or count >= WIDE or not agrees(base, i, codes, label):
                continue
            out[count] = label
            count += 1
        if level == 0 and candidates.labels[end] == -2:
            # A word that is known well keeps to its categories but may take any relation: the frequent ones first.
            for label in range(codes.shape[0]):
                if count >= WIDE:
                    break
                seen, same_category = False, False
                for o in range(count):
                    seen |= out[o] == label
                for c in range(begin, end):
                    same_category |= codes[candidates.labels[c], 0] == codes[label, 0]
                if same_category and not seen and agrees(base, i, codes, label):
                    out[count] = label
                    count += 1
            if count > 0:
                break
        if level == 1 and count >= 4:
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
def agrees(base, i, codes, label):
    """Whether a label contradicts nothing that is known of the node; the root (node 0) alone is ``root``."""
    if (codes[label, 1] == ROOT_RELATION) != (i == 0):
        return False
    return (base[i, UPOS] == 0 or base[i, UPOS] == codes[label, 0]) and (
        base[i, DEPREL] == 0 or base[i, DEPREL] == codes[label, 1]
    )


@compiled
def node_features(base, head, first, i, out):
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
def feature_slots(feature, code, size, slots):
    """Where the weights of a feature with a label stand: for the label, its category, its relation."""
    mask = np.uint64(size - 1)
    slots[0] = mix(mix(feature, np.uint64(code[0])), np.uint64(code[1])) & mask
    slots[1] = mix(feature, np.uint64(code[0])) & mask
    slots[2] = mix(feature, np.uint64(code[1]) + np.uint64(77)) & mask


@compiled
def edge_slots(base, i, h, code, h_code, size, slots):
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
def score_nodes(
    base, head, first, candidates, codes, weights, gold, chosen, scores, features, counts, threshold, state
):
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
            f, state = drop_features(features[i], f, threshold, state)
        counts[i, 1] = f
        for c in range(count):
            total = 0.0
            for x in range(f):
                feature_slots(features[i, x], codes[wide[c]], weights.shape[0], slots)
                total += weights[slots[0]] + weights[slots[1]] + weights[slots[2]]
            wide_scores[c] = total
        keep = min(count, NARROW)
        ranked = best_first(wide_scores, count, keep)
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
def edge_score(base, i, h, code, h_code, weights, slots):
    """The score of a daughter's and her mother's label together."""
    edge_slots(base, i, h, code, h_code, weights.shape[0], slots)
    return weights[slots[0]] + weights[slots[1]] + weights[slots[2]] + weights[slots[3]] + weights[slots[4]]
