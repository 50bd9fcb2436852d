"""The compiled part of the tree accuracies: treelets collected and counted (section 3.2 of the paper).

A node is known by its place in the reference. All arrays are flat: ``heads`` and ``references`` (words) by
place in the reference, ``places`` (of the node that a token stands for, -1 for none) and ``hypotheses``
(words) by token of the hypothesis, each with the place where every sentence starts.
"""

from __future__ import annotations

import numpy as np

from fergus.compiled import compiled
from fergus.metrics.edit_kernel import TOO_LONG, UNCERTAIN, Ints, count_pair, workspace


@compiled
def daughters_of(heads: Ints) -> tuple[Ints, Ints]:
    """The daughters of all nodes one after the other, from left to right, and where those of each start."""
    n = len(heads)
    starts = np.zeros(n + 2, np.int64)
    for head in heads:
        if head >= 0:
            starts[head + 2] += 1
    for node in range(n):
        starts[node + 2] += starts[node + 1]
    daughters = np.empty(n, np.int64)
    for node in range(n):
        head = heads[node]
        if head >= 0:
            daughters[starts[head + 1]] = node
            starts[head + 1] += 1
    return starts[: n + 1], daughters


@compiled
def gather(
    node: int, starts: Ints, daughters: Ints, own: Ints, whole: Ints, words: Ints, keys: Ints, treelet: Ints
) -> int:
    """Write the words of a node's treelet in the order of a sentence; returns how many there are.

    ``own`` has the place of every node in that sentence and ``whole`` the place at which it stands as a
    daughter; -1 is nowhere.
    """
    size = 0
    for k in range(starts[node], starts[node + 1] + 1):
        member = node if k == starts[node + 1] else daughters[k]
        key = own[node] if k == starts[node + 1] else whole[member]
        if key < 0:
            continue
        slot = size
        while slot > 0 and keys[slot - 1] > key:
            keys[slot] = keys[slot - 1]
            treelet[slot] = treelet[slot - 1]
            slot -= 1
        keys[slot] = key
        treelet[slot] = words[member]
        size += 1
    return size


@compiled
def first_places(heads: Ints, own: Ints) -> Ints:
    """Where the first word of every node's subtree stands in a sentence, -1 where none of it does."""
    first = own.copy()
    for node in range(len(heads)):
        place = own[node]
        if place < 0:
            continue
        above = heads[node]
        while above >= 0 and (first[above] < 0 or first[above] > place):
            first[above] = place
            above = heads[above]
    return first


@compiled
def count_treelets(
    heads: Ints,
    references: Ints,
    starts: Ints,
    places: Ints,
    hypotheses: Ints,
    hypothesis_starts: Ints,
    vocabulary: int,
    bottom_up: bool,
    want_moves: bool,
    counts: Ints,
) -> tuple[int, int]:
    """Count all treelets of every sentence into its row of ``counts``, as ``count_pairs`` does.

    ``bottom_up`` is the draft's procedure: a treelet that was compared is replaced by its head, which then
    stands where the first word of the subtree stood, and stands there even if it is itself missing.
    """
    space = workspace(vocabulary)
    uncertain = 0
    for sentence in range(len(counts)):
        first, last = starts[sentence], starts[sentence + 1]
        begin, end = hypothesis_starts[sentence], hypothesis_starts[sentence + 1]
        n = last - first
        counts[sentence, 4] = n
        tree, words = heads[first:last], references[first:last]
        position = np.arange(n)
        own, realized = np.full(n, -1, np.int64), words.copy()
        for token in range(begin, end):
            if places[token] < 0:
                counts[sentence, 1] += 1
            else:
                own[places[token]] = token - begin
                realized[places[token]] = hypotheses[token]
        reference_whole, whole = position, own
        if bottom_up:
            reference_whole, whole = first_places(tree, position), first_places(tree, own)
        daughter_starts, daughters = daughters_of(tree)
        keys, expected, found = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
        certain = True
        for node in range(n):
            if daughter_starts[node] == daughter_starts[node + 1] and tree[node] >= 0:
                continue
            size = gather(node, daughter_starts, daughters, position, reference_whole, words, keys, expected)
            length = gather(node, daughter_starts, daughters, own, whole, realized, keys, found)
            state = count_pair(expected[:size], found[:length], True, want_moves, space, counts[sentence])
            if state == TOO_LONG:
                return sentence, uncertain
            certain = certain and state != UNCERTAIN
        uncertain += not certain
    return -1, uncertain
