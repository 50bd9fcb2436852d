"""A study in another language: no English is left on its pages, beside the fields neither."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from fergus.studies.interface import WORDS, placeholders
from tests.web.conftest import Visitor
from tests.web.test_participant import EVERYTHING

OTHER = {key: f"«{key}»" + "".join(f"{{{name}}}" for name in sorted(placeholders(text))) for key, text in WORDS.items()}
"""Every word is replaced by its key in quotation marks."""
WRONG: dict[int, dict[str, Any]] = {
    4: {"0.scale.clear": "9", "0.slider.good": "x" * 100},
    5: {"page.order.rank.0": "1", "page.order.rank.1": "1", "page.order.rank.2": "9"},
    6: {"page.extremes.best": "1", "page.extremes.worst": "1"},
    10: {"0.find.solution": "x" * 6000},
    11: {"0.remarks.part.0": "nowhere", "0.remarks.comment.0": "No", "0.remarks.start.0": "x"},
    12: {"page.home.choice": "other"},
}
"""Mistakes beside leaving everything out."""


@pytest.fixture
def address(put_in: Any, every_type: tuple[str, str], visitor: Visitor) -> str:
    text, items = every_type
    put_in(f"{text}\ninterface: {json.dumps(OTHER, ensure_ascii=False)}\n", items)
    return visitor.join("every-type")


def problems(text: str) -> list[str]:
    return [unescape(found) for found in re.findall(r'<p class="problem"[^>]*>(.*?)</p>', text)]


def test_problems_are_told_in_the_study_s_words(visitor: Visitor, address: str) -> None:
    told: list[str] = []
    for number, filled in enumerate(EVERYTHING):
        for wrong in ({}, WRONG.get(number, {})):
            if filled and (response := visitor.send(address, wrong)).status_code == 422:
                assert "«problems»" in response.text
                found = problems(response.text)
                assert found, number
                told += found
            if str(number) != visitor.page(address).hidden.get("page"):
                break  # nothing on it must be answered
        else:
            assert visitor.send(address, filled).status_code == 303, number
    assert visitor.page(address).finished == "completed"
    assert all(text.startswith("«") for text in told), told
    keys = {text.partition("»")[0][1:] for text in told}
    assert {
        "please_agree_or_not",
        "please_choose_one",
        "please_rate",
        "not_on_scale",
        "please_rank",
        "rank_twice",
    } <= keys
    assert {"no_choice", "please_choose_best", "best_is_worst", "please_solve", "too_long"} <= keys


def test_no_word_is_left_in_english(visitor: Visitor, address: str) -> None:
    pages = [visitor.get("/s/every-type").text]
    for filled in EVERYTHING:
        pages.append(visitor.get(address).text)
        assert visitor.send(address, filled).status_code == 303
    pages += [visitor.get(address).text, visitor.get("/s/every-type").text]
    for page in pages:
        shown = unescape(re.sub(r"<[^>]*>", "\n", page))
        for text in WORDS.values():
            if not placeholders(text):
                assert not re.search(rf"^\s*{re.escape(text)}\s*$", shown, re.MULTILINE), text
