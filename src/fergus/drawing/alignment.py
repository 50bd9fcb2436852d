"""The alignment of an output with its reference as SVG, as example (2) of the paper has it.

    There was no cost estimate for       the second    phase     above the reference, below the output; boxes and
    There was         estimate for phase the second no cost      letters say what happened, lines where a moved
    ·     ·   m1 d    ·        ·   i     ·   ·      m1 s         token went

The HTML report of an evaluation draws the same in the browser, where it is asked for: ten thousand finished
drawings would make the file twenty times as big.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fergus.drawing.svg import cut, document, ems, group, label, line, paint, xy

_WORD, _MARK = 15.0, 10.5
_PAD, _BETWEEN, _ROW = 5.0, 5.0, 24.0
_NAMES = {"deletion": "deleted", "insertion": "inserted", "substitution": "substituted", "move": "moved"}
_LETTERS = {"deletion": "d", "insertion": "i", "substitution": "s", "match": "·"}


class Step(Protocol):
    """One step of an alignment: ``match``, ``substitution``, ``deletion`` or ``insertion``, and the tokens' places."""

    @property
    def kind(self) -> str:
        """What happened."""

    @property
    def reference(self) -> int | None:
        """The place in the reference, None for an insertion."""

    @property
    def hypothesis(self) -> int | None:
        """The place in the output, None for a deletion."""


@dataclass(slots=True)
class _Cell:
    """A column: what happened, the tokens above and below, the number of the move or 0, where it stands."""

    kind: str
    upper: str | None
    lower: str | None
    move: int = 0
    row: int = 0
    middle: float = 0.0

    @property
    def room(self) -> float:
        return _WORD * max(*(ems(cut(text or "")) for text in (self.upper, self.lower)), 0.6) + 2 * _PAD


def draw_alignment(
    reference: Sequence[object],
    hypothesis: Sequence[object],
    operations: Sequence[Step],
    moves: Sequence[tuple[int, int]] = (),
    *,
    width: float = 760.0,
    title: str = "Alignment of an output with its reference",
) -> str:
    """The alignment in lines of at most ``width``; ``moves`` are pairs of places, in reference and output.

    ``operations`` and ``moves`` are those of ``fergus.metrics.align``.
    """
    cells = _cells(reference, hypothesis, operations, moves)
    pairs = _pairs(cells, len(moves))
    rows = _in_rows(cells, width)
    far = [k for k, (a, b) in enumerate(pairs) if a.row != b.row]
    margin = 6 + 5 * min(len(far), 8) if far else 0
    if far:
        rows = _in_rows(cells, width - margin)
        far = [k for k, (a, b) in enumerate(pairs) if a.row != b.row]
    edge = max((cell.middle + cell.room / 2 for cell in cells), default=10.0) + 2
    tops, y = [], 2.0
    for row in range(rows):
        touching = sum(row in (a.row, b.row) for a, b in pairs)
        gap = 16 + 5 * min(touching, 6) if touching else 4
        tops.append((y, y + _ROW + gap))
        y += 2 * _ROW + gap + 34
    body = [_column(cell, *tops[cell.row]) for cell in cells]
    body += [_move(k, pairs[k], tops, edge, far.index(k) if k in far else -1) for k in range(len(pairs))]
    return document("alignment", body, width=edge + margin + 2, height=y - 14, title=title, description=_spoken(cells))


def _cells(
    reference: Sequence[object],
    hypothesis: Sequence[object],
    operations: Sequence[Step],
    moves: Sequence[tuple[int, int]],
) -> list[_Cell]:
    left = {a: k for k, (a, _) in enumerate(moves, 1)}
    right = {b: k for k, (_, b) in enumerate(moves, 1)}
    cells = []
    for step in operations:
        cell = _Cell(
            step.kind,
            None if step.reference is None else str(reference[step.reference]),
            None if step.hypothesis is None else str(hypothesis[step.hypothesis]),
        )
        if step.kind == "deletion" and step.reference is not None:
            cell.move = left.get(step.reference, 0)
        elif step.kind == "insertion" and step.hypothesis is not None:
            cell.move = right.get(step.hypothesis, 0)
        cells.append(cell)
    return cells


def _pairs(cells: Sequence[_Cell], count: int) -> list[tuple[_Cell, _Cell]]:
    """For every move the column it starts from and the one it goes to."""
    away = {cell.move: cell for cell in cells if cell.move and cell.kind == "deletion"}
    to = {cell.move: cell for cell in cells if cell.move and cell.kind == "insertion"}
    return [(away[k], to[k]) for k in range(1, count + 1)]


def _in_rows(cells: Sequence[_Cell], width: float) -> int:
    row, x = 0, 0.0
    for cell in cells:
        if x > 0 and x + cell.room > width:
            row, x = row + 1, 0.0
        cell.row, cell.middle = row, x + cell.room / 2 + 2
        x += cell.room + _BETWEEN
    return row + 1


def _column(cell: _Cell, upper: float, lower: float) -> str:
    kind = "move" if cell.move else cell.kind
    colour = _NAMES.get(kind, "ink")
    parts = []
    for text, top in ((cell.upper, upper), (cell.lower, lower)):
        if text is None:
            continue
        half = _WORD * max(ems(cut(text)), 0.6) / 2 + _PAD - 1
        if kind != "match":
            parts.append(
                f'<rect x="{cell.middle - half:.1f}" y="{top + 1:.1f}" width="{2 * half:.1f}" height="{_ROW - 2:g}" '
                f'rx="3" fill="{paint(colour)}" fill-opacity="0.13" stroke="{paint(colour)}" stroke-width="1"/>'
            )
        parts.append(label(cut(text), cell.middle, top + 17, size=_WORD, fill=colour))
    mark = f"m{cell.move}" if cell.move else _LETTERS[cell.kind]
    parts.append(label(mark, cell.middle, lower + _ROW + 13, size=_MARK, fill="quiet"))
    long = [text for text in (cell.upper, cell.lower) if text and text != cut(text)]
    return group(parts, name=_NAMES.get(kind, "matched"), tooltip=" / ".join(long), operation=kind)


def _move(number: int, pair: tuple[_Cell, _Cell], tops: Sequence[tuple[float, float]], edge: float, track: int) -> str:
    """The line of a move; to another row it runs along the gaps and down or up the margin, on a track of its own."""
    away, to = pair
    start = (away.middle, tops[away.row][0] + _ROW)
    end = (to.middle, tops[to.row][1] - 5)
    if track < 0:
        bend = (end[1] + 5 - start[1]) * 0.85
        path = f"M{xy(start)}C{start[0]:.1f} {start[1] + bend:.1f} {end[0]:.1f} {end[1] - bend:.1f} {xy(end)}"
    else:
        x = edge + 4 + 5 * (track % 8)
        y1, y2 = (tops[cell.row][0] + _ROW + 6 + 5 * (track % 6) for cell in pair)
        path = f"M{xy(start)}V{y1:.1f}H{x:.1f}V{y2:.1f}H{end[0]:.1f}V{end[1]:.1f}"
    tip = f'<path d="M{end[0] - 4:.1f} {end[1] - 1:.1f}h8l-4 6z" fill="{paint("moved")}"/>'
    return group(
        (line(path, stroke="moved", width=1.4), tip),
        name="move",
        tooltip=f"move {number + 1}: {away.upper}",
        move=number + 1,
    )


def _spoken(cells: Sequence[_Cell]) -> str:
    """The alignment in words, for those who do not see it."""
    parts = []
    for kind, name in _NAMES.items():
        if kind == "move":
            found = [cell.upper or "" for cell in cells if cell.move and cell.kind == "deletion"]
        elif kind == "substitution":
            found = [f"{cell.upper} by {cell.lower}" for cell in cells if cell.kind == kind]
        else:
            found = [cell.upper or cell.lower or "" for cell in cells if cell.kind == kind and not cell.move]
        if found:
            parts.append(f"{name}: {', '.join(found)}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:] + "." if text else "All tokens match."
