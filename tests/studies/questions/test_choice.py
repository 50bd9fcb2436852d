from __future__ import annotations

from typing import Any

import pytest

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.choice import Choice

from .examples import ToldRater

AGE = Choice("age", options=("young", "old"), other="Neither:")
COLOURS = Choice("colours", options={"r": "Red", "g": "Green", "b": "Blue"}, multiple=True, right=("b", "r"))


def test_one_option() -> None:
    assert AGE.parse({"choice": ["old"], "other": ["unused"]}, ()) == {"chosen": "old"}
    assert AGE.judgements({"chosen": "old"}, (Item("a", "x"),)) == [Judgement("old", item="a")]


def test_several_options_come_in_the_order_of_the_list() -> None:
    assert COLOURS.parse({"choice": ["b", "", "r"]}, ()) == {"chosen": ["r", "b"]}


@pytest.mark.parametrize("form", [{"choice": ["other"], "other": ["both"]}, {"other": [" both"]}])
def test_an_answer_of_ones_own(form: dict[str, list[str]]) -> None:
    answer = AGE.parse(form, ())
    assert answer == {"chosen": "other", "other": "both"}
    assert AGE.judgements(answer, ()) == [Judgement("other"), Judgement("both", dimension="other")]


@pytest.mark.parametrize(
    ("question", "form", "field"),
    [
        (AGE, {"choice": ["middle"]}, "choice"),
        (AGE, {"choice": ["old", "young"]}, "choice"),
        (AGE, {"choice": ["other"], "other": [" \x00"]}, "other"),
        (AGE, {"choice": ["other"], "other": ["x" * 501]}, "other"),
        (COLOURS, {"choice": ["other"], "other": ["x"]}, "choice"),
        (COLOURS, {"choice": ["r", "r"]}, "choice"),
        (COLOURS, {"choice": [""]}, "choice"),
    ],
)
def test_what_is_no_choice(question: Choice, form: dict[str, list[str]], field: str) -> None:
    with pytest.raises(AnswerError) as caught:
        question.parse(form, ())
    assert list(caught.value.problems) == [field]


@pytest.mark.parametrize(("chosen", "score"), [(["r", "b"], 1), (["r"], 0), (["r", "g", "b"], 0)])
def test_an_attention_check_wants_all_the_right_ones_and_no_others(chosen: list[Any], score: float) -> None:
    assert COLOURS.judgements({"chosen": chosen}, ())[0].score == score


def test_a_single_right_answer_can_be_a_text() -> None:
    check = Choice("check", options=("yes", "no"), right="no")
    assert check.mistakes() == {}
    assert check.judgements({"chosen": "no"}, ())[0].score == 1
    assert check.judgements({"chosen": "yes"}, ())[0].score == 0


def test_raters_pass_checks_when_they_attend() -> None:
    assert COLOURS.simulate(ToldRater(), ()) == {"choice": ["b", "r"]}
    assert COLOURS.simulate(ToldRater(attentive=False, picks=1), ()) == {"choice": ["g"]}
    assert AGE.simulate(ToldRater(picks=-1), ()) == {"choice": ["other"], "other": ["something else"]}


@pytest.mark.parametrize(
    ("parameters", "name", "problem"),
    [
        ({"options": ("one",)}, "options", "fewer than two"),
        ({}, "options", "fewer than two"),
        ({"options": ("a", "b", "a")}, "options", "twice"),
        ({"options": ("a", " b")}, "options", "space around"),
        ({"options": ("a", "")}, "options", "is empty"),
        ({"options": {"a": "A", "b\x00": "B"}}, "options", "nobody can see"),
        ({"options": ("a", "other"), "other": "Or"}, "other", "already"),
        ({"options": ("a", "b"), "right": "c"}, "right", "“c” is none of the options: a, b"),
        ({"options": ("a", "b"), "right": ("a", "b")}, "right", "multiple: true"),
    ],
)
def test_mistakes(parameters: dict[str, Any], name: str, problem: str) -> None:
    found = Choice("c", **parameters).mistakes()
    assert list(found) == [name]
    assert problem in found[name]


def test_one_option_and_ones_own_are_two() -> None:
    assert Choice("c", options=("None",), other="These:").mistakes() == {}
