"""``fergus account``: who may log in to the administration pages."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from fergus.cli.options import examples
from fergus.cli.study_database import database_option
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.web.login import Logins

LONGEST_LINE = 10_000

stdin_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password from the first line of standard input."
)


@click.group(epilog=examples("fergus account add ann --role admin", "fergus account list"))
def account() -> None:
    """Make, list and remove accounts of the administration pages.

    An admin changes everything and codes comments; a viewer only looks. The last admin cannot be removed.
    """


@account.command(
    epilog=examples("fergus account add ann", "fergus account add vera --role viewer --password-stdin < password.txt")
)
@click.argument("name")
@click.option(
    "--role", type=click.Choice(["admin", "viewer"]), default="admin", show_default=True, help="What it may do."
)
@stdin_option
@database_option
def add(*, name: str, role: str, password_stdin: bool, database: str) -> None:
    """Make an account; the password is asked for and not shown."""
    with _logins(database, must_exist=False) as logins:
        logins.add(name, _password(from_stdin=password_stdin), role=role)
    click.echo(f"{name} is {'an admin' if role == 'admin' else 'a viewer'}")


@account.command("list", epilog=examples("fergus account list --database my-study.db"))
@database_option
def list_accounts(*, database: str) -> None:
    """List names and roles, tabs between them."""
    from fergus.studies.storage import accounts

    with _logins(database) as logins, logins.database.read() as transaction:
        for row in accounts.all_accounts(transaction):
            click.echo(f"{row.name}\t{row.role}")


@account.command(epilog=examples("fergus account remove vera"))
@click.argument("name")
@database_option
def remove(*, name: str, database: str) -> None:
    """Remove an account; whoever is logged in by it is so no more."""
    with _logins(database) as logins:
        logins.remove(name)
    click.echo(f"{name} is removed")


@account.command(epilog=examples("fergus account password ann"))
@click.argument("name")
@stdin_option
@database_option
def password(*, name: str, password_stdin: bool, database: str) -> None:
    """Give an account another password; whoever is logged in by it is so no more."""
    with _logins(database) as logins:
        logins.set_password(name, _password(from_stdin=password_stdin))
    click.echo(f"the password of {name} is changed")


@contextmanager
def _logins(database: str, *, must_exist: bool = True) -> Iterator[Logins]:
    from fergus.studies.storage.migrate import open_database
    from fergus.web.login import Logins

    with open_database(database, must_exist=must_exist) as opened:
        yield Logins(opened, now_ms=lambda: time.time_ns() // 1_000_000)


def _password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline(LONGEST_LINE).rstrip("\r\n")
    if not sys.stdin.isatty():
        raise InputError("there is no terminal to ask for the password", remedy="use --password-stdin")
    typed: str = click.prompt("Password", hide_input=True, confirmation_prompt="The same again")
    return typed
