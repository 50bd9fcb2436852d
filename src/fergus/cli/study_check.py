"""``fergus study check``: every mistake in study files with its line; if there is none, what the study will be like."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from fergus.cli.counting import counted
from fergus.cli.options import examples

if TYPE_CHECKING:
    from fergus.studies.problems import Problem
    from fergus.studies.study import Study
    from fergus.studies.study_file import Checked

MISTAKES = 2
"""The exit code if there are mistakes; warnings alone are none."""


@click.command(epilog=examples("fergus study check my-study/study.yaml", "fergus study check */study.yaml --json"))
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Everything as a JSON object a file, in a list.")
@click.pass_context
def check(ctx: click.Context, *, files: tuple[str, ...], as_json: bool) -> None:
    """Find every mistake in study files, and in the items files that they name.

    A FILE is a study file, or a folder with a study.yaml. Mistakes and warnings go to standard error, what the study
    will be like to standard output. The exit code is 2 if there is a mistake; warnings are none.
    """
    from fergus.studies.study_file import check_file, find_study_file

    checked = {str(path): check_file(path) for path in map(find_study_file, files)}
    if as_json:
        records = [_record(path, result) for path, result in checked.items()]
        click.echo(json.dumps(records, ensure_ascii=False, indent=2))
    else:
        for path, result in checked.items():
            _print(path, result)
    if any(result.study is None for result in checked.values()):
        ctx.exit(MISTAKES)


def _record(path: str, checked: Checked) -> dict[str, Any]:
    from fergus.studies.estimate import estimate

    record: dict[str, Any] = {"file": path, "ok": checked.study is not None}
    record["problems"] = [_problem(problem) for problem in checked.problems]
    if checked.study is not None:
        record["study"], record["version"] = checked.study.name, checked.study.version
        record["estimate"] = asdict(estimate(checked.study))
    return record


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.path,
        "line": problem.line,
        "column": problem.column,
        "severity": "warning" if problem.is_warning else "error",
        "problem": problem.text,
        "remedy": problem.remedy,
    }


def _print(path: str, checked: Checked) -> None:
    for problem in checked.problems:
        click.echo(f"{'warning: ' if problem.is_warning else ''}{problem}", err=True)
    if checked.study is None:
        click.echo(f"{path}: {counted(len(checked.errors), 'mistake')}", err=True)
    else:
        click.echo(summary(path, checked.study))


def summary(path: str, study: Study) -> str:
    """What the study will be like, in a few lines."""
    from fergus.studies.estimate import estimate

    found = estimate(study)
    blocks = ", ".join(f"{block.name} (practice)" if block.practice else block.name for block in study.blocks)
    people = "no limit" if found.participants is None else f"{found.participants:,}"
    rows = [
        ("title", study.title),
        ("version", study.version),
        ("items", f"{found.items:,}"),
        ("blocks", blocks),
        ("design", f"{study.assignment.design}, {counted(found.conditions, 'condition')}"),
        ("each participant", f"{counted(found.pages, 'page')}, {counted(found.judgements, 'judgement')} of items"),
        ("time", f"about {counted(max(1, round(found.minutes)), 'minute')}"),
        ("participants", people),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join([f"{path}: study {study.name} is good", *(f"  {name:<{width}}  {value}" for name, value in rows)])
