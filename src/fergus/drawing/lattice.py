"""A word lattice as SVG: words on their arcs, weights below them, the winning path in colour.

o ──── the ──── o ── second ── o ── phase ── o        A lattice that would be too big for the eye is cut down to
 ╰── second ─── o ─── the ────╯                       its best orders, and a sentence below it says so.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from fergus.core.lattice import Arc, Lattice, expanded
from fergus.drawing.lattice_cut import best_path, cut_down
from fergus.drawing.lattice_layout import Layout, lay_out
from fergus.drawing.svg import cut, document, ems, group, label, line, paint, xy

_WORD, _WEIGHT = 14.0, 9.5
"""Font sizes of words and of weights, in user units (pixels at natural size)."""
_ROW = 34.0
_STATE_RADIUS = 4.5
_GAP = 30.0
_MARGIN = 16.0
_NO_WORD = "(none)"
_A_WORD = 3
"""Arcs for every word of the winning path that are always drawn."""


def draw_lattice(
    lattice: Lattice,
    words: Sequence[str],
    order: Sequence[int] | None = None,
    *,
    title: str = "Word lattice",
    limit: int | None = 60,
) -> str:
    """The lattice, packed or not, with ``words`` for its labels; the best path that spells ``order`` is coloured.

    With more than ``limit`` arcs (three a word of ``order``, if that is more), only the orders nearest to the best
    one and the winning path are drawn; None draws all. Every arc is a group with the label of its word
    as ``data-node``.
    """
    note = ""
    if limit is not None:
        # A long sentence needs more arcs than a short one to show anything beside itself.
        found = cut_down(lattice, order, limit=max(limit, _A_WORD * len(order or ())))
        lattice, note = found.lattice, found.note
    flat = lattice if _is_flat(lattice) else expanded(lattice)
    arcs = list(flat.arcs(0)) if len(flat) else []
    winning = best_path(flat, order) if order is not None else ()
    layout = lay_out(arcs, flat.part_states[0] if len(flat) else 1, winning)
    sentence = " ".join(filter(None, (words[arcs[i].label] for i in winning)))
    description = f"{len(arcs)} arcs from left to right, each with a word and its weight."
    if order is not None:
        description += f" The winning path reads: {sentence}."
    return _Drawing(arcs, layout, words, frozenset(winning)).svg(title, description, note)


def relabelled(lattice: Lattice, canonical: Sequence[int]) -> Lattice:
    """The lattice of a realization with the nodes of its tree for its own numbers."""
    return replace(lattice, label=array("i", [canonical[label] if label >= 0 else label for label in lattice.label]))


def _is_flat(lattice: Lattice) -> bool:
    return not len(lattice) or (len(lattice) == 1 and all(label >= 0 for label in lattice.label))


class _Drawing:
    """A layout turned into SVG elements; widths of columns come from the words that stand in them."""

    def __init__(self, arcs: list[Arc], layout: Layout, words: Sequence[str], winning: frozenset[int]) -> None:
        self.arcs, self.layout, self.winning = arcs, layout, winning
        self.whole = words
        self.words = [cut(word) or _NO_WORD for word in words]
        widths = [2 * _STATE_RADIUS] * layout.columns
        for arc, route in zip(arcs, layout.routes, strict=True):
            widths[route[0][0]] = max(widths[route[0][0]], self._width(arc))
        self.middle: list[float] = []
        edge = _MARGIN
        for width, gap in zip(widths, self._gaps(), strict=True):
            self.middle.append(edge + width / 2)
            edge += width + gap
        self.width = edge + _MARGIN
        heights = [*layout.state_height, *(h for route in layout.routes for _, h in route)]
        self.top = _MARGIN + _WORD - min(heights) * _ROW
        self.height = self.top + max(heights) * _ROW + _MARGIN + _WEIGHT

    def _gaps(self) -> list[float]:
        """The room behind each column: more where lines climb far, lest they be too steep to follow."""
        gaps = [_GAP] * (self.layout.columns - 1)
        for stops in map(self._stops, range(len(self.arcs))):
            for (column, a), (_, b) in pairwise(stops):
                gaps[column] = max(gaps[column], min(0.12 * abs(b - a) * _ROW, 3 * _GAP))
        return [*gaps, 0.0]

    def _stops(self, i: int) -> list[tuple[int, float]]:
        """Where arc ``i`` goes, as (column, height): its source, its word, its bends, its target."""
        columns, heights = self.layout.state_column, self.layout.state_height
        source, target = self.arcs[i].source, self.arcs[i].target
        return [
            (columns[source], heights[source]),
            *self.layout.routes[i],
            (columns[target], heights[target]),
        ]

    def _width(self, arc: Arc) -> float:
        """The room a word and its weight need."""
        return max(_WORD * ems(self.words[arc.label]), _WEIGHT * ems(shown(arc.weight))) + 8

    def _point(self, column: int, height: float) -> tuple[float, float]:
        return self.middle[column], self.top + height * _ROW

    def _arc(self, i: int) -> str:
        arc = self.arcs[i]
        source, word, *rest = (self._point(*stop) for stop in self._stops(i))
        half = self._width(arc) / 2
        begin, end = (word[0] - half, word[1]), (word[0] + half, word[1])
        path = [f"M{xy(source)}", _curve(source, begin), f"M{xy(end)}"]
        path += [_curve(here, there) for here, there in pairwise([end, *rest])]
        x, y = word[0], word[1] + 0.35 * _WORD
        wins = i in self.winning
        parts = (
            line("".join(path), stroke="best" if wins else "line", width=2.4 if wins else 1.2),
            label(self.words[arc.label], x, y, size=_WORD, fill="best" if wins else "ink", bold=wins),
            label(shown(arc.weight), x, y + _WEIGHT + 1, size=_WEIGHT, fill="best" if wins else "quiet"),
        )
        whole = self.whole[arc.label] or _NO_WORD
        tip = whole if whole != self.words[arc.label] else ""
        return group(parts, name="arc best" if wins else "arc", tooltip=tip, node=arc.label)

    def _state(self, state: int, ends: set[int]) -> str:
        x, y = self._point(self.layout.state_column[state], self.layout.state_height[state])
        ink = paint("best" if state in ends else "ink")
        final = state == len(self.layout.state_column) - 1 and state > 0
        radii = [_STATE_RADIUS + 3, _STATE_RADIUS] if final else [_STATE_RADIUS]
        fill = ink if state == 0 else paint("paper")
        return "".join(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" fill="{fill}" stroke="{ink}" stroke-width="1.4"/>'
            for r in radii
        )

    def svg(self, title: str, description: str, note: str) -> str:
        """The whole document; the winning path is drawn last, above the others."""
        ranked = sorted(range(len(self.arcs)), key=lambda i: i in self.winning)
        used = {0, *(arc.source for arc in self.arcs), *(arc.target for arc in self.arcs)}
        ends = {s for i in self.winning for s in (self.arcs[i].source, self.arcs[i].target)}
        body = [*map(self._arc, ranked), *(self._state(state, ends) for state in sorted(used))]
        return document(
            "lattice", body, width=self.width, height=self.height, title=title, description=description, note=note
        )


def _curve(a: tuple[float, float], b: tuple[float, float]) -> str:
    """From a to b, leaving and arriving horizontally."""
    bend = (a[0] + b[0]) / 2
    return f"C{bend:.1f} {a[1]:.1f} {bend:.1f} {b[1]:.1f} {xy(b)}"


def shown(weight: float) -> str:
    """Two decimals, a real minus sign, no negative zero."""
    rounded = round(weight, 2) + 0.0
    return f"{rounded:.2f}".replace("-", "\N{MINUS SIGN}")
