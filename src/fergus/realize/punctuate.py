"""Punctuation: final and internal marks for words whose order is chosen (section 5 of the paper names what is missing).

she said go home   ->   she said , " go home . "        marks become nodes of the tree behind the given ones
"""

from __future__ import annotations

from collections.abc import Sequence

from fergus.core.deep import CLAUSE_ENDS
from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.realize.punctuation_features import TreeWordEncoder
from fergus.realize.punctuation_marks import PUNCTUATION_UPOS, SENTENCE_ENDS, is_mark
from fergus.realize.punctuation_model import PunctuationModel, find_marks


class Punctuator:
    """Puts marks into sentences; keeps the codes of words it has seen."""

    def __init__(self, model: PunctuationModel, *, always_end: bool = False) -> None:
        """With ``always_end`` no sentence is left without a sentence-final mark.

        Otherwise the model says whether there is one: headings and greetings of the treebank often have none.
        """
        self.model, self.always_end = model, always_end
        self._encoder = TreeWordEncoder()

    def punctuate(self, sentence: OrderedTree, *, clause_type: str = "") -> OrderedTree:
        """The sentence with marks; one that has marks already comes back as it is.

        ``clause_type`` (a key of ``CLAUSE_ENDS``), if it is known, says what kind of mark ends it, or that none does.
        """
        if any(map(is_mark, sentence.tree.nodes)):
            return sentence
        kinds = {CLAUSE_ENDS[clause_type]} if clause_type else set(SENTENCE_ENDS) if self.always_end else None
        return with_marks(sentence, find_marks(self.model, *self._encoder.encode(sentence), kinds=kinds))


def with_marks(sentence: OrderedTree, gaps: Sequence[Sequence[str]]) -> OrderedTree:
    """The sentence with marks in its gaps, as new nodes behind the given ones; gap i is before word i."""
    tree = sentence.tree
    nodes, heads, order = list(tree.nodes), list(tree.heads), []
    tops = top_places(sentence.head_places)
    for place, marks in enumerate(gaps):
        for mark in marks:
            order.append(len(nodes))
            nodes.append(Node(mark, mark, PUNCTUATION_UPOS, deprel="punct"))
            heads.append(sentence.order[tops[place]])
        if place < len(sentence.order):
            order.append(sentence.order[place])
    if len(nodes) == len(tree):
        return sentence
    marked = DependencyTree(tuple(nodes), tuple(heads), tree.constraints, tree.source, tree.metadata)
    return OrderedTree(marked, tuple(order))


def top_places(head_places: Sequence[int]) -> list[int]:
    """For every gap the place of the word its marks depend on.

    At either end it is the root. Between two words it is the lowest node above both, so that no mark crosses an arc.
    """
    root = next(place for place, head in enumerate(head_places) if head == ROOT)
    depth = _depths(head_places, root)
    tops = [root]
    for left in range(len(head_places) - 1):
        one, other = left, left + 1
        while one != other:
            if depth[one] >= depth[other]:
                one = head_places[one]
            else:
                other = head_places[other]
        tops.append(one)
    return [*tops, root]


def _depths(head_places: Sequence[int], root: int) -> list[int]:
    depth = [-1] * len(head_places)
    depth[root] = 0
    for place in range(len(head_places)):
        way = []
        at = place
        while depth[at] < 0:
            way.append(at)
            at = head_places[at]
        for number, passed in enumerate(reversed(way), start=1):
            depth[passed] = depth[at] + number
    return depth
