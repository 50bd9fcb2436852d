from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from fergus.studies.read_page import Page, read_page
from fergus.studies.service import Service
from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import VersionRow, add_version, find_study, set_state
from fergus.studies.study_file import parse_study
from fergus.web.app import create_app
from fergus.web.rendering import Pages
from fergus.web.settings import Settings

HERE = Path(__file__).parent
HX = {"HX-Request": "true"}


class Clock:
    """A clock that stands still unless it is told to go on."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Visitor:
    """A browser without scripts: cookies, forms, redirects only where they are asked for."""

    def __init__(self, app: Any, **options: Any) -> None:
        self.loop = asyncio.new_event_loop()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://test", **options)

    def request(self, method: str, url: str, **options: Any) -> httpx.Response:
        return self.loop.run_until_complete(self.client.request(method, url, **options))

    def get(self, url: str, **options: Any) -> httpx.Response:
        return self.request("GET", url, **options)

    def post(self, url: str, form: Mapping[str, str | Sequence[str]] | None = None, **options: Any) -> httpx.Response:
        headers = {"Content-Type": "application/x-www-form-urlencoded", **options.pop("headers", {})}
        return self.request("POST", url, content=urlencode(form or {}, doseq=True), headers=headers, **options)

    def join(self, study: str, query: str = "") -> str:
        """Take part: where the participant's pages are."""
        address = f"/s/{study}{query}"
        response = self.post(address, read_page(self.get(address).text).hidden)
        assert response.status_code == 303, response.text
        return response.headers["location"]

    def page(self, address: str) -> Page:
        return read_page(self.get(address).text)

    def send(self, address: str, answers: Mapping[str, Any], **options: Any) -> httpx.Response:
        """Fill in the page that is shown now, and send it."""
        return self.post(address, {**self.page(address).hidden, **answers}, **options)

    def close(self) -> None:
        self.loop.run_until_complete(self.client.aclose())
        self.loop.close()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the schema, made once as that takes a while."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    open_database(path).close()
    return path


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Iterator[Database]:
    shutil.copy(empty_database, tmp_path / "fergus.db")
    with open_database(tmp_path / "fergus.db") as opened:
        yield opened


@pytest.fixture(autouse=True)
def sides_as_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``order: file`` texts that are compared stand as in the file too, so that tests know which is first."""
    monkeypatch.setattr("fergus.studies.assign._has_random_sides", lambda block: block.order == "random")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(database: Database, clock: Clock) -> Service:
    return Service(database, now_ms=clock)


@pytest.fixture
def put_in(database: Database) -> Any:
    """Put a study in: put_in(yaml, csv)."""

    def put(text: str, items: str = "", state: str = "open") -> str:
        study = parse_study(text, items or None)
        version = VersionRow(study.version, "study.yaml", text, "items.csv", items, 0)
        row = database.write(partial(add_version, name=study.name, files=version))
        if state != "open":
            database.write(partial(set_state, study_id=row.id, state=state))
        return study.name

    return put


@pytest.fixture
def set_study_state(database: Database) -> Any:
    def change(name: str, state: str) -> None:
        def work(transaction: Any) -> None:
            row = find_study(transaction, name)
            assert row is not None
            set_state(transaction, row.id, state)

        database.write(work)

    return change


@pytest.fixture(scope="session")
def pages() -> Pages:
    """The templates, compiled once for all tests."""
    return Pages()


@pytest.fixture
def app(database: Database, service: Service, pages: Pages) -> Any:
    return create_app(database, settings=Settings(), service=service, pages=pages)


@pytest.fixture
def visitor(app: Any) -> Iterator[Visitor]:
    found = Visitor(app)
    yield found
    found.close()


@pytest.fixture
def other(app: Any) -> Iterator[Visitor]:
    found = Visitor(app)
    yield found
    found.close()


@pytest.fixture(scope="session")
def every_type() -> tuple[str, str]:
    """A study with every type of question, and its items."""
    return (HERE / "every-type.yaml").read_text("utf-8"), (HERE / "every-type.csv").read_text("utf-8")
