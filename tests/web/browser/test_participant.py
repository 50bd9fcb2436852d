"""Whole studies in a real browser: by mouse, by keyboard, without scripts, with a connection that breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from fergus.studies.storage import answers, participants
from tests.web.browser.conftest import PHONE, Server
from tests.web.test_participant import EVERYTHING

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright").expect

Open = Callable[..., Any]

RATING = (
    "study: rating\ntitle: Ratings\nconsent: We keep your answers.\ninstructions: Rate them.\nitems: items.csv\n"
    "questions:\n  q:\n    type: rating\n    dimensions:\n"
    "      clear: {text: 'Clear?', labels: {7: Very, 4: So so, 1: Not}}\n      good: {text: 'Good?'}\n"
    "blocks: [{name: main, items: all, page: group, questions: [q], order: file}]\n"
)
RATING_ITEMS = "item,text,group,context\na,One,x,Before.\nb,Two,x,Before.\nc,Three,y,Before.\n"
TURING = (
    "study: turing\ntitle: Human or machine?\nitems: items.csv\nscore: yes\nshare: yes\n"
    "questions: {which: {type: pair, text: 'Which is human?', right: {author: human}}, why: {type: comment}}\n"
    "blocks: [{name: pairs, items: all, page: group, questions: [which], order: file}, {name: end, questions: [why]}]\n"
)
TURING_ITEMS = "item,text,group,author\n" + "".join(
    f"h{n},Human {n},{n},human\nm{n},Machine {n},{n},machine\n" for n in range(6)
)


def begin(page: Any, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("form[data-block]")


def wait_for(page: Any, number: int) -> None:
    """Until a page, from 1, is shown and takes keys."""
    page.wait_for_selector(f"h1:text-matches('^Page {number} of')")
    page.wait_for_timeout(300)


def stored(server: Server) -> list[tuple[int, str, Any]]:
    with server.database.read() as transaction:
        rows = list(answers.of_study(transaction, 1))
    return [(one.submission.page, one.given.question, one.given.value) for one in rows]


def test_a_turing_test_by_touch_on_a_phone(server: Server, open_page: Open) -> None:
    page = open_page(**PHONE)
    begin(page, server.put_in(TURING, TURING_ITEMS))
    for number in range(6):
        wait_for(page, number + 1)
        page.get_by_text(f"Human {number}", exact=True).tap()
    wait_for(page, 7)
    page.get_by_role("button", name="Finish").tap()
    page.wait_for_selector("text=You found 6 of 6.")


def test_the_same_without_scripts(server: Server, open_page: Open, every_type: tuple[str, str]) -> None:
    page = open_page(java_script_enabled=False)
    begin(page, server.put_in(*every_type))
    expect(page.locator(".needs-script:visible")).to_have_count(0)
    for filled in EVERYTHING:
        for name, value in filled.items():
            field = page.locator(f'[name="{name}"]')
            kind = field.first.get_attribute("type")
            if kind in ("radio", "checkbox"):
                for one in [value] if isinstance(value, str) else value:
                    page.locator(f'[name="{name}"][value="{one}"]').check(force=True)
            elif name.startswith("page.order") or ".category." in name:
                field.select_option(value)
            else:
                field.fill(value)
        page.locator("main form button[type=submit]").click()
    expect(page.locator("[data-finished=completed]")).to_have_count(1)
    assert len(stored(server)) == 21


def test_a_double_click_counts_once(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    page.get_by_text("Human 0", exact=True).dblclick()
    wait_for(page, 2)
    assert [page_number for page_number, _, _ in stored(server)] == [0]


def test_mistakes_get_the_focus_and_answers_stay(server: Server, open_page: Open) -> None:
    page = open_page(expects=["422"])
    begin(page, server.put_in(RATING, RATING_ITEMS))
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector("text=Please answer either way.")
    assert page.evaluate("document.activeElement.value") == "agree"
    page.get_by_text("I agree and want to take part").click()
    page.get_by_role("button", name="Next").click()
    wait_for(page, 2)


def test_the_back_button_shows_the_current_page(server: Server, open_page: Open) -> None:
    for scripted in (True, False):
        page = open_page(java_script_enabled=scripted)
        begin(page, server.put_in(TURING, TURING_ITEMS))
        for number in range(2):
            page.wait_for_selector(f"h1:text-matches('^Page {number + 1} of')")
            page.get_by_text(f"Human {number}", exact=True).click()
            if not scripted:
                page.get_by_role("button", name="Next").click()
        page.wait_for_selector("h1:text-matches('^Page 3 of')")
        page.goto(f"{server.address}/s/turing")
        expect(page.get_by_role("link", name="Go on where you were")).to_have_count(1)
        page.go_back()
        page.wait_for_selector("h1:text-matches('^Page 3 of')")
        if scripted:
            page.wait_for_selector("text=What you answered before stands.")


def test_reload_and_lost_cookies_lose_nothing(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    page.keyboard.press("1")
    wait_for(page, 2)
    page.reload()
    wait_for(page, 2)
    page.context.clear_cookies()
    page.reload()
    wait_for(page, 2)
    page.keyboard.press("1")
    wait_for(page, 3)
    assert len(stored(server)) == 2


def test_two_tabs(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    second = page.context.new_page()
    second.goto(page.url)
    wait_for(second, 1)
    page.keyboard.press("1")
    wait_for(page, 2)
    second.keyboard.press("2")
    second.wait_for_selector("text=your first answer stands")
    wait_for(second, 2)
    assert stored(server) == [(0, "which", {"chosen": "h0"})]


def test_a_lost_connection_keeps_what_was_filled_in_and_sends_it_when_it_is_back(
    server: Server, open_page: Open
) -> None:
    page = open_page(expects=["ERR_CONNECTION_REFUSED", "htmx:"])
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    server.stop()
    page.keyboard.press("2")
    page.wait_for_selector("text=The connection is lost.")
    assert page.locator("input[type=radio][value='1']").is_checked()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("text=The connection is lost.")
    server.start()
    wait_for(page, 2)  # by itself
    assert not page.locator("#connection").is_visible()
    assert stored(server) == [(0, "which", {"chosen": "m0"})]


def test_an_answer_that_got_lost_on_its_way_back_is_not_counted_twice(server: Server, open_page: Open) -> None:
    page = open_page(expects=["ERR_FAILED", "htmx:"])
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    lost = []

    def take_and_lose(route: Any) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)  # the server has it, but the browser never hears of it
            route.abort()
        else:
            route.continue_()

    page.route("**/p/*", take_and_lose)
    page.keyboard.press("1")
    wait_for(page, 2)
    assert lost == [200]
    assert "your first answer stands" not in page.content()
    assert stored(server) == [(0, "which", {"chosen": "h0"})]


def test_time_in_view_is_told(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    page.keyboard.press("1")
    wait_for(page, 2)
    with server.database.read() as transaction:
        submission = next(iter(answers.of_study(transaction, 1))).submission
    assert submission.active_ms is not None
    assert 200 < submission.active_ms < 60_000


def test_time_in_view_goes_on_when_the_page_comes_back_with_mistakes(server: Server, open_page: Open) -> None:
    page = open_page(expects=["422"])
    begin(page, server.put_in(RATING, RATING_ITEMS))
    wait_for(page, 1)
    page.wait_for_timeout(500)
    shown = page.locator("[name=shown_ms]").input_value()
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector("text=Please answer either way.")
    assert page.locator("[name=shown_ms]").input_value() == shown
    page.get_by_text("I agree and want to take part").click()
    page.get_by_role("button", name="Next").click()
    wait_for(page, 2)
    page.keyboard.press("Enter")
    wait_for(page, 3)
    with server.database.read() as transaction:
        first = next(iter(answers.of_study(transaction, 1))).submission
    assert first.active_ms is not None
    assert first.active_ms > 800
    assert page.locator("[name=shown_ms]").input_value() != shown


def test_the_time_of_a_task_runs_out_and_the_page_sends_itself(server: Server, open_page: Open) -> None:
    page = open_page()
    text = (
        "study: task\ntitle: Task\nquestions: {t: {type: task, text: Find it., seconds: 2, gold: '3', ask: page}}\n"
        "blocks: [{name: main, questions: [t]}]\n"
    )
    begin(page, server.put_in(text))
    assert re.match(r"[12] seconds left", page.locator(".clock").inner_text())
    page.get_by_label("Find it.").fill("thr")
    page.wait_for_selector("[data-finished=completed]")
    assert stored(server) == [(0, "t", {"solution": "thr"})]


def test_sliders_have_no_value_until_they_are_touched(server: Server, open_page: Open) -> None:
    page = open_page(expects=["422"])
    text = (
        "study: slider\ntitle: S\n"
        "questions: {q: {type: rating, points: 101, lowest: 0, ask: page, dimensions: {good: {text: How good}}}}\n"
        "blocks: [{name: main, questions: [q]}]\n"
    )
    begin(page, server.put_in(text))
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=Please choose a point.")
    slider = page.get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    assert page.get_by_role("spinbutton").input_value() == "51"
    page.get_by_role("spinbutton").fill("7")
    assert slider.input_value() == "7"
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("[data-finished=completed]")
    assert stored(server) == [(0, "q", {"good": 7})]


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_words_that_are_selected_become_a_remark(server: Server, open_page: Open, way: str) -> None:
    page = open_page(**(PHONE if way == "touch" else {}))
    text = (
        "study: review\ntitle: R\nitems: items.csv\nquestions: {r: {type: review, categories: {w: Words, o: Order}}}\n"
        "blocks: [{name: main, items: all, questions: [r]}]\n"
    )
    begin(page, server.put_in(text, "item,text\na,good morning good people\n"))
    shown = page.get_by_role("textbox", name="Text 1")
    part = page.get_by_label("Words of the text").first

    def select(start: int, end: int) -> None:
        page.evaluate(
            "([start, end]) => { const t = document.querySelector('[data-place]').firstChild; "
            "getSelection().setBaseAndExtent(t, start, t, end); }",
            [start, end],
        )

    if way == "mouse":
        select(13, 17)
        page.mouse.up()
    elif way == "touch":
        shown.tap()
        for end in (15, 23, 17):  # the handle is moved until it is where it should be
            select(13, end)
        page.wait_for_timeout(600)
    else:
        shown.focus()
        for key in ["ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter"]:
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
    assert part.input_value() == "good"
    page.get_by_label("Comment").first.fill("Which?")
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("[data-finished=completed]")
    remark = stored(server)[0][2]["remarks"][0]
    assert (remark["start"], remark["end"], remark["part"]) == (13, 17, "good")


def test_to_copy_the_code_and_the_link(server: Server, open_page: Open) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    text = "study: paid\ntitle: P\nshare: yes\nblocks: [{name: a, text: x}]\nrecruitment: {completion_code: C1AB}\n"
    begin(page, server.put_in(text))
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("text=Your completion code is C1AB")
    page.locator("[data-copy=code]").click()
    page.wait_for_function("navigator.clipboard.readText().then(t => t === 'C1AB')")
    page.locator("[data-copy=share]").click()
    page.wait_for_function("navigator.clipboard.readText().then(t => t.endsWith('/s/paid'))")
    assert page.locator("#announcer").inner_text() == "The link is copied."


def test_to_stop_taking_part(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    page.get_by_role("link", name="Stop taking part").click()
    page.get_by_role("button", name="Stop taking part").click()
    page.wait_for_selector("[data-finished=withdrawn]")
    with server.database.read() as transaction:
        assert participants.by_id(transaction, 1).state == "withdrawn"  # type: ignore[union-attr]
