"""Words that a writer took apart: of ``any where`` the treebank says *anywhere*, and ``goeswith`` of the second part.

The lemma and the features are at the first part, the others have neither. Given how many parts there are, the form
of the whole is cut where the parts are words, or where a small letter meets a capital.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from fergus.core.tree import Node
from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.inflection_model import InflectedForm

PART = "goeswith"
_UNSEEN = 0.01
"""The count of a part that is no word of the treebank."""
_LETTER = 1.0
"""What each letter of such a part costs (natural-log units)."""
_CAPITAL = 20.0
"""What speaks for a part that begins with a capital after a small letter (natural-log units)."""
_LONGEST = 60


class WordSplitter:
    """Cuts forms by the words of a lexicon."""

    def __init__(self, lexicon: InflectionLexicon) -> None:
        self._lexicon = lexicon

    def split(
        self, nodes: Sequence[Node], candidates: Sequence[Sequence[InflectedForm]]
    ) -> list[Sequence[InflectedForm]]:
        """The candidates of words in their order; words that were taken apart have their part as the only one."""
        found = list(candidates)
        stop = 0
        for first, node in enumerate(nodes):
            if first < stop or node.lemma is None:
                continue
            stop = first + 1
            while stop < len(nodes) and is_part(nodes[stop]):
                stop += 1
            if stop > first + 1:
                parts = self._parts(node.lemma, candidates[first], stop - first)
                for place, part in enumerate(parts, first):
                    found[place] = (InflectedForm(part, 0.0),)
        return found

    def _parts(self, lemma: str, candidates: Sequence[InflectedForm], count: int) -> list[str]:
        """The best way to cut the lemma or one of the forms; nothing if none is long enough."""
        wholes = {lemma: -math.log(2), **{one.form: one.logprob10 * math.log(10) for one in candidates}}
        best: tuple[float, list[str]] = (-math.inf, [])
        for whole in sorted(wholes):
            if max(count, len(lemma) - 2) <= len(whole) <= _LONGEST:  # a shorter one was the first part of something
                score, parts = self._cut(whole, count)
                best = max(best, (score + wholes[whole], parts), key=lambda pair: pair[0])
        return best[1]

    def _cut(self, whole: str, count: int) -> tuple[float, list[str]]:
        """The best parts of a form, by dynamic programming over where each of them ends."""
        size = len(whole)
        scores = {0: 0.0}
        came: list[dict[int, int]] = []
        for number in range(1, count + 1):
            ends: dict[int, float] = {}
            origin: dict[int, int] = {}
            for end in range(number, size - (count - number) + 1) if number < count else (size,):
                for start, score in scores.items():
                    if start < end:
                        total = score + self._score(whole, start, end)
                        if total > ends.get(end, -math.inf):
                            ends[end], origin[end] = total, start
            scores = ends
            came.append(origin)
        parts, end = [], size
        for origin in reversed(came):
            parts.append(whole[origin[end] : end])
            end = origin[end]
        return scores[size], parts[::-1]

    def _score(self, whole: str, start: int, end: int) -> float:
        part = whole[start:end]
        seen = self._counts.get(part.lower(), 0)
        score = math.log(seen) if seen else math.log(_UNSEEN) - _LETTER * len(part)
        if start and part[0].isupper() and (whole[start - 1].islower() or part[1:2].islower()):
            score += _CAPITAL
        return score - self._log_total

    @cached_property
    def _counts(self) -> Counter[str]:
        """How often each form was seen as a word of its own."""
        counts: Counter[str] = Counter()
        for (lemma, _, _), forms in self._lexicon.entries.items():
            for form, count in forms.items():
                if lemma:
                    counts[form.lower()] += count
        return counts

    @cached_property
    def _log_total(self) -> float:
        return math.log(max(self._counts.total(), 1))


def is_part(node: Node) -> bool:
    """Whether a node is a further part of the word before it."""
    return node.lemma is None and node.deprel is not None and node.deprel.split(":")[0] == PART
