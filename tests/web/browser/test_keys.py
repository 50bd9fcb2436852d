"""Studies in a real browser by keyboard alone."""

from __future__ import annotations

import pytest

from tests.web.browser.conftest import Server
from tests.web.browser.test_participant import (
    RATING,
    RATING_ITEMS,
    TURING,
    TURING_ITEMS,
    Open,
    begin,
    expect,
    stored,
    wait_for,
)


def test_a_whole_rating_study_by_keyboard(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(RATING, RATING_ITEMS))
    wait_for(page, 1)
    page.keyboard.press("Enter")  # nothing is chosen yet: the choice gets the focus, nothing is sent
    page.wait_for_function("document.activeElement.value == 'agree'")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    wait_for(page, 2)
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.keyboard.press("Enter")
    wait_for(page, 3)
    for key in "72":
        page.keyboard.press(key)
    page.keyboard.press("Enter")  # one text is not rated yet
    assert page.evaluate("document.activeElement.name") == "1.q.clear"
    for key in "9441":  # 9 is no point
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.type") == "submit"
    page.keyboard.press("Enter")
    wait_for(page, 4)
    page.keyboard.press("5")
    page.keyboard.press("6")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-finished=completed]")
    assert stored(server)[1:] == [
        (2, "q", {"clear": 7, "good": 2}),
        (2, "q", {"clear": 4, "good": 4}),
        (3, "q", {"clear": 5, "good": 6}),
    ]


def test_a_whole_turing_test_by_keyboard(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    for number, key in enumerate(["1", "ArrowLeft", "2", "ArrowRight", "1", "1"], 1):
        wait_for(page, number)
        page.keyboard.press(key)
    wait_for(page, 7)
    page.get_by_label("Comment").fill("1 2 1 2")  # typing is typing
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("[data-finished=completed]")
    assert page.get_by_role("heading", level=1).inner_text() == "You found 4 of 6."
    expect(page.locator(".beads .hit")).to_have_count(4)
    expect(page.locator(".told")).to_have_count(6)
    assert page.evaluate("document.activeElement.tagName") == "H1"
    assert page.locator("#share").input_value() == f"{server.address}/s/turing"
    assert [value for _, question, value in stored(server) if question == "which"] == [
        {"chosen": chosen} for chosen in ("h0", "h1", "m2", "m3", "h4", "h5")
    ]


@pytest.mark.parametrize("way", ["Enter", "2"])
def test_in_the_radios_arrows_look_and_do_not_choose_for_good(server: Server, open_page: Open, way: str) -> None:
    """With a screen reader one goes from text to text like this."""
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    page.locator("input[type=radio]").first.focus()
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    assert page.evaluate("document.activeElement.value") == "1"
    assert stored(server) == []
    page.keyboard.press(way)
    wait_for(page, 2)
    assert stored(server) == [(0, "which", {"chosen": "m0"})]
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.keyboard.press("ArrowLeft")  # from the heading, one key a pair
    wait_for(page, 3)
    assert stored(server)[1:] == [(1, "which", {"chosen": "h1"})]


@pytest.mark.parametrize(
    ("scale", "keys", "values"),
    [
        ("points: 11, lowest: 0, highest_first: yes", "09", [0, 9]),
        ("points: 10, lowest: 1, highest_first: yes", "01", [10, 1]),
        ("points: 7, lowest: -3", "03", [0, 3]),
    ],
)
def test_digits_give_the_points_that_they_name(
    server: Server, open_page: Open, scale: str, keys: str, values: list[int]
) -> None:
    page = open_page()
    text = (
        f"study: scale\ntitle: S\nquestions: {{q: {{type: rating, {scale}, ask: page, "
        "dimensions: {a: {text: A}, b: {text: B}}}}\nblocks: [{name: main, questions: [q]}]\n"
    )
    begin(page, server.put_in(text))
    wait_for(page, 1)
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-finished=completed]")
    assert stored(server) == [(0, "q", dict(zip("ab", values, strict=True)))]


def test_a_key_that_is_held_down_answers_one_page(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING, TURING_ITEMS))
    wait_for(page, 1)
    for _ in range(8):
        page.keyboard.down("1")  # after the first, the browser says that it repeats
    wait_for(page, 2)
    assert len(stored(server)) == 1


def test_in_a_page_from_right_to_left_the_left_arrow_is_the_second(server: Server, open_page: Open) -> None:
    page = open_page()
    begin(page, server.put_in(TURING.replace("title:", "language: he\ntitle:"), TURING_ITEMS))
    wait_for(page, 1)
    page.keyboard.press("ArrowLeft")
    wait_for(page, 2)
    assert stored(server) == [(0, "which", {"chosen": "m0"})]
