"""Rating scales: one or more dimensions of some points, any of them labelled (section 4.1 of Bangalore et al.)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, only, parameter

MOST_POINTS = 101
"""A scale of 0 to 100 is the longest one; more than eleven points are shown as a slider."""


@dataclass(frozen=True)
class Dimension:
    """One scale: what is asked, and what some of its points are called."""

    text: str = field(metadata={"help": "What is asked."})
    labels: Mapping[int, str] = field(default_factory=dict, metadata={"help": "Names of points: any of them."})
    right: int | None = field(default=None, metadata={"help": "The right answer, for an attention check."})


@dataclass(frozen=True)
class Rating(Question):
    """Points on one or more scales."""

    type: ClassVar[str] = "rating"

    dimensions: Mapping[str, Dimension] = parameter("The scales by name: text, labels, right.", factory=dict)
    points: int = parameter("How many points a scale has.", default=7)
    lowest: int = parameter("The lowest point.", default=1)
    highest_first: bool = parameter("Show the highest point first?", default=False)

    @property
    def values(self) -> range:
        """The points, lowest first."""
        return range(self.lowest, self.lowest + self.points)

    def mistakes(self) -> dict[str, str]:
        """Too few points, none to rate, labels beside the scale."""
        found = {}
        if not 2 <= self.points <= MOST_POINTS:
            found["points"] = f"{self.points} is not from 2 to {MOST_POINTS}"
        if not self.dimensions:
            found["dimensions"] = "there is none; give at least one, with its text"
        for name, dimension in self.dimensions.items():
            outside = [str(point) for point in dimension.labels if point not in self.values]
            if outside:
                found["dimensions"] = (
                    f"{name} labels {', '.join(outside)}, but the points are {self.values[0]} to {self.values[-1]}"
                )
            if dimension.right is not None and dimension.right not in self.values:
                found["dimensions"] = f"{name}: the right answer {dimension.right} is no point of the scale"
        return found

    def schema(self) -> dict[str, Json]:
        """An integer for each dimension."""
        point: dict[str, Json] = {"type": "integer", "minimum": self.values[0], "maximum": self.values[-1]}
        required: list[Json] = list(self.dimensions) if self.required else []
        return {
            "type": "object",
            "properties": {name: dict(point) for name in self.dimensions},
            "required": required,
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """One of the points for each dimension."""
        answer: Answer = {}
        problems = {}
        legal = {str(value): value for value in self.values}
        for name in self.dimensions:
            given = only(form, name)
            if given in legal:
                answer[name] = legal[given]
            elif given:
                problems[name] = f"“{given}” is not from {self.values[0]} to {self.values[-1]}"
            elif self.required:
                problems[name] = "Please choose a point."
        if problems:
            raise AnswerError(problems)
        return answer or None

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row for each dimension."""
        item = items[0].id if items else ""
        return [
            Judgement(value, dimension=name, item=item, score=self._score(name, value, items))
            for name, value in answer.items()
        ]

    def _score(self, name: str, value: Json, items: Sequence[Item]) -> float | None:
        # An item's own right answer, in a column named after the dimension, makes that item an attention check.
        told = items[0].values.get(f"right_{name}", "") if items else ""
        right = self.dimensions[name].right if name in self.dimensions else None
        if told:
            return float(str(value) == told)
        return None if right is None else float(value == right)

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The impression, standard-normal over texts, spread over the scale: three points out of seven either way."""
        form = {}
        middle, spread = (self.values[0] + self.values[-1]) / 2, (self.points - 1) / 5
        for name, dimension in self.dimensions.items():
            if not rater.attends():
                form[name] = [rater.pick([str(value) for value in self.values])]
                continue
            told = items[0].values.get(f"right_{name}", "") if items else ""
            if told or dimension.right is not None:
                form[name] = [told or str(dimension.right)]
                continue
            point = round(middle + spread * rater.impression(items[0].text if items else "", name))
            form[name] = [str(min(max(point, self.values[0]), self.values[-1]))]
        return form
