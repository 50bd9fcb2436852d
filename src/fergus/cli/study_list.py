"""``fergus study list``: the studies of a database and how they are getting on."""

from __future__ import annotations

import json

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option, opened

HEADER = ("study", "state", "version", "completed", "active", "judgements")


@click.command("list", epilog=examples("fergus study list", "fergus study list --database studies.db --json"))
@click.option("--json", "as_json", is_flag=True, help="As JSON: a list with an object a study.")
@database_option
def list_(*, as_json: bool, database: str) -> None:
    """List the studies with their states, and how many took part.

    Completed and active are participants, artificial and imported ones too; judgements are as many as an export has
    rows. Previews count nowhere.
    """
    with opened(database) as data:
        from fergus.studies.overview import overview
        from fergus.studies.service import Service

        lines = overview(Service(data))
    rows = [
        (line.row.name, line.row.state, line.row.version, line.completed, line.active, line.judgements)
        for line in lines
    ]
    if as_json:
        click.echo(json.dumps([dict(zip(HEADER, row, strict=True)) for row in rows], ensure_ascii=False, indent=2))
        return
    if not rows:
        click.echo("There is no study yet; put one in: fergus study add FILE", err=True)
        return
    cells = [HEADER, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEADER))]
    for row in cells:
        words = [cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(row[3:], widths[3:], strict=True)]
        click.echo("  ".join([*words, *numbers]))


def _cell(value: str | int | None) -> str:
    return "?" if value is None else f"{value:,}" if isinstance(value, int) else value
