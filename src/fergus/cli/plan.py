"""``fergus plan``: before a study begins: its power, its analysis plan, its datasheet."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fergus.cli.options import examples, out_option
from fergus.cli.output import write_text
from fergus.cli.plan_power import power
from fergus.cli.study_database import find, opened

if TYPE_CHECKING:
    from fergus.analysis.preregister import Deviation, FreezeCheck

DEVIATES = 1
"""The exit code of check if the plan was changed, or the analysis is another."""
json_option = click.option("--json", "as_json", is_flag=True, help="Everything as a JSON object.")


@click.group()
def plan() -> None:
    """Plan a study: its power, its analysis, its datasheet."""


plan.add_command(power)


@plan.command(epilog=examples("fergus plan freeze plan.toml", "fergus plan freeze plan.toml --amend 'after the pilot'"))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--amend", default="", metavar="REASON", help="Freeze a changed plan again, and say why.")
def freeze(*, file: Path, amend: str) -> None:
    """Freeze an analysis plan: its hash and the date, in a file beside it.

    Publish the hash before the data are in: the file alone proves nothing to others.
    """
    from fergus.analysis.preregister import freeze_plan, frozen_path

    frozen, is_new = freeze_plan(file, now=datetime.now(UTC), reason=amend)
    said = "frozen" if is_new else f"frozen before, on {frozen.date}, and unchanged"
    click.echo(f"{file}: {said}; see {frozen_path(file)}\nSHA-256 {frozen.sha256}")


@plan.command(epilog=examples("fergus plan check plan.toml", "fergus plan check plan.toml --analysis report.json"))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--analysis", type=click.Path(path_type=Path), metavar="FILE", help="A report's JSON, to be compared.")
@json_option
@click.pass_context
def check(ctx: click.Context, *, file: Path, analysis: Path | None, as_json: bool) -> None:
    """Was a plan changed since it was frozen, and does an analysis follow it?

    The exit code is 1 if it is not frozen, was changed, or the analysis deviates.
    """
    from fergus.analysis.preregister import check_freeze, check_plan, read_settings

    found = check_freeze(file)
    deviations = None
    if analysis is not None:
        deviations = check_plan(found.plan, read_settings(analysis))
    if as_json:
        record = {
            "sha256": found.plan.digest,
            "is_kept": found.is_kept,
            "frozen": [{"sha256": one.sha256, "date": one.date, "reason": one.reason} for one in found.frozen],
            "changes": found.changes,
            "deviations": None if deviations is None else [asdict(one) for one in deviations],
        }
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        click.echo(_check_text(file, found, deviations))
    if not found.is_kept or deviations:
        ctx.exit(DEVIATES)


def _check_text(file: Path, found: FreezeCheck, deviations: list[Deviation] | None) -> str:
    if not found.frozen:
        lines = [f"{file}: not frozen; see `fergus plan freeze`"]
    elif found.changes:
        lines = [f"{file}: changed since {found.frozen[-1].date}: {', '.join(found.changes)}"]
    else:
        lines = [f"{file}: unchanged since {found.frozen[-1].date}"]
    lines += [f"amended on {one.date}: {one.reason}" for one in found.frozen[1:]]
    lines.append(f"SHA-256 {found.plan.digest}")
    if deviations is not None:
        lines += [f"deviation: {one.message}" for one in deviations]
        lines += [] if deviations else ["the analysis follows the plan"]
    return "\n".join(lines)


@plan.command(
    epilog=examples("fergus plan heds my-study/study.yaml", "fergus plan heds my-study --database fergus.db -o heds.md")
)
@click.argument("study", type=click.Path(path_type=Path), metavar="STUDY")
@click.option("--database", help="Where its answers are; participants are then counted.")
@click.option("--plan", "plan_file", type=click.Path(path_type=Path), metavar="FILE", help="The analysis plan.")
@json_option
@out_option
def heds(*, study: Path, database: str | None, plan_file: Path | None, as_json: bool, out: Path | None) -> None:
    """Fill in the human-evaluation datasheet from a study, as far as it can be.

    STUDY is a study file or its folder. What nothing tells is marked as to be answered.
    """
    from fergus.analysis.heds import facts_of, fill_datasheet, to_json, to_markdown
    from fergus.analysis.preregister import check_freeze
    from fergus.studies.study_file import find_study_file, read_study

    read = read_study(find_study_file(study))
    facts = None
    if database is not None:
        from fergus.studies.export import rows_of
        from fergus.studies.service import Service

        with opened(database) as data:
            facts = facts_of(rows_of(Service(data), find(data, read.name)))
    sheet = fill_datasheet(read, facts=facts, plan=check_freeze(plan_file) if plan_file is not None else None)
    write_text(to_json(sheet) if as_json else to_markdown(sheet), out)
