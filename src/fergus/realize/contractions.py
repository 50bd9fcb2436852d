"""Words that are written as one, and not as the one after the other: French *de le* is *du*.

The table holds sequences of words in small letters with what is written for them. Two rules go beyond it, each
only if the treebank has shown it: a table's pair whose second word goes on (*à le* is *au*, so *à lequel* is
*auquel*), and a word that the next one repeats (Turkish *lira liralık*, written *liralık*).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

NO_CONTRACTION, FROM_TABLE, BY_RULE = 1, 2, 3
"""What is known of a gap, as the model sees it."""
SHORTEST_REPEATED = 2


@dataclass(frozen=True)
class Contractions:
    """A table of contractions and whether the two rules hold."""

    table: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    extends: bool = False
    repeats: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "_longest", max(map(len, self.table), default=2))
        object.__setattr__(self, "_firsts", frozenset(key[0] for key in self.table))

    _longest: int = field(default=2, init=False, repr=False, compare=False)
    _firsts: frozenset[str] = field(default=frozenset(), init=False, repr=False, compare=False)

    def __bool__(self) -> bool:
        return bool(self.table) or self.repeats

    def known(self, words: Sequence[str]) -> list[int]:
        """Of every gap between words whether it may be contracted: NO_CONTRACTION, FROM_TABLE or BY_RULE."""
        lower = [word.lower() for word in words]
        gaps = [NO_CONTRACTION] * max(len(words) - 1, 0)
        for start in range(len(gaps)):
            if lower[start] in self._firsts:
                for stop in range(start + 2, min(start + self._longest, len(words)) + 1):
                    if tuple(lower[start:stop]) in self.table:
                        gaps[start : stop - 1] = [FROM_TABLE] * (stop - 1 - start)
            if gaps[start] == NO_CONTRACTION and self._by_rule(lower[start], lower[start + 1]) is not None:
                gaps[start] = BY_RULE
        return gaps

    def written(self, words: Sequence[str]) -> str:
        """What is written for words between which all gaps are contracted; where nothing is known, side by side."""
        lower = [word.lower() for word in words]
        out, start = "", 0
        while start < len(words):
            for stop in range(min(start + self._longest, len(words)), start + 1, -1):
                if (text := self.table.get(tuple(lower[start:stop]))) is not None:
                    break
            else:
                stop = start + 2
                text = self._by_rule(*lower[start:stop]) if stop <= len(words) else None
                if text is None:
                    stop, text = start + 1, words[start]
            out += in_case_of(text, words[start:stop])
            start = stop
        return out

    def _by_rule(self, left: str, right: str) -> str | None:
        if self.extends and left in self._firsts:
            for end in range(len(right) - 1, 0, -1):
                if (text := self.table.get((left, right[:end]))) is not None:
                    return text + right[end:]
        if self.repeats and SHORTEST_REPEATED <= len(left) < len(right) and right.startswith(left):
            return right
        return None


def in_case_of(text: str, words: Sequence[str]) -> str:
    """The text in capitals or with a first capital, as the first of the words has it (``DE le``: *DU*)."""
    first = words[0]
    if len(words) > 1 and text.islower() and first[:1].isupper():
        in_capitals = first.isupper() and (len(first) > 1 or (len(words[1]) > 1 and words[1].isupper()))
        return text.upper() if in_capitals else text[:1].upper() + text[1:]
    return text


def learn_contractions(multiword: Iterable[tuple[Sequence[str], str]]) -> Contractions:
    """The contractions among multiword tokens, given as their words and what is written for them.

    Where a sequence is written in several ways, the most frequent one is taken, of equals the first by the
    alphabet. What a rule explains stays in the table too: it was seen.
    """
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for words, text in multiword:
        if "".join(words) != text:
            key = tuple(word.lower() for word in words)
            counts.setdefault(key, Counter())[text.lower()] += 1
    table = {key: min(seen, key=lambda text: (-seen[text], text)) for key, seen in sorted(counts.items())}
    pairs = {key: text for key, text in table.items() if len(key) == 2}
    repeated = {key: text for key, text in pairs.items() if text == key[1] and text.startswith(key[0])}
    extended = [
        key
        for (left, right), text in pairs.items()
        if (key := (left, right)) not in repeated
        and any(pairs.get((left, right[:end])) == text[: end - len(right)] for end in range(1, len(right)))
    ]
    return Contractions(table, extends=len(extended) >= 2, repeats=len(repeated) >= 2)
