"""Every benchmark one after the other, each as a process of its own, and then the pages of what they found.

    python benchmarks/bench.py [--quick] [--only NAME]...

What fails does not keep the others from running; it is named at the end, and the exit code is 1. Records go to
benchmarks/results under the day's date. With --quick they go to build/bench/results, and only the HTML page is written.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "benchmarks"
BUILD = ROOT / "build" / "bench"
BENCHMARKS: dict[str, tuple[str, ...]] = {
    "realize": ("--quick",),
    "complete": ("--quick",),
    "metrics": ("--only", "exact", "--only", "peers", "--only", "stream", "--pairs", "20000"),
    "parse": ("--quick",),
    "studies": ("--only", "load", "--loads", "150", "--seconds", "5", "--raters", "50"),
    "analysis": ("--quick", "--only", "report", "--only", "learn", "--only", "statistics"),
    "cluster": ("--quick",),
    "http_api": ("--seconds", "5", "--requests", "2000"),
    "rules": ("--quick",),
}
"""In the order in which they are run, with what makes them short."""


@click.command()
@click.option("--quick", is_flag=True, help="A short run, whose figures are not kept with the others.")
@click.option("--only", multiple=True, type=click.Choice(tuple(BENCHMARKS)), help="One benchmark; may be repeated.")
def main(*, quick: bool, only: tuple[str, ...]) -> None:
    """Run the benchmarks and write the pages."""
    failed = []
    for name in only or BENCHMARKS:
        click.echo(f"\n== {name} ==", err=True)
        started = time.monotonic()
        code = subprocess.run(command(name, quick=quick), cwd=ROOT, check=False).returncode
        click.echo(f"== {name}: {time.monotonic() - started:,.0f} s ==", err=True)
        if code:
            failed.append(f"{name} (exit code {code})")
    if subprocess.run(page_command(quick=quick), cwd=ROOT, check=False).returncode:
        failed.append("the pages")
    if failed:
        raise click.ClickException(f"failed: {', '.join(failed)}")


def command(name: str, *, quick: bool) -> list[str]:
    """What runs one benchmark."""
    script = [sys.executable, str(FOLDER / f"{name}.py")]
    if quick:
        return [*script, *BENCHMARKS[name], "--json", str(BUILD / "results" / f"{name}.json")]
    return [*script, "--save"]


def page_command(*, quick: bool) -> list[str]:
    """What writes the pages."""
    script = [sys.executable, str(FOLDER / "page.py")]
    return [*script, "--results", str(BUILD / "results"), "--no-markdown"] if quick else script


if __name__ == "__main__":
    main()
