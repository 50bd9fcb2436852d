"""How often two cells of a paradigm have the same form, and what that says of a form already known.

English past tenses do not differ by person: *flew* seen with ``Person=3`` is *flew* with ``Person=1`` as well. A
Turkish dative is never a genitive: a form that is known as the one is not the other. Both follow from counts over
all lemmas that were seen in both cells, with back-off to the features in which the cells differ, and to the category.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from fergus.realize.inflection_lexicon import Feats, InflectionLexicon

_PRIOR = 2.0
"""Cells that were compared this often count as much as the estimate they back off to."""
_MOST_CELLS = 40
"""Cells of a lemma that are compared with each other: function words of hundreds of cells tell nothing new."""
_LIKELY = 0.5
_LEAST = 1e-4


class Syncretism:
    """Estimates of equal forms, from a lexicon."""

    def __init__(self, lexicon: InflectionLexicon) -> None:
        self._lexicon = lexicon
        self._pairs: dict[tuple[str, Feats, Feats], list[int]] = {}
        self._differences: dict[tuple[str, frozenset[tuple[str, str]]], list[int]] = {}
        self._categories: dict[str, list[int]] = {}
        for (lemma, upos), cells in lexicon.paradigms.items():
            if lemma and len(cells) > 1:
                forms = [(feats, most_frequent(counts)) for feats, counts in cells.items()][:_MOST_CELLS]
                self._compare(upos, forms)
        self.probability = lru_cache(maxsize=1 << 16)(self._probability)

    def _compare(self, upos: str, forms: list[tuple[Feats, str]]) -> None:
        total = self._categories.setdefault(upos, [0, 0])
        for place, (one, form) in enumerate(forms):
            for other, other_form in forms[:place]:
                same = form == other_form
                difference = frozenset(one).symmetric_difference(other)
                for counts in (
                    self._pairs.setdefault((upos, min(one, other), max(one, other)), [0, 0]),
                    self._differences.setdefault((upos, difference), [0, 0]),
                    total,
                ):
                    counts[0] += same
                    counts[1] += 1

    def _probability(self, upos: str, one: Feats, other: Feats) -> float:
        """That a lemma has the same form in these two cells."""
        estimate = self.base_rate(upos)
        for same, total in (
            self._differences.get((upos, frozenset(one).symmetric_difference(other)), (0, 0)),
            self._pairs.get((upos, min(one, other), max(one, other)), (0, 0)),
        ):
            estimate = (same + _PRIOR * estimate) / (total + _PRIOR)
        return estimate

    def base_rate(self, upos: str) -> float:
        """That two cells of any lemma of a category have the same form."""
        same, total = self._categories.get(upos, (0, 0))
        return (same + 1) / (total + 2)

    def revised(
        self, lemma: str, upos: str, feats: Feats, forms: Mapping[str, float], *, floor: float
    ) -> dict[str, float]:
        """Probabilities of forms for a cell, given what is known of the lemma's other cells; they sum to 1.

        A form that is known from another cell has its odds multiplied by those of the two cells being the same,
        against any two (naive Bayes); likely ones that ``forms`` lacks come in at ``floor``.
        """
        same: dict[str, float] = {}
        for other, counts in self._lexicon.paradigms.get((lemma, upos), {}).items():
            if other != feats:
                form = most_frequent(counts)
                same[form] = max(same.get(form, 0.0), self.probability(upos, feats, other))
        usual = _log_odds(self.base_rate(upos))
        joined = {**{form: floor for form, p in same.items() if p > _LIKELY}, **forms}
        weights = {
            form: p * math.exp(_log_odds(same[form]) - usual) if form in same else p for form, p in joined.items()
        }
        total = sum(weights.values())
        return {form: weight / total for form, weight in weights.items()} if total > 0 else dict(forms)


def most_frequent(counts: Mapping[str, int]) -> str:
    """The form seen most often; of equally frequent ones the first in the alphabet."""
    return min(counts, key=lambda form: (-counts[form], form))


def _log_odds(probability: float) -> float:
    inside = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(inside / (1 - inside))
