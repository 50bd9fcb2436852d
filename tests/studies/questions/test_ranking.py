from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.ranking import Ranking

from .examples import ToldRater

ITEMS = (Item("a", "one"), Item("b", "two"), Item("c", "three"))


def form(*ranks: int | str) -> dict[str, list[str]]:
    return {f"rank.{place}": [str(rank)] for place, rank in enumerate(ranks)}


def test_a_rank_for_each_item() -> None:
    answer = Ranking("r").parse(form(3, 1, 2), ITEMS)
    assert answer == {"ranks": {"a": 3, "b": 1, "c": 2}}
    assert Ranking("r").judgements(answer, ITEMS[::-1]) == [
        Judgement(2, item="c"),
        Judgement(1, item="b"),
        Judgement(3, item="a"),
    ]


def test_ties_only_where_they_are_allowed() -> None:
    with pytest.raises(AnswerError) as caught:
        Ranking("r").parse(form(1, 1, 2), ITEMS)
    again = "Rank 1 is given more than once."
    assert caught.value.problems == {"rank.0": again, "rank.1": again}
    assert Ranking("r", ties=True).parse(form(1, 1, 2), ITEMS) == {"ranks": {"a": 1, "b": 1, "c": 3}}


@given(st.lists(st.integers(1, 3), min_size=3, max_size=3))
def test_tied_ranks_keep_their_order_and_are_stored_in_one_way(ranks: list[int]) -> None:
    question = Ranking("r", ties=True)
    answer = question.parse(form(*ranks), ITEMS)
    stored = [int(str(row.value)) for row in question.judgements(answer or {}, ITEMS)]
    assert [x < y for x in ranks for y in ranks] == [x < y for x in stored for y in stored]
    assert question.parse(form(*stored), ITEMS) == answer


@pytest.mark.parametrize("required", [True, False])
def test_some_ranks_are_not_enough(required: bool) -> None:
    with pytest.raises(AnswerError) as caught:
        Ranking("r", required=required).parse(form(1, "", 4), ITEMS)
    assert caught.value.problems == {
        "rank.1": "Please choose a rank from 1 to 3.",
        "rank.2": "“4” is none of the choices.",
    }


def test_raters_rank_by_impression() -> None:
    sees = ToldRater(impressions={"one": -1.0, "two": 0.1, "three": 0.0})
    assert Ranking("r").simulate(sees, ITEMS) == form(3, 1, 2)
    assert Ranking("r", ties=True).simulate(sees, ITEMS) == form(3, 1, 1)
    assert Ranking("r").simulate(ToldRater(attentive=False, picks=-1), ITEMS) == form(3, 2, 1)


def test_one_item_cannot_be_ranked() -> None:
    assert Ranking("r").mistakes_of(ITEMS[:2]) == []
    assert Ranking("r").mistakes_of(ITEMS[:1]) == ["a ranking needs two items or more, here are 1"]
