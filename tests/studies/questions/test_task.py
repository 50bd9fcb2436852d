from __future__ import annotations

from typing import Any

import pytest

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.task import Task

from .examples import ToldRater

CALLER = (Item("m1", "Hi, it's Ann, call me on 555-1234.", {"gold": "5551234", "caller": "Ann|Anne"}),)
NUMBER = Task("number")


def test_the_solution_is_graded_by_the_items_gold_answer() -> None:
    answer = NUMBER.parse({"solution": ["555 1234"]}, CALLER)
    assert answer == {"solution": "555 1234"}
    assert NUMBER.judgements(answer, CALLER) == [Judgement("555 1234", item="m1", score=1)]
    assert NUMBER.score("555 1243", CALLER) == 0


def test_the_gold_answer_can_be_in_another_column_or_in_the_question() -> None:
    assert Task("who", gold_column="caller", gold="Bob").score("anne", CALLER) == 1
    assert Task("who", gold_column="missing", gold="Bob").score("BOB", CALLER) == 1
    assert Task("who", gold="Bob", ask="page").score("bob", ()) == 1


@pytest.mark.parametrize(
    ("grading", "gold", "solution", "score"),
    [
        ("exact", "Ann", "ann.", 1),
        ("number", "10", "10.4", 1),
        ("number", "10", "10.6", 0),
        ("set", "a, b", "b", 2 / 3),
        ("ranking", "a > b > c", "b, a, c", 2 / 3),
        ("by-hand", "a", "a", None),
    ],
)
def test_gradings(grading: Any, gold: str, solution: str, score: float | None) -> None:
    question = Task("t", grading=grading, gold=gold, tolerance=0.5)
    assert question.mistakes() == {}
    found = question.score(solution, ())
    assert found == (score if score is None else pytest.approx(score))


def test_without_a_gold_answer_there_is_no_score() -> None:
    assert NUMBER.score("x", ()) is None


def test_an_empty_solution_is_an_answer_only_against_the_clock() -> None:
    with pytest.raises(AnswerError, match="Please give a solution"):
        NUMBER.parse({"solution": [" "]}, CALLER)
    timed = Task("number", seconds=60)
    answer = timed.parse({}, CALLER)
    assert answer == {"solution": ""}
    assert timed.judgements(answer, CALLER)[0].score == 0


def test_a_solution_can_be_too_long() -> None:
    with pytest.raises(AnswerError, match="at most 5"):
        Task("t", longest=5).parse({"solution": ["123456"]}, CALLER)


@pytest.mark.parametrize(
    ("grading", "gold", "solution"),
    [
        ("exact", "Ann|Anne", "Ann"),
        ("number", "7", "7"),
        ("set", "a, b|bee", "a, b"),
        ("ranking", "a, b|bee", "a > b"),
        ("by-hand", "", "I do not know"),
    ],
)
def test_raters_give_the_gold_answer_if_they_find_it(grading: Any, gold: str, solution: str) -> None:
    question = Task("t", grading=grading, gold=gold)
    assert question.simulate(ToldRater(), ()) == {"solution": [solution]}
    assert question.simulate(ToldRater(finding=False), ()) == {"solution": ["I do not know"]}
    assert question.simulate(ToldRater(attentive=False), ()) == {"solution": ["I do not know"]}


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"seconds": 0}, "seconds"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"rows": 0}, "rows"),
        ({"longest": 0}, "longest"),
        ({"gold": "seven", "grading": "number"}, "gold"),
        ({"gold": "only one", "grading": "ranking"}, "gold"),
        ({"gold": "too long", "longest": 5}, "gold"),
        ({"ask": "page"}, "gold"),
    ],
)
def test_mistakes(parameters: dict[str, Any], name: str) -> None:
    assert list(Task("t", **parameters).mistakes()) == [name]


def test_mistakes_of_items() -> None:
    assert NUMBER.mistakes_of(CALLER) == []
    assert NUMBER.mistakes_of((Item("x", "text"),)) == [
        "item x has no right solution; fill the column gold, or grade by hand"
    ]
    assert NUMBER.mistakes_of(()) == ["the page has no right solution; fill the column gold, or grade by hand"]
    assert Task("t", grading="by-hand").mistakes_of((Item("x", "text"),)) == []
    wrong = Task("t", grading="number").mistakes_of((Item("x", "text", {"gold": "ten"}),))
    assert wrong == ["item x: the right solution ten is not a number"]
