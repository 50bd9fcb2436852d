"""Results as tables for people: under each row what was asked of it and what the papers had."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bars import ACCURACIES, BARS, NO_BAR, PAPERS_FIGURE_2, Bar, Figures, margin_bar, paper_of
from columns import ACCURACY_COLUMNS, COST_COLUMNS, REALIZED_COLUMNS
from held_out import TITLES
from systems import Row

MARKS = {"aim": ("★", "bold green"), "bar": ("✓", "green"), "missed": ("✗", "bold red"), "": (" ", "")}
LEGEND = "★ reaches the aim   ✓ clears the bar   ✗ misses it"
WIDTH = 110
COMPARED = (
    ("treebank-lr", "baseline-lr"),
    ("supertag", "treebank-lr"),
    ("supertag", "baseline-lr"),
    ("supertag (XTAG)", "treebank-lr"),
    ("supertag (XTAG)", "baseline-lr"),
)
"""Pairs of systems of which the first must do better."""


def console() -> Console:
    """Colours and lines on a terminal, plain text of a fixed width elsewhere."""
    own = Console()
    return own if sys.stdout.isatty() and own.width >= WIDTH else Console(width=WIDTH)


def metric_table(test_set: str, rows: Sequence[Row]) -> Table:
    """A test set's rows."""
    counts = next(((int(f["sentences"]), f["words_per_sentence"]) for row in rows if (f := row.figures)), (0, 0.0))
    table = _table(f"{TITLES[test_set]}: {counts[0]:,} sentences, {counts[1]:.1f} words each", REALIZED_COLUMNS)
    for row in rows:
        _add(table, row, REALIZED_COLUMNS, BARS.get((test_set, row.system), NO_BAR), paper_of(test_set, row.system))
    return table


def margin_table(test_set: str, rows: Sequence[Row]) -> Table:
    """By how much one system does better than another."""
    columns = {name: (heading, "{:+.4f}") for name, (heading, _) in ACCURACY_COLUMNS.items()}
    table = _table(f"{TITLES[test_set]}: margins, all to be above 0, the papers' margins are the aim", columns)
    for row in margins(test_set, rows):
        better, worse = row.system.split(" over ")
        _add(table, row, columns, margin_bar(better, worse), {}, is_bar_shown=False)
    return table


def margins(test_set: str, rows: Sequence[Row]) -> list[Row]:
    """The differences of the systems that must be ranked."""
    figures = {row.system: row.figures for row in rows if row.figures}
    found = []
    for better, worse in COMPARED:
        if better in figures and worse in figures:
            difference = {name: figures[better][name] - figures[worse][name] for name in ACCURACIES}
            found.append(Row(test_set, f"{better} over {worse}", difference))
    return found


def cost_table(rows: Sequence[Row]) -> Table:
    """Times and sizes of whole processes."""
    table = _table("Fergus as a program", COST_COLUMNS)
    for row in rows:
        _add(table, row, COST_COLUMNS, BARS.get(("system", row.system), NO_BAR), {})
    return table


def figure_table(sentences: Sequence[tuple[str, str, bool | None]]) -> Table:
    """Figure 2 of the paper by each preset; whether it is right is asked of ``default`` only."""
    table = Table(title="Figure 2 of the paper, bare", title_justify="left", box=console_box())
    for name in ("preset", "sentence", "the paper's own"):
        table.add_column(name)
    for preset, sentence, right in sentences:
        mark, style = MARKS["" if right is None else "bar" if right else "missed"]
        table.add_row(preset, Text(f"{sentence} {mark}", style), PAPERS_FIGURE_2.get(preset, ""))
    return table


def console_box() -> box.Box | None:
    """Lines around a table for people, none for files."""
    return box.SIMPLE_HEAD if sys.stdout.isatty() else None


def _table(title: str, columns: dict[str, tuple[str, str]]) -> Table:
    table = Table(title=title, title_justify="left", caption_justify="left", box=console_box(), pad_edge=False)
    table.add_column("")
    for heading, _ in columns.values():
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _add(
    table: Table,
    row: Row,
    columns: dict[str, tuple[str, str]],
    bar: Bar,
    paper: Figures,
    *,
    is_bar_shown: bool = True,
) -> None:
    if row.skipped:
        table.add_row(row.system, "skipped", style="yellow")
        table.caption = "\n".join(filter(None, (str(table.caption or ""), f"{row.system}: {row.skipped}")))
        return
    cells = []
    for name, (_, form) in columns.items():
        value = row.figures.get(name)
        mark, style = MARKS["" if value is None else bar.verdict(name, value)]
        cells.append(Text("" if value is None else f"{form.format(value)} {mark}", style))
    table.add_row(row.system, *cells)
    for name, asked in (("bar", bar.at_least if is_bar_shown else {}), ("aim", bar.aim), ("the papers", paper)):
        if shown := {key: value for key, value in asked.items() if key in columns}:
            cells = [Text(f"{columns[c][1].format(shown[c])}  " if c in shown else "") for c in columns]
            table.add_row(f"  {name}", *cells, style="dim")
