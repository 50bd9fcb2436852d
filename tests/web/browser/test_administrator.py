"""An administrator's day, in a real browser: from the first account to the export, by two coders, on every screen."""

from __future__ import annotations

import csv
import io
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from fergus.studies.storage.migrate import open_database
from tests.web.administration.admin_site import ITEMS, PASSWORD, STUDY, TOKEN, Site, make_site, take_part
from tests.web.browser.test_accessibility import script

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install axe-playwright-python")
expect = api.expect
COMMENTS = ("The order is odd.", "A strange word.", "I like it.")


@contextmanager
def served(site: Site) -> Iterator[str]:
    """The site at an address of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(site.app, log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_database(tmp_path / "day.db") as database:
        found = make_site(database, workbench="off")
        yield found
        found.close()


def new_page(browser: Any, base: str) -> Any:
    """A page of a browser of its own, which keeps what goes wrong; a refused form is none of it."""
    page = browser.new_context(base_url=base).new_page()
    page.wrong = []
    page.on("console", lambda message: page.wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(base) else page.wrong.append(request.url))
    return page


def look(page: Any) -> None:
    """Is the page usable by everybody, on every screen?"""
    for scheme, only in (("light", ""), ("dark", "runOnly: ['color-contrast'],")):
        page.emulate_media(color_scheme=scheme)
        page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
        if not page.evaluate("typeof axe === 'object'"):
            page.evaluate(script())
        found = page.evaluate(f"axe.run(document, {{{only} resultTypes: ['violations']}})")["violations"]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url
    page.set_viewport_size({"width": 1280, "height": 900})


def log_in(page: Any, name: str) -> None:
    page.goto("/admin")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()


def file_of(name: str, text: str) -> dict[str, object]:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def code(page: Any, choices: dict[str, str]) -> None:
    """Code every comment by keys alone: a digit and Enter."""
    page.get_by_role("link", name=re.compile(r"Code \d+ left")).last.click()
    for _ in COMMENTS:
        written = page.locator(".written").inner_text()
        place = page.locator("[name=answer]").get_attribute("value")
        page.keyboard.press(choices[written])
        page.keyboard.press("Enter")
        page.wait_for_function(
            "place => document.querySelector('[name=answer]')?.value !== place", arg=place, polling=50
        )


def test_an_administrators_day(browser: Any, site: Site) -> None:
    with served(site) as base:
        page = new_page(browser, base)

        # The first account, by the link that the server printed.
        page.goto(f"/admin/setup?token={TOKEN}")
        look(page)
        page.get_by_label("Name").fill("ann")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_label("The same again").fill("something else")
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_role("alert")).to_have_text("The two passwords are not the same.")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_label("The same again").fill(PASSWORD)
        page.get_by_role("button", name="Make the account").click()
        expect(page.get_by_text("There is no study yet.")).to_be_visible()
        look(page)

        # A study with a mistake, then without.
        page.get_by_label("Study file").set_input_files(file_of("study.yaml", STUDY.replace("rating", "ratting")))
        page.get_by_label("Items file").set_input_files(file_of("items.csv", ITEMS))
        page.get_by_role("button", name="Upload").click()
        expect(page.get_by_role("alert")).to_contain_text("study.yaml:7")
        look(page)
        page.get_by_label("Study file").set_input_files(file_of("study.yaml", STUDY))
        page.get_by_label("Items file").set_input_files(file_of("items.csv", ITEMS))
        page.get_by_role("button", name="Upload").click()
        expect(page.get_by_role("status")).to_contain_text("The study is uploaded")
        look(page)

        # Preview, pause, open.
        page.get_by_role("button", name="Preview", exact=True).click()
        page.wait_for_url("**/p/*")
        expect(page.locator(".preview-bar")).to_be_visible()
        page.goto("/admin/studies/small")
        expect(page.get_by_text("Nobody has taken part yet.")).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("status")).to_contain_text("The study is paused")
        page.get_by_role("button", name="Open").click()
        expect(page.get_by_role("status")).to_contain_text("The study is open")

        # Private links.
        page.get_by_role("link", name="Links").click()
        look(page)
        page.get_by_label("Or a label for each").fill("Reader one\nReader two")
        page.get_by_role("button", name="Make links").click()
        expect(page.get_by_role("row", name=re.compile("Reader"))).to_have_count(2)
        look(page)
        with page.expect_download() as download:
            page.get_by_role("link", name="Download as CSV").click()
        assert download.value.suggested_filename == "small-links.csv"

        # People take part, and the page tells without being loaded again.
        page.get_by_role("link", name="Progress").click()
        completed = page.locator(".tiles > div", has_text="Completed").locator("dd")
        expect(completed).to_contain_text("0 of 8")
        for number, comment in enumerate(COMMENTS):
            take_part(site, site.study(), number, form={"why.comment": comment})
        expect(completed).to_contain_text("3 of 8")
        look(page)

        # Another coder.
        page.get_by_role("link", name="Accounts").click()
        look(page)
        new = page.locator("form", has=page.get_by_role("button", name="Make it"))
        new.get_by_label("Name").fill("bob")
        new.get_by_label("Password").fill(PASSWORD)
        new.get_by_role("button").click()
        expect(page.get_by_role("status")).to_have_text("The account is made.")

        # Both code, by keys, without seeing one another's codes; one of three comments differently.
        page.goto("/admin/studies/small/comments")
        look(page)
        code(page, dict(zip(COMMENTS, "123", strict=True)))
        expect(page.get_by_role("status")).to_contain_text("all answers to this question are coded")
        other = new_page(browser, base)
        log_in(other, "bob")
        other.goto("/admin/studies/small/comments/why")
        expect(other.locator("td .tag")).to_have_count(0)
        other.goto("/admin/studies/small/comments/why/code")
        look(other)
        other.goto("/admin/studies/small/comments")
        code(other, dict(zip(COMMENTS, "122", strict=True)))
        expect(other.locator("td .tag")).to_have_count(6)
        look(other)

        # order order, words words, other words: 1 - (6 - 1) * 1 / (2 * 3 + 2 * 1 + 3 * 1) = 6/11.
        page.goto("/admin/studies/small/comments")
        card = page.locator("section", has=page.get_by_role("heading", name="why", exact=True))
        expect(card.locator("dd", has_text=".545")).to_have_count(1)
        expect(card.locator(".tiles > div", has_text="Same codes")).to_contain_text("67 %")
        look(page)
        card.get_by_role("link", name="1", exact=True).click()
        expect(page.locator("td.answer")).to_have_text(["I like it."])
        page.locator("td.answer a").click()
        expect(page.get_by_text("Others said")).to_be_visible()
        look(page)

        # The participants, one of whom wants to be forgotten.
        page.get_by_role("link", name="Participants").click()
        look(page)
        page.get_by_role("row", name=re.compile("person1")).get_by_role("link").click()
        look(page)
        page.get_by_text("Delete this participant").click()
        page.get_by_label(re.compile("Yes, delete")).check()
        page.get_by_role("button", name=re.compile("Delete participant")).click()
        expect(page.get_by_role("status")).to_contain_text("are deleted")

        # The export, with the codes.
        page.get_by_role("link", name="Data").click()
        look(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download CSV").click()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        rows = [row for row in csv.DictReader(io.StringIO(text)) if row["question"] == "why"]
        assert [row["value"] for row in rows] == [COMMENTS[0], COMMENTS[2]]
        assert rows[1]["codes"] == '{"ann": ["other"], "bob": ["words"]}'

        # Home.
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("heading", name="Log in")).to_be_visible()
        look(page)
        page.go_back()
        expect(page.get_by_role("heading", name="Log in")).to_be_visible()
        assert [text for text in (*page.wrong, *other.wrong) if "status of 422" not in text] == []
        page.context.close()
        other.context.close()
