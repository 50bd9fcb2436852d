"""The ordering model's scores of one treelet: which side, which neighbour, who comes first.

The order of a head and its daughters is scored as a sum of

    side[d]        d stands left or right of the head, beside it, first or last of all
    before_left[a, b], before_right[a, b]     a comes before b, both on that side of the head
    next_left[a, b], next_right[a, b]         a comes immediately before b, both on that side

Each is a sum of weights, a row of eight for every feature (one memory access serves eight outcomes).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.drop_features import next_random
from fergus.realize.features import DEPREL, FORM, MARKER, SUFFIX, UPOS
from fergus.realize.templates import WIDTH, gather, hash_rows

OUTCOMES = 8
# Outcomes of a daughter's row; of a pair's row: before-left ab, ba, before-right ab, ba, next-left ..., next-right ...
LEFT, RIGHT, BESIDE_LEFT, BESIDE_RIGHT, FIRST, LAST = range(6)
DAUGHTER_SALT, SISTER_SALT = np.int64(0), np.int64(100_003)
PAIRED = 128
"""Beyond this many daughters sisters are no longer compared with one another (time grows with the square)."""

Floats = NDArray[np.float64]


class TreeletScores(NamedTuple):
    """Room for the scores of treelets of up to ``capacity`` daughters; reused from treelet to treelet."""

    side: Floats
    before_left: Floats
    before_right: Floats
    next_left: Floats
    next_right: Floats
    daughter_rows: NDArray[np.int64]
    sister_rows: NDArray[np.int64]
    values: NDArray[np.int64]


def room(capacity: int, n_daughter: int, n_sisters: int) -> TreeletScores:
    """Allocate scores for treelets of up to ``capacity`` daughters."""
    square = (min(capacity, PAIRED),) * 2
    return TreeletScores(
        np.zeros((capacity, 6)),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros((capacity, n_daughter), np.int64),
        np.zeros((square[0] * square[0] // 2 + 1, n_sisters), np.int64),
        np.zeros(4 * WIDTH + 16, np.int64),
    )


@compiled
def oriented(x: Any, a: int, b: int) -> bool:
    """Whether the pair (a, b) is looked at this way round; depends on content only, relations first."""
    for f in (DEPREL, UPOS, SUFFIX, FORM, MARKER):
        if x[a, f] != x[b, f]:
            return bool(x[a, f] < x[b, f])
    return a < b


@compiled
def drop_out(rows: Any, count: int, threshold: Any, state: Any, dummy: int) -> Any:
    """Point a random share (threshold / 65536) of rows at the always-zero dummy row; returns the new state."""
    for t in range(count):
        state = next_random(state)
        if (state & np.uint64(65535)) < threshold:
            rows[t] = dummy
    return state


@compiled
def score_treelet(x, treelet, h, g, begin, k, daughter, sisters, weights, mask, s, threshold, state):  # fmt: skip
    """Fill ``s`` for the mother ``h`` with daughters begin ... begin + k - 1; returns the drop-out state."""
    n_daughter, n_sisters = daughter.shape[0], sisters.shape[0]
    width = x.shape[1]
    gather(x, treelet, begin, -1, h, g, s.values)  # what it says of mother, grandmother and treelet stays
    for i in range(k):
        for f in range(width):
            s.values[f] = x[begin + i, f]
        hash_rows(s.values, daughter, DAUGHTER_SALT, mask, s.daughter_rows[i])
        if threshold > 0:
            state = drop_out(s.daughter_rows[i], n_daughter, threshold, state, mask + 1)
        for o in range(6):
            s.side[i, o] = 0.0
        for t in range(n_daughter):
            row = s.daughter_rows[i, t]
            for o in range(6):
                s.side[i, o] += weights[row, o]
    if k > PAIRED:
        return state
    for i in range(k):
        for j in range(i):
            a, b = (i, j) if oriented(x, begin + i, begin + j) else (j, i)
            pair = i * (i - 1) // 2 + j
            for f in range(width):
                s.values[f], s.values[width + f] = x[begin + a, f], x[begin + b, f]
            hash_rows(s.values, sisters, SISTER_SALT, mask, s.sister_rows[pair])
            if threshold > 0:
                state = drop_out(s.sister_rows[pair], n_sisters, threshold, state, mask + 1)
            s0, s1, s2, s3, s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for t in range(n_sisters):
                row = s.sister_rows[pair, t]
                s0 += weights[row, 0]
                s1 += weights[row, 1]
                s2 += weights[row, 2]
                s3 += weights[row, 3]
                s4 += weights[row, 4]
                s5 += weights[row, 5]
                s6 += weights[row, 6]
                s7 += weights[row, 7]
            s.before_left[a, b], s.before_left[b, a] = s0, s1
            s.before_right[a, b], s.before_right[b, a] = s2, s3
            s.next_left[a, b], s.next_left[b, a] = s4, s5
            s.next_right[a, b], s.next_right[b, a] = s6, s7
    return state
