"""A real browser (Debian's Chromium) before a real server, which can be stopped and started again."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fergus.cli.local_server import free_port
from fergus.studies.storage.database import Database
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import VersionRow, add_version
from fergus.studies.study_file import parse_study
from fergus.web.rendering import Pages
from fergus.web.settings import Settings
from tests.chromium import ARGUMENTS, chromium

LONGEST_MS = 30_000
"""So long may a page take on a busy machine; nobody waits for it if all is well."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


class Server:
    """The pages in a thread, always on the same port."""

    def __init__(self, path: Path, pages: Pages) -> None:
        self.path, self.pages, self.port = path, pages, free_port()
        self.address = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        import uvicorn

        from fergus.web.app import create_app

        self.database = open_database(self.path)
        # Without the workbench, whose workers read a model at every start.
        app = create_app(self.database, settings=Settings(workbench="off"), pages=self.pages)
        config = uvicorn.Config(app, port=self.port, log_level="error", ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.005)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self.database.close()

    def put_in(self, text: str, items: str = "") -> str:
        study = parse_study(text, items or None)
        files = VersionRow(study.version, "study.yaml", text, "items.csv", items, 0)
        self.database.write(partial(add_version, name=study.name, files=files))
        return f"{self.address}/s/{study.name}"


@pytest.fixture(autouse=True)
def _is_not_followed(no_cover: None) -> None:
    """Coverage need not follow these tests: every page has tests without a browser, and it takes twice as long."""


@pytest.fixture
def server(tmp_path: Path, empty_database: Path, pages: Pages) -> Iterator[Server]:
    shutil.copy(empty_database, tmp_path / "fergus.db")
    found = Server(tmp_path / "fergus.db", pages)
    found.start()
    yield found
    found.stop()


@pytest.fixture
def database(server: Server) -> Database:
    return server.database


@pytest.fixture(scope="package")  # not longer: its event loop keeps other tests from running theirs
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    api.expect.set_options(timeout=LONGEST_MS)
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """A page in a browser of its own; at the end nothing may have been complained of or fetched from elsewhere."""
    contexts: list[Any] = []
    complaints: list[str] = []
    allowed: list[str] = []

    def make(*, expects: Sequence[str] = (), **options: Any) -> Any:
        """``expects``: what the browser will complain of in this test, such as a lost connection."""
        context = browser.new_context(**options)
        contexts.append(context)
        allowed.extend(expects)
        context.set_default_timeout(LONGEST_MS)
        page = context.new_page()
        watch(page)
        context.on("page", watch)
        return page

    def watch(page: Any) -> None:
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: complaints.append(request.url) if not request.url.startswith(server.address) else None,
        )

    yield make
    for context in contexts:
        context.close()
    assert [text for text in complaints if not any(words in text for words in allowed)] == []
