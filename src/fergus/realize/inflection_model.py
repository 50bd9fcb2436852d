"""The inflection model: the lexicon, the transducer for what it lacks, and their combination.

    P(form | lemma, category, features)  =  (count + SMOOTHING * P_unseen(form)) / (total + SMOOTHING)

where P_unseen is the transducer's, revised by the lemma's other known forms (``syncretism``) and by what other
lemmas do that end alike (``analogy``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fergus.realize.analogy import Analogy
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon
from fergus.realize.numerals import DigitGrouping, is_long_number
from fergus.realize.sandhi_scores import SandhiModel
from fergus.realize.syncretism import Syncretism
from fergus.realize.transduce import Transducer

SMOOTHING = 0.5
KNOWN = 3
"""A word seen this often has only forms it was seen with. Both were chosen on held-out documents of EWT train, where
1,373 of 94,371 words are wrong (with 1.0 and 5: 1,380)."""
_FLOOR = math.exp(-3)
UNPREDICTABLE = frozenset({"Typo"})
"""Features (of Universal Dependencies) that say that a form is not what its lemma and features make of it."""
VERBATIM = frozenset({"PUNCT"})
"""Categories whose lemmas are their forms."""

UNDIVIDED = frozenset({"NOUN"})
"""Categories of which treebanks now and then take a form for the lemma (*criteria*, *mice*): it stays as it is."""

ALIKE = {"PROPN": "NOUN", "NOUN": "PROPN", "AUX": "VERB", "VERB": "AUX"}
"""Categories whose words are inflected alike: *Securities* as *securities*."""


@dataclass(frozen=True)
class InflectedForm:
    """A form and how probable it is."""

    form: str
    logprob10: float


@dataclass(frozen=True)
class InflectionModel:
    """All that training leaves behind."""

    lexicon: InflectionLexicon
    transducer: Transducer
    sandhi: SandhiModel
    exceptions: InflectionLexicon = field(default_factory=InflectionLexicon)
    """Forms that training was told: for words that the treebank lacks."""

    @cached_property
    def told_forms(self) -> Mapping[tuple[str, str], Sequence[Feats]]:
        """By form and category the features that it was told to have as a form of another word."""
        found: dict[tuple[str, str], list[Feats]] = {}
        for (lemma, upos, feats), forms in self.exceptions.entries.items():
            for form in forms:
                if form != lemma:
                    found.setdefault((form, upos), []).append(feats)
        return found

    @cached_property
    def numerals(self) -> DigitGrouping:
        """How long numbers are written; counted when the first unseen one comes."""
        return DigitGrouping(self.lexicon)

    @cached_property
    def syncretism(self) -> Syncretism:
        """Estimates of equal forms; made when the first unseen word of a known lemma comes."""
        return Syncretism(self.lexicon)

    @cached_property
    def analogy(self) -> Analogy:
        """Changes of endings; counted when the first unseen word comes."""
        return Analogy(self.lexicon, unpredictable=UNPREDICTABLE)

    def forms(self, lemma: str, upos: str, feats: Feats) -> dict[str, float]:
        """Forms in lower case of a lemma in lower case with all its features, and their probabilities."""
        counts = self.lexicon.entries.get((lemma, upos, feats), {})
        total = sum(counts.values())
        if total >= KNOWN or (total and not lemma):
            return {form: count / total for form, count in counts.items()}
        if not lemma:
            return {}
        unseen = self.unseen(lemma, upos, feats)
        if not total:
            return unseen
        return {
            form: (counts.get(form, 0) + SMOOTHING * unseen.get(form, 0.0)) / (total + SMOOTHING)
            for form in {**counts, **unseen}
        }

    def unseen(self, lemma: str, upos: str, feats: Feats) -> dict[str, float]:
        """The same as if the lemma had never been seen with these features."""
        if upos in VERBATIM:
            return {lemma: 1.0}
        sound = tuple(pair for pair in feats if pair[0] not in UNPREDICTABLE)
        if sound != feats and (lemma, upos, sound) in self.lexicon.entries:
            return self.forms(lemma, upos, sound)
        is_seen = (lemma, upos, sound) in self.lexicon.entries
        if not is_seen and (told := self.exceptions.most_specific(lemma, upos, sound)):
            return {form: 1 / len(told) for form in told}
        if upos in UNDIVIDED and any(set(own) <= set(sound) for own in self.told_forms.get((lemma, upos), ())):
            return {lemma: 1.0}
        if alike := self.lexicon.entries.get((lemma, ALIKE.get(upos, ""), sound)):
            return {form: count / sum(alike.values()) for form, count in alike.items()}
        if not is_seen and (told := self.exceptions.most_specific(lemma, ALIKE.get(upos, ""), sound)):
            return {form: 1 / len(told) for form in told}
        if is_long_number(lemma, upos) and (ways := self.numerals.forms(lemma)):
            return ways
        if self.analogy.is_plain(upos, sound):
            return {lemma: 1.0}
        written = {form: math.exp(score) for form, score in self.transducer.forms(lemma, upos, sound)}
        revised = self.syncretism.revised(lemma, upos, sound, written, floor=_FLOOR)
        return self.analogy.revised(lemma, upos, sound, revised)
