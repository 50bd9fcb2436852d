"""The compiled part of BLEU and chrF: n-grams of a hypothesis that its references have too.

Imported only where something is counted, since it brings numba along. An n-gram is numbered by a hash
table whose key is the number of the (n-1)-gram before its last item, and that item; only n-grams of the
hypothesis are entered, and a reference's n-gram is looked up only where the (n-1)-gram was found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled

Ints = NDArray[np.int64]


@compiled
def count_matches(
    references: Ints,
    reference_starts: Ints,
    hypotheses: Ints,
    hypothesis_starts: Ints,
    size: int,
    first: Ints,
    order: int,
) -> Ints:
    """Matched n-grams of every length to ``order``, a row a group of pairs; all items are below ``size``.

    ``first`` has the pair at which every group starts, and the number of pairs. The pairs of a group have
    one hypothesis; an n-gram counts as often as in the reference that has it most often, at most.
    """
    groups = len(first) - 1
    matches = np.zeros((groups, order), np.int64)
    if not groups:
        return matches
    longest = max(1, np.diff(hypothesis_starts).max())
    longest_reference = np.diff(reference_starts[first]).max()
    slots = 2
    while slots < 2 * longest:
        slots *= 2
    keys = np.empty(slots, np.int64)
    numbers = np.empty(slots, np.int64)
    stamps = np.zeros(slots, np.int64)  # a slot is filled if it bears the stamp of this group and length
    stamp = 0
    # By position: the number of the (n-1)-gram that starts there, -1 if the hypothesis does not have it.
    shorter = np.empty(longest, np.int64)
    shorter_of_reference = np.empty(longest_reference, np.int64)
    # By number of an n-gram: how often the hypothesis has it, how often the reference that is being read
    # has had it so far, which one that is, and how often a reference had it at most.
    wanted = np.empty(longest, np.int64)
    seen = np.empty(longest, np.int64)
    reader = np.empty(longest, np.int64)
    most = np.empty(longest, np.int64)
    for group in range(groups):
        begin, end = first[group], first[group + 1]
        hypothesis = hypotheses[hypothesis_starts[begin] : hypothesis_starts[begin + 1]]
        origin = reference_starts[begin]
        shorter[: len(hypothesis)] = 0
        shorter_of_reference[: reference_starts[end] - origin] = 0
        mask = 2  # small groups use a small part of the table, which stays in the cache
        while mask < 2 * len(hypothesis):
            mask *= 2
        mask -= 1
        for n in range(1, min(order, len(hypothesis)) + 1):
            stamp += 1
            used = 0
            for place in range(len(hypothesis) - n + 1):
                key = shorter[place] * size + hypothesis[place + n - 1]
                slot = (key * -7046029254386353131 >> 32) & mask
                while stamps[slot] == stamp and keys[slot] != key:
                    slot = (slot + 1) & mask
                if stamps[slot] != stamp:
                    stamps[slot], keys[slot], numbers[slot] = stamp, key, used
                    wanted[used], most[used], reader[used] = 0, 0, -1
                    used += 1
                number = numbers[slot]
                wanted[number] += 1
                shorter[place] = number
            for pair in range(begin, end):
                for place in range(reference_starts[pair], reference_starts[pair + 1] - n + 1):
                    parent = shorter_of_reference[place - origin]
                    if parent < 0:
                        continue
                    key = parent * size + references[place + n - 1]
                    slot = (key * -7046029254386353131 >> 32) & mask
                    while stamps[slot] == stamp and keys[slot] != key:
                        slot = (slot + 1) & mask
                    number = numbers[slot] if stamps[slot] == stamp else -1
                    shorter_of_reference[place - origin] = number
                    if number < 0:
                        continue
                    if reader[number] != pair:
                        reader[number], seen[number] = pair, 0
                    seen[number] += 1
                    if seen[number] > most[number]:
                        most[number] = seen[number]
                        if seen[number] <= wanted[number]:
                            matches[group, n - 1] += 1
    return matches
