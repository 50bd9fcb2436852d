"""Compiled look-up of n-gram probabilities, to be called from other compiled functions.

A word is its number in the vocabulary. In a context, a negative number says that there is no word at that
place (left of <s>, or the history is not known), and shortens the context; an unknown word is number 0 and
looked up as <unk>. A negative number as the word to be predicted counts as <unk>.

Children are found by hashing: 80 ns a trigram, where a search among the sorted words took 130.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fergus.compiled import compiled
from fergus.lm.tables import NgramTables
from fergus.lm.vocabulary import BEGIN, END

Number: TypeAlias = int | np.integer[Any]
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: its multiples spread evenly (Knuth)


@compiled
def fill_slots(
    word: npt.NDArray[np.int32], child_start: npt.NDArray[np.int32], bits: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Enter every child under its parent and its word into a hash table of 2**bits slots, linearly probed."""
    mask = (1 << bits) - 1
    keys = np.full(1 << bits, -1, np.int64)
    nodes = np.full(1 << bits, -1, np.int32)
    for parent in range(child_start.shape[0] - 1):
        for child in range(child_start[parent], child_start[parent + 1]):
            key = (np.int64(parent) << 32) | word[child]
            slot = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(64 - bits))
            while keys[slot] >= 0:
                slot = (slot + 1) & mask
            keys[slot] = key
            nodes[slot] = child
    return keys, nodes


@compiled
def find_child(tables: NgramTables, node: Number, word: Number) -> int:
    """Return the node of ``node``'s n-gram followed by ``word``, or -1."""
    key = (np.int64(node) << 32) | np.int64(word)
    slot = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(64 - tables.slot_bits))
    while tables.slot_key[slot] != key:
        if tables.slot_key[slot] < 0:
            return -1
        slot = (slot + 1) & (tables.slot_key.shape[0] - 1)
    return int(tables.slot_node[slot])


@compiled
def lm_logprob10_at(tables: NgramTables, context: Number, w2: Number, w3: Number) -> float:
    """Return log10 P(w3 | w1 w2), given the node of w1 w2 that ``find_child`` found (or -1)."""
    w3 = max(w3, 0)
    if w2 < 0:
        return float(tables.logprob10[w3])
    total = 0.0
    if context >= 0:
        node = find_child(tables, context, w3)
        if node >= 0:
            return float(tables.logprob10[node])
        if context < tables.backoff10.shape[0]:
            total += tables.backoff10[context]
    node = find_child(tables, w2, w3)
    if node >= 0:
        return float(total + tables.logprob10[node])
    if w2 < tables.backoff10.shape[0]:
        total += tables.backoff10[w2]
    return float(total + tables.logprob10[w3])


@compiled
def lm_logprob10(tables: NgramTables, w1: Number, w2: Number, w3: Number) -> float:
    """Return log10 P(w3 | w1 w2), backed off exactly; w1 < 0: no such word, w2 < 0: no context at all."""
    context = -1
    if w1 >= 0 and w2 >= 0:
        context = find_child(tables, np.int64(w1), np.int64(w2))
    return lm_logprob10_at(tables, context, np.int64(w2), np.int64(w3))


@compiled
def lm_logprob10_in_context(tables: NgramTables, context: npt.NDArray[np.int32], word: Number) -> float:
    """Return log10 P(word | context) for a context of any length, the nearest word last."""
    word = max(word, 0)
    length = context.shape[0]
    start = max(0, length - tables.order + 1)
    for place in range(start, length):
        if context[place] < 0:
            start = place + 1
    total = 0.0
    for first in range(start, length):
        node: Number = np.int64(context[first])
        for place in range(first + 1, length):
            node = find_child(tables, node, np.int64(context[place]))
            if node < 0:
                break
        if node >= 0:
            child = find_child(tables, node, word)
            if child >= 0:
                return float(total + tables.logprob10[child])
            if node < tables.backoff10.shape[0]:
                total += tables.backoff10[node]
    return float(total + tables.logprob10[word])


@compiled
def lm_score(tables: NgramTables, sentence: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Return log10 P of each word of a sentence given all before it, and of </s> after the last."""
    padded = np.empty(sentence.shape[0] + 2, np.int32)
    padded[0] = BEGIN
    for place in range(sentence.shape[0]):  # a slice would bring numba's words about shapes along: seconds of compiling
        padded[place + 1] = sentence[place]
    padded[-1] = END
    scores = np.empty(sentence.shape[0] + 1, np.float64)
    for place in range(scores.shape[0]):
        first = max(0, place + 2 - tables.order)
        scores[place] = lm_logprob10_in_context(tables, padded[first : place + 1], np.int64(padded[place + 1]))
    return scores


@compiled
def lm_logprob10_of_rows(tables: NgramTables, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Return log10 P of the last word of each row given the others."""
    scores = np.empty(rows.shape[0], np.float64)
    last = rows.shape[1] - 1
    for row in range(rows.shape[0]):
        scores[row] = lm_logprob10_in_context(tables, rows[row, :last], np.int64(rows[row, last]))
    return scores
