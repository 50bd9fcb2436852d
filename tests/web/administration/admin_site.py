"""An administration to test: a database with studies and people in it, and clients that are logged in."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import httpx

from fergus.studies.raters import RaterSettings, rater
from fergus.studies.service import Service
from fergus.studies.storage import studies
from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import StudyRow, VersionRow
from fergus.studies.study_file import parse_study
from fergus.web.app import create_app
from fergus.web.login import Logins
from fergus.web.rendering import Pages
from fergus.web.settings import Settings
from fergus.web.visits import COOKIE

ORIGIN = "http://testserver"
PASSWORD = "four words in a row"
TOKEN = "the-setup-token-of-the-test"

STUDY = """\
study: small
title: A small study
items: items.csv
conditions: [readers, listeners]
recruitment: {parameters: [PROLIFIC_PID, SOURCE]}
questions:
  quality: {type: rating, text: "How good is it?", dimensions: {fluent: {text: "Is it fluent?"}}}
  check: {type: choice, text: Choose blue., options: [red, blue], right: blue}
  why:
    type: comment
    text: Why?
    categories: {order: The order of the words, words: The choice of words, other: Anything else}
  free: {type: comment, text: "Anything else?"}
  look: {type: review, text: "What would you change?", categories: {good: Well done, bad: Not so well}}
  sum: {type: task, text: "What does it say?", grading: by-hand, rows: 3}
blocks:
  - {name: main, items: all, questions: [quality]}
  - {name: review, items: {system: [a]}, everyone: yes, questions: [look, sum]}
  - {name: about you, questions: [check, why, free]}
assignment: {design: all, participants: 8}
"""
ITEMS = "item,group,system,text\n" + "".join(
    f'i{n},g{n // 2},{"ab"[n % 2]},"The {n}. text, which somebody wrote."\n' for n in range(10)
)


class Browser:
    """A client that keeps cookies, follows nothing by itself, and talks to the application without a server."""

    def __init__(self, site: Site, *, origin: str | None, base: str, address: str) -> None:
        headers = {} if origin is None else {"origin": origin}
        transport = httpx.ASGITransport(app=site.app, client=(address, 1234))
        self._runner = site.runner
        self.client = httpx.AsyncClient(transport=transport, base_url=base, headers=headers)
        self.csrf: tuple[str | None, str] = (None, "")
        """The session's word in forms, and whose it is."""

    @property
    def cookies(self) -> httpx.Cookies:
        return self.client.cookies

    def get(self, path: str, **options: object) -> httpx.Response:
        return self._runner.run(self.client.get(path, **options))

    def post(self, path: str, **options: object) -> httpx.Response:
        return self._runner.run(self.client.post(path, **options))


@dataclass
class Site:
    """The application with its parts, and a clock that tests turn."""

    database: Database
    service: Service
    app: object
    clock: list[int]
    runner: asyncio.Runner = field(default_factory=asyncio.Runner)

    def close(self) -> None:
        """Let go of the loop and of the login's threads."""
        self.runner.close()
        self.app.state.logins.threads.shutdown()

    def client(self, *, origin: str | None = ORIGIN, base: str = ORIGIN, address: str = "192.0.2.1") -> Browser:
        """A browser; its forms come from this site unless told otherwise."""
        return Browser(self, origin=origin, base=base, address=address)

    def logged_in(self, name: str = "ann", password: str = PASSWORD) -> Browser:
        """A browser of somebody who is logged in."""
        client = self.client()
        answer = client.post("/admin/login", data={"name": name, "password": password})
        assert answer.status_code == 303, answer.text
        return client

    def study(self, name: str = "small") -> StudyRow:
        with self.database.read() as transaction:
            row = studies.find_study(transaction, name)
        assert row is not None
        return row


@cache
def _pages() -> Pages:
    """The templates, compiled once and not for every site."""
    return Pages()


def make_site(database: Database, **settings: object) -> Site:
    """The application on a database, at a time that stands still."""
    clock = [1_800_000_000_000]
    service = Service(database, now_ms=lambda: clock[0])
    app = create_app(database, settings=Settings(setup_token=TOKEN, **settings), service=service, pages=_pages())
    return Site(database, service, app, clock)


def add_account(site: Site, name: str = "ann", *, role: str = "admin", stored: str | None = None) -> None:
    """An account with the password of the tests; ``stored`` saves hashing it again."""
    if stored is None:
        Logins(site.database, now_ms=site.service.now_ms).add(name, PASSWORD, role=role)
        return
    from fergus.studies.storage import accounts

    site.database.write(lambda t: accounts.add_account(t, name, password=stored, role=role, now_ms=0))


def add_study(site: Site, text: str = STUDY, items: str = ITEMS) -> StudyRow:
    """Put a study in."""
    study = parse_study(text, items)
    files = VersionRow(study.version, "study.yaml", text, "items.csv", items, site.clock[0])
    return site.database.write(lambda transaction: studies.add_version(transaction, study.name, files))


def take_part(
    site: Site, row: StudyRow, number: int, *, pages: int | None = None, seconds: float = 8, form: dict | None = None
) -> str:
    """Let an artificial rater go through a study, or some pages of it; ``form`` overrides fields by their ends."""
    random = Random(number)
    judge = rater(number, seed=1, settings=RaterSettings(inattention=0))
    parameters = {"PROLIFIC_PID": f"person{number}"}
    key = site.service.join(row, nonce=f"nonce{row.name}{number}", parameters=parameters)
    done = 0
    while (view := site.service.view(key)) is not None and view.page is not None and done != pages:
        filled: dict[str, list[str]] = {}
        for asked in view.asked:
            answer = asked.question.simulate(judge, asked.items)
            filled |= {asked.prefix + name: values for name, values in answer.items()}
        for name in filled:
            for end, value in (form or {}).items():
                if name.endswith(end):
                    filled[name] = [value]
        spent = round(1000 * seconds * random.uniform(0.7, 1.3))
        site.clock[0] += spent
        outcome = site.service.submit(key, view.participant.page, filled, active_ms=spent)
        assert outcome is not None, key
        assert not outcome.problems, outcome.problems
        done += 1
    return key


def csrf_of(text: str) -> str:
    """The session's word in a page."""
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', text)
    assert found is not None
    return found[1]


def post(client: Browser, path: str, data: dict | None = None, **options: object) -> httpx.Response:
    """Send a form as a page of the session would."""
    token = client.cookies.get(COOKIE)
    if client.csrf[0] != token:
        client.csrf = (token, csrf_of(client.get("/admin/accounts").text))
    return client.post(path, data={"csrf": client.csrf[1], **(data or {})}, **options)


def example(name: str) -> tuple[str, str]:
    """The two files of a study that comes with Fergus."""
    import fergus.studies

    folder = Path(fergus.studies.__file__).parent / "examples" / name
    return (folder / "study.yaml").read_text(encoding="utf-8"), (folder / "items.csv").read_text(encoding="utf-8")
