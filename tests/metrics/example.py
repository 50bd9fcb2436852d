"""Example (2) of the paper, its tree (Figure 2) and its scores (Table 1)."""

from __future__ import annotations

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree

TARGET = ["There", "was", "no", "cost", "estimate", "for", "the", "second", "phase"]
GENERATED = ["There", "was", "estimate", "for", "phase", "the", "second", "no", "cost"]


def tree_of(words: list[str], heads: list[int]) -> OrderedTree:
    """A tree whose nodes are stored in the order of the sentence."""
    return OrderedTree(DependencyTree(tuple(map(Node, words)), tuple(heads)), tuple(range(len(words))))


# estimate(There was no cost for(phase(the second)))
TREE = tree_of(TARGET, [4, 4, 4, 4, ROOT, 4, 8, 8, 5])
GENERATED_ORDER = [0, 1, 4, 5, 8, 6, 7, 2, 3]
