"""``fergus study open``, ``pause`` and ``close``: may people take part in a study?"""

from __future__ import annotations

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option, find, opened

MEANING = {
    "open": "people can take part",
    "paused": "nobody can join or answer; everybody can go on when it is open again",
    "closed": "nobody can join; those who began can finish",
}
"""What a state is like for participants."""


@click.command("open", epilog=examples("fergus study open my-study"))
@click.argument("name", metavar="STUDY")
@database_option
def open_(*, name: str, database: str) -> None:
    """Open a study, so that people can take part (again)."""
    _set(name, "open", database)


@click.command(epilog=examples("fergus study pause my-study"))
@click.argument("name", metavar="STUDY")
@database_option
def pause(*, name: str, database: str) -> None:
    """Pause a study: nobody can join or answer until it is open again."""
    _set(name, "paused", database)


@click.command(epilog=examples("fergus study close my-study"))
@click.argument("name", metavar="STUDY")
@database_option
def close(*, name: str, database: str) -> None:
    """Close a study: nobody can join any more, and those who began can finish."""
    _set(name, "closed", database)


def _set(name: str, state: str, database: str) -> None:
    with opened(database) as data:
        from fergus.studies.storage.studies import set_state

        row = find(data, name)
        data.write(lambda transaction: set_state(transaction, row.id, state))
    already = " already" if row.state == state else ""
    click.echo(f"{name} is {state}{already}: {MEANING[state]}")
