"""Forced choice between two texts: the Turing-style test (section 2.5 of Hardcastle and Scott 2008)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, parameter
from fergus.studies.questions.fields import one_of

TIE = "tie"
"""What the field holds if the third answer was chosen."""
TIE_WIDTH = 0.25
"""Artificial raters take the third answer where their impressions differ by less, in standard deviations of quality."""


@dataclass(frozen=True)
class Pair(Question):
    """One of two texts, or neither if a third answer is offered.

    The field ``choice`` holds ``0`` or ``1``, the place of the text as shown, or ``tie``.
    """

    type: ClassVar[str] = "pair"
    compares: ClassVar[bool] = True

    right: Mapping[str, str] = parameter(
        "Which text is the right one, by columns of the items file: {author: human}. "
        "A pair of which both or neither are right is a control pair and has no score.",
        factory=dict,
    )
    tie: str = parameter("The text of a third answer, such as “I cannot tell”; none if empty.", default="")

    def is_right(self, item: Item) -> bool:
        """Has the item every value that makes a text the right one?"""
        return bool(self.right) and all(item.values.get(column) == value for column, value in self.right.items())

    def right_item(self, items: Sequence[Item]) -> Item | None:
        """The right one of the two; None for control pairs and where nothing is right."""
        right = [item for item in items if self.is_right(item)]
        return right[0] if len(right) == 1 else None

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """Not two texts, or texts without the columns that tell the right one."""
        found = [] if len(items) == 2 else [f"a pair has two items, here are {len(items)}"]
        for item in items:
            found += [f"item {item.id} has no {column}" for column in self.right if not item.values.get(column)]
        return found

    def schema(self) -> dict[str, Json]:
        """The id of the chosen item; null for a tie."""
        kind: Json = ["string", "null"] if self.tie else "string"
        return {
            "type": "object",
            "properties": {"chosen": {"type": kind}},
            "required": ["chosen"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """The place of one of the texts, or the tie."""
        given = one_of(form, "choice", self._choices(items))
        if given:
            return {"chosen": None if given == TIE else items[int(given)].id}
        if self.required:
            raise AnswerError({"choice": Message("please_choose_one")})
        return None

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """One row: the chosen item (none for a tie), and whether it is the right one; a tie has not found it."""
        chosen, right = answer["chosen"], self.right_item(items)
        score = None if right is None else float(chosen == right.id)
        return [Judgement(chosen, item=chosen if isinstance(chosen, str) else "", score=score)]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The right text if the rater finds it; otherwise the better one, so that good machine texts fool many."""
        if not rater.attends():
            return {"choice": [rater.pick(self._choices(items))]}
        right = self.right_item(items)
        if right is not None and rater.finds(right.id):
            return {"choice": [str(list(items).index(right))]}
        first, second = (rater.impression(item.text, self.name) for item in items)
        if self.tie and abs(first - second) < TIE_WIDTH:
            return {"choice": [TIE]}
        return {"choice": ["0" if first >= second else "1"]}

    def _choices(self, items: Sequence[Item]) -> list[str]:
        return [str(place) for place in range(len(items))] + ([TIE] if self.tie else [])
