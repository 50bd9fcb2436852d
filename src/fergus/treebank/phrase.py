"""Phrase-structure trees as the Penn Treebank writes them, and what its labels and traces say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
_TRACE_INDEX = re.compile(r"\*T\*-([0-9]+)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, or a word under its part-of-speech tag.

    ``NP-SBJ-1`` is category NP, function SBJ, index 1: the index is that of a trace elsewhere.
    """

    category: str
    functions: tuple[str, ...] = ()
    index: str = ""
    children: tuple[Phrase, ...] = ()
    word: str = ""
    """The word as the file has it; empty for a phrase."""
    position: int = -1
    """Of a word, its place in the sentence without empty elements."""

    @property
    def is_word(self) -> bool:
        """Whether this is a word with its tag and not a phrase."""
        return bool(self.word)

    @property
    def form(self) -> str:
        """The word without the escapes of the file format."""
        return _ESCAPES.get(self.word, self.word.replace("\\/", "/").replace("\\*", "*"))

    @property
    def is_possessor(self) -> bool:
        """Whether this is a noun phrase that ends in a possessive marker."""
        return bool(self.children) and self.children[-1].category == "POS"

    def words(self) -> Iterator[Phrase]:
        """The words below, first to last."""
        stack = [self]
        while stack:
            phrase = stack.pop()
            if phrase.is_word:
                yield phrase
            stack.extend(reversed(phrase.children))


def parse_label(label: str) -> tuple[str, tuple[str, ...], str]:
    """Category, functions and index of a label.

    >>> parse_label("NP-SBJ-1")
    ('NP', ('SBJ',), '1')
    """
    if label.startswith("-"):  # -NONE-, -LRB-, -RRB-
        return label, (), ""
    # NP=2 marks the parallel part of a gapped conjunct, which is no index of a trace.
    category, *rest = label.partition("=")[0].split("-")
    functions = tuple(part for part in rest if part and not part.isdecimal())
    index = next((part for part in rest if part.isdecimal()), "")
    # ADVP|PRT: the annotators could not decide; nor can we, so the first it is.
    return category.partition("|")[0], functions, index


def trace_index(word: str) -> str:
    """The index of what was moved away from this empty element, if it was moved and not merely left out."""
    match = _TRACE_INDEX.fullmatch(word)
    return match.group(1) if match else ""
