"""Rating scales: one or more dimensions of some points, any of them labelled (section 4.1 of Bangalore et al.)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import Question, Rater, parameter
from fergus.studies.questions.dimensions import NONE, parse_each, schema_of, wrong_names
from fergus.studies.questions.fields import about, quote

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
        if not 2 <= self.points <= MOST_POINTS:  # then no label and no right answer can be told to be on the scale
            return {"points": f"{self.points} is not from 2 to {MOST_POINTS}"}
        if not self.dimensions:
            return {"dimensions": NONE}
        beside = [wrong] if (wrong := wrong_names(self.dimensions)) else []
        for name, dimension in self.dimensions.items():
            outside = [str(point) for point in dimension.labels if point not in self.values]
            if outside:
                beside.append(
                    f"{name} labels {', '.join(outside)}, but the points are {self.values[0]} to {self.values[-1]}"
                )
            if dimension.right is not None and dimension.right not in self.values:
                beside.append(f"{name}: the right answer {dimension.right} is no point of the scale")
        return {"dimensions": "; ".join(beside)} if beside else {}

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """Right answers of items that are no points of the scale."""
        return [
            f"item {item.id}: right_{name} is {quote(told)}, which is no point of the scale"
            for item in items
            for name in self.dimensions
            if (told := self._told(name, (item,))) and told not in map(str, self.values)
        ]

    def most_fields(self, items: Sequence[Item]) -> int:
        """One for each dimension."""
        return len(self.dimensions)

    def schema(self) -> dict[str, Json]:
        """An integer for each dimension."""
        point: dict[str, Json] = {"type": "integer", "minimum": self.values[0], "maximum": self.values[-1]}
        return schema_of(self.dimensions, point, is_required=self.required)

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """One of the points for each dimension."""
        legal = {str(value): value for value in self.values}

        def read(given: str) -> int | Message:
            beside = Message("not_on_scale", given=quote(given), lowest=self.values[0], highest=self.values[-1])
            return legal.get(given, beside)

        return parse_each(form, self.dimensions, read, missing=Message("please_rate") if self.required else None)

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row for each dimension."""
        return [
            Judgement(value, dimension=name, item=about(items), score=self._score(name, value, items))
            for name, value in answer.items()
        ]

    def _score(self, name: str, value: Json, items: Sequence[Item]) -> float | None:
        told = self._told(name, items)
        right = self.dimensions[name].right if name in self.dimensions else None
        if told:
            return float(str(value) == told)
        return None if right is None else float(value == right)

    def _told(self, name: str, items: Sequence[Item]) -> str:
        """An item's own right answer: the column ``right_`` and the dimension makes it an attention check."""
        return items[0].values.get(f"right_{name}", "").strip() if items else ""

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The impression, standard-normal over texts, spread over the scale: three points out of seven either way."""
        form = {}
        middle, spread = (self.values[0] + self.values[-1]) / 2, (self.points - 1) / 5
        for name, dimension in self.dimensions.items():
            if not rater.attends():
                form[name] = [rater.pick([str(value) for value in self.values])]
                continue
            told = self._told(name, items)
            if told or dimension.right is not None:
                form[name] = [told or str(dimension.right)]
                continue
            point = round(middle + spread * rater.impression(items[0].text if items else "", name))
            form[name] = [str(min(max(point, self.values[0]), self.values[-1]))]
        return form
