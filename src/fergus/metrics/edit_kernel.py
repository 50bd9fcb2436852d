"""The compiled part of the alignment: costs, the search for the most moves, and treelets (sections 3.1, 3.2).

Imported only where something is counted, since it brings numba along. Sequences come as flat arrays of
token numbers with the place where each one starts. Costs are two numbers in one: ``ERROR`` times the
number of errors, plus the number of substitutions, so that the least cost has the fewest errors and among
those the fewest substitutions. What remains open is *which* tokens are substituted, and with it the moves:

    moves = (deletions + insertions - imbalance) / 2,    imbalance = sum over words of |deleted - inserted|

The difference deleted - inserted of a word is its surplus in the reference, less its substitutions there,
plus its substitutions in the hypothesis: matches, deletions and insertions do not change it. So with no
substitution the moves are known at once, and otherwise a depth-first search over the alignments of least
cost never has to visit the same cell twice with the same differences.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Space = tuple[Ints, Ints, Ints]
"""What a run over many pairs allocates once: the surplus of every word, the memo, the marks of the memo."""

ERROR: Final = 1 << 32
CELL_LIMIT: Final = 1 << 26
"""The largest product of the two lengths, common beginning and end left off (half a gigabyte)."""
VISIT_LIMIT: Final = 4096
"""How many cells the search for the most moves may visit beyond one path."""
MEMO_SIZE: Final = 1 << 14

MATCH, DELETION, INSERTION, SUBSTITUTION = 1, 2, 3, 4
CERTAIN, UNCERTAIN, TOO_LONG = 0, 1, 2


@compiled
def mix(number: int) -> int:
    """A number with well-spread bits, always the same one."""
    x = (number + 1) * -7046029254386353131
    x = (x ^ (x >> 30)) * -4658895280553007687
    x = (x ^ (x >> 27)) * -7723592293110705685
    return x ^ (x >> 31)


@compiled
def fill_ways(reference: Ints, hypothesis: Ints, table: Ints, ways: Bytes) -> None:
    """For every cell a bit for each operation with which an alignment of least cost may go on from there."""
    n, m = len(reference), len(hypothesis)
    width = m + 1
    for i in range(n + 1):
        for j in range(width):
            here = i * width + j
            cost, mask = table[here], 0
            if i < n and cost == table[here + width] + ERROR:
                mask |= 1 << DELETION
            if j < m and cost == table[here + 1] + ERROR:
                mask |= 1 << INSERTION
            if i < n and j < m:
                step = cost - table[here + width + 1]
                if reference[i] == hypothesis[j]:
                    if step == 0:
                        mask |= 1 << MATCH
                elif step == ERROR + 1:
                    mask |= 1 << SUBSTITUTION
            ways[here] = mask


@compiled
def fill(reference: Ints, hypothesis: Ints, substitutable: bool, table: Ints) -> None:
    """The cost from every cell (i, j) to the end, at ``table[i * (len(hypothesis) + 1) + j]``."""
    n, m = len(reference), len(hypothesis)
    width = m + 1
    for j in range(width):
        table[n * width + j] = (m - j) * ERROR
    for i in range(n - 1, -1, -1):
        row = i * width
        below = row + width
        right = (n - i) * ERROR
        table[row + m] = right
        word = reference[i]
        for j in range(m - 1, -1, -1):
            cost = min(right, table[below + j]) + ERROR
            if word == hypothesis[j]:
                cost = min(cost, table[below + j + 1])
            elif substitutable:
                cost = min(cost, table[below + j + 1] + ERROR + 1)
            table[row + j] = cost
            right = cost


@compiled
def is_best(reference: Ints, hypothesis: Ints, table: Ints, i: int, j: int, operation: int) -> bool:
    """Whether an alignment of least cost may go on from cell (i, j) with ``operation``."""
    width = len(hypothesis) + 1
    here = i * width + j
    if operation == DELETION:
        return bool(i < len(reference) and table[here] == table[here + width] + ERROR)
    if operation == INSERTION:
        return bool(j < len(hypothesis) and table[here] == table[here + 1] + ERROR)
    if i == len(reference) or j == len(hypothesis):
        return False
    cost = table[here] - table[here + width + 1]
    if operation == MATCH:
        return bool(cost == 0 and reference[i] == hypothesis[j])
    return bool(cost == ERROR + 1 and reference[i] != hypothesis[j])


@compiled
def search(
    reference: Ints,
    hypothesis: Ints,
    table: Ints,
    surplus: Ints,
    imbalance: int,
    enough: int,
    mirrored: bool,
    memo: Ints,
    marks: Ints,
    path: Bytes,
    best_path: Bytes,
) -> tuple[int, bool]:
    """The least imbalance of an alignment of least cost, and whether it is certain.

    Operations are tried in the order match, deletion, insertion, substitution (the middle two swapped if
    ``mirrored``); the first alignment of the least imbalance is left in ``best_path``, closed by a 0.
    Ends as soon as the imbalance is no more than ``enough``.
    """
    n, m = len(reference), len(hypothesis)
    width = m + 1
    ways = np.empty((n + 1) * width, np.int8)
    fill_ways(reference, hypothesis, table, ways)
    best = n + m + 1
    i = j = depth = visits = differences = 0
    left = table[0] % ERROR
    mark = marks[MEMO_SIZE]
    path[0] = 0
    entering = True
    while True:
        dead = False
        if entering:
            if i == n and j == m:
                if imbalance < best:
                    best = imbalance
                    best_path[:depth] = path[:depth]
                    best_path[depth] = 0
                    if best <= enough:
                        return best, True
                dead = True
            elif imbalance - 2 * left >= best:  # one substitution mends two words at most
                dead = True
            else:
                visits += 1
                if visits > VISIT_LIMIT + n + m:
                    return best, False
                way = ways[i * width + j]
                # Only where there is a choice can two ways that meet go on differently.
                if way & (way - 1) and visits <= MEMO_SIZE // 2:
                    key = differences ^ mix(i * (m + 1) + j)
                    slot = key & (MEMO_SIZE - 1)
                    while marks[slot] == mark and memo[slot] != key:
                        slot = (slot + 1) & (MEMO_SIZE - 1)
                    dead = marks[slot] == mark
                    marks[slot] = mark
                    memo[slot] = key
        # The next operation that is possible from here, in the order 1, 2, 3, 4 or 1, 3, 2, 4.
        operation = SUBSTITUTION if dead else int(path[depth])
        found = False
        while not found and operation != SUBSTITUTION:
            if not mirrored or operation == 0:
                operation += 1
            elif operation == DELETION:
                operation = SUBSTITUTION
            else:
                operation = INSERTION if operation == MATCH else DELETION
            found = (ways[i * width + j] >> operation) & 1 == 1
        if found:
            path[depth] = operation
        elif depth == 0:
            return best, True
        else:  # take back the operation that led here
            depth -= 1
            operation = int(path[depth])
            i -= operation != INSERTION
            j -= operation != DELETION
        if operation == SUBSTITUTION:
            change = -1 if found else 1
            lost, gained = reference[i], hypothesis[j]
            imbalance -= abs(surplus[lost]) + abs(surplus[gained])
            surplus[lost] += change
            surplus[gained] -= change
            imbalance += abs(surplus[lost]) + abs(surplus[gained])
            differences += change * (mix(lost) - mix(gained))
            left += change
        if found:
            i += operation != INSERTION
            j += operation != DELETION
            depth += 1
            path[depth] = 0
        entering = found


@compiled
def set_surplus(reference: Ints, hypothesis: Ints, surplus: Ints) -> int:
    """Note how much oftener each word is in the reference; returns the sum of the absolute values."""
    for word in reference:
        surplus[word] = 0
    for word in hypothesis:
        surplus[word] = 0
    imbalance = 0
    for word in reference:
        imbalance += 1 if surplus[word] >= 0 else -1
        surplus[word] += 1
    for word in hypothesis:
        imbalance += 1 if surplus[word] <= 0 else -1
        surplus[word] -= 1
    return imbalance


@compiled
def workspace(vocabulary: int) -> Space:
    """An empty workspace; the last mark is the one in use."""
    return np.zeros(vocabulary, np.int64), np.zeros(MEMO_SIZE, np.int64), np.zeros(MEMO_SIZE + 1, np.int64)


@compiled
def least_imbalance(reference: Ints, hypothesis: Ints, table: Ints, space: Space) -> tuple[int, bool, Bytes]:
    """Search; where the search was cut short, also in the mirror, so that the result stays symmetric."""
    surplus, memo, marks = space
    n, m = len(reference), len(hypothesis)
    enough = abs(n - m)
    path, best_path = np.empty(n + m + 1, np.int8), np.empty(n + m + 1, np.int8)
    marks[MEMO_SIZE] += 1
    imbalance = set_surplus(reference, hypothesis, surplus)
    best, certain = search(
        reference, hypothesis, table, surplus, imbalance, enough, False, memo, marks, path, best_path
    )
    if not certain:
        other_path = np.empty(n + m + 1, np.int8)
        marks[MEMO_SIZE] += 1
        imbalance = set_surplus(reference, hypothesis, surplus)
        other, certain = search(
            reference, hypothesis, table, surplus, imbalance, enough, True, memo, marks, path, other_path
        )
        if other < best:
            best, best_path = other, other_path
    return best, certain, best_path


@compiled
def common_ends(reference: Ints, hypothesis: Ints) -> tuple[int, int]:
    """The lengths of the common beginning and of the common end of what is left.

    Some alignment of least cost with the most moves matches both: any other one can be changed, first
    word by first word, into one that matches them and has the same deleted and inserted words.
    """
    n, m = len(reference), len(hypothesis)
    start = 0
    while start < n and start < m and reference[start] == hypothesis[start]:
        start += 1
    end = 0
    while end < n - start and end < m - start and reference[n - 1 - end] == hypothesis[m - 1 - end]:
        end += 1
    return start, end


@compiled
def count_pair(
    reference: Ints, hypothesis: Ints, substitutable: bool, want_moves: bool, space: Space, counts: Ints
) -> int:
    """Add substitutions, insertions, deletions and moves of one pair to ``counts``.

    Returns ``CERTAIN``, ``UNCERTAIN`` if there might be more moves, or ``TOO_LONG`` if nothing was counted.
    """
    start, end = common_ends(reference, hypothesis)
    reference = reference[start : len(reference) - end]
    hypothesis = hypothesis[start : len(hypothesis) - end]
    n, m = len(reference), len(hypothesis)
    if n == 0 or m == 0:
        counts[1] += m
        counts[2] += n
        return CERTAIN
    if n * m > CELL_LIMIT:
        return TOO_LONG
    table = np.empty((n + 1) * (m + 1), np.int64)
    fill(reference, hypothesis, substitutable, table)
    errors, substitutions = table[0] // ERROR, table[0] % ERROR
    deletions = (errors - substitutions + n - m) // 2
    insertions = errors - substitutions - deletions
    counts[0] += substitutions
    counts[1] += insertions
    counts[2] += deletions
    certain = True
    if want_moves and deletions > 0 and insertions > 0:
        if substitutions == 0:
            imbalance = set_surplus(reference, hypothesis, space[0])
        else:
            imbalance, certain, _ = least_imbalance(reference, hypothesis, table, space)
        counts[3] += (deletions + insertions - imbalance) // 2
    return CERTAIN if certain else UNCERTAIN


@compiled
def count_pairs(
    references: Ints,
    reference_starts: Ints,
    hypotheses: Ints,
    hypothesis_starts: Ints,
    vocabulary: int,
    substitutable: bool,
    want_moves: bool,
    counts: Ints,
) -> tuple[int, int]:
    """Count every pair into its row of ``counts`` (substitutions, insertions, deletions, moves, length).

    Returns the first pair that is too long or -1, and for how many pairs there might be more moves.
    """
    space = workspace(vocabulary)
    uncertain = 0
    for pair in range(len(counts)):
        reference = references[reference_starts[pair] : reference_starts[pair + 1]]
        hypothesis = hypotheses[hypothesis_starts[pair] : hypothesis_starts[pair + 1]]
        counts[pair, 4] = len(reference)
        state = count_pair(reference, hypothesis, substitutable, want_moves, space, counts[pair])
        if state == TOO_LONG:
            return pair, uncertain
        uncertain += state == UNCERTAIN
    return -1, uncertain


@compiled
def align_pair(reference: Ints, hypothesis: Ints, substitutable: bool, space: Space) -> Bytes:
    """The operations of the alignment that is counted, from the first to the last; -1 if it is too long."""
    start, end = common_ends(reference, hypothesis)
    middle, other = reference[start : len(reference) - end], hypothesis[start : len(hypothesis) - end]
    n, m = len(middle), len(other)
    if n * m > CELL_LIMIT:
        return np.full(1, -1, np.int8)
    table = np.empty((n + 1) * (m + 1), np.int64)
    fill(middle, other, substitutable, table)
    _, _, path = least_imbalance(middle, other, table, space)
    length = 0
    while path[length] != 0:
        length += 1
    operations = np.full(start + length + end, MATCH, np.int8)
    operations[start : start + length] = path[:length]
    return operations
