"""Scores: numbers as they were written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.score import Score, read_number

from .examples import ToldRater

ITEM = Item("1", "A text.")
QUALITY = Score("s", dimensions={"quality": "How good?"})
SHARES = Score("s", dimensions={"a": "A?", "b": "B?"}, lowest=-0.5, highest=1.0, required=False)


@pytest.mark.parametrize(
    ("text", "number"),
    [("83.333", 83.333), ("100.0", 100.0), ("-7", -7), ("+7", 7), (".5", 0.5), ("5.", 5.0), ("1E3", 1000.0)],
)
def test_numbers(text: str, number: float) -> None:
    found = read_number(text)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize("text", ["", "high", "nan", "inf", "1e999", "1,5", "1_000", "٣", "0x10", "1 2", "--1", "."])
def test_what_is_no_number(text: str) -> None:
    assert read_number(text) is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_survives_form_and_storage(number: float) -> None:
    answer = QUALITY.parse({"quality": [repr(number)]}, [ITEM])
    assert answer is not None
    assert json.loads(json.dumps(answer)) == {"quality": number}


def test_a_row_for_each_dimension() -> None:
    answer = SHARES.parse({"a": ["0.25"], "b": [" 1 "]}, [ITEM])
    assert answer == {"a": 0.25, "b": 1}
    assert SHARES.judgements({"a": 0.25, "b": 1}, [ITEM]) == [
        Judgement(0.25, dimension="a", item="1"),
        Judgement(1, dimension="b", item="1"),
    ]


def test_what_may_be_left_out() -> None:
    assert SHARES.parse({"a": ["1"]}, [ITEM]) == {"a": 1}
    assert SHARES.parse({}, [ITEM]) is None
    with pytest.raises(AnswerError, match=r"quality: Please give a number\."):
        QUALITY.parse({}, [ITEM])


def test_what_is_wrong_is_told_by_field() -> None:
    with pytest.raises(AnswerError) as caught:
        SHARES.parse({"a": ["much"], "b": ["1", "1"]}, [ITEM])
    assert caught.value.problems == {"a": "“much” is not a number.", "b": "This was sent more than once."}
    with pytest.raises(AnswerError) as caught:
        SHARES.parse({"a": ["-0.6"], "b": ["1.1"]}, [ITEM])
    assert caught.value.problems == {"a": "“-0.6” is below -0.5.", "b": "“1.1” is above 1."}


def test_mistakes() -> None:
    assert list(Score("s").mistakes()) == ["dimensions"]
    assert Score("s", dimensions={"a": "A"}, lowest=1, highest=1).mistakes() == {
        "highest": "1 is not above the lowest, 1"
    }


def test_artificial_raters_stay_on_the_scale() -> None:
    good, bad = (ToldRater(impressions={"A text.": impression}) for impression in (9, -9))
    assert SHARES.simulate(good, [ITEM]) == {"a": ["1.0"], "b": ["1.0"]}
    assert SHARES.simulate(bad, [ITEM]) == {"a": ["-0.5"], "b": ["-0.5"]}
    assert QUALITY.simulate(ToldRater(impressions={"A text.": 1.0}), [ITEM]) == {"quality": ["65.0"]}
    blind = ToldRater(attentive=False, impressions={"A text.": 9.0})
    assert QUALITY.simulate(blind, [ITEM]) == {"quality": ["20.0"]}


def test_names_of_scales_are_as_those_of_questions() -> None:
    told = Score("q", dimensions={"fine": "?", "my dim": "?"}).mistakes()["dimensions"]
    assert told.startswith("“my dim” cannot be the name of a scale; begin with a letter")
    assert Score("q", dimensions={"my dim": "?"}, imported=True).mistakes() == {}
