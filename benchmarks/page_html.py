"""The page of results as one HTML file that needs nothing else: light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from record_tables import Cell, Table

if TYPE_CHECKING:
    from page import Section, Source

STYLE = Path(__file__).with_name("page.css")
LONG = 30
"""Letters of a text that may be broken into lines."""
NAMES = {"aim": "★ reach the aim", "bar": "✓ clear the bar", "missed": "✗ miss it"}


def html_page(sections: Sequence[Section], counts: Mapping[str, int], missed: Sequence[str]) -> str:
    """The whole page."""
    tiles = "".join(
        f'<li class="{kind}"><strong>{count}</strong> {escape(NAMES[kind])}</li>' for kind, count in counts.items()
    )
    links = "".join(f'<a href="#{one.name}">{escape(one.title)}</a>' for one in sections)
    names = "".join(f"<li>{escape(name)}</li>" for name in missed)
    shown = f"<details><summary>What is missed</summary><ul>{names}</ul></details>" if missed else ""
    body = "\n".join(map(_section, sections))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fergus: benchmarks</title>
<style>
{STYLE.read_text("utf-8")}</style>
</head>
<body>
<header>
<h1>Fergus: benchmarks</h1>
<p>What was measured, and beside it what was asked, what the papers had and what others’ programs do on the same data.
Of the figures that something is asked of:</p>
<ul class="tiles">{tiles}</ul>
{shown}
</header>
<nav aria-label="Benchmarks">{links}</nav>
<main>
{body}
</main>
</body>
</html>
"""


def _section(section: Section) -> str:
    parts = [_source(source) + "".join(map(_table, tables)) for source, tables in section.by_source()]
    return f'<section id="{section.name}">\n<h2>{escape(section.title)}</h2>\n{"".join(parts)}</section>'


def _source(source: Source) -> str:
    return f'<p class="source"><code>{escape(source.command)}</code><br>{escape(source.line)}</p>\n'


def _table(table: Table) -> str:
    note = f'<p class="note">{escape(table.note.rstrip("."))}.</p>\n' if table.note else ""
    kinds = [_kind(table, column) for column in range(len(table.headings))]
    heads = "".join(
        f'<th scope="col"{_classes(kind)}>{escape(name) or "<span class=hidden>what</span>"}</th>'
        for name, kind in zip(table.headings, kinds, strict=True)
    )
    rows = "\n".join(_row(cells, kinds) for cells in table.rows)
    return (
        f"<h3>{escape(table.title)}</h3>\n{note}"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table>\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>\n"
    )


def _row(cells: Sequence[Cell], kinds: Sequence[str]) -> str:
    first, *others = cells
    asked = ' class="asked"' if first.text.startswith("— ") else ""
    texts = "".join(_cell(cell, kind) for cell, kind in zip(others, kinds[1:], strict=True))
    return f'<tr{asked}><th scope="row">{escape(first.text)}</th>{texts}</tr>'


def _cell(cell: Cell, kind: str) -> str:
    return f"<td{_classes(kind, cell.verdict)}>{escape(cell.text)}</td>"


def _kind(table: Table, column: int) -> str:
    if not table.has_words(column):
        return ""
    return "words long" if max((len(row[column].text) for row in table.rows), default=0) > LONG else "words"


def _classes(*names: str) -> str:
    shown = " ".join(filter(None, names))
    return f' class="{shown}"' if shown else ""
