"""Free comments, which coders can code later (the commentary in sections 2.5 and 3 of Hardcastle and Scott 2008)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, parameter
from fergus.studies.questions.fields import about, written

REMARKS = ("It flows well.", "The order of the words is odd.", "I could not make sense of it.", "It sounds forced.")
"""What artificial raters write."""


@dataclass(frozen=True)
class Comment(Question):
    """A text that the participant writes, in the field ``comment``."""

    type: ClassVar[str] = "comment"

    required: bool = parameter("Must it be answered?", default=False)
    rows: int = parameter("How many lines the box shows.", default=4)
    longest: int = parameter("How many characters a comment may have.", default=5000)
    categories: Mapping[str, str] = parameter(
        "The code book: what each code means. Participants do not see it, coders choose from it.", factory=dict
    )

    def mistakes(self) -> dict[str, str]:
        """A box without room."""
        return {
            name: f"{value} is not 1 or more"
            for name, value in (("rows", self.rows), ("longest", self.longest))
            if value < 1
        }

    def schema(self) -> dict[str, Json]:
        """The comment as a string."""
        return {
            "type": "object",
            "properties": {"comment": {"type": "string", "minLength": 1, "maxLength": self.longest}},
            "required": ["comment"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """The comment, unless it is blank."""
        comment = written(form, "comment", longest=self.longest)
        if comment:
            return {"comment": comment}
        if self.required:
            raise AnswerError({"comment": Message("please_write")})
        return None

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """One row: the comment."""
        return [Judgement(answer["comment"], item=about(items))]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """A stock remark; nothing from a rater who does not attend, where that is allowed."""
        if not rater.attends() and not self.required:
            return {"comment": [""]}
        return {"comment": [rater.pick(REMARKS)[: self.longest]]}
