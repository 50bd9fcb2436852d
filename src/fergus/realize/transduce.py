"""Forms of unseen lemmas and features: a log-linear transducer that writes a form letter by letter.

At every step one of a few actions is taken: copy or delete the lemma's next letter, write a letter, stop. Its
probability depends on where in the lemma we are, on the letters written last, on the word's features, alone and in
pairs, and on those whose exponents have not been written yet (Durrett and DeNero 2013 label the lemma's letters in
this manner; Aharoni and Goldberg 2017 write letter by letter). A beam finds the best forms; the probabilities of
different ways to the same form are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.realize.exponents import Exponents
from fergus.realize.features import Ints, hashed
from fergus.realize.transducer_search import search_forms
from fergus.realize.transducer_state import MOST_FEATS, ZONES, stretch_hash

Feats = tuple[tuple[str, str], ...]
LONGEST_LEMMA = 64
"""Longer lemmas (addresses, mostly) are copied."""
BEAM = 6


class Conditions(NamedTuple):
    """What is known of a word before its form is written, for compiled code."""

    lemma: Ints
    """Letter numbers, counted from 1; letters that training has not seen come after the last of the alphabet."""
    labels: NDArray[np.uint64]
    """Hashes of category with all features, of the category, of category with each feature."""
    plain: NDArray[np.uint64]
    """Hashes of each feature whatever the category."""
    lemma_hash: int
    category: int
    exponents: NDArray[np.uint64]
    """Hashes of the exponents of all features."""
    exponent_labels: Ints
    """For every exponent the place of its feature among ``labels``."""
    expressed: int
    """A bit for each label that has exponents."""


@dataclass(frozen=True)
class Transducer:
    """The alphabet, what each category's words may do, the exponents and the weights of the hashed features."""

    letters: str
    vowels: frozenset[str]
    categories: tuple[str, ...]
    actions: tuple[tuple[int, ...], ...]
    """Actions seen in each of the ``ZONES`` of a lemma (letters left, up to the last), category by category."""
    exponents: Exponents
    weights: NDArray[np.float32]

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {letter: number for number, letter in enumerate(self.letters, 1)}

    @cached_property
    def vowel_flags(self) -> NDArray[np.bool_]:
        """For every letter number whether it is a vowel, with room for the unknown letters of a lemma."""
        flags = np.zeros(len(self.letters) + LONGEST_LEMMA + 2, np.bool_)
        for number, letter in enumerate(self.letters, 1):
            flags[number] = letter in self.vowels
        return flags

    @cached_property
    def action_table(self) -> tuple[Ints, Ints]:
        """Where each row of actions begins, and all of them; the last rows are for words of unknown category."""
        rows = [list(row) for row in self.actions]
        rows += [sorted(set().union(*self.actions[zone::ZONES])) for zone in range(ZONES)]
        start = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        return start, np.array([action for row in rows for action in row], np.int32)

    def conditions(self, lemma: str, upos: str, feats: Feats) -> Conditions:
        """The word as arrays; lemma in lower case."""
        feats = feats[:MOST_FEATS]
        unknown: dict[str, int] = {}
        last = len(self.letters)
        numbers = [self._numbers.get(letter) or unknown.setdefault(letter, last + 1 + len(unknown)) for letter in lemma]
        labels = [hashed("|".join((upos, *(f"{name}={value}" for name, value in feats)))), hashed(f"upos {upos}")]
        plain = [hashed(f"{name}={value}") for name, value in feats]
        hashes, owners, expressed = [], [], 0
        for place, (name, value) in enumerate(feats, 2):
            labels.append(hashed(f"{upos} {name}={value}"))
            for stretch in self.exponents.get((upos, name, value), ()):
                hashes.append(stretch_hash(stretch, self._numbers))
                owners.append(place)
                expressed |= 1 << place
        category = self.categories.index(upos) if upos in self.categories else len(self.categories)
        return Conditions(
            np.array(numbers, np.int32), np.array(labels, np.uint64), np.array(plain, np.uint64),
            hashed(f"lemma {lemma}"), category,
            np.array(hashes, np.uint64), np.array(owners, np.int32), expressed,
        )  # fmt: skip

    def forms(self, lemma: str, upos: str, feats: Feats, *, beam: int = BEAM) -> list[tuple[str, float]]:
        """The most probable forms of a lemma in lower case, with natural-log probabilities, best first."""
        if not 0 < len(lemma) <= LONGEST_LEMMA or not self.categories:
            return [(lemma, 0.0)]
        word = self.conditions(lemma, upos, feats)
        start, actions = self.action_table
        written, lengths, scores = search_forms(
            word.lemma, word.labels, word.plain, np.uint64(word.lemma_hash), word.category, word.exponents,
            word.exponent_labels, np.uint64(word.expressed), start, actions, self.vowel_flags, len(self.letters),
            self.weights, beam,
        )  # fmt: skip
        spelled = dict(zip(word.lemma.tolist(), lemma, strict=True))
        found = []
        for row, length, score in zip(written.tolist(), lengths.tolist(), scores.tolist(), strict=True):
            form = "".join(spelled.get(number) or self.letters[number - 1] for number in row[:length])
            if form:
                found.append((form, score))
        return found or [(lemma, 0.0)]
