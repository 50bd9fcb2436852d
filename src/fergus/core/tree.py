"""Unordered dependency trees, the input of the realizer (Bangalore, Rambow and Whittaker 2000, section 2).

estimate                     nodes   ("estimate", "there", "phase", "the", "for", ...)
├── there                    heads   (-1, 0, 4, 2, 0, ...)
├── for
│   └── phase                The order of ``nodes`` carries no meaning. Where an order is known
│       └── the              (a treebank), it stands beside the tree, in an ``OrderedTree``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from operator import attrgetter
from typing import Any, Literal

from fergus.core.notebook import shown

ROOT = -1
"""The head of the root."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the words that may stand at a node, and how much the input is for it: a weight of 2 counts twice."""

    word: str
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not self.word or not 0 < self.weight < inf:
            raise ValueError(f"{self.word!r} with the weight {self.weight} is no choice")


@dataclass(frozen=True, slots=True)
class Node:
    """A lexeme and whatever labels the input gave it; ``None`` means that the input is silent."""

    form: str
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: tuple[tuple[str, str], ...] | None = None
    deprel: str | None = None
    misc: str | None = None
    identifier: str = ""
    """The name the input gave this node (CoNLL-U ID, JSON id), for constraints and messages."""
    alternatives: tuple[Choice, ...] = ()
    """The words that may stand here; until one is chosen, ``form`` is empty and ``lemma`` None."""

    @property
    def relation(self) -> str:
        """The dependency relation without its subtype; nothing if there is none."""
        return (self.deprel or "").partition(":")[0]

    def bare(self) -> Node:
        """The same lexeme without any label: the input of the papers; a lemma stays where there is no form."""
        lemma = None if self.form else self.lemma
        return Node(self.form, lemma, misc=self.misc, identifier=self.identifier, alternatives=self.alternatives)


_FIELDS_OF = attrgetter(*Node.__slots__)


class _UnfrozenNode:
    """A Node while it is being made: filling the slots of a frozen dataclass takes four times as long."""

    __slots__ = Node.__slots__

    def __init__(
        self,
        form: Any,
        lemma: Any,
        upos: Any,
        xpos: Any,
        feats: Any,
        deprel: Any,
        misc: Any,
        identifier: Any,
        alternatives: Any = (),
    ) -> None:
        self.form, self.lemma, self.upos, self.xpos = form, lemma, upos, xpos
        self.feats, self.deprel, self.misc, self.identifier = feats, deprel, misc, identifier
        self.alternatives = alternatives


def nodes_of_columns(*columns: Sequence[Any]) -> tuple[Node, ...]:
    """Nodes from the columns of their fields, in the order of these; the last, the alternatives, may be left out."""
    nodes: Any = tuple(map(_UnfrozenNode, *columns))
    for node in nodes:
        node.__class__ = Node
    return nodes  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Before:
    """The hard constraint that node ``first`` comes somewhere before node ``second``."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Place:
    """The hard constraint that ``node`` stands on a side of its head, there at ``rank`` if given.

    Rank 1 is the sister nearest to the head on that side.
    """

    node: int
    side: Literal["left", "right"]
    rank: int | None = None


Constraint = Before | Place


@dataclass(frozen=True)
class DependencyTree:
    """A rooted tree over lexemes in which neither nodes nor daughters have an order."""

    nodes: tuple[Node, ...]
    heads: tuple[int, ...]
    constraints: tuple[Constraint, ...] = ()
    source: str = ""
    """Where the tree was read, as ``file:line``, for messages."""
    metadata: tuple[tuple[str, str], ...] = ()
    """Comments of the input (``sent_id``, ``text``, ...), carried along to the output."""

    def __post_init__(self) -> None:
        if len(self.nodes) != len(self.heads):
            raise ValueError(f"{len(self.nodes)} nodes but {len(self.heads)} heads")
        if fault := structural_fault(self.heads):
            raise ValueError(fault.problem)

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def root(self) -> int:
        """The index of the root."""
        return self.heads.index(ROOT)

    @cached_property
    def daughters(self) -> tuple[tuple[int, ...], ...]:
        """For every node the indices of its daughters, ascending."""
        lists: list[list[int]] = [[] for _ in self.heads]
        for node, head in enumerate(self.heads):
            if head != ROOT:
                lists[head].append(node)
        return tuple(map(tuple, lists))

    @cached_property
    def bottom_up(self) -> tuple[int, ...]:
        """Every node after all of its daughters; iterative, so that depth is no limit."""
        order = [self.root]
        for node in order:
            order.extend(self.daughters[node])
        return tuple(reversed(order))

    def with_nodes(self, nodes: Iterable[Node]) -> DependencyTree:
        """The same tree with other words at its nodes; what is known of its shape is not found out again."""
        found = object.__new__(DependencyTree)
        found.__dict__.update(self.__dict__, nodes=tuple(nodes))
        if len(found.nodes) != len(self.heads):
            raise ValueError(f"{len(found.nodes)} nodes for a tree of {len(self.heads)}")
        return found

    def bare(self) -> DependencyTree:
        """The same tree with every label dropped."""
        return self.with_nodes(node.bare() for node in self.nodes)

    def permuted(self, permutation: Sequence[int]) -> DependencyTree:
        """The same tree with its nodes stored in another order: node ``permutation[i]`` becomes ``i``."""
        place = {old: new for new, old in enumerate(permutation)}
        nodes = tuple(self.nodes[old] for old in permutation)
        heads = tuple(ROOT if (h := self.heads[old]) == ROOT else place[h] for old in permutation)
        constraints: list[Constraint] = []
        for c in self.constraints:
            if isinstance(c, Before):
                constraints.append(Before(place[c.first], place[c.second]))
            else:
                constraints.append(Place(place[c.node], c.side, c.rank))
        return DependencyTree(nodes, heads, tuple(constraints), self.source, self.metadata)

    def pruned(self, kept: Sequence[int]) -> DependencyTree:
        """The tree of these nodes; daughters of the others go to the next kept node above, or below the new root."""
        place = {node: number for number, node in enumerate(kept)}
        heads = [place.get(nearest_above(self.heads, node, place), ROOT) for node in kept]
        roots = [number for number, head in enumerate(heads) if head == ROOT]
        for number in roots[1:]:  # the root itself is gone: its first daughter takes its place
            heads[number] = roots[0]
        constraints: list[Constraint] = []
        for c in self.constraints:
            if isinstance(c, Place) and c.node in place:
                constraints.append(Place(place[c.node], c.side, c.rank))
            elif isinstance(c, Before) and c.first in place and c.second in place:
                constraints.append(Before(place[c.first], place[c.second]))
        nodes = tuple(self.nodes[node] for node in kept)
        return DependencyTree(nodes, tuple(heads), tuple(constraints), self.source, self.metadata)

    def __getstate__(self) -> tuple[Any, ...]:
        # Sent to another process by columns: Node by Node takes five times as long.
        columns = tuple(zip(*map(_FIELDS_OF, self.nodes), strict=True))
        return columns, self.heads, self.constraints, self.source, self.metadata

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        columns, heads, constraints, source, metadata = state
        fields = {"heads": heads, "constraints": constraints, "source": source, "metadata": metadata}
        self.__dict__.update(fields, nodes=nodes_of_columns(*columns))

    def _repr_svg_(self) -> str:
        return shown("tree_svg", self)


@dataclass(frozen=True)
class OrderedTree:
    """A dependency tree together with the order of its words, as a treebank has it."""

    tree: DependencyTree
    order: tuple[int, ...]
    """Node indices from the first word to the last."""

    def __post_init__(self) -> None:
        if sorted(self.order) != list(range(len(self.tree))):
            raise ValueError("the order must name every node once")

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The words of the sentence."""
        return tuple(self.tree.nodes[i].form for i in self.order)

    @cached_property
    def head_places(self) -> tuple[int, ...]:
        """For every word, from the first to the last, the place of its head; ROOT for the root."""
        heads = self.tree.heads
        if self.order == tuple(range(len(heads))):
            return heads
        place = [0] * len(heads)
        for position, node in enumerate(self.order):
            place[node] = position
        return tuple(ROOT if heads[node] == ROOT else place[heads[node]] for node in self.order)

    @cached_property
    def is_projective(self) -> bool:
        """Whether every subtree covers an unbroken stretch of the sentence."""
        position = [0] * len(self.order)
        for place, node in enumerate(self.order):
            position[node] = place
        first, last, size = list(position), list(position), [1] * len(position)
        for node in self.tree.bottom_up:
            if last[node] - first[node] + 1 != size[node]:
                return False
            if (head := self.tree.heads[node]) != ROOT:
                first[head] = min(first[head], first[node])
                last[head] = max(last[head], last[node])
                size[head] += size[node]
        return True

    def _repr_svg_(self) -> str:
        return shown("ordered_tree_svg", self)


def nearest_above(heads: Sequence[int], node: int, kept: Container[int]) -> int:
    """The nearest ancestor of ``node`` that is kept, or ROOT."""
    head = heads[node]
    while head != ROOT and head not in kept:
        head = heads[head]
    return head


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a list of heads, and at which node."""

    node: int | None
    problem: str


def structural_fault(heads: Sequence[int]) -> Fault | None:
    """The first reason why ``heads`` is no tree, or None: used by the readers to name file and line."""
    if not heads:
        return Fault(None, "the tree has no nodes")
    if min(heads) < ROOT or max(heads) >= len(heads):
        bad = next(node for node, head in enumerate(heads) if not ROOT <= head < len(heads))
        return Fault(bad, "the head is not a node of this tree")
    if heads.count(ROOT) > 1:
        return Fault(heads.index(ROOT, heads.index(ROOT) + 1), "the tree has two roots")
    # Walk up from every node, marking each walk: meeting one's own mark is a cycle.
    seen = [-1] * len(heads)
    for start in range(len(heads)):
        node = start
        while node != ROOT and seen[node] == -1:
            seen[node] = start
            node = heads[node]
        if node != ROOT and seen[node] == start:
            return Fault(node, "the node is its own ancestor (a cycle)")
    return None
