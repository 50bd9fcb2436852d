"""A tree whose nodes have their supertags: what the Tree Chooser gives to the Unraveler (section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fergus.core.realization import SupertagChoice
from fergus.core.tree import DependencyTree, Node
from fergus.realize.features import TreeArrays


@dataclass(frozen=True)
class CanonicalTree:
    """A tree as plain lists in canonical order: mothers before daughters, sisters side by side."""

    nodes: Sequence[Node]
    heads: Sequence[int]
    first_daughter: Sequence[int]
    """Daughters of node i are first_daughter[i] : first_daughter[i + 1]."""

    @classmethod
    def of(cls, tree: DependencyTree, arrays: TreeArrays) -> CanonicalTree:
        """The tree in the order of ``arrays``."""
        nodes = [tree.nodes[i] for i in arrays.original.tolist()]
        return cls(nodes, arrays.head.tolist(), arrays.first_daughter.tolist())

    def __len__(self) -> int:
        return len(self.nodes)

    def daughters(self, node: int) -> range:
        """The daughters of a node."""
        return range(self.first_daughter[node], self.first_daughter[node + 1])


@dataclass(frozen=True)
class SupertaggedTree:
    """The choice for every node, and what it is worth."""

    tree: CanonicalTree
    choices: Sequence[SupertagChoice]
    slots: Sequence[int | None]
    """Which slot of her mother's tree each node fills; None for a modifier and for the root."""
    logprob: float
    """Natural log of the probability of all treelets, penalties of relaxed ones included."""
