"""Slow and obvious: every alignment of two sequences, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.untraced import oracle

Step = tuple[str, int, int]


def alignments(
    reference: Sequence[object], hypothesis: Sequence[object], i: int = 0, j: int = 0
) -> Iterator[tuple[Step, ...]]:
    """All ways to go from (i, j) to the end, operations in the order of the tie rule."""
    if i == len(reference) and j == len(hypothesis):
        yield ()
        return
    both = i < len(reference) and j < len(hypothesis)
    if both and reference[i] == hypothesis[j]:
        for rest in alignments(reference, hypothesis, i + 1, j + 1):
            yield (("match", i, j), *rest)
    if i < len(reference):
        for rest in alignments(reference, hypothesis, i + 1, j):
            yield (("deletion", i, j), *rest)
    if j < len(hypothesis):
        for rest in alignments(reference, hypothesis, i, j + 1):
            yield (("insertion", i, j), *rest)
    if both and reference[i] != hypothesis[j]:
        for rest in alignments(reference, hypothesis, i + 1, j + 1):
            yield (("substitution", i, j), *rest)


def counts(
    reference: Sequence[object], hypothesis: Sequence[object], steps: Sequence[Step]
) -> tuple[int, int, int, int, int]:
    """Substitutions, insertions, deletions, moves, length."""
    kinds = Counter(kind for kind, _, _ in steps)
    deleted = Counter(reference[i] for kind, i, _ in steps if kind == "deletion")
    inserted = Counter(hypothesis[j] for kind, _, j in steps if kind == "insertion")
    moves = (deleted & inserted).total()
    return kinds["substitution"], kinds["insertion"], kinds["deletion"], moves, len(reference)


@oracle
def best_counts(
    reference: Sequence[object], hypothesis: Sequence[object], *, substitutions: bool = True
) -> tuple[int, int, int, int, int]:
    """The counts with the fewest errors, then the fewest substitutions, then the most moves."""
    candidates = {counts(reference, hypothesis, steps) for steps in alignments(reference, hypothesis)}
    if not substitutions:
        candidates = {c for c in candidates if c[0] == 0}
    return min(candidates, key=lambda c: (c[0] + c[1] + c[2], c[0], -c[3]))


def least_cost_alignments(reference: Sequence[object], hypothesis: Sequence[object]) -> list[tuple[Step, ...]]:
    """The alignments with the fewest errors, then the fewest substitutions: all of them, in order.

    Cheaper than ``alignments``, and the tests compare the two: whatever follows a step of an alignment of
    least cost is itself of least cost.
    """
    best: dict[tuple[int, int], tuple[tuple[int, int], list[tuple[Step, ...]]]] = {}
    n, m = len(reference), len(hypothesis)
    best[n, m] = (0, 0), [()]
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            ways: list[tuple[str, int, int, int, int]] = []
            if i < n and j < m and reference[i] == hypothesis[j]:
                ways.append(("match", i + 1, j + 1, 0, 0))
            if i < n:
                ways.append(("deletion", i + 1, j, 1, 0))
            if j < m:
                ways.append(("insertion", i, j + 1, 1, 0))
            if i < n and j < m and reference[i] != hypothesis[j]:
                ways.append(("substitution", i + 1, j + 1, 1, 1))
            found = []
            for kind, x, y, error, substitution in ways:
                (errors, substitutions), rests = best[x, y]
                cost = errors + error, substitutions + substitution
                found.append((cost, [((kind, i, j), *rest) for rest in rests]))
            if found:
                least = min(cost for cost, _ in found)
                best[i, j] = least, [steps for cost, some in found if cost == least for steps in some]
    return best[0, 0][1]


@oracle
def most_moves(reference: Sequence[object], hypothesis: Sequence[object]) -> tuple[int, int, int, int, int]:
    """The counts of an alignment of least cost with the most moves."""
    found = [counts(reference, hypothesis, steps) for steps in least_cost_alignments(reference, hypothesis)]
    return max(found, key=lambda c: c[3])


@oracle
def chosen_alignment(reference: Sequence[object], hypothesis: Sequence[object]) -> list[str]:
    """Kinds of operations: the common ends matched, and between them the first alignment with most moves."""
    if reference and hypothesis and reference[0] == hypothesis[0]:
        return ["match", *chosen_alignment(reference[1:], hypothesis[1:])]
    if reference and hypothesis and reference[-1] == hypothesis[-1]:
        return [*chosen_alignment(reference[:-1], hypothesis[:-1]), "match"]
    found = least_cost_alignments(reference, hypothesis)
    return [kind for kind, _, _ in max(found, key=lambda steps: counts(reference, hypothesis, steps)[3])]
