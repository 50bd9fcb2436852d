"""axe-core on every page, in light and dark, from left and from right; and no page is wider than a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.conftest import PHONE, Server
from tests.web.test_participant import EVERYTHING

pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install axe-playwright-python")

Open = Callable[..., Any]
VARIANTS = {
    "dark, right to left": {"viewport": {"width": 1000, "height": 800}, "color_scheme": "dark"},
    "light, on a phone": PHONE,
}


def script() -> str:
    import axe_playwright_python

    found = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js"))
    return found.read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(script())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]


def check(page: Any, place: str) -> None:
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished))")
    assert violations(page) == [], place
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place


def fill(page: Any, filled: dict[str, Any]) -> None:
    for name, value in filled.items():
        for one in [value] if isinstance(value, str) else value:
            page.evaluate(
                """([name, value]) => {
                    const fields = [...document.getElementsByName(name)];
                    const choices = fields.filter((field) => ["radio", "checkbox"].includes(field.type));
                    const choice = choices.find((field) => field.value === value);
                    if (choice) choice.checked = true; else fields[0].value = value;
                }""",
                [name, one],
            )


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_page_has_a_violation(server: Server, open_page: Open, every_type: tuple[str, str], variant: str) -> None:
    text, items = every_type
    if "right" in variant:
        text = text.replace("title:", "language: ar\ntitle:", 1)
    address = server.put_in(text, items)
    page = open_page(bypass_csp=True, expects=["422"], **VARIANTS[variant])
    page.goto(address)
    check(page, "first")
    page.get_by_role("button", name="Start").click()
    for number, filled in enumerate(EVERYTHING):
        page.wait_for_selector(f"h1:text-matches('^Page {number + 1} of')")
        check(page, f"page {number}")
        if number in (0, 4, 5, 6, 10, 12):  # those that must be answered, sent with nothing in them
            page.locator("main form button[type=submit]").click()
            page.wait_for_selector(".problem")
            check(page, f"page {number} with mistakes")
        if number == 4:
            page.locator("summary").first.click()
            check(page, "instructions")
        fill(page, filled)
        page.locator("main form button[type=submit]").click()
    page.wait_for_selector("[data-finished=completed]")
    check(page, "last")
    page.goto(address)
    check(page, "first again")


def test_other_pages(server: Server, open_page: Open) -> None:
    page = open_page(bypass_csp=True, expects=["404"])
    address = server.put_in("study: s\ntitle: S\nblocks: [{name: a, text: x}]\nrecruitment: {completion_code: C1}\n")
    page.goto(f"{server.address}/nowhere")
    check(page, "error")
    page.goto(address)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("link", name="Stop taking part").click()
    check(page, "withdraw")
    page.get_by_role("link", name="No, go on").click()
    page.evaluate("document.getElementById('connection').hidden = false")
    check(page, "connection lost")
    page.evaluate("document.getElementById('connection').hidden = true")
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("[data-finished]")
    check(page, "last with a code")
