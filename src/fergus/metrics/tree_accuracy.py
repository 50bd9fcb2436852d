"""Simple and Generation Tree Accuracy (section 3.2 of the paper).

For every treelet of the reference's tree (a node that is no leaf, with all its daughters) the words of the
treelet in the order of the reference are compared with the same words in the order of the hypothesis, by
the alignment of the string accuracies; the counts are summed over the treelets, and R is the number of
tokens of the sentence.

    estimate(There was no cost for)  There was no cost estimate for / There was estimate for no cost  2 moves
    for(phase)                       for phase                      / for phase
    phase(the second)                the second phase               / phase the second                1 move

Which token belongs to which treelet is told by node indices; inside a treelet words are compared, so that
two equal words under one head may change places freely. What the paper, whose output is always a
permutation of the tokens, leaves open:

- A node that the hypothesis lacks is a deletion in every treelet it belongs to: with its sisters and, if
  it has daughters, with them.
- A token that is no node of the tree is one insertion, in the sentence and not in a treelet, and never
  half of a move.
- A sentence of one word is a treelet by itself, so that losing the word is seen.
- Output that is not projective needs nothing special: only orders inside treelets are looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, chain, count
from typing import TYPE_CHECKING

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.metrics.align import Counts, align, generation_accuracies, simple_accuracies

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_NODE = -1
"""In the order of a hypothesis: a token that is no node of the reference's tree."""

Order = Sequence[int]


def tree_counts(reference: OrderedTree, order: Order, *, words: Sequence[str] | None = None) -> Counts:
    """What both tree accuracies of one sentence are computed from.

    ``order`` has the nodes of the reference's tree as the hypothesis has them, with ``NO_NODE`` for a token
    that is none of them; ``words`` the tokens, where they may differ from the forms of the nodes.
    """
    given = None if words is None else [words]
    return Counts(*tree_counts_batch([reference], [order], words=given)[0].tolist())


def tree_counts_batch(
    references: Sequence[OrderedTree],
    orders: Sequence[Order],
    *,
    words: Sequence[Sequence[str]] | None = None,
    moves: bool = True,
) -> NDArray[np.int64]:
    """One row a sentence, with the fields of ``Counts`` as columns; ``moves=False`` leaves them 0."""
    import numpy as np

    from fergus.metrics.treelet_kernel import count_treelets

    _check(references, orders, words)
    lengths = [len(reference.order) for reference in references]
    starts = np.fromiter(accumulate(lengths, initial=0), np.int64, len(lengths) + 1)
    order_starts = np.fromiter(accumulate(map(len, orders), initial=0), np.int64, len(orders) + 1)
    total, order_total = int(starts[-1]), int(order_starts[-1])
    heads = np.fromiter(chain.from_iterable(r.tree.heads for r in references), np.int64, total)
    nodes = np.fromiter(chain.from_iterable(r.order for r in references), np.int64, total)
    hypothesis = np.fromiter(chain.from_iterable(orders), np.int64, order_total)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    forms = np.fromiter(
        (numbers[node.form] for reference in references for node in reference.tree.nodes), np.int64, total
    )
    expected = forms[np.repeat(starts[:-1], lengths) + nodes]
    if words is None:
        places = np.repeat(starts[:-1], np.diff(order_starts)) + hypothesis
        realized = forms[np.where(hypothesis == NO_NODE, 0, places)]
    else:
        realized = np.fromiter(map(numbers.__getitem__, chain.from_iterable(words)), np.int64, order_total)
    counts = np.zeros((len(references), 5), np.int64)
    too_long, _ = count_treelets(
        heads, nodes, expected, starts, hypothesis, realized, order_starts, len(numbers), moves, counts
    )
    if too_long >= 0:
        raise InputError(f"sentence {too_long + 1} has a treelet too large to be aligned")
    return counts


def simple_tree_accuracy(reference: OrderedTree, order: Order) -> float:
    """1 - (I + D + S) / R over the treelets of one sentence whose nodes are known."""
    return float(simple_accuracies(tree_counts_batch([reference], [order], moves=False))[0])


def generation_tree_accuracy(reference: OrderedTree, order: Order) -> float:
    """1 - (M + I' + D' + S) / R over the treelets of one sentence whose nodes are known."""
    return float(generation_accuracies(tree_counts_batch([reference], [order]))[0])


def simple_tree_accuracies(references: Sequence[OrderedTree], orders: Sequence[Order]) -> NDArray[np.float64]:
    """The Simple Tree Accuracy of every sentence."""
    return simple_accuracies(tree_counts_batch(references, orders, moves=False))


def generation_tree_accuracies(references: Sequence[OrderedTree], orders: Sequence[Order]) -> NDArray[np.float64]:
    """The Generation Tree Accuracy of every sentence."""
    return generation_accuracies(tree_counts_batch(references, orders))


def assign_nodes(reference: OrderedTree, words: Sequence[str]) -> tuple[int, ...]:
    """The node that each token of a hypothesis stands for, or ``NO_NODE``, when only words are known.

    In this order: tokens that the string alignment matches; equal words that are left, the first with the
    first, from left to right; tokens that the alignment substitutes for a word that nothing stands for yet.
    """
    forms = reference.forms
    assigned = [NO_NODE] * len(words)
    free = dict.fromkeys(range(len(forms)))
    operations = align(forms, words).operations

    def assign(kind: str) -> None:
        for step in operations:
            i, j = step.reference, step.hypothesis
            if step.kind == kind and i in free and j is not None and assigned[j] == NO_NODE:
                assigned[j] = reference.order[i]
                del free[i]

    assign("match")
    waiting: defaultdict[str, list[int]] = defaultdict(list)
    for position in reversed(free):
        waiting[forms[position]].append(position)
    for token, word in enumerate(words):
        if assigned[token] == NO_NODE and waiting.get(word):
            position = waiting[word].pop()
            assigned[token] = reference.order[position]
            del free[position]
    assign("substitution")
    return tuple(assigned)


def tree_counts_of_words(reference: OrderedTree, words: Sequence[str]) -> Counts:
    """The counts of a hypothesis of which only the words are known (see ``assign_nodes``)."""
    if isinstance(words, str):
        raise InputError(
            f"the hypothesis is text and not a list of tokens: {words[:40]!r}",
            remedy="tokenise it, for instance with .split()",
        )
    return tree_counts(reference, assign_nodes(reference, words), words=words)


def _check(references: Sequence[OrderedTree], orders: Sequence[Order], words: Sequence[Sequence[str]] | None) -> None:
    if len(references) != len(orders):
        raise InputError(
            f"{len(references)} references but {len(orders)} hypotheses",
            remedy="give one hypothesis for every reference",
        )
    for number, (reference, order) in enumerate(zip(references, orders, strict=True), start=1):
        size = len(reference.order)
        if len(order) == size and len(set(order)) == size and min(order) >= 0 and max(order) < size:
            continue  # a permutation, the usual case
        seen: set[int] = set()
        for node in order:
            if not NO_NODE <= node < size:
                raise InputError(
                    f"sentence {number}: {node} is not a node of the reference's tree",
                    remedy=f"use 0 to {size - 1}, or {NO_NODE} for a token that is no node",
                )
            if node in seen:
                raise InputError(
                    f"sentence {number}: node {node} stands twice in the hypothesis",
                    remedy=f"use {NO_NODE} for the token that is no node",
                )
            if node != NO_NODE:
                seen.add(node)
    if words is not None and [*map(len, words)] != [*map(len, orders)]:
        raise InputError("words and orders differ in length", remedy="give one word for every token")
