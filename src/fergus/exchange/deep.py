"""Trees that people write without function words, as the deep track of the shared tasks has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fergus.core.tree import DependencyTree

if TYPE_CHECKING:
    from fergus.realize.pipeline import Realizer


def deep_tree(tree: DependencyTree, realizer: Realizer) -> DependencyTree:
    """A tree that a person wrote without function words, as the deep track has it."""
    from fergus.realize.stages import is_deep
    from fergus.treebank.deep_relations import as_deep

    return tree if is_deep(tree) else as_deep(realizer.labelled(tree))
