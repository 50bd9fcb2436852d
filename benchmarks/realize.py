"""Quality and speed of the realizer beside the papers' figures (section 3.3), in one run.

    python benchmarks/realize.py [--model NAME|PATH] [--quick] [--only PART]... [--json FILE] [--save]

Tables go to standard output, progress to standard error.
"""

from __future__ import annotations

import logging
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

import results
import tables
from bars import FIGURE_2, FIGURE_2_SENTENCE
from fergus.cli.progress import progress_bars
from fergus.core.tree import OrderedTree
from fergus.errors import FergusError
from fergus.realize.pipeline import load
from fergus.treebank import parse_tree
from held_out import SHUFFLE_SEED, data_folder, ewt_dev, shuffled, wsj_held_out, wsj_subsets
from process_costs import system_rows
from systems import Row, Run, differing_sentences, preset_run, random_run, reason, rows_of
from wsj_models import wsj_model, wsj_model_with_xtag

PARTS = ("figure2", "ewt", "wsj", "system")
QUICK = 200
LEFT_RIGHT = ("baseline-lr", "treebank-lr")
PRESETS = (*LEFT_RIGHT, "supertag", "default")
SHUFFLES = 20


@click.command()
@click.option("--model", default="en", show_default=True, metavar="NAME|PATH", help="For everything but WSJ.")
@click.option("--quick", is_flag=True, help=f"The first {QUICK} sentences of each treebank; no training in `system`.")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="One part; may be repeated.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/realize-DATE.json.")
def main(*, model: str, quick: bool, only: tuple[str, ...], json_file: Path | None, save: bool) -> None:
    """Measure the realizer on EWT dev and the WSJ sample (FERGUS_DATA, by default ../shared/data)."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    logging.getLogger("benchmarks").setLevel(logging.WARNING if sys.stderr.isatty() else logging.INFO)
    data, out = data_folder(), tables.console()
    parts = only or PARTS
    if not data.is_dir() and set(parts) != {"figure2"}:
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    rows: list[Row] = []
    margins: list[Row] = []
    notes: dict[str, Any] = {"model": results.without_folder(model)}
    try:
        if "figure2" in parts:
            notes["figure2"] = figure2(model)
            out.print(tables.figure_table(notes["figure2"]), "")
        if "ewt" in parts:
            notes["shuffles_that_mattered"] = ewt(model, first(ewt_dev(data), quick=quick), rows)
            for test_set in ("ewt-labels", "ewt-bare"):
                out.print(tables.metric_table(test_set, of(rows, test_set)), "")
            changed, total = notes["shuffles_that_mattered"]
            out.print(f"Another shuffle of the input changed {changed} of {total} sentences.\n")
        if "wsj" in parts:
            held_out = first(wsj_held_out(data), quick=quick)
            for test_set in wsj(data, held_out, rows):
                out.print(tables.metric_table(test_set, of(rows, test_set)), "")
                if test_set in ("wsj-100", "wsj-24"):
                    margins += tables.margins(test_set, of(rows, test_set))
                    out.print(tables.margin_table(test_set, of(rows, test_set)), "")
        if "system" in parts:
            click.echo("measuring whole processes ...", err=True)
            rows += system_rows(model, data, quick=quick)
            out.print(tables.cost_table(of(rows, "system")), "")
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    out.print(tables.LEGEND + ("\n--quick: the bars are meant for the whole test sets" if quick else ""))
    content = results.record(rows, margins, notes, sys.argv[1:])
    today = datetime.now(UTC).date().isoformat()
    saved = results.ROOT / "benchmarks" / "results" / f"realize-{today}.json" if save else None
    for path in filter(None, (json_file, saved)):
        results.write(path, content)
        click.echo(f"written: {path.name}", err=True)


def first(trees: list[OrderedTree], *, quick: bool) -> list[OrderedTree]:
    """All of a treebank, or its beginning."""
    return trees[:QUICK] if quick else trees


def of(rows: list[Row], test_set: str) -> list[Row]:
    """The rows of one test set."""
    return [row for row in rows if row.test_set == test_set]


def figure2(model: str) -> list[tuple[str, str, bool | None]]:
    """What each preset makes of the paper's Figure 2, however its nodes are shuffled."""
    tree = parse_tree(FIGURE_2)
    generator = random.Random(SHUFFLE_SEED)
    found: list[tuple[str, str, bool | None]] = []
    for preset in PRESETS:
        sentences = set()
        try:
            realizer = load(model, preset=preset)
            for _ in range(SHUFFLES):
                permutation = generator.sample(range(len(tree)), len(tree))
                sentences.add(" ".join(realizer.realize(tree.permuted(permutation)).tokens))
        except FergusError as error:
            found.append((preset, f"skipped: {reason(error, model)}", False if preset == "default" else None))
            continue
        right = sentences == {FIGURE_2_SENTENCE}
        found.append((preset, " / ".join(sorted(sentences)), right if preset == "default" else None))
    return found


def ewt(model: str, trees: list[OrderedTree], rows: list[Row]) -> tuple[int, int]:
    """All systems on EWT dev with labels and bare; tells for how many sentences another shuffle mattered."""
    cases = shuffled(trees)
    everything = list(range(len(cases)))
    with progress_bars(shown=True) as progress:
        # The Left-Right models look at words only, and take long: one run stands for both.
        words_only = [preset_run(model, name, cases, bare=True, progress=progress) for name in LEFT_RIGHT]
        for test_set, bare in (("ewt-labels", False), ("ewt-bare", True)):
            runs = [random_run(cases), *words_only]
            runs += [preset_run(model, name, cases, bare=bare, progress=progress) for name in ("supertag", "default")]
            for run in runs:
                rows += rows_of(run, cases, {test_set: everything})
        # The last run was of default, bare.
        again = shuffled(trees[:QUICK], seed=SHUFFLE_SEED + 1)
        other = preset_run(model, "default", again, bare=True, progress=progress, system="default, shuffled again")
        if run.skipped:
            return 0, 0
        return differing_sentences(Run("", run.orders[:QUICK]), other, again), len(again)


def wsj(data: Path, trees: list[OrderedTree], rows: list[Row]) -> list[str]:
    """All systems on the held-out WSJ files by models of the others; tells the names of the test sets."""
    cases, subsets = shuffled(trees), wsj_subsets(trees)
    with progress_bars(shown=True) as progress:
        rows += rows_of(random_run(cases), cases, subsets)
        model = wsj_model(data, progress=progress)
        for preset in PRESETS:
            rows += rows_of(preset_run(model, preset, cases, bare=True, progress=progress), cases, subsets)
            if preset == "supertag":
                xtag = wsj_model_with_xtag(data, model)
                run = preset_run(xtag, preset, cases, bare=True, progress=progress, system="supertag (XTAG)")
                rows += rows_of(run, cases, subsets)
    return list(subsets)


if __name__ == "__main__":
    main()
