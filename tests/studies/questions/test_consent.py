from __future__ import annotations

import pytest

from fergus.studies.model import Judgement
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.consent import Consent

from .examples import ToldRater

CONSENT = Consent("consent", text="We keep your answers.")


@pytest.mark.parametrize(("choice", "agreed"), [("agree", True), ("decline", False)])
def test_either_is_an_answer(choice: str, agreed: bool) -> None:
    answer = CONSENT.parse({"choice": [choice]}, ())
    assert answer == {"agreed": agreed}
    assert CONSENT.judgements(answer, ()) == [Judgement(agreed)]


def test_to_decline_ends_the_participation() -> None:
    assert Consent("consent", "Do you agree?").ends({"agreed": False})
    assert not Consent("consent", "Do you agree?").ends({"agreed": True})
    assert not Comment("why").ends({"agreed": False})


@pytest.mark.parametrize("form", [{}, {"choice": [""]}, {"choice": ["yes"]}, {"choice": ["agree", "decline"]}])
def test_nothing_else_is_one(form: dict[str, list[str]]) -> None:
    with pytest.raises(AnswerError, match="choice"):
        CONSENT.parse(form, ())


def test_raters_agree() -> None:
    assert CONSENT.simulate(ToldRater(attentive=False), ()) == {"choice": ["agree"]}


def test_mistakes() -> None:
    assert CONSENT.mistakes() == {}
    wrong = Consent("consent", agree="", decline=" ", required=False, ask="item")
    assert set(wrong.mistakes()) == {"text", "agree", "decline", "required", "ask"}
