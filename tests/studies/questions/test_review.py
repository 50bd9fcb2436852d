from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.model import Item
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.review import Review

from .examples import ToldRater

TEXT = "The cat saw the\n cat."
ITEM = (Item("a", TEXT),)
REVIEW = Review("expert", categories={"style": "How it reads", "sense": "What it means"}, overall="All in all")


def remark(part: str = "", start: str = "", comment: str = "Odd.", category: str = "") -> Any:
    form = {"part.0": [part], "start.0": [start], "comment.0": [comment], "category.0": [category]}
    answer = REVIEW.parse(form, ITEM)
    assert answer is not None
    remarks = answer["remarks"]
    assert isinstance(remarks, list)
    return remarks[0]


def test_a_remark_on_a_part_of_the_text() -> None:
    assert remark("cat saw", comment="Odd.", category="style") == {
        "start": 4,
        "end": 11,
        "part": "cat saw",
        "comment": "Odd.",
        "category": "style",
    }


@pytest.mark.parametrize(
    ("start", "found"), [("", 4), ("0", 4), ("4", 4), ("10", 4), ("11", 17), ("17", 17), ("999999999", 17)]
)
def test_of_several_places_the_nearest(start: str, found: int) -> None:
    assert TEXT[found : found + 3] == "cat"
    assert remark("cat", start)["start"] == found


def test_places_may_overlap() -> None:
    answer = REVIEW.parse({"part.0": ["aa"], "start.0": ["1"], "comment.0": ["x"]}, (Item("a", "aaa"),))
    assert answer is not None
    assert answer["remarks"] == [{"start": 1, "end": 3, "part": "aa", "comment": "x", "category": None}]


def test_space_is_as_in_the_text_whatever_the_page_made_of_it() -> None:
    found = remark("saw  the cat.")
    assert found["part"] == "saw the\n cat." == TEXT[found["start"] : found["end"]]


def test_a_remark_on_the_whole_text() -> None:
    found = remark(category="sense", comment="")
    assert found == {"start": None, "end": None, "part": "", "comment": "", "category": "sense"}


@pytest.mark.parametrize(
    ("form", "field", "problem"),
    [
        ({"part.1": ["dog"], "comment.1": ["x"]}, "part.1", "“dog” does not occur in the text"),
        ({"part.0": ["Cat"], "comment.0": ["x"]}, "part.0", "does not occur"),
        ({"part.0": ["c.t"], "comment.0": ["x"]}, "part.0", "does not occur"),
        ({"part.0": ["cat"]}, "comment.0", "Please say"),
        ({"comment.0": ["x"], "category.0": ["spelling"]}, "category.0", "none of the choices"),
        ({"part.0": ["cat"], "comment.0": ["x"], "start.0": ["-1"]}, "start.0", "not a number"),
        ({"part.0": ["cat"], "comment.0": ["x"], "start.0": ["9" * 10]}, "start.0", "not a number"),
        ({"comment.0": ["x" * 5001]}, "comment.0", "at most 5000"),
        ({"overall": ["x" * 5001]}, "overall", "at most 5000"),
        ({"comment.20": ["x"]}, "comment.20", "At most 20 remarks"),
        ({"comment." + "9" * 5000: ["x"]}, "comment." + "9" * 5000, "At most 20 remarks"),
    ],
)
def test_what_is_no_remark(form: dict[str, list[str]], field: str, problem: str) -> None:
    with pytest.raises(AnswerError) as caught:
        REVIEW.parse(form, ITEM)
    assert list(caught.value.problems) == [field]
    assert problem in caught.value.problems[field]


def test_every_row_with_a_problem_is_named() -> None:
    form = {f"part.{n}": ["dog"] for n in range(3)} | {f"comment.{n}": ["x"] for n in range(3)}
    with pytest.raises(AnswerError) as caught:
        REVIEW.parse(form, ITEM)
    assert set(caught.value.problems) == {"part.0", "part.1", "part.2"}


def test_a_row_of_the_export_for_each_remark_and_for_the_whole() -> None:
    form = {
        **{"part.0": ["cat"], "comment.0": ["Which?"], "category.0": ["sense"]},
        **{"part.1": [""], "comment.1": [""], "start.1": [""]},
        **{"comment.19": ["Dull."], "overall": ["Fine."]},
    }
    answer = REVIEW.parse(form, ITEM)
    assert answer is not None
    rows = REVIEW.judgements(answer, ITEM)
    assert [(row.dimension, row.item) for row in rows] == [("sense", "a"), ("", "a"), ("overall", "a")]
    assert [row.value for row in rows] == [*answer["remarks"], "Fine."]  # type: ignore[misc]


def test_a_comment_on_the_whole_is_enough_and_is_read_only_where_it_is_asked_for() -> None:
    assert REVIEW.parse({"overall": ["Fine."]}, ITEM) == {"remarks": [], "overall": "Fine."}
    assert Review("expert").parse({"overall": ["Fine."]}, ITEM) is None
    with pytest.raises(AnswerError, match="at least one remark"):
        Review("expert", required=True).parse({"overall": ["Fine."]}, ITEM)


@given(data=st.data(), text=st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_a_marked_part_is_found_where_it_was_marked(data: st.DataObject, text: str) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    part = text[start : data.draw(st.integers(start + 1, len(text)))]
    start += len(part) - len(part.lstrip())
    form = {"part.0": [part], "start.0": [str(start)], "comment.0": ["x"]}
    answer: Any = REVIEW.parse(form, (Item("a", text),))
    found = answer["remarks"][0]
    if part.strip():
        assert (found["start"], found["part"]) == (start, part.strip())
        assert text[found["start"] : found["end"]] == found["part"]
    else:
        assert found["start"] is None


def test_raters_remark_on_a_word() -> None:
    assert REVIEW.simulate(ToldRater(picks=1), ITEM) == {
        "part.0": ["cat"],
        "comment.0": ["A good choice of word."],
        "category.0": ["sense"],
    }
    assert REVIEW.simulate(ToldRater(attentive=False), ITEM) == {}
    must = Review("must", required=True)
    assert must.simulate(ToldRater(attentive=False), (Item("a", " "),))["part.0"] == [""]


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"most": 0}, "most"),
        ({"most": 201}, "most"),
        ({"categories": {" ": "x"}}, "categories"),
        ({"categories": {"overall": "x"}}, "categories"),
        ({"ask": "page"}, "ask"),
    ],
)
def test_mistakes(parameters: dict[str, Any], name: str) -> None:
    assert list(Review("r", **parameters).mistakes()) == [name]


def test_a_review_needs_a_text() -> None:
    assert REVIEW.mistakes_of(ITEM) == []
    assert REVIEW.mistakes_of(()) == ["a review needs an item"]
