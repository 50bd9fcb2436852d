"""Studies under load: answers a second, how long people wait, what a killed server loses, and Potato beside it.

    python benchmarks/studies.py [--only PART]... [--kills 50] [--potato-venv DIR] [--json FILE] [--save]

Server, database and raters share the machine. Tables go to standard output, progress to standard error.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import potato_study
import results
import tables
from bars import Bar
from fergus.cli.local_server import LocalServer
from fergus.errors import FergusError
from fergus.studies.simulate import Crowd, Load, run_fast
from fergus.studies.storage.database import Database
from fergus.studies.study_file import read_study
from fergus.studies.verify import verify
from kills import FOREVER, answer_under_kills
from study_load import Clock, Figures, figures_of, items, processor_seconds, write_study

PARTS = ("load", "kills", "potato")
LOADS, POTATO_LOADS = (150, 300, 600, 900, 1200), (5, 150)
"""Answers a second that the raters would give if the server took no time at all."""
BAR = Bar({"answers_per_second": 150, "p95_ms": 300}, {"answers_per_second": 600, "p95_ms": 100})
WARM_SECONDS = 4.0


@click.command()
@click.option("--raters", default=300, show_default=True, help="Raters who answer at the same time.")
@click.option("--loads", default=",".join(map(str, LOADS)), show_default=True, help="Offered answers a second.")
@click.option("--seconds", default=20.0, show_default=True, help="How long each load is measured.")
@click.option("--kills", default=50, show_default=True, help="How often the server is killed.")
@click.option(
    "--potato-venv", type=click.Path(path_type=Path), help="A virtual environment for Potato, made if absent."
)
@click.option(
    "--potato-loads", default=",".join(map(str, POTATO_LOADS)), show_default=True, help="The same for Potato."
)
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="One part; may be repeated.")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/studies-DATE.json.")
def main(
    *,
    raters: int,
    loads: str,
    seconds: float,
    kills: int,
    potato_venv: Path | None,
    potato_loads: str,
    only: tuple[str, ...],
    seed: int,
    json_file: Path | None,
    save: bool,
) -> None:
    """Measure studies with simulated raters, on SQLite in a temporary folder."""
    parts, out, record = only or PARTS, tables.console(), dict[str, Any]()
    record["protocol"] = {"raters": raters, "items": len(items()), "judgements_a_page": 2, "seconds": seconds}
    with tempfile.TemporaryDirectory(prefix="fergus-studies-") as name:
        folder = Path(name)
        try:
            if "load" in parts:
                rows = fergus_rows(folder, raters, _numbers(loads), seconds, seed)
                out.print(load_table("Fergus", raters, rows), *summary(rows), "", sep="\n")
                record["loads"] = [row.described(BAR) for row in rows]
            if "potato" in parts:
                environment = potato_venv or _cache() / f"potato-{potato_study.VERSION}"
                rows = potato_rows(environment, folder, raters, _numbers(potato_loads), seconds, seed)
                out.print(load_table(f"Potato {potato_study.VERSION}", raters, rows), *notes(rows), "", sep="\n")
                record["potato"] = {"version": potato_study.VERSION, "loads": [row.described() for row in rows]}
            if "kills" in parts:
                record["kills"] = killed(folder, kills, seed)
                out.print(f"{kills} kills under load: {record['kills']['verified']}", "")
        except FergusError as error:
            raise click.ClickException(str(error)) from error
    results.keep({**results.heading("studies", sys.argv[1:]), **record}, json_file=json_file, save=save)


def fergus_rows(folder: Path, raters: int, loads: Sequence[float], seconds: float, seed: int) -> list[Figures]:
    """Every load on one server, which keeps what came before; then every acknowledged answer is looked up."""
    study_file, database = write_study(folder / "load"), folder / "load.db"
    study, rows = read_study(study_file), []
    with LocalServer(study_file, database, log=folder / "load.log") as server:
        for number, offered in enumerate(loads):
            click.echo(f"Fergus at {offered:g} answers a second ...", err=True)
            clock = Clock(WARM_SECONDS + raters / offered, seconds)
            load = Load(
                raters=FOREVER, concurrent=raters, think_seconds=raters / offered, stop_after_seconds=clock.until
            )
            before = (time.process_time(), processor_seconds(server.pid))
            found = Crowd(study, server.address, seed=seed + number, load=load).simulate()
            own, servers = time.process_time() - before[0], processor_seconds(server.pid) - before[1]
            errors = sum(visit.state not in ("completed", "stopped") for visit in found.visits) + found.lost
            with Database(database) as opened:
                verified = verify(opened, study, found.sent)
            rows.append(
                figures_of(
                    offered,
                    [(sent.started, sent.seconds) for sent in found.sent],
                    clock.window(found.started),
                    judgements=2,
                    errors=errors,
                    processor_ms={"server": servers, "raters": own},
                    note=str(verified),
                    is_good=verified.is_good and not found.problems,
                )
            )
    return rows


def potato_rows(
    environment: Path, folder: Path, raters: int, loads: Sequence[float], seconds: float, seed: int
) -> list[Figures]:
    """The same raters, items and loads on Potato; the figures are of its save alone and of the whole step."""
    potato_study.install(environment)
    rows = list[Figures]()
    scales = {"understanding": "How easy is it to understand?", "quality": "How well written is it?"}
    for offered in loads:
        click.echo(f"Potato at {offered:g} answers a second ...", err=True)
        with ExitStack() as stack:
            project = folder / f"potato-{offered:g}"
            server = stack.enter_context(potato_study.PotatoServer(environment, project, items(), scales))
            load = Load(
                raters=FOREVER, concurrent=raters, think_seconds=raters / offered,
                stop_after_seconds=raters / offered + seconds,
            )  # fmt: skip
            found = run_fast(potato_study.rate(server.address, list(scales), load, name="rater", seed=seed))
            window = (found.everybody_in + raters / offered, found.everybody_in + raters / offered + seconds)
            note = f"{len(found.steps):,} acknowledged, {server.stored():,} in its files"
        for what in ("saved_seconds", "seconds"):
            times = [(step.started, getattr(step, what)) for step in found.steps]
            label = "save" if what == "saved_seconds" else "save and next page"
            rows.append(figures_of(offered, times, window, judgements=2, errors=found.errors, label=label, note=note))
    return rows


def killed(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """Kill the server under the load of 20 raters without a pause, then look up every acknowledged answer."""
    study_file, database = write_study(folder / "kills"), folder / "kills.db"
    with LocalServer(study_file, database, log=folder / "kills.log") as server:
        found = answer_under_kills(
            study_file, server, kills=kills, raters=20, seed=seed,
            report=lambda done: click.echo(f"\rkill {done} of {kills}", nl=done == kills, err=True),
        )  # fmt: skip
    with Database(database) as opened:
        verified = verify(opened, read_study(study_file), found.sent)
    return {
        "kills": kills,
        "acknowledged": verified.pages,
        "missing": len(verified.missing),
        "repeated": len(verified.repeated),
        "different": len(verified.different),
        "lost_connections": found.lost,
        "raters_who_gave_up": sum(visit.state == "failed" for visit in found.visits),
        "verified": str(verified),
    }


def load_table(title: str, raters: int, rows: Sequence[Figures]) -> Table:
    """A row a load; marks where something is asked of it."""
    table = Table(title=f"{title}, {raters} raters at the same time", title_justify="left", box=None)
    headings = (
        "offered/s",
        "",
        "answers/s",
        "judgements/s",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "errors",
        "CPU ms an answer",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if not heading else "right")
    for row in rows:
        costs = ", ".join(f"{name} {value:.2f}" for name, value in row.processor_ms.items())
        times = [f"{value:,.0f}" for value in (row.p50_ms, row.p95_ms, row.p99_ms)]
        mark, style = tables.MARKS[_verdict(row) if title == "Fergus" else ""]
        rate = Text(f"{row.answers_per_second:,.1f} {mark}", style)
        judgements = f"{row.judgements_per_second:,.1f}"
        table.add_row(f"{row.offered:g}", row.label, rate, judgements, *times, str(row.errors), costs)
    return table


def _verdict(row: Figures) -> str:
    for verdict, asked in (("aim", BAR.aim), ("bar", BAR.at_least)):
        if row.answers_per_second >= 0.97 * asked["answers_per_second"] and row.p95_ms <= asked["p95_ms"]:
            return verdict
    return ""


def summary(rows: Sequence[Figures]) -> list[str]:
    """The most answers a second at which people do not wait, and what was found in the database."""
    lines = notes(rows)
    for limit in (100, 300):
        good = [row.answers_per_second for row in rows if row.p95_ms <= limit and row.errors == 0]
        most = f"up to {max(good):,.0f} answers/s" if good else "at no load"
        lines.append(f"p95 of at most {limit} ms: {most}")
    return lines


def notes(rows: Sequence[Figures]) -> list[str]:
    """What was found in the database or the files, by load."""
    return list(dict.fromkeys(f"at {row.offered:g}/s: {row.note}" for row in rows))


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",") if part]
    except ValueError:
        raise click.BadParameter(f"{text} is no list of numbers") from None


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fergus" / "benchmarks"


if __name__ == "__main__":
    main()
