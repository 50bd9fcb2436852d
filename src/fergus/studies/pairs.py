"""Pairs for the Turing-style test, with control pairs (section 4.4 of Hardcastle and Scott 2008)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from fergus.errors import InputError

HUMAN, MACHINE = "human", "machine"
Kind = Literal["", "human-human", "machine-machine"]


@dataclass(frozen=True)
class Text:
    """A text of somebody's."""

    text: str
    system: str


@dataclass(frozen=True)
class ChosenPair:
    """Two texts of the same line."""

    line: int
    """From 1."""
    texts: tuple[Text, Text]
    kind: Kind = ""
    """Empty for a person's text and a machine's; the two kinds of control pairs have names."""

    def rows(self) -> list[dict[str, str]]:
        """The rows of the items file."""
        authors = {"": (HUMAN, MACHINE), "human-human": (HUMAN, HUMAN), "machine-machine": (MACHINE, MACHINE)}[
            self.kind
        ]
        group = f"{self.kind or 'pair'}-{self.line}"
        return [
            {
                "item": f"{group}-{number}",
                "group": group,
                "author": author,
                "system": text.system,
                "block": "main",
                "control": self.kind,
                "text": text.text,
            }
            for number, (author, text) in enumerate(zip(authors, self.texts, strict=True), 1)
        ]


def choose_pairs(
    human: Sequence[Sequence[Text]],
    generated: Sequence[Sequence[Text]],
    *,
    count: int,
    controls: int,
    random: Random,
) -> list[ChosenPair]:
    """Pairs of lines by chance, no line twice: a person's text and a machine's, then controls of the lines left.

    ``human`` and ``generated`` are parallel lists of texts, one list a file. Where several machines are given they take
    turns. Lines whose two texts are the same, or one of which is empty, make no pair.
    """
    lines = list(range(len(human[0])))
    random.shuffle(lines)
    sources: list[tuple[Kind, int, Sequence[Sequence[Text]], Sequence[Sequence[Text]]]] = [
        ("", count, human[:1], generated),
        ("human-human", controls, human[:1], human[1:]),
        ("machine-machine", controls, generated[:1], generated[1:]),
    ]
    found: list[ChosenPair] = []
    for kind, wanted, firsts, seconds in sources:
        if not seconds:
            continue
        taken = 0
        for line in list(lines):
            if taken == wanted:
                break
            pair = firsts[0][line], seconds[taken % len(seconds)][line]
            if all(text.text.strip() for text in pair) and pair[0].text.strip() != pair[1].text.strip():
                found.append(ChosenPair(line + 1, pair, kind))
                lines.remove(line)
                taken += 1
    if not any(pair.kind == "" for pair in found):
        problem = "no line has two different texts, a person's and a machine's"
        raise InputError(problem, remedy="give parallel files, a text of a person beside one of a machine")
    order = {"": 0, "human-human": 1, "machine-machine": 2}
    return sorted(found, key=lambda pair: (order[pair.kind], pair.line))
