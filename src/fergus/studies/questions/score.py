"""Scores: any number on one or more scales, as in magnitude estimation; also what judgements from elsewhere are."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import Question, Rater, parameter
from fergus.studies.questions.dimensions import NONE, parse_each, schema_of, wrong_names
from fergus.studies.questions.fields import about, quote

_WHOLE = re.compile(r"[-+]?\d{1,15}", re.ASCII)
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)
_MIDDLE, _SPREAD = 50.0, 15.0
"""Of the scores of artificial raters where the scale has no ends."""


def read_number(text: str) -> int | float | None:
    """The number that a text is, whole numbers as such; None if it is none, or not finite.

    >>> read_number("83.333"), read_number("7"), read_number("7.0"), read_number("1e999"), read_number("high")
    (83.333, 7, 7.0, None, None)
    """
    if _WHOLE.fullmatch(text):
        return int(text)
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Score(Question):
    """A number on each of one or more scales, as it was written.

    The field of each scale has its name. A scale may have a lowest and a highest number.
    """

    type: ClassVar[str] = "score"

    dimensions: Mapping[str, str] = parameter("The scales by name, each with what is asked.", factory=dict)
    lowest: float | None = parameter("The lowest number; none if left out.", default=None)
    highest: float | None = parameter("The highest number; none if left out.", default=None)
    imported: bool = parameter("Are the scores from elsewhere? Then scales can have any name.", default=False)

    def mistakes(self) -> dict[str, str]:
        """Nothing to score, or no number that could be given."""
        found = {}
        if not self.dimensions:
            found["dimensions"] = NONE
        elif not self.imported and (wrong := wrong_names(self.dimensions)):
            found["dimensions"] = wrong
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            found["highest"] = f"{self.highest:g} is not above the lowest, {self.lowest:g}"
        return found

    def most_fields(self, items: Sequence[Item]) -> int:
        """One for each dimension."""
        return len(self.dimensions)

    def schema(self) -> dict[str, Json]:
        """A number for each dimension."""
        number: dict[str, Json] = {"type": "number"}
        number |= {"minimum": self.lowest} if self.lowest is not None else {}
        number |= {"maximum": self.highest} if self.highest is not None else {}
        return schema_of(self.dimensions, number, is_required=self.required)

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """A number for each dimension, within the ends of the scale."""
        missing = Message("please_give_number") if self.required else None
        return parse_each(form, self.dimensions, self._read, missing=missing)

    def _read(self, given: str) -> int | float | Message:
        value = read_number(given)
        if value is None:
            return Message("no_number", given=quote(given))
        if self.lowest is not None and value < self.lowest:
            return Message("too_low", given=quote(given), lowest=f"{self.lowest:g}")
        if self.highest is not None and value > self.highest:
            return Message("too_high", given=quote(given), highest=f"{self.highest:g}")
        return value

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row for each dimension."""
        return [Judgement(value, dimension=name, item=about(items)) for name, value in answer.items()]

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The impression, spread over the scale; over numbers around fifty if it has no two ends."""
        middle, spread = _MIDDLE, _SPREAD
        if self.lowest is not None and self.highest is not None:
            middle, spread = (self.lowest + self.highest) / 2, (self.highest - self.lowest) / 5
        form = {}
        for name in self.dimensions:
            impression = rater.impression(items[0].text if items else "", name)
            if not rater.attends():
                impression = float(rater.pick(["-2", "-1", "0", "1", "2"]))
            value = middle + spread * impression
            value = max(value, self.lowest) if self.lowest is not None else value
            value = min(value, self.highest) if self.highest is not None else value
            form[name] = [repr(value)]
        return form
