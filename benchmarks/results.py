"""Results as a dated JSON record: machine, version, command, every figure with what was asked of it."""

from __future__ import annotations

import json
import os
import platform
import shlex
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

import fergus
import held_out
from bars import BARS, NO_BAR, margin_bar, paper_of
from fergus.whole_file import WholeFile
from record_format import FORMAT, VERSION
from systems import Row

ROOT = Path(__file__).resolve().parents[1]


def record(rows: Sequence[Row], margins: Sequence[Row], notes: dict[str, Any], arguments: Sequence[str]) -> Any:
    """Everything that was measured and how."""
    return {
        **heading("realize", arguments),
        "protocol": {
            "shuffle_seed": held_out.SHUFFLE_SEED,
            "wsj_held_out": f"files {held_out.HELD_OUT}, {held_out.HELD_OUT + held_out.EVERY}, ... in name order",
            "wsj_sample": f"{held_out.SAMPLE_SIZE} of at most {held_out.LONGEST} words, seed {held_out.SAMPLE_SEED}",
        },
        **notes,
        "results": [_described(row) for row in rows],
        "margins": [_described(row) for row in margins],
    }


def heading(benchmark: str, arguments: Sequence[str]) -> dict[str, Any]:
    """What every record begins with: when, by which version and command, on which machine."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "benchmark": benchmark,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "fergus": fergus.__version__,
        "commit": commit(),
        "command": shlex.join([f"benchmarks/{benchmark}.py", *map(without_folder, arguments)]),
        "machine": machine(),
    }


def keep(content: dict[str, Any], *, json_file: Path | None, save: bool) -> None:
    """Write a record where it was asked for, and with ``save`` among the dated results too."""
    dated = f"{content['benchmark']}-{content['date'][:10]}.json"
    for path in filter(None, (json_file, ROOT / "benchmarks" / "results" / dated if save else None)):
        write(path, content)
        click.echo(f"written: {path.name}", err=True)


def _described(row: Row) -> dict[str, Any]:
    better, over, worse = row.system.partition(" over ")
    bar = margin_bar(better, worse) if over else BARS.get((row.test_set, row.system), NO_BAR)
    verdicts = {name: v for name, value in row.figures.items() if (v := bar.verdict(name, value))}
    extras = {
        "at_least": bar.at_least,
        "aim": bar.aim,
        "verdicts": verdicts,
        "papers": {} if over else paper_of(row.test_set, row.system),
        "skipped": row.skipped,
    }
    figures = {name: round(value, 5) for name, value in row.figures.items()}
    return {"test_set": row.test_set, "system": row.system, **figures, **{k: v for k, v in extras.items() if v}}


def machine() -> dict[str, Any]:
    """The processor, its cores, the memory and the versions that decide speed."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "memory_gigabytes": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "sacrebleu")},
    }


def cpu_model() -> str:
    """The name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def commit() -> str:
    """The checked-out commit, with a plus if sources or benchmarks have been changed since."""

    def git(*words: str) -> str:
        found = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
        return found.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "benchmarks")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def without_folder(argument: str) -> str:
    """A path as its last part: results do not tell where their maker keeps files."""
    return Path(argument).name if os.sep in argument else argument


def write(path: Path, content: Any) -> None:
    """Write the record."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with WholeFile(path) as stream:
        stream.write((json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())
