"""Trees over a Dask cluster of two workers of this machine, against one process: the same bytes, and how much sooner.

    python benchmarks/cluster.py [--trees N] [--workers N] [--repeats N] [--quick] [--json FILE] [--save]

EWT's training and development trees, repeated. Times are of whole commands, the best of several, one after the other in
turn: ``local`` starts its workers and ends them; ``standing`` is a cluster that was there and has realized before.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import Bar
from fergus.errors import FergusError
from held_out import data_folder
from process_costs import cost_of, fergus_command

TREES, QUICK = 20_000, 2_000
PARTS = ("en_ewt-train.conllu", "en_ewt-dev.conllu")
BAR = Bar({"speed_up": 1.5}, {"speed_up": 1.7})


@click.command()
@click.option("--trees", type=click.IntRange(1), default=TREES, show_default=True, help="How many.")
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="Of the cluster.")
@click.option("--repeats", type=click.IntRange(1), default=2, show_default=True, help="The best of so many counts.")
@click.option("--quick", is_flag=True, help=f"{QUICK:,} trees, once.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/cluster-DATE.json.")
def main(*, trees: int, workers: int, repeats: int, quick: bool, json_file: Path | None, save: bool) -> None:
    """Measure a cluster of this machine on EWT (FERGUS_DATA, by default ../shared/data)."""
    data, out = data_folder(), tables.console()
    if not data.is_dir():
        raise click.ClickException(f"there is no data at {data}; set FERGUS_DATA")
    trees, repeats = (QUICK, 1) if quick else (trees, repeats)
    try:
        with tempfile.TemporaryDirectory() as folder, standing_cluster(workers) as address:
            rows = measured(Path(folder), written(data, trees, Path(folder)), address, workers, repeats)
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    for row in rows.values():
        row["speed_up"] = rows["one process"]["seconds"] / row["seconds"]
        row["trees_per_second"] = trees / row["seconds"]
    out.print(table(rows, trees), "", tables.LEGEND, sep="\n")
    record = {"trees": trees, "workers": workers, "repeats": repeats, "rows": described(rows)}
    results.keep({**results.heading("cluster", sys.argv[1:]), **record}, json_file=json_file, save=save)
    if not all(row["is_same"] for row in rows.values()):
        raise click.ClickException("the cluster's output is not that of one process")


def written(data: Path, trees: int, folder: Path) -> Path:
    """A file with so many trees: those of the treebank, again and again."""
    blocks = [block for part in PARTS for block in (data / "ud" / part).read_text("utf-8").split("\n\n") if block]
    path = folder / "trees.conllu"
    path.write_text("".join(f"{blocks[number % len(blocks)].strip()}\n\n" for number in range(trees)), "utf-8")
    return path


@contextmanager
def standing_cluster(workers: int) -> Iterator[str]:
    """The address of a cluster that is there before and after."""
    distributed = import_module("distributed")
    options: dict[str, Any] = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "silence_logs": logging.ERROR}
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=0, **options) as cluster:
        yield cluster.scheduler_address


def measured(folder: Path, trees: Path, address: str, workers: int, repeats: int) -> dict[str, dict[str, float]]:
    """Costs by the way it was done; ``is_same`` is 1 if every run wrote what one process wrote first."""
    ways = {"one process": [], "local": ["--dask", f"local:{workers}"], "standing": ["--dask", address]}
    run = runner(trees, folder / "out.txt")
    for more in ways.values():  # compiles what is not compiled, fills the system's cache, loads the standing workers
        run(more)
    first = (folder / "out.txt").read_bytes()
    found: dict[str, dict[str, float]] = {}
    for _ in range(repeats):
        for way, more in ways.items():
            costs = run(more)
            is_same = (folder / "out.txt").read_bytes() == first
            best = found.setdefault(way, {**costs, "is_same": True})
            best["is_same"] = best["is_same"] and is_same
            if costs["seconds"] < best["seconds"]:
                best |= costs
    return found


def runner(trees: Path, out: Path) -> Callable[[list[str]], dict[str, float]]:
    """What runs the command with more options and tells its costs."""
    command = [fergus_command(), "realize", str(trees), "--quiet", "--out", str(out)]
    return lambda more: cost_of([*command, *more])


def described(rows: dict[str, dict[str, float]]) -> dict[str, Any]:
    """The rows with what was asked of them."""
    found: dict[str, Any] = {}
    for way, row in rows.items():
        figures = {name: value if name == "is_same" else round(value, 3) for name, value in row.items()}
        bar = {"at_least": BAR.at_least, "aim": BAR.aim, "verdict": BAR.verdict("speed_up", row["speed_up"])}
        found[way] = {**figures, **(bar if way != "one process" else {})}
    return found


def table(rows: dict[str, dict[str, float]], trees: int) -> Table:
    """The rows for people."""
    shown = Table(title=f"fergus realize, {trees:,} trees of EWT", title_justify="left", box=None)
    for heading in ("", "seconds", "trees/s", "speed-up", "same bytes"):
        shown.add_column(heading, justify="right" if heading else "left")
    for way, row in rows.items():
        verdict = "" if way == "one process" else BAR.verdict("speed_up", row["speed_up"])
        mark, style = tables.MARKS[verdict]
        cells = [f"{row['seconds']:.1f}", f"{row['trees_per_second']:,.0f}"]
        same = "yes" if row["is_same"] else "NO"
        shown.add_row(way, *cells, Text(f"{row['speed_up']:.2f} {mark}", style), same)
    return shown


if __name__ == "__main__":
    main()
