"""The compiled part of TER: edits with shifts of blocks, by Tercom's greedy search with sacreBLEU's limits.

Imported only where something is counted, since it brings numba along. Every distance that the search needs
is the one in a band around the diagonal (``band_alignment``). Candidates are first measured without a band,
64 cells at a time (Myers 1999, Hyyrö 2003), going on from where the shift first changes the sentence; a
distance below ``cost_outside_band`` is that in the band too, since no path that leaves the band is so cheap.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Words = NDArray[np.uint64]

MAX_SHIFT_SIZE: Final = 10
MAX_SHIFT_DISTANCE: Final = 50
BEAM_WIDTH: Final = 25
MAX_CANDIDATES: Final = 1000
"""Once so many shifts of a sentence were tried, the search ends with the shifts it has made."""
INFINITY: Final = 1 << 40

MATCH, SUBSTITUTION, DELETION, INSERTION = 0, 1, 2, 3

ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)


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


@compiled
def shift(words: Ints, start: int, length: int, target: int, shifted: Ints) -> None:
    """The words with those at [start, start + length) put before ``target``, behind them if it lies among them."""
    if target < start:
        left, middle, right = target, start, start + length
    else:
        left, middle = start, start + length
        right = min(target if target > middle else target + length, len(words))
    shifted[:left] = words[:left]
    shifted[left : left + right - middle] = words[middle:right]
    shifted[left + right - middle : right] = words[left:middle]
    shifted[right:] = words[right:]


@compiled
def advance(word: int, matches: Words, plus: Words, minus: Words, i: int, blocks: int, last: np.uint64) -> int:
    """From the column of differences at row i - 1 to that at row i; how the last cell changes.

    Bit j of ``plus`` (``minus``) says that cell j + 1 of the row is larger (smaller) by 1 than cell j.
    """
    carry = np.int64(1)
    for block in range(blocks):
        before = (i - 1) * blocks + block
        up, down = plus[before], minus[before]
        equal = matches[word * blocks + block]
        vertical = equal | down
        if carry < 0:
            equal |= ONE
        horizontal = (((equal & up) + up) ^ up) | equal
        rise = down | ~(horizontal | up)
        fall = up & horizontal
        top = last if block == blocks - 1 else np.uint64(63)
        incoming = carry
        carry = np.int64((rise >> top) & ONE) - np.int64((fall >> top) & ONE)
        rise, fall = rise << ONE, fall << ONE
        if incoming > 0:
            rise |= ONE
        elif incoming < 0:
            fall |= ONE
        plus[before + blocks] = fall | ~(vertical | rise)
        minus[before + blocks] = rise & vertical
    return int(carry)


@compiled
def edits_with_shifts(words: Ints, reference: Ints, distinct: int) -> int:
    """The edits of one pair; words of the reference are numbered from 1, ``distinct`` of them, others are 0."""
    m, n = len(words), len(reference)
    if m == 0 or n == 0:
        return max(m, n)
    low, high = np.zeros(m + 1, np.int64), np.zeros(m + 1, np.int64)
    stride = set_band(m, n, low, high)
    least_outside = cost_outside_band(m, n, low, high)
    rows = np.empty((3, n + 1), np.int64)
    operations = np.empty((m + 1) * stride, np.int8)
    unused = np.empty((m + 1) * stride, np.int8)
    aligned, errors, wrong = np.zeros(n, np.int64), np.zeros(m + 1, np.int64), np.zeros(n + 1, np.int64)
    blocks = (n + 63) // 64
    last = np.uint64((n - 1) % 64)
    matches = np.zeros((distinct + 1) * blocks, np.uint64)
    for j in range(n):
        matches[reference[j] * blocks + j // 64] |= ONE << np.uint64(j % 64)
    # Rows 0 to m of the sentence as it is, then of a candidate; row 0 grows by 1 from cell to cell.
    plus, minus = np.full((m + 1) * blocks, ~ZERO), np.zeros((m + 1) * blocks, np.uint64)
    new_plus, new_minus = plus.copy(), minus.copy()
    ends = np.full(m + 1, n, np.int64)
    words, shifted, best = words.copy(), np.empty_like(words), np.empty_like(words)
    shifts, candidates, changed = 0, 0, 0
    while True:
        distance = band_alignment(words, reference, low, high, rows, operations, stride)
        if distance == 0:
            return shifts
        trace(m, n, low, operations, stride, aligned, errors, wrong)
        for i in range(changed + 1, m + 1):
            ends[i] = ends[i - 1] + advance(words[i - 1], matches, plus, minus, i, blocks, last)
        best_gain, best_length, best_start, best_target = 0, 0, 0, 0
        for start in range(m):
            for start_r in range(max(0, start - MAX_SHIFT_DISTANCE), min(n, start + MAX_SHIFT_DISTANCE + 1)):
                for length in range(1, min(MAX_SHIFT_SIZE, m - start, n - start_r) + 1):
                    if words[start + length - 1] != reference[start_r + length - 1]:
                        break
                    if (
                        errors[start + length] == errors[start]
                        or wrong[start_r + length] == wrong[start_r]
                        or start <= aligned[start_r] < start + length
                    ):
                        continue
                    tried = -1
                    for place in range(start_r - 1, start_r + length):
                        target = 0 if place < 0 else aligned[place] + 1
                        if target == tried:
                            continue
                        tried = target
                        candidates += 1
                        shift(words, start, length, target, shifted)
                        first = min(start, target)
                        for position in range(first * blocks, (first + 1) * blocks):
                            new_plus[position], new_minus[position] = plus[position], minus[position]
                        end = ends[first]
                        for i in range(first + 1, m + 1):
                            end += advance(shifted[i - 1], matches, new_plus, new_minus, i, blocks, last)
                        if end >= least_outside:
                            end = band_alignment(shifted, reference, low, high, rows, unused, stride)
                        gain = distance - end
                        # Longest first, then leftmost, then the leftmost target.
                        if gain > best_gain or (
                            gain == best_gain
                            and gain > 0
                            and (
                                length > best_length
                                or (length == best_length and start == best_start and target < best_target)
                            )
                        ):
                            best_gain, best_length, best_start, best_target = gain, length, start, target
                            best[:] = shifted
                    if candidates >= MAX_CANDIDATES:
                        return shifts + distance
        if best_gain == 0:
            return shifts + distance
        shifts += 1
        changed = min(best_start, best_target)
        words[:] = best


@compiled
def count_edits_with_shifts(
    references: Ints, reference_starts: Ints, hypotheses: Ints, hypothesis_starts: Ints, size: int
) -> Ints:
    """The edits of every pair; all items are below ``size``."""
    pairs = len(reference_starts) - 1
    edits = np.zeros(pairs, np.int64)
    numbers = np.zeros(size, np.int64)
    for pair in range(pairs):
        reference = references[reference_starts[pair] : reference_starts[pair + 1]]
        hypothesis = hypotheses[hypothesis_starts[pair] : hypothesis_starts[pair + 1]]
        if len(reference) == len(hypothesis) and (reference == hypothesis).all():
            continue
        distinct = 0
        target, words = np.empty_like(reference), np.empty_like(hypothesis)
        for j, word in enumerate(reference):
            if numbers[word] == 0:
                distinct += 1
                numbers[word] = distinct
            target[j] = numbers[word]
        for i, word in enumerate(hypothesis):
            words[i] = numbers[word]
        for word in reference:
            numbers[word] = 0
        edits[pair] = edits_with_shifts(words, target, distinct)
    return edits
