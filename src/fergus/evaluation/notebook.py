"""An evaluation as a notebook shows it: the tables of the terminal with real rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fergus.evaluation.result import Evaluation
from fergus.evaluation.tables import FIGURES, notes_of, tables_of


def evaluation_html(evaluation: Evaluation) -> str:
    """Scores, comparisons, how they were made, and what a reader should be warned of."""
    notes = "<br>".join(escape(line.strip()) for line in notes_of(evaluation).splitlines())
    warnings = "".join(f"<p><strong>Warning:</strong> {escape(text)}</p>\n" for text in evaluation.warnings)
    return (
        "<div>\n" + "".join(map(_table, tables_of(evaluation))) + f"<p><small>{notes}</small></p>\n{warnings}</div>\n"
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    is_word = [not all(FIGURES.match(cell) for cell in column) for column in zip(*body, strict=True)]
    heads = "".join(f"<th{_left(word)}>{escape(cell)}</th>" for cell, word in zip(head, is_word, strict=True))
    lines = []
    for row in body:
        first, *rest = row
        cells = (f"<td{_left(word)}>{escape(cell)}</td>" for cell, word in zip(rest, is_word[1:], strict=True))
        lines.append(f"<tr><th{_left(True)}>{escape(first)}</th>{''.join(cells)}</tr>\n")
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody>\n</table>\n"


def _left(word: bool) -> str:
    return ' style="text-align:left"' if word else ""
