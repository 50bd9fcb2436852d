"""Best-worst scaling: the best and the worst of the texts on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, parameter
from fergus.studies.questions.fields import shown_item


@dataclass(frozen=True)
class BestWorst(Question):
    """The best and the worst of three texts or more.

    The fields ``best`` and ``worst`` hold the places of the texts as shown, from 0.
    """

    type: ClassVar[str] = "best-worst"
    compares: ClassVar[bool] = True

    best: str = parameter("What the choice of the best is called.", default="Best")
    worst: str = parameter("What the choice of the worst is called.", default="Worst")

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """Too few texts for a best, a worst and something between."""
        return [] if len(items) > 2 else [f"best-worst needs three items or more, here are {len(items)}"]

    def most_fields(self, items: Sequence[Item]) -> int:
        """The best and the worst."""
        return 2

    def schema(self) -> dict[str, Json]:
        """The ids of two items."""
        return {
            "type": "object",
            "properties": {"best": {"type": "string"}, "worst": {"type": "string"}},
            "required": ["best", "worst"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """Two different places."""
        answer: Answer = {}
        problems: dict[str, Message] = {}
        for name in ("best", "worst"):
            try:
                item = shown_item(form, name, items)
            except AnswerError as error:
                problems.update(error.problems)
                continue
            if item is not None:
                answer[name] = item.id
        if not answer and not problems and not self.required:
            return None
        for name, please in (("best", Message("please_choose_best")), ("worst", Message("please_choose_worst"))):
            if name not in answer:
                problems.setdefault(name, please)
        if not problems and answer["best"] == answer["worst"]:
            problems["worst"] = Message("best_is_worst")
        if problems:
            raise AnswerError(problems)
        return answer

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row for each item: 1 for the best, -1 for the worst, 0 for the others.

        The mean of an item's rows is then its usual score: times best less times worst, out of times shown.
        """
        return [Judgement((item.id == answer["best"]) - (item.id == answer["worst"]), item=item.id) for item in items]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The highest and the lowest impression; blindly, any two."""
        places = [str(place) for place in range(len(items))]
        if rater.attends():
            places.sort(key=lambda place: rater.impression(items[int(place)].text, self.name))
            return {"best": [places[-1]], "worst": [places[0]]}
        best = rater.pick(places)
        return {"best": [best], "worst": [rater.pick([place for place in places if place != best])]}
