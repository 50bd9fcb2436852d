"""The compiled part of TER: edits with shifts of blocks, by Tercom's greedy search with sacreBLEU's limits.

Imported only where something is counted, since it brings numba along. Every distance that the search needs
is the one in a band around the diagonal (``band_alignment``). Candidates are first measured without a band,
64 cells at a time (Myers 1999, Hyyrö 2003), going on from where the shift first changes the sentence; a
distance below ``cost_outside_band`` is that in the band too, since no path that leaves the band is so cheap.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.metrics.beam_kernel import band_alignment, cost_outside_band, set_band, trace

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

MAX_SHIFT_SIZE: Final = 10
MAX_SHIFT_DISTANCE: Final = 50
MAX_CANDIDATES: Final = 1000
"""Once so many shifts of a sentence were tried, the search ends with the shifts it has made."""
MAX_BLOCKS: Final = 16
"""Longer references than so many times 64 tokens are measured in the beam alone, for the memory's sake."""

ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)


@compiled
def shift(words: Ints, start: int, length: int, target: int, shifted: Ints) -> int:
    """Put the words at [start, start + length) before ``target``, or behind it if it lies among them.

    Returns the first place that may have changed; ``shifted`` is written from there on only.
    """
    if target < start:
        left, middle, right = target, start, start + length
    else:
        left, middle = start, start + length
        right = min(target if target > middle else target + length, len(words))
    place = left
    for source in range(middle, right):
        shifted[place] = words[source]
        place += 1
    for source in range(left, middle):
        shifted[place] = words[source]
        place += 1
    for source in range(right, len(words)):
        shifted[source] = words[source]
    return int(left)


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
def finish(words: Ints, first: int, matches: Words, up: np.uint64, down: np.uint64, last: np.uint64) -> int:
    """How the last cell changes from row ``first`` to the last row, where one block holds the whole column."""
    change = np.int64(0)
    for i in range(first, len(words)):
        equal = matches[words[i]]
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        rise = down | ~(horizontal | up)
        fall = up & horizontal
        change += np.int64((rise >> last) & ONE) - np.int64((fall >> last) & ONE)
        rise = (rise << ONE) | ONE
        up = (fall << ONE) | ~(vertical | rise)
        down = rise & vertical
    return int(change)


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
    if blocks > MAX_BLOCKS:
        blocks, least_outside = 0, 0
    last = np.uint64((n - 1) % 64)
    matches = np.zeros((distinct + 1) * blocks, np.uint64)
    for j in range(min(n, 64 * blocks)):
        matches[reference[j] * blocks + j // 64] |= ONE << np.uint64(j % 64)
    # Rows 0 to m of the sentence as it is, then of a candidate; row 0 grows by 1 from cell to cell.
    plus, minus = np.full((m + 1) * blocks, ~ZERO), np.zeros((m + 1) * blocks, np.uint64)
    new_plus, new_minus = plus.copy(), minus.copy()
    ends = np.full(m + 1, n, np.int64)
    words, shifted = words.copy(), np.empty_like(words)
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
                        first = shift(words, start, length, target, shifted)
                        end = ends[first]
                        if blocks == 1:
                            end += finish(shifted, first, matches, plus[first], minus[first], last)
                        else:
                            for position in range(first * blocks, (first + 1) * blocks):
                                new_plus[position], new_minus[position] = plus[position], minus[position]
                            for i in range(first + 1, m + 1):
                                end += advance(shifted[i - 1], matches, new_plus, new_minus, i, blocks, last)
                        if end >= least_outside:
                            shifted[:first] = words[:first]
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
                    if candidates >= MAX_CANDIDATES:
                        return shifts + distance
        if best_gain == 0:
            return shifts + distance
        shifts += 1
        changed = shift(words, best_start, best_length, best_target, shifted)
        words[changed:] = shifted[changed:]


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
