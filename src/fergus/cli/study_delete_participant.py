"""``fergus study delete-participant``: a person's data removed from a study."""

from __future__ import annotations

import click

from fergus.cli.counting import counted
from fergus.cli.options import examples
from fergus.cli.study_database import GONE_LATER, database_option, find, opened
from fergus.errors import InputError


@click.command(
    epilog=examples(
        "fergus study delete-participant my-study 17",
        "fergus study delete-participant my-study 5f1c2ab34de --yes",
    )
)
@click.argument("name", metavar="STUDY")
@click.argument("participant", metavar="PARTICIPANT")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
def delete_participant(*, name: str, participant: str, yes: bool, database: str) -> None:
    """Remove a person's data from a study: answers, times, what coders said of them, and the private link.

    PARTICIPANT is the number that exports have (17, or #17 if somebody's name is a number), or the recruiter's name
    for the person. It cannot be undone.
    """
    with opened(database) as data:
        from fergus.analysis.report_files import forget_report
        from fergus.studies.storage.erase import erase_participant, find_people

        row = find(data, name)
        with data.read() as transaction:
            people = find_people(transaction, row.id, participant)
        if not people:
            remedy = "give the number in the column participant of an export, or the recruiter's name"
            raise InputError(f"nobody in “{name}” is “{participant}”", remedy=remedy)
        if len(people) > 1:
            told = ", ".join(f"#{one.id} ({one.kind}, {one.state})" for one in people)
            raise InputError(f"“{participant}” may be each of {told}", remedy="give one of them with its #")
        one = people[0]
        called = f", “{one.external}”" if one.external else ""
        if not yes:
            question = f"Remove participant #{one.id} ({one.kind}, {one.state}{called}) from “{name}” for good?"
            click.confirm(question, abort=True, err=True)
        removed = erase_participant(data, one.id)
        forget_report(data, row.id)
    click.echo(
        f"participant #{one.id} of “{name}” is removed: {counted(removed.submissions, 'page')}, "
        f"{counted(removed.answers, 'answer')}, {counted(removed.codings, 'coding')}, "
        f"{counted(removed.links, 'private link')}"
    )
    if not removed.is_gone_from_file:
        click.echo(GONE_LATER, err=True)
    click.echo("backups and exports that were made before still have the data: remove it there yourself", err=True)
