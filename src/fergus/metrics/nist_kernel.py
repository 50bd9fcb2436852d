"""The compiled part of NIST: a trie of the references' n-grams with their counts, and what matches are worth.

Imported only where something is counted, since it brings numba along. The trie is a hash table whose key
is a node and the token after it; node 0 is the root, and a slot without a node is free. Tokens are
numbered from 1; 0 is a token that no reference has.
"""

from __future__ import annotations

from math import log2

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def find_slot(keys: Ints, nodes: Ints, parent: int, token: int) -> int:
    """The slot of the n-gram, or the free one where it belongs."""
    key = (parent << 32) | token
    mask = len(keys) - 1
    slot = (key * -7046029254386353131 >> 32) & mask
    while nodes[slot] and keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@compiled
def rehash(keys: Ints, nodes: Ints, new_keys: Ints, new_nodes: Ints) -> None:
    """Enter everything into larger arrays."""
    for slot in range(len(keys)):
        if nodes[slot]:
            key = keys[slot]
            new = find_slot(new_keys, new_nodes, key >> 32, key & 0xFFFFFFFF)
            new_keys[new], new_nodes[new] = key, nodes[slot]


@compiled
def enter_ngrams(items: Ints, starts: Ints, order: int, keys: Ints, nodes: Ints, counts: Ints, largest: int) -> int:
    """Count all n-grams of the sequences; ``largest`` is the largest node so far, the one then is returned."""
    for sequence in range(len(starts) - 1):
        end = starts[sequence + 1]
        for begin in range(starts[sequence], end):
            node = 0
            for place in range(begin, min(begin + order, end)):
                slot = find_slot(keys, nodes, node, items[place])
                if not nodes[slot]:
                    largest += 1
                    keys[slot], nodes[slot] = (node << 32) | items[place], largest
                node = nodes[slot]
                counts[node] += 1
    return largest


@compiled
def walk(items: Ints, order: int, keys: Ints, nodes: Ints, found: Ints) -> int:
    """Row n of ``found`` gets the nodes of the (n+1)-grams by the place where they start, 0 if there is none.

    Returns how many there are none of.
    """
    missing = 0
    for begin in range(len(items)):
        node = 0
        for n in range(min(order, len(items) - begin)):
            if n == 0 or node:
                token = items[begin + n]
                node = nodes[find_slot(keys, nodes, node, token)] if token else 0
            found[n, begin] = node
            if not node:
                missing += 1
    return missing


@compiled
def sum_information(
    references: Ints,
    reference_starts: Ints,
    hypotheses: Ints,
    hypothesis_starts: Ints,
    first: Ints,
    order: int,
    keys: Ints,
    nodes: Ints,
    counts: Ints,
    information: Floats,
    lengths: Floats,
) -> int:
    """For every segment and order the information of the matched n-grams; -1, or a pair not in the trie.

    ``first`` has the first pair of every segment, and the number of pairs. For each order that reference
    counts whose matches are worth most, the longest one of equals; ``lengths`` gets the mean of their lengths.
    """
    of_hypothesis = np.zeros((order, max(1, np.diff(hypothesis_starts).max())), np.int64)
    of_reference = np.zeros((order, max(1, np.diff(reference_starts).max())), np.int64)
    open_matches = np.zeros(len(counts), np.int64)
    for segment in range(len(first) - 1):
        begin = first[segment]
        hypothesis = hypotheses[hypothesis_starts[begin] : hypothesis_starts[begin + 1]]
        walk(hypothesis, order, keys, nodes, of_hypothesis)
        best_lengths = np.full(order, -1, np.int64)
        for pair in range(begin, first[segment + 1]):
            reference = references[reference_starts[pair] : reference_starts[pair + 1]]
            if walk(reference, order, keys, nodes, of_reference):
                return int(pair)
            for n in range(order):
                for place in range(len(reference) - n):
                    open_matches[of_reference[n, place]] += 1
                worth = 0.0
                for place in range(len(hypothesis) - n):
                    node = of_hypothesis[n, place]
                    if node and open_matches[node]:
                        open_matches[node] -= 1
                        shorter = of_hypothesis[n - 1, place] if n else 0
                        worth += log2(counts[shorter] / counts[node])
                for place in range(len(reference) - n):
                    open_matches[of_reference[n, place]] = 0
                best = information[segment, n]
                if worth > best or (worth == best and len(reference) > best_lengths[n]):
                    information[segment, n], best_lengths[n] = worth, len(reference)
        lengths[segment] = best_lengths.sum() / order
    return -1
