"""Edit distance in a beam around the diagonal, and its alignment, as Tercom and sacreBLEU compute them for TER.

hypothesis  .          Row i has the cells of the first i tokens of the hypothesis. Of these only the
   |        . x x      columns [low, high) are looked at, so that a long sentence costs no more than its
   v        . x x x    length; a distance that needs a cell outside of them comes out too large, there
                x x    as here.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]

BEAM_WIDTH: Final = 25
INFINITY: Final = 1 << 40

MATCH, SUBSTITUTION, DELETION, INSERTION = 0, 1, 2, 3


@compiled
def set_band(m: int, n: int, low: Ints, high: Ints) -> int:
    """The columns [low, high) of every row 1 to m that are looked at; how many they are at most."""
    ratio = n / m
    width = ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else BEAM_WIDTH
    broadest = 0
    for i in range(1, m + 1):
        diagonal = floor(i * ratio)
        low[i] = max(0, diagonal - width)
        high[i] = n + 1 if i == m else min(n + 1, diagonal + width)
        broadest = max(broadest, high[i] - low[i])
    return broadest


@compiled
def cost_outside_band(m: int, n: int, low: Ints, high: Ints) -> int:
    """What any path through a cell outside the band costs at least."""
    least = INFINITY
    for i in range(1, m + 1):
        if low[i] > 0:
            j = low[i] - 1
            least = min(least, abs(i - j) + abs((m - i) - (n - j)))
        if high[i] <= n:
            j = high[i]
            least = min(least, abs(i - j) + abs((m - i) - (n - j)))
    return least


@compiled
def band_alignment(
    hypothesis: Ints, reference: Ints, low: Ints, high: Ints, rows: Ints, operations: Bytes, stride: int
) -> int:
    """The distance in the band; ``operations`` of row i and column j go to i * stride + j - low[i].

    Of equally cheap operations a match or substitution is taken before a deletion, that before an insertion.
    """
    m, n = len(hypothesis), len(reference)
    # Row 0 is whole. Rows 1 and 2 take turns: what is right of their band has never been written.
    rows[1:] = INFINITY
    above = rows[0]
    for j in range(n + 1):
        above[j] = j
    for i in range(1, m + 1):
        here = rows[1 + i % 2]
        word = hypothesis[i - 1]
        start = i * stride - low[i]
        if low[i] > 0:
            here[low[i] - 1] = INFINITY
        for j in range(low[i], high[i]):
            if j == 0:
                here[j] = above[j] + 1
                operations[start] = DELETION
                continue
            operation = MATCH if word == reference[j - 1] else SUBSTITUTION
            cost = above[j - 1] + operation
            if above[j] + 1 < cost:
                cost = above[j] + 1
                operation = DELETION
            if here[j - 1] + 1 < cost:
                cost = here[j - 1] + 1
                operation = INSERTION
            here[j] = cost
            operations[start + j] = operation
        above = here
    return int(above[n])


@compiled
def trace(m: int, n: int, low: Ints, operations: Bytes, stride: int, aligned: Ints, errors: Ints, wrong: Ints) -> None:
    """Where the reference's tokens stand in the hypothesis, and how many errors there are before each place.

    A token that the hypothesis lacks stands at the one before it (-1 at the beginning). ``errors`` counts
    in the hypothesis, ``wrong`` in the reference.
    """
    i, j = m, n
    while i > 0 or j > 0:
        operation = INSERTION if i == 0 else operations[i * stride + j - low[i]]
        if operation != INSERTION:
            i -= 1
            errors[i + 1] = operation != MATCH
        if operation != DELETION:
            j -= 1
            aligned[j] = i - 1 if operation == INSERTION else i
            wrong[j + 1] = operation != MATCH
    for place in range(1, m + 1):
        errors[place] += errors[place - 1]
    for place in range(1, n + 1):
        wrong[place] += wrong[place - 1]
