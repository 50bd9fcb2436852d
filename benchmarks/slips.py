"""Sentences whose spacing nothing could foretell: slips of the writer, told by what all other writers do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from fergus.core.tree import OrderedTree
from fergus.realize.written_form import CONTRACTED, SPACE, written_sentence

SURE = 0.99
CASES = 100

Pair = tuple[str, str]


@dataclass(frozen=True)
class Slips:
    """Kinds of neighbouring words that are joined, or kept apart, in nearly all cases."""

    usual: dict[Pair, int]

    @classmethod
    def learned(cls, trees: Iterable[OrderedTree]) -> Slips:
        """Count how neighbours of each kind are written."""
        counts: dict[Pair, Counter[int]] = {}
        for ordered in trees:
            for pair, gap in _gaps(ordered):
                counts.setdefault(pair, Counter())[gap] += 1
        usual = {}
        for pair, seen in counts.items():
            gap, count = seen.most_common(1)[0]
            if seen.total() >= CASES and count >= SURE * seen.total():
                usual[pair] = gap
        return cls(usual)

    def has_one(self, ordered: OrderedTree) -> bool:
        """Whether a sentence goes against the usual, or says itself that it lacks a space."""
        if any("CorrectSpaceAfter=Yes" in (node.misc or "") for node in ordered.tree.nodes):
            return True
        if any("CorrectSpaceAfter=Yes" in value for key, value in ordered.tree.metadata if key.endswith(" misc")):
            return True
        return any(self.usual.get(pair, gap) != gap for pair, gap in _gaps(ordered))


def _gaps(ordered: OrderedTree) -> list[tuple[Pair, int]]:
    """The kinds of both words and the gap, outside of multiword tokens."""
    written = written_sentence(ordered)
    if written is None:
        return []
    words = {word.identifier: i for i, word in enumerate(written.words)}
    inside: set[int] = set()
    for key, _ in ordered.tree.metadata:
        if key.startswith("multiword ") and not key.endswith(" misc"):
            first, last = key.removeprefix("multiword ").split("-")
            inside.update(range(words[first], words[last]))
    kinds = [_kind(word.form) for word in written.words]
    return [
        ((kinds[i], kinds[i + 1]), SPACE if gap == SPACE else 1)
        for i, gap in enumerate(written.gaps)
        if i not in inside and gap != CONTRACTED
    ]


def _kind(form: str) -> str:
    """A word of letters as x, a number as 0, anything else as it is."""
    return "x" if form.isalpha() else "0" if form[:1].isdigit() else form.lower()
