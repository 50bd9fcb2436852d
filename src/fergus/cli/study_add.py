"""``fergus study add``: a study, or a new version of one, put into the database without serving it."""

from __future__ import annotations

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option, opened


@click.command(epilog=examples("fergus study add my-study", "fergus study add */study.yaml --database studies.db"))
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@database_option
def add(*, files: tuple[str, ...], database: str) -> None:
    """Put studies into the database, or new versions of them, without serving them.

    A FILE is a study file, or a folder with a study.yaml. Those who take part already go on with the version that they
    began. Nothing is put in if a file has a mistake.
    """
    from fergus.cli.put_studies import put_in, read_checked

    found = read_checked(files)
    with opened(database, must_exist=False) as data:
        done = put_in(data, found)
    for put in done:
        if put.before is None:
            told = f"is put in, version {put.version}; people can take part as soon as it is served"
        elif put.before == put.version:
            told = f"has this version already, {put.version}"
        else:
            told = f"has a new version, {put.version}, instead of {put.before}"
        click.echo(f"{put.name}: {told}")
