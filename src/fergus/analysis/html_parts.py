"""The parts of an HTML report: sections, tables, figures, what is folded away; all of their texts escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from fergus.analysis.plot_style import COLUMN, Drawn, inline_svg

if TYPE_CHECKING:
    from fergus.analysis.report_tables import Table

MANY_ROWS = 40
"""Tables that are longer scroll in a box of their own."""


def section(name: str, label: str, content: str) -> str:
    """A part of the page that can be linked to."""
    heading = f'<h2 id="{name}-heading">{escape(label)}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-heading">\n{heading}\n{content}</section>'


def folded(label: str, content: str) -> str:
    """What is opened by a click, or a key."""
    return f"<details>\n<summary>{escape(label)}</summary>\n{content}</details>\n"


def figure(drawn: Drawn) -> str:
    """A figure with its caption; a wide one is scrolled."""
    svg = inline_svg(drawn)
    if drawn.figure.get_size_inches()[0] > COLUMN:  # on a phone it is as wide as it needs, and is scrolled
        label = escape(f"{drawn.title}, figure")
        svg = f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n{svg}\n</div>'
    return f"<figure>\n{svg}\n<figcaption>{escape(drawn.caption)}</figcaption>\n</figure>\n"


def table(table: Table, *, notes: Sequence[int] = ()) -> str:
    """A table that can be scrolled by keyboard, with headers for rows and columns."""
    head = "".join(f'<th scope="col"{_kind(table, i)}>{_unbroken(cell)}</th>' for i, cell in enumerate(table.head))
    rows = []
    for row in table.rows:
        cells = [f'<th scope="row" class="word">{escape(row[0])}</th>']
        for i, cell in enumerate(row[1:], 1):
            kind = ' class="word note"' if i in notes else _kind(table, i)
            cells.append(f"<td{kind}>{escape(cell)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    tall = " tall" if len(table.rows) > MANY_ROWS else ""
    caption = f'<p class="caption">{escape(table.caption)}</p>\n' if table.caption else ""
    return (
        f'<div class="scroll{tall}" role="region" aria-label="{escape(table.title)}, table" tabindex="0">\n<table>\n'
        f"<caption>{escape(table.title)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) +
        f"\n</tbody>\n</table>\n</div>\n{caption}"
    )  # fmt: skip


def _kind(table: Table, column: int) -> str:
    return ' class="word"' if column in table.words else ""


def _unbroken(text: str) -> str:
    """In a narrow head, τ-b stays on its line."""
    return re.sub(r"\S+-\S{1,2}(?!\S)", lambda found: f'<span class="whole">{found[0]}</span>', escape(text))
