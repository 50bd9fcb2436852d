from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.model import Item
from fergus.studies.questions.base import AnswerError, only
from fergus.studies.questions.fields import about, clean, one_of, quote, shown_item, written

ITEMS = (Item("a", "one"), Item("b", "two"))


def test_only_takes_one_value_without_space_around_it() -> None:
    assert only({"x": [" a b "]}, "x") == "a b"
    assert only({}, "x") == only({"x": []}, "x") == ""
    with pytest.raises(AnswerError, match="x: This was sent more than once"):
        only({"x": ["", ""]}, "x")


def test_clean_text_has_single_newlines_and_nothing_that_cannot_be_stored() -> None:
    assert clean(" one\r\ntwo\rthree\t\x00\x1b\x9f\ud800\U0001f600 ") == "one\ntwo\nthree\t\U0001f600"


def test_marks_of_direction_and_joiners_stay() -> None:
    # A right-to-left mark, and the joiner of an emoji of two.
    assert clean("\u200fשלום \U0001f468\u200d\U0001f469") == "\u200fשלום \U0001f468\u200d\U0001f469"


@given(st.text(st.characters()))
def test_clean_text_is_clean_and_can_be_encoded(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert "\x00" not in clean(text)
    clean(text).encode()


def test_a_quote_is_one_short_line() -> None:
    assert quote("a\nb\x00") == "“a b”"
    assert quote("x" * 40) == f"“{'x' * 40}”"
    assert quote("x" * 41) == f"“{'x' * 40}…”"
    assert quote("x" + " " * 1000 + "y") == "“x…”"


def test_written_text_has_a_greatest_length_after_cleaning() -> None:
    # Browsers count a newline once and send it as two characters.
    assert written({"t": ["a\r\nb"]}, "t", longest=3) == "a\nb"
    with pytest.raises(AnswerError, match="has 4 characters; at most 3"):
        written({"t": ["abcd"]}, "t", longest=3)


def test_one_of_the_legal_values() -> None:
    assert one_of({"c": ["b"]}, "c", ["a", "b"]) == "b"
    assert one_of({"c": [""]}, "c", ["a", "b"]) == ""
    with pytest.raises(AnswerError, match="“x” is none of the choices"):
        one_of({"c": ["x"]}, "c", ["a", "b"])


@pytest.mark.parametrize("place", ["2", "-1", "00", "1.0", "١", "a"])
def test_places_that_are_not_on_the_page(place: str) -> None:
    with pytest.raises(AnswerError):
        shown_item({"best": [place]}, "best", ITEMS)


def test_an_item_by_its_place() -> None:
    assert shown_item({"best": ["1"]}, "best", ITEMS) == ITEMS[1]
    assert shown_item({}, "best", ITEMS) is None


def test_about_one_item_or_none() -> None:
    assert about(ITEMS[:1]) == "a"
    assert about(()) == ""
