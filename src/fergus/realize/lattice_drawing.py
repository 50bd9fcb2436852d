"""A laid-out lattice as SVG: words on their arcs, weights below them, the winning path in colour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil
from unicodedata import east_asian_width

from fergus.core.lattice import Arc
from fergus.realize.lattice_layout import Layout

_WORD, _WEIGHT = 14.0, 9.5
"""Font sizes of words and of weights, in user units (pixels at natural size)."""
_ROW = 34.0
_STATE_RADIUS = 4.5
_GAP = 30.0
_MARGIN = 16.0
_NARROW, _USUAL, _WIDE = 0.34, 0.62, 1.0
_NARROW_ONES = frozenset("iIjlft.,:;!|'()[] -")

# Colours are written out: the converters that papers are made with know no CSS variables.
_STYLE = """
.lattice{background:#fff;font-family:Helvetica,Arial,"Liberation Sans",sans-serif}
.lattice path{fill:none;stroke:#9ca3af;stroke-width:1.2}
.lattice text{text-anchor:middle;fill:#1f2937}
.lattice .weight{fill:#6b7280}
.lattice circle{fill:#fff;stroke:#1f2937;stroke-width:1.4}
.lattice .initial{fill:#1f2937}
.lattice .best path{stroke:#c2410c;stroke-width:2.4}
.lattice .best text{fill:#c2410c;font-weight:bold}
.lattice .best .weight{font-weight:normal}
.lattice circle.best{stroke:#c2410c}
@media (prefers-color-scheme:dark){
.lattice{background:#111827}
.lattice path{stroke:#6b7280}
.lattice text{fill:#e5e7eb}
.lattice .weight{fill:#9ca3af}
.lattice circle{fill:#111827;stroke:#e5e7eb}
.lattice .initial{fill:#e5e7eb}
.lattice .best path,.lattice circle.best{stroke:#fb923c}
.lattice .best text{fill:#fb923c}
}
"""


class Drawing:
    """A layout turned into SVG elements; widths of columns come from the words that stand in them."""

    def __init__(self, arcs: list[Arc], layout: Layout, words: Sequence[str], winning: frozenset[int]) -> None:
        self.arcs, self.layout, self.words, self.winning = arcs, layout, words, winning
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
        return max(_WORD * _ems(self.words[arc.label]), _WEIGHT * _ems(shown(arc.weight))) + 8

    def _point(self, column: int, height: float) -> tuple[float, float]:
        return self.middle[column], self.top + height * _ROW

    def _arc(self, i: int) -> str:
        arc = self.arcs[i]
        source, word, *rest = (self._point(*stop) for stop in self._stops(i))
        half = self._width(arc) / 2
        begin, end = (word[0] - half, word[1]), (word[0] + half, word[1])
        line = [f"M{_xy(source)}", _curve(source, begin), f"M{_xy(end)}"]
        line += [_curve(here, there) for here, there in pairwise([end, *rest])]
        path = "".join(line)
        x, y = word[0], word[1] + 0.35 * _WORD
        style = ' class="best"' if i in self.winning else ""
        name = escape(self.words[arc.label], quote=False)
        return (
            f'<g{style}><path d="{path}"/>'
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{_WORD:g}" xml:space="preserve">{name}</text>'
            f'<text class="weight" x="{x:.1f}" y="{y + _WEIGHT + 1:.1f}" font-size="{_WEIGHT:g}">'
            f"{shown(arc.weight)}</text></g>"
        )

    def _state(self, state: int) -> str:
        x, y = self._point(self.layout.state_column[state], self.layout.state_height[state])
        ends = {s for i in self.winning for s in (self.arcs[i].source, self.arcs[i].target)}
        names = " ".join(n for n, holds in (("initial", state == 0), ("best", state in ends)) if holds)
        final = state == len(self.layout.state_column) - 1 and state > 0
        radii = [_STATE_RADIUS + 3, _STATE_RADIUS] if final else [_STATE_RADIUS]
        return "".join(f'<circle class="{names}" cx="{x:.1f}" cy="{y:.1f}" r="{r:g}"/>' for r in radii)

    def svg(self) -> str:
        """The whole document; the winning path is drawn last, above the others."""
        width, height = ceil(self.width), ceil(self.height)
        ranked = sorted(range(len(self.arcs)), key=lambda i: i in self.winning)
        used = {0, *(arc.source for arc in self.arcs), *(arc.target for arc in self.arcs)}
        body = [*map(self._arc, ranked), *map(self._state, sorted(used))]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lattice" role="img" aria-label="word lattice" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
            f"<style>{_STYLE}</style>\n" + "\n".join(body) + "\n</svg>\n"
        )


def _ems(text: str) -> float:
    """The width of a text in ems of a bold sans-serif font, rather too wide than too narrow."""
    return sum(_NARROW if c in _NARROW_ONES else _WIDE if _is_wide(c) else _USUAL for c in text)


def _is_wide(character: str) -> bool:
    return character in "mwMW@%" or east_asian_width(character) in "WF"


def _xy(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _curve(a: tuple[float, float], b: tuple[float, float]) -> str:
    """From a to b, leaving and arriving horizontally."""
    bend = (a[0] + b[0]) / 2
    return f"C{bend:.1f} {a[1]:.1f} {bend:.1f} {b[1]:.1f} {_xy(b)}"


def shown(weight: float) -> str:
    """Two decimals, a real minus sign, no negative zero."""
    rounded = round(weight, 2) + 0.0
    return f"{rounded:.2f}".replace("-", "\N{MINUS SIGN}")
