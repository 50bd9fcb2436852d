"""Which stages a tree needs: chosen from what the input lacks, or said by the user.

choose      words, where a node has several to choose from
insert      function words, where the tree is of the deep track (relations A1, A2, AM, ...)
inflect     word forms, where nodes have lemmas and no forms
order       always
punctuate   marks, where function words were left out too
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fergus.core.deep import LIKELY_RELATIONS
from fergus.core.tree import DependencyTree
from fergus.errors import InputError

STAGES = ("choose", "insert", "inflect", "order", "punctuate")
AUTO = "auto"
DEEP_ROOT = "ROOT"
"""The root's relation in the deep track of the shared tasks; that of UD is written small, spaCy's is the same."""


def is_deep(tree: DependencyTree) -> bool:
    """Whether the tree is one of the deep track: content words only, with its relations."""
    root = tree.nodes[tree.root].deprel == DEEP_ROOT
    return root and (len(tree) == 1 or any(n.deprel in LIKELY_RELATIONS and n.deprel != DEEP_ROOT for n in tree.nodes))


def needed_stages(tree: DependencyTree) -> tuple[str, ...]:
    """The stages that make a sentence of a tree, given what it lacks."""
    found = indispensable(tree)
    if is_deep(tree):
        found |= {"insert", "inflect", "punctuate"}
    return tuple(stage for stage in STAGES if stage in found)


def indispensable(tree: DependencyTree) -> set[str]:
    """What a tree cannot do without: an order, and words where it has none."""
    found = {"order"}
    if any(node.alternatives for node in tree.nodes):
        found.add("choose")
    if any(not node.form and not node.alternatives for node in tree.nodes):
        found.add("inflect")
    return found


def with_implied(stages: Sequence[str], tree: DependencyTree) -> tuple[str, ...]:
    """The stages that were said, and what the tree cannot do without."""
    if unknown := [stage for stage in stages if stage not in STAGES]:
        raise InputError(f'"{unknown[0]}" is no stage', remedy=f"use some of {', '.join(STAGES)}")
    implied = indispensable(tree)
    return tuple(stage for stage in STAGES if stage in stages or stage in implied)


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
