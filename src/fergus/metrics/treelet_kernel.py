"""The compiled part of the tree accuracies: treelets collected and counted (section 3.2 of the paper)."""

from __future__ import annotations

import numpy as np

from fergus.compiled import compiled
from fergus.metrics.edit_kernel import TOO_LONG, UNCERTAIN, Ints, count_pair, workspace


@compiled
def treelet_starts(heads: Ints) -> Ints:
    """Where the treelet of every node starts when all stand one after the other, with the end of the last.

    A leaf's treelet has no room, except that of a root that is a leaf.
    """
    n = len(heads)
    starts = np.zeros(n + 1, np.int64)
    for head in heads:
        if head >= 0:
            starts[head + 1] += 1
    for node in range(n):
        if starts[node + 1] > 0 or heads[node] < 0:
            starts[node + 1] += 1
    for node in range(n):
        starts[node + 1] += starts[node]
    return starts


@compiled
def collect(heads: Ints, starts: Ints, order: Ints, words: Ints, treelets: Ints) -> Ints:
    """Write the words of every treelet in ``order``, and return where each treelet ends.

    ``words`` go with ``order``; what is no node (-1) is passed over.
    """
    ends = starts[:-1].copy()
    for k in range(len(order)):
        node = order[k]
        if node < 0:
            continue
        if starts[node + 1] > starts[node]:
            treelets[ends[node]] = words[k]
            ends[node] += 1
        head = heads[node]
        if head >= 0:
            treelets[ends[head]] = words[k]
            ends[head] += 1
    return ends


@compiled
def count_treelets(
    heads: Ints,
    orders: Ints,
    words: Ints,
    sentence_starts: Ints,
    hypotheses: Ints,
    hypothesis_words: Ints,
    hypothesis_starts: Ints,
    vocabulary: int,
    want_moves: bool,
    counts: Ints,
) -> tuple[int, int]:
    """Count all treelets of every sentence into its row of ``counts``, as ``count_pairs`` does.

    All arrays are flat: ``heads`` by node, ``orders`` and ``words`` by place in the reference,
    ``hypotheses`` (nodes, -1 for what is none) and ``hypothesis_words`` by place in the hypothesis.
    """
    space = workspace(vocabulary)
    uncertain = 0
    for sentence in range(len(counts)):
        first, last = sentence_starts[sentence], sentence_starts[sentence + 1]
        begin, end = hypothesis_starts[sentence], hypothesis_starts[sentence + 1]
        counts[sentence, 4] = last - first
        counts[sentence, 1] = (hypotheses[begin:end] < 0).sum()
        starts = treelet_starts(heads[first:last])
        expected, realized = np.empty(starts[-1], np.int64), np.empty(starts[-1], np.int64)
        expected_ends = collect(heads[first:last], starts, orders[first:last], words[first:last], expected)
        realized_ends = collect(heads[first:last], starts, hypotheses[begin:end], hypothesis_words[begin:end], realized)
        certain = True
        for node in range(last - first):
            state = count_pair(
                expected[starts[node] : expected_ends[node]],
                realized[starts[node] : realized_ends[node]],
                True,
                want_moves,
                space,
                counts[sentence],
            )
            if state == TOO_LONG:
                return sentence, uncertain
            certain = certain and state != UNCERTAIN
        uncertain += not certain
    return -1, uncertain
