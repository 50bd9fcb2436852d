"""The analysis in a real browser: asked for, watched, read and taken away, with script and without."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fergus.studies.storage.migrate import open_database
from tests.web.administration.admin_site import STUDY, Site, add_account, add_study, make_site, take_part
from tests.web.browser.test_administrator import log_in, look, new_page, served

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
expect = api.expect
ITEMS = "item,group,system,text,reference\n" + "".join(
    f'i{n},g{n // 2},{"ab"[n % 2]},"The text of {n} {"is here" * (n % 3)}.","The text of {n} is here."\n'
    for n in range(8)
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_database(tmp_path / "day.db") as database:
        found = make_site(database, workbench="off")
        add_account(found)
        add_study(found, STUDY, ITEMS)
        yield found
        found.close()


def test_from_the_first_answers_to_the_report(browser: Any, site: Site) -> None:
    with served(site) as base:
        page = new_page(browser, base)
        log_in(page, "ann")
        page.goto("/admin/studies/small")
        page.get_by_role("link", name="Analysis").click()
        expect(page.get_by_text("Nobody has answered yet.")).to_be_visible()
        look(page)
        for number in range(3):
            take_part(site, site.study(), number)
        expect(page.get_by_label("BLEU")).to_be_visible()  # nobody has loaded the page
        look(page)
        page.get_by_label("BLEU").uncheck()
        page.get_by_label("Bootstrap samples").fill("20")
        page.get_by_role("button", name="Compute").click()
        expect(page.get_by_role("heading", name="The report is being made")).to_be_visible()
        look(page)
        plain = browser.new_context(
            base_url=base, java_script_enabled=False, storage_state=page.context.storage_state()
        )
        watched = plain.new_page()
        watched.goto("/admin/studies/small/analysis")

        # It is there without anybody loading the page, and also where there is no script.
        expect(page.get_by_role("heading", name="Summary")).to_be_visible(timeout=240_000)
        expect(page.get_by_text("3 judges gave 24 scores")).to_be_visible()
        expect(watched.get_by_role("heading", name="Summary")).to_be_visible()
        plain.close()
        take_part(site, site.study(), 4)
        expect(page.get_by_text("answers have come in since.")).to_be_visible()
        look(page)
        with page.expect_download() as download:
            page.get_by_role("link", name="figures (SVG, PNG)").click()
        assert download.value.suggested_filename == "small-figures.zip"
        assert any(name.endswith(".png") for name in zipfile.ZipFile(download.value.path()).namelist())

        # The report, with its own style and nothing that the browser complains of.
        page.get_by_role("link", name="Read the report").click()
        expect(page.get_by_role("heading", name="Analysis of small")).to_be_visible()
        assert page.evaluate("getComputedStyle(document.querySelector('.warnings')).borderInlineStartStyle") == "solid"
        look(page)
        assert page.wrong == []
        page.context.close()
