"""The HTTP API under load: sentences a second and how long they take, and memory over many requests.

    python benchmarks/http_api.py [--only load|soak|beside]... [--requests 100000] [--json FILE] [--save]

Client, servers, workers and database share the machine. With PostgreSQL's programs two processes serve; else one, with
as many workers.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import Bar
from fergus.cli.local_server import LocalServer
from fergus.errors import FergusError
from fergus.treebank.conllu_writer import write_conllu
from fergus.treebank.read import read_trees
from held_out import data_folder
from http_load import Measured, descendants, memory_of, realize_bodies, send_all

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("load", "soak", "beside")
BAR = Bar({"sentences_per_second": 300, "p95_ms": 200})
FLAT = Bar({"growth_after_the_first_tenth": 0.01})
"""Of the memory after the first tenth of the requests, what may have come on top at the end."""
WARM_SECONDS = 2.0
STUDY = "study: beside\ntitle: Beside\nblocks: [{name: a, text: Hello.}]\n"
SMALL = ("saw(I her)", "estimate(there was no cost for(phase(the second)))", "barks(dog(the))", "x(", "go/VERB:root")
"""Trees of the soak; one of them is broken, which must not cost memory either."""


@click.command()
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="One part; may be repeated.")
@click.option("--connections", default=32, show_default=True)
@click.option("--processes", default=2, show_default=True)
@click.option("--seconds", default=30.0, show_default=True, help="How long the load is measured.")
@click.option("--requests", default=100_000, show_default=True, help="Requests of the soak.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/http_api-DATE.json.")
def main(
    *,
    only: tuple[str, ...],
    connections: int,
    processes: int,
    seconds: float,
    requests: int,
    json_file: Path | None,
    save: bool,
) -> None:
    """Measure POST /api/v1/realize."""
    parts, out = only or PARTS, tables.console()
    name, trees = test_trees(data_folder())
    record: dict[str, Any] = {"protocol": {"connections": connections, "trees": name, "distinct_trees": len(trees)}}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fergus-http-")))
        try:
            server = stack.enter_context(started(folder, processes, stack))
            wait_until_ready(server, processes)
            record["protocol"] |= {"processes": processes, "with_workers": len(memory_of(server.pid))}
            address = f"{server.address}/api/v1/realize"
            if "load" in parts:
                bodies = until(realize_bodies(trees), WARM_SECONDS + seconds)
                found = asyncio.run(send_all(address, bodies, connections=connections))
                record["load"] = described(found)
                out.print(load_table(record["load"], connections, name), "")
            if "beside" in parts:
                record["beside"] = beside(server, trees, connections)
                for when, wait_ms in record["beside"].items():
                    out.print(f"a participant's page, {when.replace('_', ' ')}: p95 {wait_ms:.1f} ms")
            if "soak" in parts:
                record["soak"] = soaked(server, requests, connections)
                out.print(soak_table(record["soak"]), "")
        except FergusError as error:
            raise click.ClickException(str(error)) from error
    results.keep({**results.heading("http_api", sys.argv[1:]), **record}, json_file=json_file, save=save)


def test_trees(data: Path) -> tuple[str, list[str]]:
    """The trees as CoNLL-U, whose order the realizer does not look at: EWT dev, or those that come with Fergus."""
    treebank = data / "ud" / "en_ewt-dev.conllu"
    file = treebank if treebank.is_file() else ROOT / "examples" / "references.conllu"
    return file.name, [write_conllu(item.tree, item.order) for item in read_trees(file)]


def started(folder: Path, processes: int, stack: ExitStack) -> LocalServer:
    """The server, on PostgreSQL if it is there."""
    sys.path.insert(0, str(ROOT))
    from tests.studies import postgresql

    study, programs = folder / "study.yaml", postgresql.folder_of_programs()
    study.write_text(STUDY, encoding="utf-8")
    if programs is None:
        click.echo("PostgreSQL is not installed: one process, with more workers", err=True)
        database, options = str(folder / "x.db"), ["--workers", str(processes)]
    else:
        database = stack.enter_context(postgresql.running(programs)).address("postgres")
        options = ["--processes", str(processes)]
    return LocalServer(study, database, log=folder / "log", options=["--workbench", "open", *options])


def wait_until_ready(server: LocalServer, processes: int) -> None:
    """Until every process has its realizer: each answers for itself, so it is asked often."""
    in_a_row, until_s = 0, time.monotonic() + 180
    while in_a_row < 10 * processes:
        if time.monotonic() > until_s:
            raise FergusError("the server was not ready after three minutes")
        try:
            with urllib.request.urlopen(f"{server.address}/readyz", timeout=10) as response:
                in_a_row = in_a_row + 1 if response.status == 200 else 0
        except OSError:
            in_a_row = 0
            time.sleep(0.5)


def until(bodies: Sequence[bytes], seconds: float) -> Iterator[bytes]:
    """The bodies again and again, for so long."""
    end = time.perf_counter() + seconds
    for body in itertools.cycle(bodies):
        if time.perf_counter() > end:
            return
        yield body


def described(found: Measured) -> dict[str, Any]:
    """The figures of a load, without its first seconds."""
    figures = {
        "sentences_per_second": round(found.per_second(WARM_SECONDS), 1),
        "p50_ms": round(found.quantile_ms(0.5, WARM_SECONDS), 1),
        "p95_ms": round(found.quantile_ms(0.95, WARM_SECONDS), 1),
        "p99_ms": round(found.quantile_ms(0.99, WARM_SECONDS), 1),
    }
    if set(found.statuses) != {200}:  # a server that refuses is quick
        raise FergusError(f"not everything was realized: {found.statuses}")
    verdicts = {name: BAR.verdict(name, figures[name]) for name in BAR.at_least}
    return {**figures, "statuses": found.statuses, "at_least": dict(BAR.at_least), "verdicts": verdicts}


def beside(server: LocalServer, trees: Sequence[str], connections: int) -> dict[str, float]:
    """How long a participant's page takes when nobody realizes, and while everybody does."""
    address, page = f"{server.address}/api/v1/realize", f"{server.address}/s/beside"
    # Another process: this one is busy sending, and would count its own slowness.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(pages, page, 0.1).result()
        alone = pool.submit(pages, page, 5.0).result()
        visit = pool.submit(pages, page, 5.0)
        asyncio.run(send_all(address, until(realize_bodies(trees), 6.0), connections=connections))
        crowded = visit.result()
    return {"alone": alone.quantile_ms(0.95), "while_the_API_is_busy": crowded.quantile_ms(0.95)}


def pages(address: str, seconds: float) -> Measured:
    """The first page of a study, again and again, twenty times a second."""
    found = Measured(time.perf_counter())
    while time.perf_counter() < found.began_s + seconds:
        sent = time.perf_counter()
        with urllib.request.urlopen(address, timeout=10) as response:
            response.read()
        found.times.append((sent, time.perf_counter() - sent))
        time.sleep(0.05)
    return found


def soaked(server: LocalServer, requests: int, connections: int) -> dict[str, Any]:
    """Memory after every tenth of the requests."""
    small = [json.dumps({"trees": [tree]}).encode() for tree in SMALL]
    bodies = itertools.islice(itertools.cycle(small), requests)
    sent = send_all(
        f"{server.address}/api/v1/realize",
        iter(bodies),
        connections=connections,
        look=lambda: memory_of(server.pid),
        every=max(1, requests // 10),
    )
    found = asyncio.run(sent)
    totals = [round(sum(memory.values()), 1) for _, memory in found.megabytes]
    growth = round(totals[-1] / totals[0] - 1, 4) if totals else float("nan")
    return {
        "requests": len(found.times),
        "statuses": found.statuses,
        "per_second": round(found.per_second(), 1),
        "megabytes": [{"requests": count, "by_process": memory} for count, memory in found.megabytes],
        "megabytes_total": totals,
        "processes": len(list(descendants(server.pid))) + 1,
        "growth_after_the_first_tenth": growth,
        "at_most": dict(FLAT.at_least),
        "verdict": FLAT.verdict("growth_after_the_first_tenth", growth),
    }


def load_table(row: dict[str, Any], connections: int, name: str) -> Table:
    """The figures of the load beside what was asked."""
    table = Table("figure", "measured", "asked", title=f"POST /api/v1/realize, {connections} connections, {name}")
    for figure in ("sentences_per_second", "p50_ms", "p95_ms", "p99_ms"):
        mark, style = tables.MARKS[row["verdicts"].get(figure, "")]
        asked = row["at_least"].get(figure, "")
        table.add_row(figure, Text(f"{row[figure]:,.1f} {mark}", style=style), f"{asked}")
    table.add_row("statuses", ", ".join(f"{status}: {count:,}" for status, count in row["statuses"].items()), "")
    return table


def soak_table(row: dict[str, Any]) -> Table:
    """Memory by number of requests."""
    table = Table("requests", "MB in all processes", title=f"{row['requests']:,} requests, {row['per_second']:,}/s")
    for step, total in zip(row["megabytes"], row["megabytes_total"], strict=True):
        table.add_row(f"{step['requests']:,}", f"{total:,.1f}")
    mark, style = tables.MARKS[row["verdict"]]
    table.add_row("growth after the first tenth", Text(f"{row['growth_after_the_first_tenth']:.2%} {mark}", style))
    return table


if __name__ == "__main__":
    main()
