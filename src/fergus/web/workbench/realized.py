"""A tree realized and explained for the page Realize: drawings, sentences, words and what can be changed.

It is made whole in a worker, so that nothing but text crosses over to the server, which knows these records and must
not load the realizer for them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fergus.core.realization import Realization, SupertagChoice
from fergus.core.supertag import ElementaryTree
from fergus.core.tree import Before, DependencyTree
from fergus.drawing import draw_elementary, draw_lattice, draw_tree
from fergus.drawing.lattice import relabelled
from fergus.realize.compare_candidates import parts_of
from fergus.web.engine_limits import Limits
from fergus.web.engine_work import How, explain_tree, realize_tree
from fergus.web.engine_worker import Loaded
from fergus.web.workbench.asked import MOST_ARCS, Asked
from fergus.web.workbench.changes import one_tree
from fergus.web.workbench.reasons import why

if TYPE_CHECKING:
    from fergus.realize.explain import Explanation

MOST_EXPLAINED = 80
"""Nodes of a tree whose words and positions are gone into; larger ones are realized and drawn."""
NO_WORD = "(none)"
STEERED = ("default", "supertag")
"""Presets that know supertags."""


@dataclass(frozen=True)
class Ranked:
    """One of the n best."""

    text: str
    total: float
    lattice: float
    language_model: float
    why: str
    """Why the best one beats it; "" for the best."""


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


@dataclass(frozen=True)
class Turn:
    """Two neighbours under one head, and what it costs to have them the other way round."""

    first: str
    second: str
    cost: float | None
    change: str


@dataclass(frozen=True)
class Treelet:
    """A head and its daughters in the order found."""

    head: str
    items: tuple[str, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Step:
    """A stage and what came of it."""

    name: str
    about: str
    result: str


@dataclass(frozen=True)
class Constrained:
    """An order or a supertag that was asked for, and how to let go of it."""

    words: str
    change: str


@dataclass(frozen=True)
class Shown:
    """Everything that the page has of a realization."""

    sentence: str
    ranked: tuple[Ranked, ...]
    tree: str
    lattice: str
    is_wide: bool
    """Whether the lattice has orders that are pruned where fewer sentences are asked for."""
    words: tuple[Word, ...]
    treelets: tuple[Treelet, ...]
    nodes: tuple[tuple[int, str], ...]
    """The given nodes, for choosing two of them."""
    by_hand: tuple[Constrained, ...]
    steps: tuple[Step, ...]
    uses_supertags: bool
    is_explained: bool
    input_format: str
    milliseconds: float


def shown(loaded: Loaded, asked: Asked, limits: Limits) -> Shown:
    """Realize, explain and draw the one tree of a text; raises FergusErrors."""
    from fergus.treebank.read import format_of

    started = time.perf_counter()
    item = one_tree(asked.tree, asked.input_format, limits)
    found = realize_tree(loaded, item.tree, asked.how)
    realization = found.realization
    is_explained = len(realization.tree) <= MOST_EXPLAINED
    explanation = explain_tree(loaded, item.tree, asked.how)[0] if is_explained else None
    texts = found.texts if asked.output == "text" else [" ".join(c.sentence.forms) for c in realization.best]
    supertags = explanation.supertags if explanation else realization.supertags
    forms = tuple(node.form or NO_WORD for node in realization.tree.nodes)
    nodes = tuple((node, forms[node]) for node in realization.order if node < len(item.tree))
    return Shown(
        sentence=texts[0],
        ranked=tuple(ranked(realization, texts, asked.preset)),
        tree=linked(draw_tree(realization.tree, supertags=[choice.supertag for choice in supertags])),
        lattice=lattice_of(realization),
        is_wide=realization.is_wide,
        words=words_of(loaded, explanation, item.tree, asked.how) if explanation else (),
        treelets=tuple(treelets(explanation, forms, len(item.tree))) if explanation else (),
        nodes=nodes,
        by_hand=by_hand(item.tree),
        steps=tuple(steps(realization, found.texts[0])),
        uses_supertags=bool(realization.supertags),
        is_explained=is_explained,
        input_format=format_of(asked.tree, asked.input_format) or "",
        milliseconds=1000 * (time.perf_counter() - started),
    )


def ranked(realization: Realization, texts: Sequence[str], preset: str) -> list[Ranked]:
    """The n best with the parts of their scores."""
    rows = []
    for rank, (candidate, text) in enumerate(zip(realization.best, texts, strict=True)):
        parts = parts_of(realization, candidate)
        reason = why(realization, rank, preset) if rank else ""
        rows.append(Ranked(text, parts.total, parts.lattice, parts.language_model, reason))
    return rows


def linked(drawing: str) -> str:
    """The drawing of a tree with a link from every node to what is told of it."""
    linked = re.sub(
        r'(<g class="node[^"]*" data-node="(\d+)">.*?</g>)', r'<a href="#word-\2">\1</a>', drawing, flags=re.DOTALL
    )
    # A picture has no parts to a screen reader; with links in it it is a group.
    return linked.replace('role="img"', 'role="group"', 1)


def lattice_of(realization: Realization) -> str:
    """The lattice with the winning path; "" where the preset makes none."""
    if realization.lattice is None:
        return ""
    words = [node.form for node in realization.tree.nodes]
    lattice = relabelled(realization.lattice, realization.canonical)
    return draw_lattice(lattice, words, realization.order, limit=MOST_ARCS)


def words_of(loaded: Loaded, explanation: Explanation, given: DependencyTree, how: How) -> tuple[Word, ...]:
    """Every word of the sentence with its supertags, labels and readings."""
    from fergus.exchange.explanation import shares
    from fergus.realize.asked_supertags import asked_supertag, with_supertag

    realization = explanation.realization
    asked = {node for node, one in enumerate(given.nodes) if asked_supertag(one) is not None}
    free = explanation.supertags
    if asked:  # what could be instead is told by the tree without them
        loose = replace(given, nodes=tuple(with_supertag(node, None) for node in given.nodes))
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


def treelets(explanation: Explanation, forms: Sequence[str], given: int) -> list[Treelet]:
    """Every head with its daughters, and what turning two neighbours round would cost."""
    costs: dict[tuple[int, ...], float | None] = {}
    orders: dict[int, tuple[int, ...]] = {}
    for placement in explanation.placements:
        orders[placement.mother] = placement.positions[0].items
        costs |= {position.items: position.cost for position in placement.positions}
    found = []
    for mother, items in orders.items():
        turns = []
        for place in range(len(items) - 1):
            first, second = items[place : place + 2]
            if first < given and second < given:
                other = (*items[:place], second, first, *items[place + 2 :])
                turns.append(Turn(forms[first], forms[second], costs.get(other), f"before:{second}:{first}"))
        found.append(Treelet(forms[mother], tuple(forms[item] for item in items), tuple(turns)))
    return found


def by_hand(tree: DependencyTree) -> tuple[Constrained, ...]:
    """The constraints and supertags that the tree's text asks for."""
    from fergus.realize.asked_supertags import asked_supertag

    def name(node: int) -> str:
        one = tree.nodes[node]
        return "“" + (one.form or one.lemma or "|".join(choice.word for choice in one.alternatives)) + "”"

    found = []
    for place, constraint in enumerate(tree.constraints):
        if isinstance(constraint, Before):
            words = f"{name(constraint.first)} before {name(constraint.second)}"
        else:
            rank = f", as number {constraint.rank} from it" if constraint.rank else ""
            words = f"{name(constraint.node)} on the {constraint.side} of its head{rank}"
        found.append(Constrained(words, f"free:{place}"))
    for node, one in enumerate(tree.nodes):
        if (asked := asked_supertag(one)) is not None:
            found.append(Constrained(f"{name(node)} as {asked}", f"supertag:{node}:"))
    return tuple(found)


def steps(realization: Realization, text: str) -> list[Step]:
    """What every stage made of the tree, in their order."""
    nodes, done = realization.tree.nodes, []
    words = [nodes[node].form for node in realization.order if nodes[node].form]
    for stage in realization.stages:
        if stage == "choose":
            readings = realization.readings  # none at all if every word was there
            several = [node for node in realization.order if readings and len(readings[node]) > 1]
            done.append(Step("choose", "words where there are several", _joined(nodes[n].form for n in several)))
        elif stage == "insert":
            added = [nodes[node].form for node in realization.order if node in realization.inserted]
            done.append(Step("insert", "function words", _joined(word for word in added if word)))
        elif stage == "inflect":
            made = [n for n in realization.order if nodes[n].lemma and n not in realization.inserted]
            done.append(
                Step("inflect", "forms of lemmas", _joined(f"{nodes[n].lemma} → {nodes[n].form}" for n in made))
            )
        elif stage == "order":
            done.append(Step("order", "the words of the winning path", " ".join(words)))
        else:
            marks = [node.form for node in realization.sentence.tree.nodes[len(words) :]]
            done.append(Step("punctuate", "marks", _joined(marks)))
    done.append(Step("write", "capitals, spaces, contractions", text))
    return done


def _joined(items: Iterable[str]) -> str:
    return ", ".join(items) or "none"
