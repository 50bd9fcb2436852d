"""The alternatives of a node as the formats write them, checked alike: a word, or a word and its weight."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf

from fergus.core.tree import Choice
from fergus.errors import InputError

WEIGHT_HINT = "write a number above 0; 2 counts twice as much as 1, which is what a word without a weight has"
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+")
# What has a meaning in "Alternatives=buy,purchase:2", in MISC or in a line.
_RESERVED = re.compile(r"[%,:|\s\x1c-\x1e\x85\u2028\u2029]")
_ESCAPED = re.compile(r"((?:%[0-9A-Fa-f]{2})+)")


@dataclass(slots=True)
class Choices:
    """Collects the alternatives of one node; InputError for a bad word, a bad weight, or a word given twice."""

    found: dict[str, Choice] = field(default_factory=dict)

    def add(self, word: str, weight: str | float = 1.0) -> None:
        """Note an alternative; its weight may still be text."""
        if word.splitlines() != [word]:
            raise InputError("an alternative is empty or has a line break in it", remedy="write a word")
        if word in self.found:
            raise InputError(f'the alternative "{word[:40]}" is given twice', remedy="give it once, with its weight")
        if isinstance(weight, str):
            weight = float(weight) if _NUMBER.fullmatch(weight) and len(weight) < 40 else -1.0
        if not 0 < weight < inf:
            raise InputError(f'the weight of "{word[:40]}" is no number above 0', remedy=WEIGHT_HINT)
        self.found[word] = Choice(word, weight)

    @property
    def all(self) -> tuple[Choice, ...]:
        """The alternatives in the order they were given."""
        return tuple(self.found.values())


def weight_text(item: Choice) -> str:
    """The weight as short as it can be read back; nothing if it is 1."""
    if item.weight == 1:
        return ""
    return repr(int(item.weight) if float(item.weight).is_integer() and item.weight < 1e15 else float(item.weight))


def choices_from_misc(text: str) -> tuple[Choice, ...]:
    """What ``Alternatives=`` holds in CoNLL-U, ``buy,purchase:2``; %2C is a comma, %3A a colon, %7C a bar."""
    choices = Choices()
    for item in text.split(","):
        word, colon, weight = item.partition(":")
        choices.add(_unescaped(word), weight if colon else 1.0)
    return choices.all


def choices_to_misc(choices: Iterable[Choice]) -> str:
    """The text that ``choices_from_misc`` reads."""
    return ",".join(
        _RESERVED.sub(_escape, item.word) + (f":{weight}" if (weight := weight_text(item)) else "") for item in choices
    )


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        try:
            return bytes.fromhex(match.group().replace("%", "")).decode()
        except UnicodeDecodeError:
            raise InputError(
                f'"{match.group()[:40]}" is no escaped character', remedy="write a percent sign as %25"
            ) from None

    return _ESCAPED.sub(character, text)
