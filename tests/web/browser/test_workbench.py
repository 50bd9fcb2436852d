"""The workbench in Chromium: every example realizes, draws and explains; keys and clicks; axe-core; a phone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fergus.studies.storage.migrate import open_database
from fergus.web.engine_limits import Limits
from fergus.web.rendering import Pages
from fergus.web.settings import Settings
from fergus.web.workbench.asked import Asked
from fergus.web.workbench.examples import EXAMPLES
from fergus.web.workbench.retold import Typed
from tests.web.browser.conftest import PHONE, Server
from tests.web.browser.test_accessibility import violations

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright").expect
pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install axe-playwright-python")

Open = Callable[..., Any]
PATIENCE_MS = 60_000
DIFFERENT = {"The paper’s own", "Words to choose from", "Content words only", "Two constraints", "By supertags"}
"""Examples whose pages have other parts than the rest, looked at by axe-core."""
READY_S = 90
"""A worker reads its model, and on a new machine compiles its code."""


class Workbench(Server):
    """A server whose workbench is open to everybody, with a worker of its own."""

    def start(self) -> None:
        import threading

        import uvicorn

        from fergus.web.app import create_app

        self.database = open_database(self.path)
        # On a busy machine its workers, which give way to everything, may take longer than visitors are asked to wait.
        settings = Settings(workbench="open", limits=Limits(seconds=PATIENCE_MS / 1000, waiting_seconds=60))
        self.app = create_app(self.database, settings=settings, pages=self.pages)
        config = uvicorn.Config(self.app, port=self.port, log_level="error", ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        until = time.monotonic() + READY_S
        while not (self._server.started and self.app.state.engine.is_ready):
            assert time.monotonic() < until, "no worker was ready"
            time.sleep(0.02)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder: Path = tmp_path_factory.mktemp("workbench")
    found = Workbench(folder / "fergus.db", Pages())
    found.start()
    yield found
    found.stop()


def check(page: Any, place: str) -> None:
    assert violations(page) == [], place
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place


def test_every_example_realizes_draws_and_explains(server: Workbench, open_page: Open) -> None:
    page = open_page(viewport={"width": 1100, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    for example in EXAMPLES:
        page.goto(f"{server.address}/workbench/realize")
        page.click(f".examples a:has(strong:text-is('{example.name}'))")
        page.wait_for_url("**/realize?*")  # to its end: the browser shows a long page before it has all of it
        assert len(page.inner_text("#sentence").split()) >= 4, example.name
        assert page.locator(".drawing svg.tree .node").count() >= 4, example.name
        assert page.locator(".drawing svg.lattice .arc.best").count() >= 4, example.name
        assert page.inner_text(".reason"), example.name
        page.locator(".drawing svg.tree a").first.click()
        word = page.locator("details.word[open]")
        expect(word, example.name).to_have_count(1)
        expect(word.locator("svg.elementary").first, example.name).to_be_visible()
        if example.name in DIFFERENT:
            check(page, example.name)


@pytest.mark.parametrize("variant", ["dark", "phone", "no script"])
def test_every_page_in_the_dark_on_a_phone_and_without_scripts(
    server: Workbench, open_page: Open, variant: str
) -> None:
    options: dict[str, dict[str, Any]] = {
        "dark": {"color_scheme": "dark", "viewport": {"width": 1000, "height": 800}},
        "phone": PHONE,
        "no script": {"java_script_enabled": False},
    }
    page = open_page(**options[variant], expects=["422"])
    page.set_default_timeout(PATIENCE_MS)
    addresses = {
        "home": "/",
        "realize": EXAMPLES[0].asked.address,
        "a long sentence": EXAMPLES[-1].asked.address,
        "a word that is too long": Asked(f"saw({'x' * 300} I)").address,
        "a problem": Asked("saw(I her").address,
        "text": Typed("Yesterday the old man gave his neighbour three boxes.").address,
        "evaluate": "/workbench/evaluate?example=1",
        "the API": "/api",
    }
    for name, address in addresses.items():
        page.goto(server.address + address)
        assert page.locator("h1").count() == 1, name
        if variant != "no script":
            check(page, name)


@pytest.mark.parametrize("has_script", [True, False])
def test_a_click_changes_the_sentence(server: Workbench, open_page: Open, has_script: bool) -> None:
    page = open_page(java_script_enabled=has_script)
    page.goto(server.address + "/workbench/realize")
    page.fill("#tree", "said(he left(they))")
    page.click("button.main")
    expect(page.locator("#sentence")).to_have_text("He said they left")
    page.locator(".drawing svg.tree a").first.click()
    page.click("button[value='supertag:0:a.VERB(ccomp nsubj *)']")
    expect(page.locator("#sentence")).to_have_text("They left he said")
    expect(page.locator("#tree")).to_have_value(re.compile(re.escape("Supertag=a.VERB(ccomp nsubj *)")))
    page.click("#by-hand button")
    expect(page.locator("#sentence")).to_have_text("He said they left")
    page.select_option("#first", label="said")
    page.select_option("#wish", "")
    page.select_option("#second", label="he")
    page.click("button[value='pair']")
    expect(page.locator("#sentence")).to_have_text(re.compile("^Said he"))
    shared = page.url
    other = open_page()
    other.goto(shared)
    assert other.inner_text("#sentence") == page.inner_text("#sentence")


def test_by_keys_alone(server: Workbench, open_page: Open) -> None:
    page = open_page()
    page.goto(server.address + "/workbench/realize")
    page.focus("#tree")
    page.keyboard.type("saw(she him)")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/realize?*")
    page.locator(".drawing svg.tree a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details.word[open] summary:focus")).to_have_count(1)


def test_a_mistake_loses_nothing(server: Workbench, open_page: Open) -> None:
    page = open_page(expects=["422"])
    page.goto(server.address + "/workbench/realize")
    page.fill("#tree", "saw(<b>I</b> her")
    page.click("button.main")
    assert 'Column 4: "(" without ")"' in page.inner_text("#tree-wrong")
    expect(page.locator("#tree")).to_have_value("saw(<b>I</b> her")


def test_evaluate_by_upload(server: Workbench, open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("she saw him\n")
    (tmp_path / "references.txt").write_text("she saw her\n")
    page = open_page()
    page.set_default_timeout(60_000)  # the worker of long work is started first
    page.goto(server.address + "/workbench/evaluate")
    page.set_input_files("#outputs", tmp_path / "mine.txt")
    page.set_input_files("#references", tmp_path / "references.txt")
    page.click("button.main")
    assert "Simple String Accuracy" in page.inner_text("#result")
    check(page, "scores")
    with page.expect_download() as download:
        page.click("button[value='report.json']")
    assert '"fergus-evaluation"' in Path(download.value.path()).read_text()
    with page.context.expect_page() as opened:
        page.click("button[value='report']")
    report = opened.value
    report.wait_for_selector("td:text('Simple String Accuracy'), th:text('Simple String Accuracy')")
