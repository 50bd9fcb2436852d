"""Alignment of two sequences and the counts of errors that all metrics share (section 3.1 of the paper).

Costs: an insertion and a deletion cost 1 each, a substitution 1 and a trifle, so that it is cheaper than a
deletion and an insertion together. The alignment of least cost has therefore the fewest errors, and among
those the fewest substitutions; the numbers of substitutions, insertions and deletions follow uniquely.
Where alignments still differ, the one with the most moves is taken (a word deleted at one place and
inserted at another); of those, one that matches the common beginning and end, and between them the first
when operations are tried from left to right in the order match, deletion, insertion, substitution. All
counts are symmetric (footnote 4): with reference and hypothesis exchanged, insertions and deletions change
places and the rest stays.

    There was no cost estimate for       the second    phase
    There was         estimate for phase the second no cost
    .     .   d  d    .        .   i     .   .      i  s          no: 1 move; 5 simple, 4 generation errors

The search for the most moves ends early on long sentences in quite another order (``VISIT_LIMIT`` of the
kernel); it then takes the best it has seen, from both sides, so that symmetry holds all the same. Measured
on the 2,001 sentences of EWT dev, in two shuffles: 1 and 2 such sentences with 15% of the treelets shuffled; 54 and
50 with all of them shuffled, where a search 128 times as long found 23 more moves in 2,904.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, count, pairwise
from typing import TYPE_CHECKING, Literal, TypeVar

from fergus.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Encoded = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]

Kind = Literal["match", "substitution", "deletion", "insertion"]
T = TypeVar("T")
MOST_THREADS, PAIRS_A_THREAD = 4, 2000


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted in one sentence, or in several; the statistics from which every score is made."""

    substitutions: int
    insertions: int
    """All insertions, those that are half of a move among them (I of the paper)."""
    deletions: int
    """All deletions, those that are half of a move among them (D of the paper)."""
    moves: int
    length: int
    """The number of tokens of the reference (R of the paper)."""

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.substitutions + other.substitutions,
            self.insertions + other.insertions,
            self.deletions + other.deletions,
            self.moves + other.moves,
            self.length + other.length,
        )

    @property
    def remaining_insertions(self) -> int:
        """The insertions that are no part of a move (I' of the paper)."""
        return self.insertions - self.moves

    @property
    def remaining_deletions(self) -> int:
        """The deletions that are no part of a move (D' of the paper)."""
        return self.deletions - self.moves

    @property
    def simple_errors(self) -> int:
        """I + D + S."""
        return self.insertions + self.deletions + self.substitutions

    @property
    def generation_errors(self) -> int:
        """M + I' + D' + S."""
        return self.simple_errors - self.moves

    @property
    def simple_accuracy(self) -> float:
        """1 - (I + D + S) / R: at most 1, may be negative; undefined for an empty reference."""
        return _accuracy(self.simple_errors, self.length)

    @property
    def generation_accuracy(self) -> float:
        """1 - (M + I' + D' + S) / R: at most 1, may be negative; undefined for an empty reference."""
        return _accuracy(self.generation_errors, self.length)


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of an alignment; an index is None where that side has no token."""

    kind: Kind
    reference: int | None
    hypothesis: int | None


@dataclass(frozen=True)
class Alignment:
    """The operations from left to right, and the moves among them."""

    operations: tuple[Operation, ...]
    moves: tuple[tuple[int, int], ...]
    """(index in the reference, index in the hypothesis) of every token that moved, by reference index."""
    length: int
    reference: Sequence[Hashable] = field(default=(), repr=False, compare=False)
    """The tokens that were aligned, for drawing."""
    hypothesis: Sequence[Hashable] = field(default=(), repr=False, compare=False)

    def _repr_svg_(self) -> str | None:
        from fergus.drawing import draw_alignment, standalone

        if len(self.reference) != self.length:  # made by hand, without its tokens
            return None
        return standalone(draw_alignment(self.reference, self.hypothesis, self.operations, self.moves))

    @property
    def counts(self) -> Counts:
        """How many operations of every kind there are."""
        kinds = [operation.kind for operation in self.operations]
        return Counts(
            kinds.count("substitution"),
            kinds.count("insertion"),
            kinds.count("deletion"),
            len(self.moves),
            self.length,
        )


def align(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], *, substitutions: bool = True) -> Alignment:
    """The alignment that is counted; ``substitutions=False`` forbids them, as in footnote 5.

    >>> [step.kind for step in align("abc", "bxc").operations]
    ['deletion', 'match', 'insertion', 'match']
    """
    from fergus.metrics.edit_kernel import align_pair, workspace

    references, _, hypotheses, _, vocabulary = encode([reference], [hypothesis])
    path = align_pair(references, hypotheses, substitutions, workspace(vocabulary)).tolist()
    if path == [-1]:
        raise _too_long(0)
    kinds: tuple[Kind, ...] = ("match", "deletion", "insertion", "substitution")
    operations: list[Operation] = []
    i = j = 0
    for step in path:
        kind = kinds[step - 1]
        left, right = kind != "insertion", kind != "deletion"
        operations.append(Operation(kind, i if left else None, j if right else None))
        i, j = i + left, j + right
    # The first deletion of a word goes with its first insertion, the second with the second.
    inserted: defaultdict[Hashable, list[int]] = defaultdict(list)
    for operation in reversed(operations):
        if operation.reference is None and operation.hypothesis is not None:
            inserted[hypothesis[operation.hypothesis]].append(operation.hypothesis)
    moves: list[tuple[int, int]] = []
    for operation in operations:
        if operation.hypothesis is None and operation.reference is not None:
            places = inserted.get(reference[operation.reference])
            if places:
                moves.append((operation.reference, places.pop()))
    return Alignment(tuple(operations), tuple(moves), len(reference), reference, hypothesis)


def count_edits(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], *, substitutions: bool = True) -> Counts:
    """The counts of one pair of sequences of any hashable items.

    >>> count_edits("abcd", "bcda")
    Counts(substitutions=0, insertions=1, deletions=1, moves=1, length=4)
    """
    row = count_edits_batch([reference], [hypothesis], substitutions=substitutions)[0]
    return Counts(*row.tolist())


def count_edits_batch(
    references: Sequence[Sequence[Hashable]],
    hypotheses: Sequence[Sequence[Hashable]],
    *,
    substitutions: bool = True,
    moves: bool = True,
) -> NDArray[np.int64]:
    """One row a pair, the fields of ``Counts`` as columns; ``moves=False`` leaves those 0, in less time."""
    return count_encoded(encode(references, hypotheses), substitutions=substitutions, moves=moves)


def count_encoded(encoded: Encoded, *, substitutions: bool = True, moves: bool = True) -> NDArray[np.int64]:
    """The same for sequences whose items are numbered already."""
    import numpy as np

    from fergus.metrics.edit_kernel import count_pairs

    def counted(part: Encoded) -> tuple[NDArray[np.int64], int]:
        counts = np.zeros((len(part[1]) - 1, 5), np.int64)
        return counts, int(count_pairs(*part, substitutions, moves, counts)[0])

    tables, before = [], 0
    for counts, too_long in over_parts(counted, encoded):
        if too_long >= 0:
            raise _too_long(before + too_long)
        tables.append(counts)
        before += len(counts)
    return np.concatenate(tables)


def over_parts(counted: Callable[[Encoded], T], encoded: Encoded) -> list[T]:
    """Count parts of the pairs, each in a thread of its own, where there are enough of them to be worth it.

    Compiled code lets other threads run; the results are in the order of the pairs.
    """
    from concurrent.futures import ThreadPoolExecutor

    references, reference_starts, hypotheses, hypothesis_starts, size = encoded
    pairs = len(reference_starts) - 1
    threads = min(os.cpu_count() or 1, MOST_THREADS, pairs // PAIRS_A_THREAD)
    if threads < 2:
        return [counted(encoded)]
    edges = [pairs * number // threads for number in range(threads + 1)]
    parts = [
        (references, reference_starts[begin : end + 1], hypotheses, hypothesis_starts[begin : end + 1], size)
        for begin, end in pairwise(edges)
    ]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(counted, parts))


def simple_accuracies(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 - (I + D + S) / R of every row of a table of counts."""
    return _accuracies(counts, counts[:, :3].sum(axis=1))


def generation_accuracies(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 - (M + I' + D' + S) / R of every row of a table of counts."""
    return _accuracies(counts, counts[:, :3].sum(axis=1) - counts[:, 3])


def encode(references: Sequence[Sequence[Hashable]], hypotheses: Sequence[Sequence[Hashable]]) -> Encoded:
    """Number the items: flat references, where each starts, the same of the hypotheses, how many numbers."""
    import numpy as np

    if len(references) != len(hypotheses):
        raise InputError(
            f"{len(references)} references but {len(hypotheses)} hypotheses",
            remedy="give one hypothesis for every reference",
        )
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    flat: list[NDArray[np.int64]] = []
    for sequences in (references, hypotheses):
        starts = np.fromiter(accumulate(map(len, sequences), initial=0), np.int64, len(sequences) + 1)
        items = chain.from_iterable(sequences)
        flat += [np.fromiter(map(numbers.__getitem__, items), np.int64, int(starts[-1])), starts]
    return flat[0], flat[1], flat[2], flat[3], len(numbers)


def _accuracy(errors: int, length: int) -> float:
    if length == 0:
        if errors == 0:
            return 1.0
        raise _empty_reference("")
    return 1 - errors / length


def _accuracies(counts: NDArray[np.int64], errors: NDArray[np.int64]) -> NDArray[np.float64]:
    import numpy as np

    length = counts[:, 4]
    undefined = np.flatnonzero((length == 0) & (errors > 0))
    if len(undefined):
        raise _empty_reference(f" of pair {undefined[0] + 1}")
    result: NDArray[np.float64] = 1 - errors / np.maximum(length, 1)
    return result


def _empty_reference(which: str) -> InputError:
    return InputError(
        f"the reference{which} is empty and the hypothesis is not: accuracy is undefined",
        remedy="leave such pairs out, or use the counts",
    )


def _too_long(pair: int) -> InputError:
    from fergus.metrics.edit_kernel import CELL_LIMIT

    return InputError(
        f"the sequences of pair {pair + 1} are too long to be aligned",
        remedy=f"the product of their lengths may be {CELL_LIMIT} at most",
    )
