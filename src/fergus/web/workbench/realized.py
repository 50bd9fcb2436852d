"""A tree realized and explained for the page Realize: drawings, sentences, words and what can be changed.

It is made whole in a worker, so that nothing but text crosses over to the server, which knows these records and must
not load the realizer for them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from fergus.core.realization import Realization
from fergus.drawing import draw_lattice, draw_tree
from fergus.drawing.lattice import relabelled
from fergus.realize.compare_candidates import parts_of
from fergus.web.engine_limits import Limits
from fergus.web.engine_work import explain_tree, realize_tree
from fergus.web.engine_worker import Loaded
from fergus.web.workbench.asked import MOST_ARCS, Asked
from fergus.web.workbench.changes import Constrained, by_hand, one_tree
from fergus.web.workbench.reasons import why
from fergus.web.workbench.steps import Step, steps
from fergus.web.workbench.treelets import Treelet, treelets
from fergus.web.workbench.words import NO_WORD, Word, words_of

MOST_EXPLAINED = 80
"""Nodes of a tree whose words and positions are gone into; larger ones are realized and drawn."""


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
