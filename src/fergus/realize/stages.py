"""Which stages a tree needs: chosen from what the input lacks, or said by the user.

insert      function words, where the tree is of the deep track (relations A1, A2, AM, ...)
inflect     word forms, where nodes have lemmas and no forms
order       always
punctuate   marks, where function words were left out too
"""

from __future__ import annotations

from collections.abc import Iterable

from fergus.core.tree import DependencyTree
from fergus.errors import InputError

STAGES = ("insert", "inflect", "order", "punctuate")
AUTO = "auto"
DEEP_ROOT = "ROOT"
"""The root's relation in the deep track of the surface realization shared tasks; that of UD is written small."""


def needed_stages(tree: DependencyTree) -> tuple[str, ...]:
    """The stages that make a sentence of a tree, given what it lacks."""
    if tree.nodes[tree.root].deprel == DEEP_ROOT:
        return STAGES
    if any(not node.form and not node.alternatives for node in tree.nodes):
        return ("inflect", "order")
    return ("order",)


def chosen_stages(names: Iterable[str]) -> tuple[str, ...] | None:
    """The stages of these names in their order, ``order`` among them; None leaves the choice to each tree."""
    given = list(names)
    if given == [AUTO]:
        return None
    for name in given:
        if name not in STAGES:
            problem = f'"{name}" is no stage' if name != AUTO else f'"{AUTO}" is said with other stages'
            raise InputError(problem, remedy=f"use {AUTO}, or some of {', '.join(STAGES)}")
    return tuple(stage for stage in STAGES if stage in given or stage == "order")
