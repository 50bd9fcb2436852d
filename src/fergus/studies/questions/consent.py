"""Consent: what is done with the answers, agreed to or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, parameter
from fergus.studies.questions.fields import one_of

AGREE, DECLINE = "agree", "decline"


@dataclass(frozen=True)
class Consent(Question):
    """Agreement to take part, or not; to decline is an answer too, and ends the participation.

    The field ``choice`` holds ``agree`` or ``decline``.
    """

    type: ClassVar[str] = "consent"
    asks: ClassVar[tuple[str, ...]] = ("page",)

    ask: Literal["item", "page"] = parameter("Asked once a page; it is about the person.", default="page")
    agree: str = parameter("The label of agreement.", default="I agree and want to take part")
    decline: str = parameter("The label of refusal.", default="I do not agree")

    def mistakes(self) -> dict[str, str]:
        """Nothing to agree to, no way to say no, or consent that may be left out."""
        found = {}
        if not self.text.strip():
            found["text"] = "there is none; say what people agree to"
        for name, label in (("agree", self.agree), ("decline", self.decline)):
            if not label.strip():
                found[name] = "is empty; people must be able to answer either way"
        if not self.required:
            found["required"] = "consent cannot be left out; remove the question or the setting"
        if self.ask not in self.asks:
            found["ask"] = "consent is about the person; it is asked once a page"
        return found

    def schema(self) -> dict[str, Json]:
        """True or false."""
        return {
            "type": "object",
            "properties": {"agreed": {"type": "boolean"}},
            "required": ["agreed"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """Either answer, but one of them."""
        given = one_of(form, "choice", (AGREE, DECLINE))
        if not given:
            raise AnswerError({"choice": Message("please_agree_or_not")})
        return {"agreed": given == AGREE}

    def ends(self, answer: Answer) -> bool:
        """Whoever does not agree sees no more pages."""
        return answer["agreed"] is False

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """One row, about the person."""
        return [Judgement(answer["agreed"])]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """Artificial raters always agree: who declines judges nothing."""
        return {"choice": [AGREE]}
