from __future__ import annotations

import pytest

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.rating import Dimension, Rating

from .examples import ToldRater

ITEM = (Item("a", "A text."),)
BOTH = Rating("rate", dimensions={"understandable": Dimension("Clear?"), "quality": Dimension("Good?", {7: "best"})})
CHECK = Rating("check", dimensions={"check": Dimension("Choose two.", right=2)})


def test_a_point_for_each_dimension() -> None:
    answer = BOTH.parse({"understandable": ["7"], "quality": [" 1 "]}, ITEM)
    assert answer == {"understandable": 7, "quality": 1}
    assert BOTH.judgements(answer, ITEM) == [
        Judgement(7, dimension="understandable", item="a"),
        Judgement(1, dimension="quality", item="a"),
    ]


def test_every_field_with_a_problem_is_named() -> None:
    with pytest.raises(AnswerError) as caught:
        BOTH.parse({"understandable": ["8"]}, ITEM)
    assert caught.value.problems == {"understandable": "“8” is not from 1 to 7.", "quality": "Please choose a point."}
    with pytest.raises(AnswerError) as caught:
        BOTH.parse({"understandable": ["1", "2"], "quality": ["x" * 5000]}, ITEM)
    assert caught.value.problems == {
        "understandable": "This was sent more than once.",
        "quality": f"“{'x' * 40}…” is not from 1 to 7.",
    }


def test_part_of_an_optional_rating_can_be_left_out() -> None:
    optional = Rating("rate", dimensions=BOTH.dimensions, required=False)
    assert optional.parse({"quality": ["3"], "understandable": [""]}, ITEM) == {"quality": 3}


def test_a_right_answer_of_the_question_or_of_the_item_gives_a_score() -> None:
    assert CHECK.judgements({"check": 2}, ())[0].score == 1
    assert CHECK.judgements({"check": 3}, ())[0].score == 0
    own = (Item("a", "Choose three.", {"right_check": "3 "}),)
    assert CHECK.judgements({"check": 3}, own)[0].score == 1
    assert CHECK.judgements({"check": 2}, own)[0].score == 0
    assert CHECK.simulate(ToldRater(), own) == {"check": ["3"]}
    assert CHECK.simulate(ToldRater(), ()) == {"check": ["2"]}


@pytest.mark.parametrize(("seen", "point"), [(0.0, "4"), (9.0, "7"), (-9.0, "1"), (1.0, "5")])
def test_raters_spread_their_impressions_over_the_scale(seen: float, point: str) -> None:
    one = Rating("rate", dimensions={"quality": Dimension("Good?")})
    assert one.simulate(ToldRater(impressions={"A text.": seen}), ITEM) == {"quality": [point]}
    assert one.simulate(ToldRater(impressions={"": seen}), ()) == {"quality": [point]}


def test_blind_raters_pick_any_point() -> None:
    assert CHECK.simulate(ToldRater(attentive=False, picks=-1), ITEM) == {"check": ["7"]}


@pytest.mark.parametrize("points", [0, 1, 102, -3])
def test_a_scale_has_two_points_or_more_but_not_too_many(points: int) -> None:
    wrong = Rating("rate", dimensions={"q": Dimension("Good?", {5: "five"}, right=9)}, points=points)
    assert wrong.mistakes() == {"points": f"{points} is not from 2 to 101"}


def test_mistakes_of_dimensions_are_all_told() -> None:
    assert "dimensions" in Rating("rate").mistakes()
    wrong = Rating("rate", dimensions={"q": Dimension("Good?", {0: "none", 9: "all"}), "c": Dimension("Two!", right=8)})
    assert wrong.mistakes() == {
        "dimensions": "q labels 0, 9, but the points are 1 to 7; c: the right answer 8 is no point of the scale"
    }


def test_a_right_answer_of_an_item_must_be_on_the_scale() -> None:
    items = (Item("a", "x", {"right_check": "8"}), Item("b", "x", {"right_check": "3"}), Item("c", "x"))
    assert CHECK.mistakes_of(items) == ["item a: right_check is “8”, which is no point of the scale"]


def test_names_of_scales_are_as_those_of_questions() -> None:
    told = Rating("q", dimensions={"fine": Dimension("?"), "my dim": Dimension("?")}).mistakes()["dimensions"]
    assert told.startswith("“my dim” cannot be the name of a scale; begin with a letter")
