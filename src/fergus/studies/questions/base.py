"""What a question type is: its parameters, the schema of its answer, how a form is read, and a simulated rater.

A question is asked of *items*: of none (about the person or the page), of one, or, if the type compares, of all
the items on a page at once. Its form fields have names of their own; the page puts the place before them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Literal, Protocol

from fergus.studies.interface import Message
from fergus.studies.model import Answer, Form, Item, Json, Judgement

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,59}")
"""What a question can be called, and a scale of it: both are parts of fields' names and of ids."""
NAME_RULE = "begin with a letter; use letters, digits, hyphens and underscores, at most 60"


def parameter(help: str, *, default: Any = ..., factory: Any = None) -> Any:
    """A dataclass field that a study file can set; the help is what the reference prints."""
    metadata = {"help": help}
    if factory is not None:
        return field(default_factory=factory, metadata=metadata)
    return field(metadata=metadata) if default is ... else field(default=default, metadata=metadata)


class AnswerError(Exception):
    """A form that is no answer: what is wrong, by field."""

    def __init__(self, problems: Mapping[str, Message]) -> None:
        self.problems = dict(problems)
        super().__init__("; ".join(f"{name}: {problem}" for name, problem in problems.items()))


class Rater(Protocol):
    """An artificial judge, as the question types ask it (see ``fergus.studies.raters``)."""

    def impression(self, text: str, dimension: str) -> float:
        """How good the text seems in this dimension: standard-normal over texts, with the rater's bias and noise."""

    def attends(self) -> bool:
        """Does the rater look at this question at all? If not, the answer is given blindly."""

    def pick(self, choices: Sequence[str]) -> str:
        """One of them at random."""

    def finds(self, gold: str) -> bool:
        """Does the rater find the right answer of a task?"""


@dataclass(frozen=True)
class Question(ABC):
    """A question of a study; a subclass is one type, in a file of its own."""

    type: ClassVar[str]
    """Its name in study files."""
    compares: ClassVar[bool] = False
    """Is it asked of all items on a page at once?"""
    asks: ClassVar[tuple[str, ...]] = ("item", "page")
    """What ``ask`` can be, for a type that does not compare."""

    name: str
    text: str = parameter("The question as it is shown.", default="")
    ask: Literal["item", "page"] = parameter(
        "Ask it of every item on a page, or once a page (types that compare items are always asked once).",
        default="item",
    )
    required: bool = parameter("Must it be answered?", default=True)

    @classmethod
    def parameters(cls) -> tuple[Field[Any], ...]:
        """What a study file can say of such a question."""
        return tuple(f for f in fields(cls) if "help" in f.metadata)

    def mistakes(self) -> dict[str, str]:
        """What is wrong with the parameters, taken together: a message by name of the parameter."""
        return {}

    def mistakes_of(self, items: Sequence[Item]) -> list[str]:
        """What is wrong with asking it of these items, such as a pair of three."""
        return []

    def most_fields(self, items: Sequence[Item]) -> int:
        """How many fields a browser can send for it; a form with too many is refused."""
        return 1

    @abstractmethod
    def schema(self) -> dict[str, Json]:
        """The JSON schema of an answer."""

    @abstractmethod
    def parse(self, form: Form, items: Sequence[Item]) -> Answer | None:
        """The answer in a form, None if it was left out and may be; raises AnswerError."""

    def ends(self, answer: Answer) -> bool:
        """Does the answer end the participation, so that nothing that tells who it was is kept?"""
        return False

    @abstractmethod
    def judgements(self, answer: Answer, items: Sequence[Item]) -> list[Judgement]:
        """The answer as rows of the export."""

    @abstractmethod
    def simulate(self, rater: Rater, items: Sequence[Item]) -> dict[str, list[str]]:
        """The form as an artificial rater fills it in."""


def only(form: Form, name: str) -> str:
    """The one value of a field, without space around it; "" if it is absent."""
    values = [value.strip() for value in form.get(name, ())]
    if len(values) > 1:
        raise AnswerError({name: Message("sent_twice")})
    return values[0] if values else ""
