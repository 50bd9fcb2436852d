"""A study: its texts, its questions, its blocks, and who sees what.

::

    Study ── blocks ──> Block (practice)   questions, which items, how they share pages
          │             Block (main)
          │             Block (about you)  no items: a page of questions
          ├─ items
          └─ assignment, conditions, recruitment
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from fergus.studies.model import Item
from fergus.studies.questions.base import Question

RIGHT_TO_LEFT = frozenset(
    {"ar", "arc", "azb", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"}
)
"""Languages whose usual script runs from right to left."""
RIGHT_TO_LEFT_SCRIPTS = frozenset({"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"})
"""The same of scripts, as ISO 15924 has them."""


@dataclass(frozen=True)
class Block:
    """Some pages in a row that ask the same questions."""

    name: str
    questions: tuple[Question, ...] = ()
    text: str = ""
    """What stands above each of its pages, in Markdown."""
    items: Mapping[str, tuple[str, ...]] | None = None
    """Which items: allowed values by column, {} for all; None for a page without items."""
    page: str = "item"
    """The column whose values share a page: ``item`` for one item a page, ``group`` for all variants of a base."""
    order: Literal["random", "file"] = "random"
    """Of its pages, and of the items on each; items that a question compares are in a random order always."""
    practice: bool = False
    """Shown to everybody, with the right answers, and left out of exports unless asked for."""
    only: tuple[str, ...] = ()
    """The conditions that see it; none named: all."""
    everyone: bool = False
    """Does everybody see all of its items, whatever the design?"""


@dataclass(frozen=True)
class Assignment:
    """Who sees which items of the blocks that are not practice."""

    design: Literal["all", "latin-square", "subsets"] = "all"
    """``all``: everything. ``latin-square``: of each group one variant, in rotation over the values of ``factor``;
    every value makes one condition. ``subsets``: some pages, those that have the fewest judgements so far."""
    factor: str = "system"
    """The column that the Latin square rotates."""
    pages: int | None = None
    """How many pages of a block a participant sees (``subsets``)."""
    judgements: int | None = None
    """The number of participants that each page is to be judged by; a page that has them is given no more."""
    participants: int | None = None
    """The study closes itself after this many have completed it."""
    seed: int = 0


@dataclass(frozen=True)
class Recruitment:
    """Where participants come from and where they go back to."""

    parameters: tuple[str, ...] = ()
    """Parameters of the link that are recorded; the first one tells people apart (``PROLIFIC_PID``)."""
    required: bool = False
    """Must the first parameter be there?"""
    completion_code: str = ""
    completion_url: str = ""
    """Where a participant who is done is sent; ``{code}`` stands for the code, ``{PARAMETER}`` for a parameter."""


@dataclass(frozen=True)
class Study:
    """An experiment, as a study file and an items file describe it."""

    name: str
    """Its name in addresses: small letters, digits, hyphens."""
    title: str
    blocks: tuple[Block, ...]
    items: tuple[Item, ...] = ()
    language: str = "en"
    direction: Literal["ltr", "rtl"] = "ltr"
    """Which way its language is written; a study file need not say so, see ``direction_of``."""
    welcome: str = ""
    """What the first page says, in Markdown, before anything is asked."""
    instructions: str = ""
    """Shown after consent on a page of its own, and always within reach."""
    thanks: str = ""
    """What the last page says."""
    conditions: tuple[str, ...] = ()
    """Groups of participants that see different blocks; chosen by balance, or by the link."""
    assignment: Assignment = Assignment()
    recruitment: Recruitment = Recruitment()
    score: bool = False
    """Does the last page tell how many answers were right, and which items fooled most people?"""
    share: bool = False
    """Does the last page give a link to pass on?"""
    interface: Mapping[str, str] = field(default_factory=dict)
    """The words of buttons and messages, where they are not to be English."""
    version: str = ""
    """What both files hashed to; every answer names it."""

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The items by their ids."""
        return {item.id: item for item in self.items}

    @cached_property
    def by_name(self) -> dict[str, Block]:
        """The blocks by their names."""
        return {block.name: block for block in self.blocks}

    def items_of(self, block: Block) -> tuple[Item, ...]:
        """The items of a block, in the file's order."""
        if block.items is None:
            return ()
        wanted = {column: frozenset(values) for column, values in block.items.items()}
        return tuple(item for item in self.items if all(column_of(item, c) in v for c, v in wanted.items()))

    def pages_of(self, block: Block) -> dict[str, tuple[Item, ...]]:
        """The items of a block by what shares a page."""
        pages: dict[str, list[Item]] = {}
        for item in self.items_of(block):
            pages.setdefault(column_of(item, block.page), []).append(item)
        return {key: tuple(items) for key, items in pages.items()}


def direction_of(language: str) -> Literal["ltr", "rtl"]:
    """Which way a language is written: by the script that its code names, or else the one that it usually has.

    >>> direction_of("ar"), direction_of("az-Arab-IR"), direction_of("ar-Latn"), direction_of("ku")
    ('rtl', 'rtl', 'ltr', 'ltr')
    """
    name, *subtags = language.lower().split("-")
    script = next((subtag for subtag in subtags if len(subtag) == 4 and subtag.isalpha()), None)
    is_rtl = name in RIGHT_TO_LEFT if script is None else script in RIGHT_TO_LEFT_SCRIPTS
    return "rtl" if is_rtl else "ltr"


def column_of(item: Item, column: str) -> str:
    """An item's value in a column; every item has ``item``, ``group`` and ``text``."""
    if column == "item":
        return item.id
    return item.group if column == "group" else item.text if column == "text" else item.values.get(column, "")
