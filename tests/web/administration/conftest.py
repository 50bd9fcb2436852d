"""A site for every test: a database with three accounts and a study, copied from one that is made once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from fergus.studies.storage.migrate import open_database
from fergus.web import login
from tests.web.administration.admin_site import PASSWORD, Site, add_account, add_study, make_site, take_part

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""What takes a fifth of a second with good reason would take minutes here."""


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "_hasher", lambda: CHEAP)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with accounts, a study, and nobody in it."""
    path = tmp_path_factory.mktemp("administration") / "template.db"
    with open_database(path) as database:
        site = make_site(database)
        for name, role in (("ann", "admin"), ("bob", "admin"), ("vera", "viewer")):
            add_account(site, name, role=role, stored=CHEAP.hash(PASSWORD))
        add_study(site)
        site.close()
    return path


@pytest.fixture(scope="session")
def peopled(template: Path) -> Path:
    """The same with seven people who completed it, one of them carelessly, and one who is at it."""
    path = template.with_name("peopled.db")
    shutil.copy(template, path)
    with open_database(path) as database:
        site = make_site(database)
        row = site.study()
        for number in range(6):
            take_part(site, row, number)
        take_part(site, row, 6, seconds=1, form={"check.choice": "red", "quality.fluent": "4"})
        take_part(site, row, 7, pages=3)
        site.close()
    return path


@pytest.fixture
def site(template: Path, tmp_path: Path) -> Iterator[Site]:
    yield from _opened(template, tmp_path)


@pytest.fixture
def busy(peopled: Path, tmp_path: Path) -> Iterator[Site]:
    """A site where people have taken part."""
    yield from _opened(peopled, tmp_path)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Site]:
    """A site without accounts and studies."""
    with open_database(tmp_path / "bare.db") as database:
        found = make_site(database)
        yield found
        found.close()


def _opened(source: Path, folder: Path) -> Iterator[Site]:
    shutil.copy(source, folder / "site.db")
    with open_database(folder / "site.db") as database:
        found = make_site(database)
        yield found
        found.close()
