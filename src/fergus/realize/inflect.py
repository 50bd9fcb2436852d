"""The inflection stage: lemma, category and features, or some of them, become candidate forms.

    go   VERB  Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin    went
    go   VERB  Tense=Past                                               went, gone
    go   VERB                                                           go, going, went, goes, gone

Where features are left open, the forms of all sets of features that fit are summed over, each set as frequent as it
is with this lemma and this category. Which candidate stands in the sentence is decided later, by its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from fergus.core.tree import Node
from fergus.realize.inflection_lexicon import Feats, InflectionLexicon
from fergus.realize.inflection_model import VERBATIM, InflectedForm, InflectionModel
from fergus.realize.word_case import in_case_of, lowered

MOST_CANDIDATES = 8
MOST_BUNDLES = 24
"""Sets of features that are summed over, the most probable ones."""
_LEMMA_PRIOR = 2.0
"""A lemma's own sets of features count as much as its category's once it was seen this often."""
_CACHE_SIZE = 1 << 17


class Inflector:
    """Candidate forms of words, by a trained model and, before it, the user's lexicon."""

    def __init__(self, model: InflectionModel, *, lexicon: InflectionLexicon | None = None) -> None:
        self.model = model
        self.lexicon = lexicon or InflectionLexicon()
        self._cache: dict[tuple[str, str | None, Feats | None, bool | None], tuple[InflectedForm, ...]] = {}

    def inflect(self, node: Node, *, most: int = MOST_CANDIDATES) -> tuple[InflectedForm, ...]:
        """The candidates of a node; one without lemma, or that is punctuation, keeps its form."""
        if node.lemma is None or node.upos in VERBATIM:
            form = node.form or node.lemma
            return (InflectedForm(form, 0.0),) if form else ()
        return self.candidates(node.lemma, node.upos, node.feats, most=most)

    def is_complete(self, node: Node) -> bool:
        """Whether the treebank has words of this category with just these features."""
        given = tuple(sorted(node.feats or ()))
        if node.upos is None or node.lemma is None:
            return False
        return self._is_known(node.upos, self._adapted(lowered(node.lemma), node.upos, given))

    def _is_known(self, upos: str | None, feats: Feats) -> bool:
        return upos is not None and feats in self.model.lexicon.bundles.get(upos, {})

    def candidates(
        self,
        lemma: str,
        upos: str | None,
        feats: Feats | None,
        *,
        most: int = MOST_CANDIDATES,
        complete: bool | None = None,
    ) -> tuple[InflectedForm, ...]:
        """At most ``most`` forms, best first (ties by the alphabet), with log10 probabilities.

        ``complete`` tells whether ``feats`` are all features of the word. If it is None, they are taken for all
        where the treebank has words of this category with just these features.
        """
        key = (lemma, upos, feats, complete)
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _CACHE_SIZE:
                self._cache.clear()
            found = self._cache[key] = self._ranked(lemma, upos, feats, complete)
        return found[:most]

    def _ranked(
        self, lemma: str, upos: str | None, feats: Feats | None, complete: bool | None
    ) -> tuple[InflectedForm, ...]:
        small, given = lowered(lemma), tuple(sorted(feats or ()))
        if complete is None:
            if upos is not None:
                given = self._adapted(small, upos, given)
            complete = self._is_known(upos, given)
        forms: dict[str, float] = {}
        if complete and upos is not None:
            forms = self._forms(small, upos, given)
        else:
            for share, category, bundle in self._bundles(small, upos, given):
                for form, probability in self._forms(small, category, bundle).items():
                    forms[form] = forms.get(form, 0.0) + share * probability
        ranked = sorted((-p, form) for form, p in forms.items() if p > 0)
        return tuple(InflectedForm(in_case_of(lemma, form), math.log10(-minus)) for minus, form in ranked)

    def _adapted(self, lemma: str, upos: str, given: Feats) -> Feats:
        """Features as the treebank has them: another treebank may say more of the same word (*a*, ``Number=Sing``).

        Where no word of the category has all of them, those of the lemma's own sets of features are taken that agree
        with the most of them and contradict none.
        """
        known = set(given)
        if any(known.issubset(feats) for feats in self.model.lexicon.bundles.get(upos, {})):
            return given
        values = dict(given)
        best, shared = given, 0
        for feats in sorted(self.model.lexicon.paradigms.get((lemma, upos), {})):
            agreeing = len(known.intersection(feats))
            if all(values.get(name, value) == value for name, value in feats) and agreeing > shared:
                best, shared = feats, agreeing
        return best

    def _forms(self, lemma: str, upos: str, feats: Feats) -> dict[str, float]:
        if self.lexicon.entries and (own := self.lexicon.most_specific(lemma, upos, feats)):
            return {form: 1 / len(own) for form in own}
        return self.model.forms(lemma, upos, feats)

    def _bundles(self, lemma: str, upos: str | None, given: Feats) -> Iterator[tuple[float, str, Feats]]:
        """Categories and sets of features that have all the given ones, with probabilities that sum to 1."""
        lexicon = self.model.lexicon
        known = set(given)
        general: dict[tuple[str, Feats], float] = {}
        special: dict[tuple[str, Feats], float] = {}
        for category in [upos] if upos is not None else lexicon.bundles:
            for feats, count in lexicon.bundles.get(category, {}).items():
                if known.issubset(feats):
                    general[category, feats] = count
            for feats, forms in lexicon.paradigms.get((lemma, category), {}).items():
                if known.issubset(feats):
                    special[category, feats] = sum(forms.values())
        if not general:
            yield 1.0, upos or "", given
            return
        everything, own = sum(general.values()), sum(special.values())
        shares = {
            key: (special.get(key, 0.0) + _LEMMA_PRIOR * count / everything) / (own + _LEMMA_PRIOR)
            for key, count in general.items()
        }
        chosen = sorted(shares, key=lambda key: (-shares[key], key))[:MOST_BUNDLES]
        total = sum(shares[key] for key in chosen)
        for category, feats in chosen:
            yield shares[category, feats] / total, category, feats
