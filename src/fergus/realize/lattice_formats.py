"""Flat lattices for other programs and for the eye: AT&T text, Graphviz, SVG.

Each function takes the expanded lattice (``fergus.core.lattice.expanded``) and the words of its nodes. Where
an order of the nodes is given, the best path that spells it is highlighted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fergus.core.lattice import Arc, Lattice
from fergus.drawing.lattice import draw_lattice, shown
from fergus.drawing.lattice_cut import best_path
from fergus.drawing.svg import standalone

EPSILON = "<eps>"
"""OpenFst's name of symbol 0, the empty string."""


@dataclass(frozen=True)
class AttText:
    """An acceptor in the text format of the AT&T tools, OpenFst and Kaldi, and its table of symbols."""

    fsm: str
    """Lines of source, target, symbol, cost, then the final state; the first source is the initial state."""
    symbols: str
    """Lines of symbol and number."""


def to_att(lattice: Lattice, words: Sequence[str]) -> AttText:
    r"""The lattice as an acceptor of words; costs are negated weights (natural log, lower is better).

    The format separates its fields by white space: in a word a space is written ``\s``, a tab ``\t``, a line
    break ``\n``, other white space ``\u`` with four hexadecimal digits, a backslash twice. A word that is
    empty is ``<eps>``; one that reads ``<eps>`` is written ``\<eps>``.
    """
    arcs = _flat_arcs(lattice)
    names = {label: _att_symbol(words[label]) for label in sorted({arc.label for arc in arcs})}
    lines = [f"{arc.source}\t{arc.target}\t{names[arc.label]}\t{0.0 - arc.weight:.9g}" for arc in arcs]
    lines.append(str(lattice.part_states[0] - 1))
    table = [EPSILON, *sorted(set(names.values()) - {EPSILON})]
    symbols = "".join(f"{symbol}\t{number}\n" for number, symbol in enumerate(table))
    return AttText("\n".join(lines) + "\n", symbols)


def to_dot(lattice: Lattice, words: Sequence[str], order: Sequence[int] | None = None) -> str:
    """The lattice for Graphviz: ``dot -Tpdf``."""
    arcs = _flat_arcs(lattice)
    winning = best_path(lattice, order) if order is not None else ()
    final = lattice.part_states[0] - 1
    lines = [
        "digraph lattice {",
        "  rankdir=LR;",
        '  node [shape=circle, label="", width=0.15, fixedsize=true];',
        '  edge [fontname="Helvetica", arrowsize=0.6];',
        "  0 [style=filled, fillcolor=black];",
    ]
    if final:
        lines.append(f"  {final} [shape=doublecircle];")
    for i, arc in enumerate(arcs):
        label = f"{_dot_text(words[arc.label])} / {shown(arc.weight)}"
        bold = ', color="#c2410c", fontcolor="#c2410c", penwidth=2' if i in winning else ""
        lines.append(f'  {arc.source} -> {arc.target} [label="{label}"{bold}];')
    return "\n".join([*lines, "}"]) + "\n"


def to_svg(
    lattice: Lattice, words: Sequence[str], order: Sequence[int] | None = None, *, limit: int | None = None
) -> str:
    """The lattice as a drawing for a page or a paper; it follows the reader's colour scheme.

    With a ``limit`` it is cut down to so many arcs, as ``draw_lattice`` does it, and may be packed.
    """
    if limit is None:
        _flat_arcs(lattice)
    return standalone(draw_lattice(lattice, words, order, limit=limit))


def _flat_arcs(lattice: Lattice) -> list[Arc]:
    if len(lattice) != 1 or any(label < 0 for label in lattice.label):
        raise ValueError("the lattice is packed: expand it first (fergus.core.lattice.expanded)")
    return list(lattice.arcs(0))


def _att_symbol(word: str) -> str:
    if not word:
        return EPSILON
    if word == EPSILON:
        return "\\" + EPSILON
    written = {"\\": r"\\", " ": r"\s", "\t": r"\t", "\n": r"\n"}
    return "".join(written.get(c) or (f"\\u{ord(c):04x}" if c.isspace() else c) for c in word)


def _dot_text(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
