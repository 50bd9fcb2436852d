"""Ranking: all texts of a page in order, the best first, with or without ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, parameter
from fergus.studies.questions.fields import one_of

TIE_WIDTH = 0.5
"""Artificial raters who may tie round their impressions to this, in standard deviations of quality."""


@dataclass(frozen=True)
class Ranking(Question):
    """A rank for every text on the page; 1 is the best.

    The fields ``rank.0``, ``rank.1`` and so on, by place as shown, hold the ranks. Ties are stored in one way only: a
    rank is one more than the number of better texts, so that 1, 1, 2 and 1, 1, 3 both become 1, 1, 3.
    """

    type: ClassVar[str] = "ranking"
    compares: ClassVar[bool] = True

    ties: bool = parameter("May texts share a rank?", default=False)

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """Nothing to rank."""
        return [] if len(items) > 1 else [f"a ranking needs two items or more, here are {len(items)}"]

    def most_fields(self, items: Sequence[Item]) -> int:
        """One for each text."""
        return len(items)

    def schema(self) -> dict[str, Json]:
        """A rank by id of the item."""
        ranks: Json = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}
        return {
            "type": "object",
            "properties": {"ranks": ranks},
            "required": ["ranks"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """A rank from 1 to the number of texts for each of them, each rank once unless ties are allowed."""
        legal = [str(rank) for rank in range(1, len(items) + 1)]
        given: dict[str, int] = {}
        problems: dict[str, Message] = {}
        for place, item in enumerate(items):
            try:
                rank = one_of(form, f"rank.{place}", legal)
            except AnswerError as error:
                problems.update(error.problems)
                continue
            if rank:
                given[item.id] = int(rank)
        if not given and not problems and not self.required:
            return None
        for place, item in enumerate(items):
            name = f"rank.{place}"
            if item.id not in given:
                problems.setdefault(name, Message("please_rank", most=len(items)))
            elif not self.ties and list(given.values()).count(given[item.id]) > 1:
                problems[name] = Message("rank_twice", rank=given[item.id])
        if problems:
            raise AnswerError(problems)
        ranks: dict[str, Json] = {
            name: 1 + sum(other < rank for other in given.values()) for name, rank in given.items()
        }
        return {"ranks": ranks}

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row for each item, in the order shown: its rank."""
        ranks = cast("dict[str, int]", answer["ranks"])
        return [Judgement(ranks[item.id], item=item.id) for item in items]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """By impression, the best first; blindly, any order."""
        if rater.attends():
            seen = [rater.impression(item.text, self.name) for item in items]
            if self.ties:
                seen = [round(impression / TIE_WIDTH) * TIE_WIDTH for impression in seen]
            ranks = [1 + sum(other > impression for other in seen) for impression in seen]
        else:
            ranks, left = [], [str(rank) for rank in range(1, len(items) + 1)]
            for _ in items:
                ranks.append(int(rater.pick(left)))
                left.remove(str(ranks[-1]))
        return {f"rank.{place}": [str(rank)] for place, rank in enumerate(ranks)}
