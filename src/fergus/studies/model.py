"""What every part of a study talks about: the texts that are judged, the pages they stand on, the judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Answer: TypeAlias = "dict[str, Json]"
"""What one question got as its answer: an object that the question's schema describes."""
Form: TypeAlias = "Mapping[str, Sequence[str]]"
"""What a page sends: every field with all of its values."""


@dataclass(frozen=True)
class Item:
    """A text to be judged: one row of the items file, with all of its columns."""

    id: str
    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    """Every column but ``item`` and ``text``."""
    line: int | None = None

    @property
    def group(self) -> str:
        """What it is a variant of (the base sentence); an item that says nothing is a group of its own."""
        return self.values.get("group") or self.id

    @property
    def system(self) -> str:
        """Who or what wrote it."""
        return self.values.get("system", "")

    @property
    def context(self) -> str:
        """What stands above the text, such as the paragraph that it ends."""
        return self.values.get("context", "")


@dataclass(frozen=True)
class Judgement:
    """One value that one question got: a row of the export."""

    value: Json
    dimension: str = ""
    """Which scale of the question, where it has several."""
    item: str = ""
    """The id of the item that it is about; empty where it is about a page or a person."""
    score: float | None = None
    """How right it is, from 0 to 1, where there is a right answer."""


@dataclass(frozen=True)
class PlannedPage:
    """A page that a participant will see: a block, and items in the order shown (the side, for a pair)."""

    block: str
    items: tuple[str, ...] = ()
    key: str = ""
    """What its items share (the base sentence): what judgements are counted by."""


@dataclass(frozen=True)
class Load:
    """How many participants a condition has."""

    completed: int = 0
    active: int = 0
    """Those who are still at it, and not for so long that they will not come back."""
