"""Fuzz every reader of Fergus, one after the other.

    python -m fuzz.readers [--target NAME]... [--seconds 600] [--seed N] [--plain] [--keep]

With atheris (``pip install 'fergus[fuzz]'``) the search is guided by coverage; without it, inputs are good files
changed at random. The table goes to standard output, progress to standard error; the exit code is 1 if something is
found.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from fergus.cli.progress import Report, progress_bars
from fuzz.outcome import Finding, check, minimised
from fuzz.targets import TARGETS

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests" / "fuzz" / "cases"
"""What was found once; the tests give it to the readers again."""
GRACE_SECONDS = 90.0
"""For imports, and for libFuzzer to notice that the time is over."""
DIED = "died"


@click.command()
@click.option("--target", "names", multiple=True, type=click.Choice(list(TARGETS)), help="One reader; may be repeated.")
@click.option("--seconds", default=600.0, show_default=True, help="For each reader.")
@click.option("--seed", default=1, show_default=True, help="Of the random changes.")
@click.option("--plain", is_flag=True, help="Without atheris, even if it is installed.")
@click.option("--keep", is_flag=True, help="Put what is found among the cases of the tests.")
@click.option("--out", default=Path("build/fuzz"), show_default=True, type=click.Path(path_type=Path), help="A folder.")
def main(*, names: tuple[str, ...], seconds: float, seed: int, plain: bool, keep: bool, out: Path) -> None:
    """Give broken files to every reader."""
    records = []
    with progress_bars(shown=True) as report:
        for name in names or tuple(TARGETS):
            record = fuzzed(name, out / name, seconds=seconds, seed=seed, plain=plain, report=report)
            shortened(name, out / name, record, keep=keep)
            records.append(record)
            print(f"{name}: {record['executions']:,} executions, {len(record['findings'])} findings", file=sys.stderr)
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(records))
    for record in records:
        for name, message in record["findings"].items():
            console.print(f"{out / record['target'] / name}: {message}", markup=False, soft_wrap=True)
    sys.exit(any(record["findings"] for record in records))


def fuzzed(name: str, folder: Path, *, seconds: float, seed: int, plain: bool, report: Report) -> dict[str, Any]:
    """The record of a process that fuzzes one reader; if it dies or hangs, that is a finding."""
    command = [sys.executable, "-m", "fuzz.one_target", name, str(folder), f"--seconds={seconds}", f"--seed={seed}"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "record.json").unlink(missing_ok=True)
    started = time.monotonic()
    with TemporaryDirectory() as scratch, (folder / "log.txt").open("wb") as log:
        environment = {**os.environ, "TMPDIR": scratch, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        process = subprocess.Popen(
            [*command, *(["--plain"] if plain else [])], stdout=log, stderr=log, env=environment, cwd=Path.cwd()
        )
        try:
            while process.poll() is None and time.monotonic() - started < seconds + GRACE_SECONDS:
                report(name, min(int(time.monotonic() - started), int(seconds)), int(seconds))
                time.sleep(0.2)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    report(name, int(seconds), int(seconds))
    record = _record(name, folder)
    if process.returncode:
        record["findings"][DIED] = f"the process ended with {process.returncode}; see {folder / 'log.txt'}"
    return record


def shortened(name: str, folder: Path, record: Mapping[str, Any], *, keep: bool) -> None:
    """Make what was found as short as can be; ``keep`` puts it among the cases of the tests."""
    for finding in record["findings"]:
        path = folder / finding
        if not path.exists():
            continue
        found = check(TARGETS[name], path.read_bytes())
        short: Finding | None = minimised(TARGETS[name], found) if found is not None else None
        if short is not None:
            path.write_bytes(short.data)
        if keep:
            (CASES / name).mkdir(parents=True, exist_ok=True)
            (CASES / name / finding).write_bytes(path.read_bytes())


def table(records: list[dict[str, Any]]) -> Table:
    """A row for every reader."""
    made = Table(title="Readers", title_justify="left", box=None)
    made.add_column("reader")
    for heading in ("by", "seconds", "executions", "a second", "findings"):
        made.add_column(heading, justify="right")
    for record in records:
        count, seconds, found = record["executions"], record["seconds"], len(record["findings"])
        speed = f"{count / seconds:,.0f}" if seconds else ""
        cells = (record["target"], record["engine"], f"{seconds:,.0f}", f"{count:,}", speed, str(found))
        made.add_row(*cells, style="bold red" if found else "")
    return made


def _record(name: str, folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / "record.json").read_bytes())
    except (OSError, ValueError):
        return {"target": name, "engine": "", "executions": 0, "seconds": 0.0, "findings": {}}
    return record


if __name__ == "__main__":
    main()
