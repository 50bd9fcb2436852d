"""Analysis: the whole report on the E2E judgements, a metric learned from them, and statistics beside scipy's.

    python benchmarks/analysis.py [--only PART]... [--quick] [--json FILE] [--save]

Parts: report (time and memory), learn (is the learned metric better than its best part?), statistics (against scipy
and statsmodels), recovery (do intervals hold what is true, and tests their level, in simulated studies?). Tables go to
standard output, progress to standard error.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

import results
import tables
from bars import REPORT
from columns import COST_COLUMNS
from fergus.errors import FergusError
from held_out import data_folder
from process_costs import cost_of, fergus_command
from recovery import coverages
from statistics_peers import Agreement, agreements

Figures = dict[str, Any]

SCALE = ("--scale", "0", "100")
PARTS = ("report", "learn", "statistics", "recovery")
QUICK = ("--samples", "100", "--trials", "100")
LEARNED = {"scores as given": (), "scores of 0 to 100": SCALE}
"""Some judges typed numbers above 100; ``--scale`` leaves them out and names them."""


@click.command()
@click.option(
    "--only", multiple=True, type=click.Choice(("report", "learn", "statistics", "recovery")), help="May be repeated."
)
@click.option("--quick", is_flag=True, help="100 bootstrap samples and trials, fewer random tables.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the results there.")
@click.option("--save", is_flag=True, help="Write them to benchmarks/results/analysis-DATE.json.")
def main(*, only: tuple[str, ...], quick: bool, json_file: Path | None, save: bool) -> None:
    """Measure the analysis (FERGUS_DATA, by default ../shared/data)."""
    folder = data_folder() / "judgements"
    if not folder.is_dir():
        raise click.ClickException(f"there are no judgements at {folder}; set FERGUS_DATA")
    sources = [str(folder / "e2e_quality.csv"), "--references", str(folder / "e2e_references.csv"), "--lowercase"]
    parts: dict[str, Callable[[], Any]] = {
        "report": lambda: whole_report(sources, quick=quick),
        "learn": lambda: learned(sources, quick=quick),
        "statistics": lambda: statistics(quick=quick),
        "recovery": lambda: recovered(quick=quick),
    }
    try:
        measured = {name: parts[name]() for name in only or parts}
    except FergusError as error:
        raise click.ClickException(str(error)) from error
    content = {**results.heading("analysis", sys.argv[1:]), "results": measured}
    results.keep(content, json_file=json_file, save=save)


def whole_report(sources: Sequence[str], *, quick: bool) -> Figures:
    """``fergus analyse`` with every output there is, in a process of its own, after a short run that compiles."""
    fergus = fergus_command()
    asked = [fergus, "analyse", *sources, *SCALE, "--quiet", *(QUICK if quick else ())]
    with tempfile.TemporaryDirectory(prefix="fergus-analysis-") as name:
        folder = Path(name)
        # Compiled code is kept on disk: compiling is done once after an installation, and not timed.
        click.echo("a first run, which is not counted ...", err=True)
        cost_of([*asked, *QUICK, "--out", str(folder / "first.txt")])
        click.echo("the whole report ...", err=True)
        outputs = [
            "--html",
            "report.html",
            "--latex",
            "tables",
            "--figures",
            "figures",
            "--json",
            "--out",
            "report.json",
        ]
        command = [*asked, *(str(folder / word) if not word.startswith("--") else word for word in outputs)]
        cost = cost_of(command)
        report = json.loads((folder / "report.json").read_text("utf-8"))
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "first.txt")
        kilobytes = {path.relative_to(folder).as_posix(): round(path.stat().st_size / 1000, 1) for path in files}
    table = _table("The whole report on E2E", [heading for heading, _ in COST_COLUMNS.values()][:3])
    columns = list(COST_COLUMNS.items())[:3]
    table.add_row(
        "fergus analyse",
        *(_marked(form.format(cost[key]), REPORT.verdict(key, cost[key])) for key, (_, form) in columns),
    )
    for label, asked_of in (("bar", REPORT.at_least), ("aim", REPORT.aim)):
        table.add_row(f"  {label}", f"{asked_of['seconds']:.0f}  ", style="dim")
    tables.console().print(table, f"{len(files)} files: HTML, LaTeX, SVG, PNG, JSON\n", sep="\n")
    words = ["fergus", *map(results.without_folder, command[1:])]
    return {**cost, "command": words, "kilobytes": kilobytes, "summary": report.get("summary")}


def recovered(*, quick: bool) -> list[Figures]:
    """In how many simulated studies 95% intervals hold the truth, and how often tests find what is not there."""
    table = _table("Simulated studies", ["design", "truth", "share", ""])
    rows = []
    for one in coverages(20 if quick else 200, lambda name: click.echo(f"{name} ...", err=True)):
        verdict = "bar" if one.low <= one.share <= one.high else "missed"
        table.add_row(one.quantity, one.design, f"{one.truth:.3f}", _marked(f"{one.share:.1%}", verdict), one.asked)
        rows.append(asdict(one))
    tables.console().print(table)
    return rows


def learned(sources: Sequence[str], *, quick: bool) -> list[Figures]:
    """``fergus learn`` with inputs left out; r of the metric, of its best part, and what lies between them."""
    table = _table(
        "A metric learned on E2E, inputs left out",
        ["r", "best part", "its r", "difference", "95% interval", "p", "better"],
    )
    rows = []
    for name, more in LEARNED.items():
        click.echo(f"fergus learn, {name} ...", err=True)
        row = _learned_row([*sources, *more, *(QUICK if quick else ())])
        rows.append({"judgements": name, **row})
        low, high = row["interval"]
        table.add_row(
            name, f"{row['r']:.3f}", row["best_part"], f"{row['r_of_best_part']:.3f}",
            f"{row['difference']:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{row['p']:.3f}",
            _marked("yes" if row["is_better"] else "no", "bar" if row["is_better"] else ""),
        )  # fmt: skip
    tables.console().print(table, *(f"{row['judgements']}: {row['verdict']}" for row in rows), "", sep="\n")
    return rows


def _learned_row(words: Sequence[str]) -> Figures:
    with tempfile.TemporaryDirectory(prefix="fergus-analysis-") as folder:
        command = [fergus_command(), "learn", *words, "--json", "--quiet", "--out", f"{folder}/learned.toml"]
        started = time.perf_counter()
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - started
    if found.returncode:
        raise FergusError(f"fergus learn failed: {found.stderr.strip().splitlines()[-1:]}")
    content = json.loads(found.stdout)
    parts = content["metric"]["coefficients"]
    best = next(one for one in content["beside"] if one["name"] in parts)
    return {
        "seconds": seconds,
        "n": content["by_inputs"]["n"],
        "parts": list(parts),
        "r": content["by_inputs"]["pearson"],
        "best_part": best["name"],
        "r_of_best_part": best["pearson"],
        "difference": best["difference"],
        "interval": [best["low"], best["high"]],
        "p": best["corrected_p"],
        "williams_p": best["williams_p"],
        "is_better": content["beats_best_part"],
        "verdict": content["verdict"],
    }


def statistics(*, quick: bool) -> list[Figures]:
    """The largest difference from scipy and statsmodels over random tables."""
    click.echo("statistics beside scipy and statsmodels ...", err=True)
    found = agreements(tables=20 if quick else 300)
    table = _table(
        "Statistics beside others’, over random tables", ["beside", "tables", "figures", "largest difference"]
    )
    for one in found:
        difference = _marked(f"{one.difference:.1e}", "bar" if one.is_good else "missed")
        table.add_row(one.what, one.beside, f"{one.tables:,}", f"{one.figures:,}", difference)
    tables.console().print(
        table, f"asked for: at most {Agreement.BAR:.0e}, relative where figures are above 1\n", sep="\n"
    )
    return [one.described() for one in found]


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=tables.console_box(), pad_edge=False)
    table.add_column("")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("best part", "beside") else "right", no_wrap=True)
    return table


def _marked(text: str, verdict: str) -> Text:
    mark, style = tables.MARKS[verdict]
    return Text(f"{text} {mark}", style)


if __name__ == "__main__":
    main()
