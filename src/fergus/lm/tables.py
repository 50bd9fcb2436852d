"""The arrays of an n-gram model: one trie, its nodes numbered level by level.

Nodes 0 to V-1 are the words, so that node w is the unigram w; then come the bigrams, sorted by first and
second word, then the trigrams, and so on. So a node's children are neighbours, and the next node's follow:

    child_start[node] <= child < child_start[node + 1]

The longest n-grams have neither children nor a back-off weight: ``backoff10`` ends before them, and so does
``child_start``, which has one more number to close the last node's range.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

LOG_ZERO = -99.0  # ARPA's way to write log10 of 0


class NgramTables(NamedTuple):
    """What the compiled functions read; all arrays are read-only and contiguous."""

    order: int
    word: npt.NDArray[np.int32]  # the last word of each node's n-gram
    logprob10: npt.NDArray[np.float32]
    backoff10: npt.NDArray[np.float32]  # log10 of the weight of the shorter context
    child_start: npt.NDArray[np.int32]
    # A hash table from parent << 32 | word to the child, -1 where empty; made from the rest, never saved.
    slot_bits: int
    slot_key: npt.NDArray[np.int64]
    slot_node: npt.NDArray[np.int32]

    def level_bounds(self) -> list[int]:
        """Return where each level begins, and the number of nodes: ``order`` + 1 numbers."""
        bounds = [0]
        end = int(self.child_start[0])
        for _ in range(self.order):
            bounds.append(end)
            end = int(self.child_start[end]) if end < len(self.child_start) else len(self.word)
        return bounds


class TrieLevel(NamedTuple):
    """N-grams of one length, sorted by (prefix, word), where a prefix is a row of the level below."""

    prefix: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]
    logprob10: npt.NDArray[np.float64]
    backoff10: npt.NDArray[np.float64]  # of no meaning in the last level


def make_tables(levels: list[TrieLevel]) -> NgramTables:
    """Lay the levels one after another; level 1 has one row for each word of the vocabulary, in order."""
    from fergus.lm.kernels import fill_slots

    start, child_starts = len(levels[0].word), []
    for level, above in pairwise(levels):
        rows = np.arange(len(level.word))
        child_starts.append(start + np.searchsorted(above.prefix, rows))
        start += len(above.word)
    child_start = _frozen(np.concatenate([*child_starts, [start]]), np.int32)
    word = _frozen(np.concatenate([level.word for level in levels]), np.int32)
    # Three of four slots at most are taken, and one is always free: a search for what is not there ends.
    bits = max(2, int(len(word) * 4 / 3).bit_length())
    slot_key, slot_node = fill_slots(word, child_start, bits)
    return NgramTables(
        len(levels),
        word,
        _frozen(np.concatenate([level.logprob10 for level in levels]), np.float32),
        _frozen(np.concatenate([level.backoff10 for level in levels[:-1]] or [np.zeros(0)]), np.float32),
        child_start,
        bits,
        _frozen(slot_key, np.int64),
        _frozen(slot_node, np.int32),
    )


def split_tables(tables: NgramTables) -> list[TrieLevel]:
    """Undo ``make_tables``."""
    bounds = tables.level_bounds()
    levels = []
    for length, (start, end) in enumerate(pairwise(bounds)):
        prefix = np.zeros(end - start, np.int64)
        if length:
            children = np.diff(tables.child_start[bounds[length - 1] : start + 1])
            prefix = np.repeat(np.arange(start - bounds[length - 1]), children)
        backoff10 = tables.backoff10[start:end] if length + 1 < tables.order else np.zeros(end - start)
        levels.append(
            TrieLevel(
                prefix,
                tables.word[start:end].astype(np.int64),
                tables.logprob10[start:end].astype(np.float64),
                backoff10.astype(np.float64),
            )
        )
    return levels


def rows_of_level(levels: list[TrieLevel], length: int) -> npt.NDArray[np.int32]:
    """Return the n-grams of ``length`` words as rows of word numbers."""
    rows = np.empty((len(levels[length - 1].word), length), np.int32)
    at = np.arange(len(rows))
    for place in range(length - 1, -1, -1):
        rows[:, place] = levels[place].word[at]
        at = levels[place].prefix[at]
    return rows


def _frozen(array: npt.NDArray[Any], dtype: type[np.generic]) -> npt.NDArray[Any]:
    result = np.ascontiguousarray(array, dtype=dtype)
    result.setflags(write=False)
    return result
