"""What a page asks: its questions, each with the items that it is about and the place of its fields."""

from __future__ import annotations

from dataclasses import dataclass

from fergus.studies.model import Item
from fergus.studies.questions.base import Question
from fergus.studies.study import Block


@dataclass(frozen=True)
class Asked:
    """A question with the items that it is about, and the place that its fields have on the page."""

    question: Question
    items: tuple[Item, ...]
    place: str

    @property
    def prefix(self) -> str:
        """What stands before the names of its fields."""
        return f"{self.place}.{self.question.name}."


def asked_on(block: Block, items: tuple[Item, ...]) -> tuple[Asked, ...]:
    """The questions of a page: those of each item, item by item, then those asked once."""
    once = [q for q in block.questions if q.compares or q.ask == "page" or not items]
    each = [q for q in block.questions if q not in once]
    found = [Asked(q, (item,), str(i)) for i, item in enumerate(items) for q in each]
    return (*found, *(Asked(q, items if q.compares else (), "page") for q in once))
