"""The words of a sentence for the page Realize: supertags, labels and readings, those in use and those to be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fergus.core.realization import SupertagChoice
from fergus.core.supertag import ElementaryTree
from fergus.core.tree import DependencyTree
from fergus.drawing import draw_elementary
from fergus.web.engine_work import How, explain_tree
from fergus.web.engine_worker import Loaded

if TYPE_CHECKING:
    from fergus.realize.explain import Explanation

NO_WORD = "(none)"
STEERED = ("default", "supertag")
"""Presets that know supertags."""


@dataclass(frozen=True)
class Option:
    """A supertag or label that a node has or could have."""

    name: str
    probability: float
    drawing: str = ""
    change: str = ""
    """What has to be asked for to get it; "" if it is the one in use."""


@dataclass(frozen=True)
class Word:
    """A node and what was found of it."""

    node: int
    word: str
    supertags: tuple[Option, ...]
    labels: tuple[Option, ...]
    readings: tuple[tuple[str, float], ...]
    is_inserted: bool
    is_by_hand: bool
    """Whether its supertag was asked for."""


def words_of(loaded: Loaded, explanation: Explanation, given: DependencyTree, how: How) -> tuple[Word, ...]:
    """Every word of the sentence with its supertags, labels and readings."""
    from fergus.exchange.explanation import shares
    from fergus.realize.asked_supertags import asked_supertag, with_supertag

    realization = explanation.realization
    asked = {node for node, one in enumerate(given.nodes) if asked_supertag(one) is not None}
    free = explanation.supertags
    if asked:  # what could be instead is told by the tree without them
        loose = given.with_nodes(with_supertag(node, None) for node in given.nodes)
        free = explain_tree(loaded, loose, how)[0].supertags or free
    trees = grammar_of(loaded, how) if explanation.supertags else {}
    words = []
    for node in realization.order:
        form = realization.tree.nodes[node].form
        is_given = node < len(given)
        tags: tuple[Option, ...] = ()
        if explanation.supertags and node < len(explanation.supertags):
            options = choices(explanation.supertags[node], free[node] if node < len(free) else None)
            tags = tuple(
                Option(
                    name,
                    probability,
                    draw_elementary(trees[name], word=form) if name in trees else "",
                    f"supertag:{node}:{name}" if place and is_given and how.preset in STEERED else "",
                )
                for place, (name, probability) in enumerate(options)
            )
        labels: tuple[Option, ...] = ()
        if realization.labels:
            labels = tuple(
                Option(name, probability, "", f"label:{node}:{name}" if place and is_given and not how.bare else "")
                for place, (name, probability) in enumerate(choices(realization.labels[node], None))
            )
        readings = shares(realization.readings[node]) if realization.readings else ()
        words.append(
            Word(node, form or NO_WORD, tags, labels, readings, node in realization.inserted, node in asked),
        )
    return tuple(words)


def choices(chosen: SupertagChoice, free: SupertagChoice | None) -> list[tuple[str, float]]:
    """The choice in use, then what else there is; where it was asked for, what the models think of it."""
    found = {chosen.supertag: chosen.probability}
    others = [(free.supertag, free.probability), *free.runners_up] if free else chosen.runners_up
    known = dict(others)
    if chosen.supertag in known:
        found[chosen.supertag] = known[chosen.supertag]
    elif free is not None and free is not chosen:
        found[chosen.supertag] = 0.0
    return [*found.items(), *((name, p) for name, p in others if name not in found)]


def grammar_of(loaded: Loaded, how: How) -> Mapping[str, ElementaryTree]:
    """The elementary trees by their names."""
    from fergus.realize.presets import SupertagPreset

    stages = loaded.realizer(how.model, how.preset).tree_chooser_stages
    return stages.chooser.model.grammar.trees if isinstance(stages, SupertagPreset) else {}
