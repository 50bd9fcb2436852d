"""Reordering: before the Unraveler, nodes that do not stay with their head's words are lifted to an ancestor."""

from __future__ import annotations

from dataclasses import replace

from fergus.core.tree import ROOT, Before, DependencyTree, Place
from fergus.realize.reordering_model import HIGHEST, ReorderingModel, Surroundings


class Reorderer:
    """Says under which ancestor every node is to be ordered."""

    def __init__(self, model: ReorderingModel) -> None:
        self.model = model

    def lift(self, tree: DependencyTree) -> DependencyTree:
        """The tree as the stages that order should see it: the same nodes, some of them under an ancestor.

        Whoever has a place beside its head, or a sister that has one, is not lifted: places are counted there. Nor is
        a node that the input says to be before or after another.
        """
        pairs, nodes = self.model.pairs, tree.nodes
        heads = list(tree.heads)
        said = {node for c in tree.constraints if isinstance(c, Before) for node in (c.first, c.second)}
        candidates = [
            node
            for node, head in enumerate(tree.heads)
            if node not in said
            and head != ROOT
            and tree.heads[head] != ROOT
            and (nodes[node].deprel, nodes[head].deprel) in pairs
        ]
        if not candidates:
            return tree
        fixed = {tree.heads[c.node] for c in tree.constraints if isinstance(c, Place)}
        surroundings = Surroundings(tree)
        for node in candidates:
            for _ in range(HIGHEST):
                left = heads[node]
                goal = tree.heads[left]
                if goal == ROOT or (nodes[node].deprel, nodes[left].deprel) not in pairs or {left, goal} & fixed:
                    break
                if self.model.probability(surroundings.features(node, left, tree.heads)) <= self.model.threshold:
                    break
                heads[node] = goal
        return tree if tuple(heads) == tree.heads else replace(tree, heads=tuple(heads))
