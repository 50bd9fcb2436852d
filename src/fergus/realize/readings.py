"""The words of a tree: what its nodes may become is found stage by stage and decided in the lattice (section 5).

    insert      book[Definite=Def]       the book | a book | book
    choose      {buy|purchase}           buy | purchase
    inflect     buy[Tense=Past]          bought

Every stage leaves several *readings* of a node with their probabilities; the Unraveler orders the tree by the most
probable ones, and the LP Chooser takes of each node the reading that suits the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fergus.core.tree import DependencyTree, Node
from fergus.realize.alternatives import Alternative

WEIGHT = 2.0
"""Of the readings' log probabilities beside those of the orders."""
LEFT_OUT = 2.0
"""What a word left out costs (natural log), as the language model gains by each. Both were chosen on a held-out tenth
of the deep training trees of en_partut."""


@dataclass(frozen=True, slots=True)
class Option:
    """A word that a node may be, its form not yet made; no node means that there is no word here."""

    node: Node | None
    logprob: float
    """Natural logarithm."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A form that a node may take; the empty one is no word at all."""

    form: str
    logprob: float
    """Natural logarithm."""
    option: int = 0
    """Which of the node's options it is a form of."""
    is_complete: bool = False
    """Whether lemma and features tell the word, so that only its neighbours decide among its forms."""

    def as_alternative(self) -> Alternative:
        """The reading as the lattice weighs it."""
        return Alternative(self.form, WEIGHT * self.logprob - (0.0 if self.form else LEFT_OUT))


@dataclass(frozen=True)
class Completed:
    """A tree of words, and what else they may be."""

    tree: DependencyTree
    """Every node as its most probable reading has it."""
    options: Sequence[Sequence[Node | None]] = ()
    """By node the words it may become, without their forms; no word is None."""
    readings: Sequence[Sequence[Reading]] = ()
    """By node, best first; empty if the tree came with all its words."""
    inserted: frozenset[int] = frozenset()
    """Nodes that the input did not have."""
    clause_type: str = ""
    """What the input says of the sentence (``fergus.core.deep``)."""

    def word(self, node: int, reading: Reading) -> Node | None:
        """What a node becomes by one of its readings."""
        if reading is self.readings[node][0] and reading.form:
            return self.tree.nodes[node]
        option = self.options[node][reading.option]
        return option and in_form(option, reading.form)

    def alternatives(self, nodes: Sequence[int]) -> list[list[Alternative]]:
        """What the lattice is to hold for these nodes."""
        return [[one.as_alternative() for one in self.readings[node]] for node in nodes]

    def as_chosen(self, words: Sequence[Node | None]) -> DependencyTree:
        """The tree with these words at its nodes; a node that became none has an empty form."""
        nodes = [word or in_form(node, "") for word, node in zip(words, self.tree.nodes, strict=True)]
        return self.tree.with_nodes(nodes)

    def described(self) -> tuple[tuple[tuple[str, float], ...], ...]:
        """The readings for people to look at."""
        return tuple(tuple((one.form, one.logprob) for one in own) for own in self.readings)


def completed(
    tree: DependencyTree,
    options: Sequence[Sequence[Node | None]],
    readings: Sequence[Sequence[Reading]],
    inserted: Iterable[int] = (),
) -> Completed:
    """The tree with the most probable words at its nodes."""
    nodes = []
    for own, forms in zip(options, readings, strict=True):
        reading = next(one for one in forms if one.form)
        node = own[reading.option]
        if node is not None:  # a reading with a form is one of a word
            nodes.append(in_form(node, reading.form))
    return Completed(tree.with_nodes(nodes), options, readings, frozenset(inserted))


def in_form(node: Node, form: str) -> Node:
    """The node with another form; ``dataclasses.replace`` takes three times as long."""
    if node.form == form:
        return node
    return Node(
        form, node.lemma, node.upos, node.xpos, node.feats, node.deprel, node.misc, node.identifier, node.alternatives
    )


def as_lemma(node: Node) -> Node:
    """The node without its form; a word without lemma is one."""
    return in_form(node if node.lemma is not None else replace(node, lemma=node.form or None), "")


def with_word(node: Node, word: str, *, inflect: bool) -> Node:
    """The node with a chosen word: a lemma where forms are to be made or features ask for one, else a form."""
    if inflect or node.feats:
        return replace(node, form="", lemma=word, alternatives=())
    return replace(node, form=word, lemma=word, alternatives=())
