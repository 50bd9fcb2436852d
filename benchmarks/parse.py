"""The shipped parser on EWT dev, and what its errors do to the tree accuracies, in one run.

    python benchmarks/parse.py [--model NAME|PATH|spacy:NAME] [--quick] [--only PART]... [--json FILE] [--save]

Tables go to standard output, progress to standard error.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import Bar
from conll18 import raw_text, scores
from fergus.cli.progress import progress_bars
from fergus.core.tree import OrderedTree
from fergus.errors import FergusError
from fergus.treebank.parse import Parser, find_parser, load_parser
from held_out import data_folder, ewt_dev
from parser_effects import Effect, effects

PARTS = ("text", "tokens", "effects")
QUICK = 200
MEGABYTE = 1e6
BARS = {
    "text": Bar({"las": 75}, {"las": 80}),
    "model": Bar({"megabytes": 15}, {}),
}
COLUMNS = {
    "tokens": ("tokens", "{:.2f}"),
    "sentences": ("sentences", "{:.2f}"),
    "words": ("words", "{:.2f}"),
    "upos": ("UPOS", "{:.2f}"),
    "uas": ("UAS", "{:.2f}"),
    "las": ("LAS", "{:.2f}"),
    "words_per_second": ("words/s", "{:,.0f}"),
}


@click.command()
@click.option("--model", default="en", show_default=True, metavar="NAME|PATH|spacy:NAME", help="The parser.")
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences.")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="One part; may be repeated.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/parse-DATE.json.")
def main(*, model: str, quick: bool, only: tuple[str, ...], json_file: Path | None, save: bool) -> None:
    """Measure a parser on EWT dev (FERGUS_DATA, by default ../shared/data)."""
    data, out, parts = data_folder(), tables.console(), only or PARTS
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    gold = ewt_dev(data)[: QUICK if quick else None]
    try:
        parser, costs = loaded(model)
        record: dict[str, Any] = {
            "parser": parser.signature,
            "sentences": len(gold),
            "model": described("model", costs),
        }
        size = f", {costs['megabytes']:.1f} MB" if "megabytes" in costs else ""
        out.print(f"{parser.signature}{size}, loaded in {costs['load_seconds']:.2f} s\n")
        rows = {}
        if "text" in parts:
            rows["text"] = from_text(parser, gold)
        if "tokens" in parts:
            rows["tokens"] = from_tokens(parser, gold)
        if rows:
            out.print(score_table(rows, len(gold)), "", tables.LEGEND, "", sep="\n")
        record |= {part: described(part, figures) for part, figures in rows.items()}
        if "effects" in parts:
            with progress_bars(shown=True) as progress:
                found = effects(parser, gold, progress=progress)
            out.print(effect_table(found), "")
            record["effects"] = [effect.described() for effect in found]
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    results.keep({**results.heading("parse", sys.argv[1:]), **record}, json_file=json_file, save=save)


def loaded(model: str) -> tuple[Parser, dict[str, float]]:
    """The parser, the seconds it took to load (the second time, from the system's cache), its size."""
    load_parser(model)
    started = time.perf_counter()
    parser = load_parser(model)
    costs = {"load_seconds": time.perf_counter() - started}
    if parser.signature.startswith("udpipe:"):
        costs["megabytes"] = find_parser(model).stat().st_size / MEGABYTE
    return parser, costs


def from_text(parser: Parser, gold: Sequence[OrderedTree]) -> dict[str, float]:
    """Scores of what the parser makes of the bare text."""
    text = raw_text(gold)
    started = time.perf_counter()
    trees = parser.parse_text(text)
    seconds = time.perf_counter() - started
    return {**scores(gold, trees), "words_per_second": sum(len(o.tree) for o in trees) / seconds}


def from_tokens(parser: Parser, gold: Sequence[OrderedTree]) -> dict[str, float]:
    """Scores of the trees over the treebank's own words."""
    started = time.perf_counter()
    trees = parser.parse_tokens([ordered.forms for ordered in gold])
    seconds = time.perf_counter() - started
    # The same words on both sides: multiword tokens do not matter.
    plain = [OrderedTree(type(o.tree)(o.tree.nodes, o.tree.heads), o.order) for o in gold]
    found = scores(plain, trees)
    figures = {name: found[name] for name in ("upos", "uas", "las")}
    return {**figures, "words_per_second": sum(len(o.tree) for o in trees) / seconds}


def described(part: str, figures: dict[str, float]) -> dict[str, Any]:
    """Figures with what was asked of them."""
    bar = BARS.get(part, Bar())
    verdicts = {name: verdict for name, value in figures.items() if (verdict := bar.verdict(name, value))}
    extras = {"at_least": bar.at_least, "aim": bar.aim, "verdicts": verdicts}
    return {**{name: round(value, 4) for name, value in figures.items()}, **{k: v for k, v in extras.items() if v}}


def score_table(rows: dict[str, dict[str, float]], sentences: int) -> Table:
    """The parser's scores."""
    table = Table(title=f"EWT dev, {sentences:,} sentences, F1 of CoNLL 2018", title_justify="left", box=None)
    table.add_column("from")
    for heading, _ in COLUMNS.values():
        table.add_column(heading, justify="right")
    for part, figures in rows.items():
        bar = BARS.get(part, Bar())
        cells = []
        for name, (_, form) in COLUMNS.items():
            value = figures.get(name)
            mark, style = tables.MARKS["" if value is None else bar.verdict(name, value)]
            cells.append(Text("" if value is None else f"{form.format(value)} {mark}", style))
        table.add_row(part, *cells)
    return table


def effect_table(found: Sequence[Effect]) -> Table:
    """Tree accuracies by gold and by parsed trees."""
    table = Table(title="Tree accuracies by gold trees and by parsed ones", title_justify="left", box=None)
    for heading in ("", "system", "gold", "parsed", "shift", "mean |difference|", "correlation"):
        table.add_column(heading, justify="left" if heading in ("", "system") else "right")
    for effect in found:
        for row in effect.rows:
            figures = (row.gold, row.parsed, row.parsed - row.gold, row.mean_absolute_difference)
            cells = [f"{figures[0]:.4f}", f"{figures[1]:.4f}", f"{figures[2]:+.4f}", f"{figures[3]:.4f}"]
            table.add_row(
                effect.metric, row.system, *cells, "" if row.correlation is None else f"{row.correlation:.3f}"
            )
        ranking = "the same" if effect.has_same_ranking else "NOT the same"
        table.add_row("", f"ranking: {ranking}", style="bold" if effect.has_same_ranking else "bold red")
    return table


if __name__ == "__main__":
    main()
