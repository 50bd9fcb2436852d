"""Simple and Generation Tree Accuracy (section 3.2 of the paper), and the draft's version of both.

For every treelet of the reference's tree (a node that is no leaf, with all its daughters) the words of the
treelet in the order of the reference are compared with the same words in the order of the hypothesis, by
the alignment of the string accuracies; the counts are summed over the treelets, and R is the number of
tokens of the sentence.

    estimate(There was no cost for)  There was no cost estimate for / There was estimate for no cost  2 moves
    for(phase)                       for phase                      / for phase
    phase(the second)                the second phase               / phase the second                1 move

Which token belongs to which treelet is told by nodes (``assign_nodes``); inside a treelet words are compared,
so that two equal words under one head may change places freely. What the paper, whose output is always a
permutation of the tokens, leaves open:

- A node that the hypothesis lacks is a deletion in every treelet it belongs to: with its sisters and, if
  it has daughters, with them.
- A token that is no node of the tree is one insertion, in the sentence and not in a treelet, and never
  half of a move.
- A sentence of one word is a treelet by itself, so that losing the word is seen.
- Output that is not projective needs nothing special: only orders inside treelets are looked at.

The draft of the paper works bottom-up: a treelet that was compared is replaced by its head, in both strings,
before the next one is. The head then stands where the treelet's string began. For output that is projective
and complete this changes nothing. It differs in two cases: where a subtree is torn apart, its mother sees it
at the place of its first word and not at that of its head; and a head that is missing, but not all of its
subtree, is missing once, in its own treelet, and not for its mother.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.metrics.accuracy import Accuracy
from fergus.metrics.align import Counts, encode, generation_accuracies, simple_accuracies
from fergus.metrics.assign_nodes import NO_NODE, assign_nodes
from fergus.metrics.segment import Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.align import Encoded

Order = Sequence[int]


def tree_counts(
    reference: OrderedTree, order: Order, *, words: Sequence[str] | None = None, bottom_up: bool = False
) -> Counts:
    """What both tree accuracies of one sentence are computed from.

    ``order`` has the nodes of the reference's tree as the hypothesis has them, with ``NO_NODE`` for a token
    that is none of them; ``words`` the tokens, where they may differ from the forms of the nodes;
    ``bottom_up`` is the draft's procedure.
    """
    given = None if words is None else [words]
    return Counts(*tree_counts_batch([reference], [order], words=given, bottom_up=bottom_up)[0].tolist())


def tree_counts_batch(
    references: Sequence[OrderedTree],
    orders: Sequence[Order],
    *,
    words: Sequence[Sequence[str]] | None = None,
    bottom_up: bool = False,
    moves: bool = True,
) -> NDArray[np.int64]:
    """One row a sentence, with the fields of ``Counts`` as columns; ``moves=False`` leaves them 0."""
    import numpy as np

    _check(references, orders, words)
    if words is None:
        words = [
            ["" if node == NO_NODE else reference.tree.nodes[node].form for node in order]
            for reference, order in zip(references, orders, strict=True)
        ]
    places: list[int] = []
    for reference, order in zip(references, orders, strict=True):
        place = [0] * len(reference.order)
        for position, node in enumerate(reference.order):
            place[node] = position
        places.extend(NO_NODE if node == NO_NODE else place[node] for node in order)
    encoded = encode([reference.forms for reference in references], words)
    heads = np.fromiter(chain.from_iterable(r.head_places for r in references), np.int64, len(encoded[0]))
    return count_places(encoded, heads, np.array(places, np.int64), bottom_up=bottom_up, moves=moves)


def count_places(
    encoded: Encoded,
    heads: NDArray[np.int64],
    places: NDArray[np.int64],
    *,
    bottom_up: bool = False,
    moves: bool = True,
) -> NDArray[np.int64]:
    """The same for sentences that are encoded already and whose nodes are known by their places."""
    import numpy as np

    from fergus.metrics.treelet_kernel import count_treelets

    references, starts, hypotheses, hypothesis_starts, vocabulary = encoded
    counts = np.zeros((len(starts) - 1, 5), np.int64)
    too_long, _ = count_treelets(
        heads, references, starts, places, hypotheses, hypothesis_starts, vocabulary, bottom_up, moves, counts
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


def tree_counts_of_words(reference: OrderedTree, words: Sequence[str], *, bottom_up: bool = False) -> Counts:
    """The counts of a hypothesis of which only the words are known (see ``assign_nodes``)."""
    if isinstance(words, str):
        raise InputError(
            f"the hypothesis is text and not a list of tokens: {words[:40]!r}",
            remedy="tokenise it, for instance with .split()",
        )
    return tree_counts(reference, assign_nodes(reference, words), words=words, bottom_up=bottom_up)


class SimpleTreeAccuracy(Accuracy):
    """1 - (I + D + S) / R over the treelets; undefined where the reference has no tree."""

    name, title, abbreviation = "simple_tree_accuracy", "Simple Tree Accuracy", "STA"
    needs_trees = True
    bottom_up: ClassVar[bool] = False

    def counts(self, batch: Batch) -> NDArray[np.int64]:
        """The counts of the treelets."""
        return batch.bottom_up_tree_counts if self.bottom_up else batch.tree_counts

    def settings(self) -> dict[str, str]:
        """Which procedure, which nodes."""
        return {"treelets": "bottom-up" if self.bottom_up else "in-place", "nodes": "given-or-fewest-errors"}


class GenerationTreeAccuracy(SimpleTreeAccuracy):
    """1 - (M + I' + D' + S) / R over the treelets; undefined where the reference has no tree."""

    name, title, abbreviation = "generation_tree_accuracy", "Generation Tree Accuracy", "GTA"
    has_moves = True


class DraftSimpleTreeAccuracy(SimpleTreeAccuracy):
    """Simple Tree Accuracy as the draft of the paper words it."""

    name, title, abbreviation = "draft_simple_tree_accuracy", "Simple Tree Accuracy (draft)", "STA-draft"
    bottom_up = True


class DraftGenerationTreeAccuracy(GenerationTreeAccuracy):
    """Generation Tree Accuracy as the draft of the paper words it."""

    name, title, abbreviation = "draft_generation_tree_accuracy", "Generation Tree Accuracy (draft)", "GTA-draft"
    bottom_up = True


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
