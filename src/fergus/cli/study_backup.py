"""``fergus study backup``: a copy of the database, while the server runs."""

from __future__ import annotations

from pathlib import Path

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option, opened


@click.command(
    epilog=examples(
        "fergus study backup monday.db",
        "fergus study backup monday.dump --database postgresql://fergus@db/studies",
    )
)
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@database_option
def backup(*, out: Path, force: bool, database: str) -> None:
    """Copy all studies and answers to a file, also while they are served.

    The copy is as the database was at one moment. Of SQLite it is a database itself; of PostgreSQL it is what pg_dump
    writes and pg_restore reads. It holds everything, answers and passwords' hashes too: only its owner can read it.
    """
    with opened(database) as data:
        from fergus.studies.storage.backup import back_up, restore_hint

        back_up(data, out, force=force)
        click.echo(f"{out}: {out.stat().st_size:,} bytes; {restore_hint(data, out)}")
