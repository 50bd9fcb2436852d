"""Single and multiple choice: demographics, and attention checks with a right answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement
from fergus.studies.questions.base import AnswerError, Question, Rater, only, parameter
from fergus.studies.questions.fields import about, clean, quote, written

OTHER = "other"
"""What the field holds if the participant's own answer was chosen."""
LONGEST_OTHER = 500


@dataclass(frozen=True)
class Choice(Question):
    """One or several of some options.

    The field ``choice`` holds the value of the option, several times if several may be chosen; ``other`` is the
    participant's own answer, chosen by the value ``other`` or just written.
    """

    type: ClassVar[str] = "choice"

    options: Mapping[str, str] | tuple[str, ...] = parameter("The options: a list, or labels by value.", factory=dict)
    multiple: bool = parameter("May several be chosen?", default=False)
    right: str | tuple[str, ...] = parameter(
        "The right option, or all the right ones, for an attention check.", default=()
    )
    other: str = parameter("The label of an answer of one's own; none if empty.", default="")

    @property
    def labels(self) -> dict[str, str]:
        """What is shown for each value that can be chosen, in order."""
        own = {OTHER: self.other} if self.other else {}
        options = self.options
        return {**(options if isinstance(options, Mapping) else {value: value for value in options}), **own}

    @property
    def right_values(self) -> tuple[str, ...]:
        """The options of the right answer; none if there is no right answer."""
        return (self.right,) if isinstance(self.right, str) else tuple(self.right)

    def mistakes(self) -> dict[str, str]:
        """Nothing to choose, values that a form cannot send back, right answers that are no options."""
        found = {}
        if len(self.labels) < 2:
            found["options"] = "there are fewer than two; give at least two"
        elif len(set(self.options)) < len(self.options):
            found["options"] = "an option is there twice"
        elif unsendable := [value for value in self.options if not value or value != clean(value) or "\n" in value]:
            found["options"] = f"{quote(unsendable[0])} is empty, or has space around it or characters nobody can see"
        elif self.other and OTHER in self.options:
            found["other"] = f"an option has the value {OTHER} already; give it another value"
        if unknown := [value for value in self.right_values if value not in self.options]:
            found["right"] = f"{quote(unknown[0])} is none of the options: {', '.join(self.options)}"
        elif len(self.right_values) > 1 and not self.multiple:
            found["right"] = "there are several, but only one can be chosen; set multiple: true"
        return found

    def most_fields(self, items: Sequence[Item]) -> int:
        """One, or one for each option that can be chosen with others; and the participant's own answer."""
        return (len(self.labels) if self.multiple else 1) + bool(self.other)

    def schema(self) -> dict[str, Json]:
        """The value, or the list of values if several may be chosen, and the participant's own answer."""
        value: dict[str, Json] = {"type": "string", "enum": [*self.labels]}
        several: dict[str, Json] = {"type": "array", "items": value, "minItems": 1, "uniqueItems": True}
        own: dict[str, Json] = {"type": "string", "minLength": 1, "maxLength": LONGEST_OTHER}
        return {
            "type": "object",
            "properties": {"chosen": several if self.multiple else value, **({OTHER: own} if self.other else {})},
            "required": ["chosen"],
            "additionalProperties": False,
        }

    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """Options of the list, in its order, each once."""
        if self.multiple:
            given = [value.strip() for value in form.get("choice", ()) if value.strip()]
        else:
            given = [value for value in (only(form, "choice"),) if value]
        own = written(form, OTHER, longest=LONGEST_OTHER) if self.other else ""
        if own and not given:  # written, but the button before it was forgotten
            given = [OTHER]
        if unknown := [value for value in given if value not in self.labels]:
            raise AnswerError({"choice": Message("no_choice", given=quote(unknown[0]))})
        if len(set(given)) < len(given):
            raise AnswerError({"choice": Message("sent_twice")})
        if not given:
            if self.required:
                raise AnswerError({"choice": Message("please_choose")})
            return None
        takes_own = bool(self.other) and OTHER in given
        if takes_own and not own:
            raise AnswerError({OTHER: Message("please_say_what")})
        chosen: list[Json] = [value for value in self.labels if value in given]
        return {"chosen": chosen if self.multiple else chosen[0], **({OTHER: own} if takes_own else {})}

    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """A row with what was chosen (a list if several may be), and one with the participant's own answer.

        The first has the score of an attention check: 1 if the right options and no others were chosen.
        """
        chosen = answer["chosen"]
        values = chosen if isinstance(chosen, list) else [chosen]
        score = float(set(values) == set(self.right_values)) if self.right_values else None
        rows = [Judgement(chosen, item=about(items), score=score)]
        if OTHER in answer:
            rows.append(Judgement(answer[OTHER], dimension=OTHER, item=about(items)))
        return rows

    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The right options if the rater attends, otherwise any one."""
        if rater.attends() and self.right_values:
            return {"choice": list(self.right_values)}
        value = rater.pick(list(self.labels))
        return {"choice": [value], **({OTHER: ["something else"]} if self.other and value == OTHER else {})}
