from __future__ import annotations

import pytest

from fergus.studies.model import Item, Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.pair import Pair

from .examples import ToldRater

HUMAN = Item("h", "Slip plate above boiled peas", {"author": "human"})
MACHINE = Item("m", "Slight error in peals, possibly", {"author": "machine"})
TURING = Pair("who", right={"author": "human"})
TIE = Pair("who", right={"author": "human"}, tie="I cannot tell")


def test_the_choice_is_by_place_as_shown() -> None:
    assert TURING.parse({"choice": ["0"]}, (HUMAN, MACHINE)) == {"chosen": "h"}
    assert TURING.parse({"choice": ["0"]}, (MACHINE, HUMAN)) == {"chosen": "m"}


def test_the_right_one_scores() -> None:
    pair = (MACHINE, HUMAN)
    assert TURING.judgements({"chosen": "h"}, pair) == [Judgement("h", item="h", score=1)]
    assert TURING.judgements({"chosen": "m"}, pair) == [Judgement("m", item="m", score=0)]


def test_control_pairs_have_no_score() -> None:
    for author in ("human", "machine"):
        pair = (Item("x", "one", {"author": author}), Item("y", "two", {"author": author}))
        assert TURING.judgements({"chosen": "x"}, pair)[0].score is None


def test_without_a_right_one_there_is_no_score() -> None:
    assert Pair("better").judgements({"chosen": "h"}, (HUMAN, MACHINE))[0].score is None


def test_several_columns_must_all_be_right() -> None:
    both = Pair("who", right={"author": "human", "kind": "clue"})
    assert not both.is_right(HUMAN)
    assert both.is_right(Item("x", "", {"author": "human", "kind": "clue"}))


def test_a_tie_finds_nothing() -> None:
    pair = (HUMAN, MACHINE)
    assert TIE.parse({"choice": ["tie"]}, pair) == {"chosen": None}
    assert TIE.judgements({"chosen": None}, pair) == [Judgement(None, item="", score=0)]
    with pytest.raises(AnswerError, match="choice"):
        TURING.parse({"choice": ["tie"]}, pair)


@pytest.mark.parametrize("choice", ["2", "-1", "h"])
def test_what_is_not_on_the_page_cannot_be_chosen(choice: str) -> None:
    with pytest.raises(AnswerError, match="none of the choices"):
        TIE.parse({"choice": [choice]}, (HUMAN, MACHINE))


def test_raters_find_the_right_one_or_are_fooled_by_the_better_one() -> None:
    pair = (MACHINE, HUMAN)
    seen = {MACHINE.text: 1.0, HUMAN.text: 0.5}
    assert TURING.simulate(ToldRater(impressions=seen), pair) == {"choice": ["1"]}
    assert TURING.simulate(ToldRater(finding=False, impressions=seen), pair) == {"choice": ["0"]}
    assert TURING.simulate(ToldRater(finding=False, impressions=seen), pair[::-1]) == {"choice": ["1"]}
    assert TURING.simulate(ToldRater(attentive=False, picks=-1), pair) == {"choice": ["1"]}


def test_raters_tie_what_seems_nearly_equal() -> None:
    near = ToldRater(finding=False, impressions={MACHINE.text: 1.0, HUMAN.text: 0.9})
    assert TIE.simulate(near, (HUMAN, MACHINE)) == {"choice": ["tie"]}
    assert TURING.simulate(near, (HUMAN, MACHINE)) == {"choice": ["1"]}
    assert TIE.simulate(ToldRater(attentive=False, picks=-1), (HUMAN, MACHINE)) == {"choice": ["tie"]}


def test_a_pair_is_two_items_with_the_columns() -> None:
    assert TURING.mistakes_of((HUMAN, MACHINE)) == []
    assert TURING.mistakes_of((HUMAN,)) == ["a pair has two items, here are 1"]
    assert TURING.mistakes_of((HUMAN, Item("x", "text"))) == ["item x has no author"]
