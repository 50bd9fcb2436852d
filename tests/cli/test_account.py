from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from fergus.cli import account
from fergus.studies.storage.migrate import open_database
from fergus.web import login
from fergus.web.login import Logins

from .conftest import Run

PASSWORD = "four words in a row"


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes a quarter of a second with good reason is tested where people log in."""
    monkeypatch.setattr(login, "_hasher", lambda: PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "study.db")


def add(run: Run, database: str, name: str, *options: str, password: str = PASSWORD):
    return run("account", "add", name, "--password-stdin", "--database", database, *options, stdin=password + "\n")


def test_an_account_is_made_listed_and_can_log_in(run: Run, database: str) -> None:
    assert add(run, database, "ann").stdout == "ann is an admin\n"
    assert add(run, database, "vera", "--role", "viewer").stdout == "vera is a viewer\n"
    assert run("account", "list", "--database", database).stdout == "ann\tadmin\nvera\tviewer\n"
    with open_database(database) as opened:
        assert Logins(opened, now_ms=lambda: 0).log_in("ann", PASSWORD, address="") is not None


def test_the_password_is_nowhere_to_be_read(run: Run, database: str) -> None:
    result = add(run, database, "ann")
    assert PASSWORD not in result.stdout + result.stderr
    with sqlite3.connect(database) as connection:
        (stored,) = connection.execute("SELECT password FROM accounts").fetchone()
    connection.close()
    assert stored.startswith("$argon2id$")


@pytest.mark.parametrize(
    ("name", "password", "problem"),
    [
        ("ann", "short", "the password has 5 characters; use 12 characters or more"),
        ("ann", "", "the password has 0 characters"),
        ("", PASSWORD, "cannot be a name"),
    ],
)
def test_accounts_that_are_not_made(run: Run, database: str, name: str, password: str, problem: str) -> None:
    result = add(run, database, name, password=password)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert run("account", "list", "--database", database).stdout == ""


def test_a_name_that_is_taken(run: Run, database: str) -> None:
    add(run, database, "ann")
    result = add(run, database, "ann")
    assert result.exit_code == 2
    assert "there is an account “ann” already" in result.stderr


def test_the_password_is_changed(run: Run, database: str) -> None:
    add(run, database, "ann")
    result = run("account", "password", "ann", "--password-stdin", "--database", database, stdin="another password\n")
    assert result.stdout == "the password of ann is changed\n"
    with open_database(database) as opened:
        logins = Logins(opened, now_ms=lambda: 0)
        assert logins.log_in("ann", PASSWORD, address="") is None
        assert logins.log_in("ann", "another password", address="") is not None


def test_an_account_is_removed_but_not_the_last_admin(run: Run, database: str) -> None:
    add(run, database, "ann")
    add(run, database, "bob")
    assert run("account", "remove", "bob", "--database", database).stdout == "bob is removed\n"
    result = run("account", "remove", "ann", "--database", database)
    assert result.exit_code == 2
    assert "“ann” is the only admin" in result.stderr
    missing = run("account", "remove", "eve", "--database", database)
    assert "there is no account “eve”; there are: ann" in missing.stderr


def test_without_a_terminal_the_password_is_not_asked_for(run: Run, database: str) -> None:
    result = run("account", "add", "ann", "--database", database, stdin=f"{PASSWORD}\n{PASSWORD}\n")
    assert result.exit_code == 2
    assert "use --password-stdin" in result.stderr


def test_on_a_terminal_the_password_is_asked_for_twice_without_echo(
    run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def prompt(text: str, *, hide_input: bool, confirmation_prompt: str) -> str:
        asked.append((text, hide_input, confirmation_prompt))
        return PASSWORD

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(account.sys, "stdin", Terminal())
    monkeypatch.setattr(account.click, "prompt", prompt)
    assert account._password(from_stdin=False) == PASSWORD
    assert asked == [("Password", True, "The same again")]


@pytest.mark.parametrize("command", [["list"], ["remove", "ann"], ["password", "ann", "--password-stdin"]])
def test_a_database_that_is_not_there_is_not_made(run: Run, tmp_path: Path, command: list[str]) -> None:
    result = run("account", *command, "--database", "mistyped.db", stdin="another password\n")
    assert result.exit_code == 2
    assert "mistyped.db: there is no such file" in result.stderr
    assert list(tmp_path.iterdir()) == []
