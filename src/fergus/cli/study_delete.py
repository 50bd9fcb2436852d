"""``fergus study delete``: a study removed with everything that people answered."""

from __future__ import annotations

import click

from fergus.cli.counting import counted
from fergus.cli.options import examples
from fergus.cli.study_database import GONE_LATER, database_option, find, opened
from fergus.errors import InputError


@click.command(epilog=examples("fergus study delete my-study", "fergus study delete my-study --yes"))
@click.argument("name", metavar="STUDY")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
def delete(*, name: str, yes: bool, database: str) -> None:
    """Remove a study with all its versions, participants, answers, codings and links.

    It says what there is, and asks for the study's name. It cannot be undone: make a backup before.
    """
    with opened(database) as data:
        from fergus.analysis.report_files import forget_report
        from fergus.studies.storage.erase import erase_study, held_by

        row = find(data, name)
        with data.read() as transaction:
            held = held_by(transaction, row.id)
        numbers = {
            "version": held.versions,
            "participant": held.participants,
            "answer": held.answers,
            "coding": held.codings,
            "private link": held.links,
        }
        told = ", ".join(counted(number, noun) for noun, number in numbers.items())
        if not yes:
            click.echo(f"“{name}” ({row.state}) will be removed for good: {told}", err=True)
            typed: str = click.prompt("Type the study's name to remove it", err=True)
            if typed.strip() != name:
                raise InputError(f"“{typed.strip()}” is not “{name}”; nothing was removed")
        is_gone = erase_study(data, row.id)
        forget_report(data, row.id)
    click.echo(f"“{name}” is removed: {told}")
    if not is_gone:
        click.echo(GONE_LATER, err=True)
    click.echo("backups and exports that were made before still have the data", err=True)
