"""Analogy: what other lemmas that end alike do to their endings with the same features (*box*, *boxes*: *fox*, ...).

    fox  NOUN  Number=Plur    after -ox +es, after -x +es, after any letter +s

A change of ending is counted at every length of the lemma's ending, each estimate backing off to that of the shorter
one. A doubled letter (*stop*, *stopped*) is noted as such, so that other letters can be doubled too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from fergus.realize.exponents import shared_beginning
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon
from fergus.realize.syncretism import most_frequent

LONGEST = 4
"""Letters of an ending."""
WEIGHT = 0.2
"""The power of these probabilities beside the transducer's; chosen on held-out parts of three treebanks."""
_PRIOR = 3.0
"""Lemmas with an ending count as much as the estimate they back off to once there are so many."""
PLAIN, ENOUGH = 0.99, 30
"""The share of unchanged lemmas that makes a habit, and how many it takes. Below 1 it is the odd spelling that differs,
which no rule tells; letter by letter it would take ten times as long to find the lemma again."""
_LEAST = 1e-3
_DOUBLED = "2"

Change = tuple[str, str]


class Analogy:
    """The changes of endings in a lexicon, a lemma counting once for all its features."""

    def __init__(self, lexicon: InflectionLexicon, *, unpredictable: Collection[str] = ()) -> None:
        self._changes: dict[tuple[str, Feats, str], Counter[Change]] = {}
        for (lemma, upos, feats), counts in lexicon.entries.items():
            if lemma and not any(name in unpredictable for name, _ in feats):
                change = change_of(lemma, most_frequent(counts))
                for ending in _endings(lemma):
                    self._changes.setdefault((upos, feats, ending), Counter())[change] += 1
        self._totals = {key: counts.total() for key, counts in self._changes.items()}

    def is_plain(self, upos: str, feats: Feats) -> bool:
        """Whether words with these features are nearly always their lemmas, as singulars are in English."""
        total = self._totals.get((upos, feats, ""), 0)
        return total >= ENOUGH and self._changes[upos, feats, ""]["", ""] >= PLAIN * total

    def probability(self, lemma: str, upos: str, feats: Feats, form: str) -> float | None:
        """That a lemma which ends like this one changes into such a form; None if no word has these features."""
        if (upos, feats, "") not in self._changes:
            return None
        change, estimate = change_of(lemma, form), _LEAST
        for ending in _endings(lemma):
            counts = self._changes.get((upos, feats, ending))
            if counts is None:
                break
            estimate = (counts[change] + _PRIOR * estimate) / (self._totals[upos, feats, ending] + _PRIOR)
        return estimate

    def revised(self, lemma: str, upos: str, feats: Feats, forms: Mapping[str, float]) -> dict[str, float]:
        """Probabilities of forms with this evidence; they sum to 1."""
        weights = {}
        for form, probability in forms.items():
            alike = self.probability(lemma, upos, feats, form)
            weights[form] = probability if alike is None else probability * alike**WEIGHT
        total = sum(weights.values())
        return {form: weight / total for form, weight in weights.items()} if total > 0 else dict(forms)


def change_of(lemma: str, form: str) -> Change:
    """What is taken from the end of the lemma, and what is put in its place."""
    shared = shared_beginning(lemma, form)
    old, new = lemma[shared:], form[shared:]
    if lemma and not old and len(new) > 1 and new[0] == lemma[-1]:
        return old, _DOUBLED + new[1:]
    return old, new


def _endings(lemma: str) -> list[str]:
    """The endings of a lemma, shortest first."""
    return ["", *(lemma[-length:] for length in range(1, min(LONGEST, len(lemma)) + 1))]
