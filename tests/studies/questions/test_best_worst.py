from __future__ import annotations

import pytest

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.best_worst import BestWorst

from .examples import ToldRater

ITEMS = (Item("a", "one"), Item("b", "two"), Item("c", "three"))
QUESTION = BestWorst("extremes")


def test_every_item_gets_a_row() -> None:
    answer = QUESTION.parse({"best": ["2"], "worst": ["0"]}, ITEMS)
    assert answer == {"best": "c", "worst": "a"}
    assert QUESTION.judgements(answer, ITEMS) == [
        Judgement(-1, item="a"),
        Judgement(0, item="b"),
        Judgement(1, item="c"),
    ]


@pytest.mark.parametrize(
    ("form", "problems"),
    [
        ({"best": ["1"], "worst": ["1"]}, {"worst": "The best text cannot be the worst one too."}),
        ({"best": ["1"]}, {"worst": "Please choose the worst text."}),
        ({"best": ["3"], "worst": ["0"]}, {"best": "“3” is none of the choices."}),
    ],
)
@pytest.mark.parametrize("required", [True, False])
def test_two_different_texts_must_be_chosen(
    form: dict[str, list[str]], problems: dict[str, str], required: bool
) -> None:
    with pytest.raises(AnswerError) as caught:
        BestWorst("extremes", required=required).parse(form, ITEMS)
    assert caught.value.problems == problems


def test_raters_take_their_extremes() -> None:
    sees = ToldRater(impressions={"one": 0.0, "two": -2.0, "three": 1.0})
    assert QUESTION.simulate(sees, ITEMS) == {"best": ["2"], "worst": ["1"]}
    assert QUESTION.simulate(ToldRater(attentive=False), ITEMS) == {"best": ["0"], "worst": ["1"]}


def test_two_items_are_a_pair() -> None:
    assert QUESTION.mistakes_of(ITEMS) == []
    assert QUESTION.mistakes_of(ITEMS[:2]) == ["best-worst needs three items or more, here are 2"]
