from __future__ import annotations

from typing import Any

import pytest

from fergus.web import last_page
from fergus.web.last_page import Scores
from tests.web.conftest import Visitor

PAIRS = 4
STUDY = (
    "study: test\ntitle: Human or machine?\nscore: yes\nitems: items.csv\n"
    "questions: {which: {type: pair, right: {author: human}, tie: Neither}}\n"
    "blocks: [{name: main, items: all, page: group, questions: [which], order: file}]\n"
)
ITEMS = "item,text,group,author\n" + "".join(
    f"h{n},Human {n},{n},human\nm{n},Other {n},{n},{'machine' if n else 'human'}\n" for n in range(PAIRS)
)


def play(visitor: Visitor, choices: str) -> str:
    """One test: the text of the last page."""
    visitor.client.cookies.clear()
    address = visitor.join("test")
    for choice in choices:
        assert visitor.send(address, {"page.which.choice": "tie" if choice == "t" else choice}).status_code == 303
    return visitor.get(address).text


@pytest.fixture(autouse=True)
def study(put_in: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_page, "KEPT_SECONDS", 0.0)
    put_in(STUDY, ITEMS)


def test_the_score_leaves_control_pairs_out(visitor: Visitor) -> None:
    text = play(visitor, "10t0")
    assert "You found 2 of 3." in text  # pair 0 is human and human; pair 2 was a tie
    assert "A control pair" in text
    assert "did not find it" not in text
    assert "on average" not in text


def test_what_fooled_most_people_is_told_when_enough_have_judged(visitor: Visitor) -> None:
    for _ in range(4):
        play(visitor, "0100")
    text = play(visitor, "0001")
    assert "What fooled most people" in text
    assert "80 % of 5 people did not find it." in text
    assert "20 % of 5 people did not find it." in text
    assert "People find 67 % on average." in text  # 4 x 2 of 3, and 2 of 3
    fooled = text[text.index("What fooled most people") : text.index("Your pairs")]
    assert "Human 1" in fooled
    assert "Human 3" not in fooled
    assert "Human 0" not in fooled


def test_counts_over_everybody_are_kept_for_a_while(
    visitor: Visitor, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(visitor, "0000")
    address = visitor.join("test")
    counted = []
    original = last_page.count_answers
    monkeypatch.setattr(last_page, "count_answers", lambda *a, **o: counted.append(1) or original(*a, **o))
    monkeypatch.setattr(last_page, "KEPT_SECONDS", 60.0)
    scores = Scores(service)
    view = service.view(address.removeprefix("/p/"))
    assert scores.of(view) is not None
    assert scores.of(view) is not None
    assert counted == [1]


def test_who_is_not_done_has_no_score(visitor: Visitor, service: Any) -> None:
    address = visitor.join("test")
    assert Scores(service).of(service.view(address.removeprefix("/p/"))) is None
