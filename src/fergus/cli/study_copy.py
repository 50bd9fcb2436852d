"""``fergus study copy``: everything of a database put into another one, such as from SQLite to PostgreSQL."""

from __future__ import annotations

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option, opened


@click.command(
    epilog=examples(
        "fergus study copy --database fergus.db --to postgresql://fergus@db/studies",
        "fergus study copy --database postgresql://fergus@db/studies --to fergus.db",
    )
)
@click.option("--to", "target", required=True, help="An empty database: a file, or a postgresql:// address.")
@database_option
def copy(*, target: str, database: str) -> None:
    """Copy everything to another database: from SQLite to PostgreSQL, or back.

    Stop the server before: what people answer meanwhile is not in the copy. It is all done in one transaction, and read
    again before that ends; after an error the other database is as empty as it was.
    """
    with opened(database) as source, opened(target, must_exist=False) as copied:
        from fergus.studies.storage.copy import copy_database

        counts = copy_database(source, copied)
        width = max(map(len, counts))
        for name, count in counts.items():
            click.echo(f"{name:<{width}}  {count:>9,}")
        click.echo(f"All of {source.shown} is in {copied.shown}, and was read again there.")
