"""What a notebook shows of a value: drawings that bring their own colours, and a page of what a realization found."""

from __future__ import annotations

from html import escape

from fergus.core.lattice import Lattice
from fergus.core.realization import Candidate, Realization
from fergus.core.supertag import ElementaryTree
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.drawing.elementary import draw_elementary
from fergus.drawing.lattice import draw_lattice, relabelled
from fergus.drawing.svg import standalone
from fergus.drawing.tree import draw_tree

_LEFT = 'style="text-align:left"'
"""Notebooks align cells to the right; words read better from the left. They have no policy against a style."""


def tree_svg(tree: DependencyTree) -> str:
    """An unordered tree."""
    return standalone(draw_tree(tree))


def ordered_tree_svg(sentence: OrderedTree) -> str:
    """A tree whose words stand in their order."""
    return standalone(draw_tree(sentence.tree, order=sentence.order))


def elementary_svg(tree: ElementaryTree) -> str:
    """An elementary tree."""
    return standalone(draw_elementary(tree, caption=tree.name))


def lattice_svg(lattice: Lattice) -> str:
    """A lattice with the numbers of its nodes, since it does not know their words."""
    return standalone(draw_lattice(lattice, [str(node) for node in range(max(lattice.label, default=-1) + 1)]))


def realization_html(found: Realization) -> str:
    """The sentence, the n best with their scores, the tree and the lattice with the winning path."""
    scores = "".join(map(_row, range(1, len(found.best) + 1), found.best))
    weight = f"{found.lm_weight:.3g}"
    parts = [
        f"<p><strong>{escape(' '.join(found.tokens))}</strong></p>",
        '<table class="fergus-scores"><thead><tr><th></th><th ' + _LEFT + ">sentence</th><th>total</th><th>order</th>"
        f"<th>language model (log10, × {weight} ln 10)</th></tr></thead><tbody>{scores}</tbody></table>",
        _scrolled(standalone(draw_tree(found.tree, supertags=_supertags(found), marked=found.inserted))),
    ]
    if found.lattice is not None:
        words = [node.form for node in found.tree.nodes]
        lattice = relabelled(found.lattice, found.canonical)
        parts.append(_scrolled(standalone(draw_lattice(lattice, words, found.order))))
    return "<div>\n" + "\n".join(parts) + "\n</div>\n"


def _row(number: int, candidate: Candidate) -> str:
    scores = candidate.scores
    figures = (scores.total, scores.lattice, scores.language_model_logprob10)
    cells = "".join(f"<td>{value:.2f}</td>" for value in figures)
    words = escape(" ".join(candidate.sentence.forms))
    return f"<tr><th>{number}</th><td {_LEFT}>{words}</td>{cells}</tr>"


def _supertags(found: Realization) -> tuple[str, ...]:
    return tuple(choice.supertag for choice in found.supertags)


def _scrolled(svg: str) -> str:
    return f'<div style="overflow-x:auto">{svg}</div>'
