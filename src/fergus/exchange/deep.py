"""Trees that people write without function words, as the deep track of the shared tasks has them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fergus.core.tree import DependencyTree

if TYPE_CHECKING:
    from fergus.realize.pipeline import Realizer


def tree_for(stages: Collection[str] | None, tree: DependencyTree, realizer: Realizer) -> DependencyTree:
    """The tree as the realizer takes it for these stages: to insert words, as the deep track has it."""
    if stages is None or "insert" not in stages:
        return tree
    from fergus.realize.stages import is_deep
    from fergus.treebank.deep_relations import as_deep

    return tree if is_deep(tree) else as_deep(realizer.labelled(tree))
