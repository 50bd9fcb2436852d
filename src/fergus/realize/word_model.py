"""The model of lexical choice: how often words stand in contexts, and how much each kind of context weighs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.errors import ModelError
from fergus.realize.model import Section, reads_section
from fergus.realize.word_context import KINDS, Hashes, event_keys, word_hash

STEPS = 16
"""Counts are stored as logarithms, in this many steps for each doubling."""
TEXT = "text"
"""The category of the words of plain text, which have none."""
_BROKEN = "the word model is broken; train or copy the model again"


@dataclass(frozen=True)
class WordModel:
    """Counts of words, of contexts and of words in contexts, by hashed keys; what was seen once may be left out."""

    keys: NDArray[np.uint32]
    """Ascending."""
    counts: NDArray[np.float32]
    relations: Mapping[str, tuple[str, ...]]
    """For every category the relations below it whose absence tells something."""
    weights: NDArray[np.float64]
    """Of the word's frequency, of its frequency in plain text, and of every kind of context."""
    prior: float
    """How often a context counts as seen with a word, as it is with any word of the category."""

    def count(self, words: Hashes, contexts: Hashes) -> NDArray[np.float64]:
        """How often words stood in contexts; the arrays are broadcast together."""
        wanted = event_keys(words, contexts)
        if not len(self.keys):
            return np.zeros(wanted.shape)
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, self.counts[place], 0.0).astype(np.float64)

    def evidence(
        self, words: list[str], category: str, kinds: NDArray[np.int64], contexts: Hashes
    ) -> NDArray[np.float64]:
        """For every word a row: log frequency, log frequency in text, and how each kind of context speaks for it.

        A context speaks by log P(context | word) / P(context | category), smoothed towards 0.
        """
        hashes = np.array([word_hash(word, category) for word in words], np.uint64)
        texts = np.array([word_hash(word, TEXT) for word in words], np.uint64)
        of_category = np.array([word_hash("", category)], np.uint64)
        none = np.zeros(1, np.uint64)
        seen = self.count(hashes, none)
        rows = np.zeros((len(words), 2 + len(KINDS)))
        rows[:, 0] = np.log(seen + UNSEEN)
        rows[:, 1] = np.log(self.count(texts, none) + 1.0)
        with_any = self.count(of_category, contexts)
        known = with_any > 0
        if known.any():
            kinds, contexts = kinds[known], contexts[known]
            share = with_any[known] / self.count(of_category, none)
            joint = self.count(hashes[:, None], contexts[None, :])
            ratios = np.log((joint / share + self.prior) / (seen[:, None] + self.prior))
            for kind in set(kinds.tolist()):
                rows[:, 2 + kind] = ratios[:, kinds == kind].sum(axis=1)
        return rows


UNSEEN = 0.2
"""A word that the treebank does not have counts as seen this often."""


def words_section(model: WordModel) -> Section:
    """The model as it is stored: keys as differences, bytes of one rank together, and counts as logarithms."""
    differences = np.diff(model.keys, prepend=np.uint32(0)).astype("<u4")
    codes = np.rint(np.log2(np.maximum(model.counts, 1)) * STEPS).clip(0, 255).astype(np.uint8)
    settings: dict[str, Any] = {
        "kinds": list(KINDS),
        "relations": {category: list(relations) for category, relations in model.relations.items()},
        "weights": [round(float(weight), 4) for weight in model.weights],
        "prior": model.prior,
    }
    arrays = {"keys": np.ascontiguousarray(differences.view(np.uint8).reshape(-1, 4).T), "counts": codes}
    return Section(settings, arrays)


@reads_section
def words_from(section: Section) -> WordModel:
    """The model of a section."""
    stored, codes, settings = section.arrays["keys"], section.arrays["counts"], section.settings
    weights = np.array(settings["weights"], np.float64)
    if stored.shape != (4, len(codes)) or stored.dtype != np.uint8 or codes.dtype != np.uint8:
        raise ModelError(_BROKEN)
    if tuple(settings["kinds"]) != KINDS or weights.shape != (2 + len(KINDS),):
        raise ModelError("the word model looks at other kinds of context than this Fergus; train the model again")
    differences = np.ascontiguousarray(stored.T).view("<u4").reshape(-1)
    keys = np.cumsum(differences, dtype=np.uint64)
    if len(keys) and keys[-1] >= 1 << 32:
        raise ModelError(_BROKEN)
    relations = {category: tuple(names) for category, names in settings["relations"].items()}
    counts = np.exp2(codes / np.float32(STEPS)).astype(np.float32)
    return WordModel(keys.astype(np.uint32), counts, relations, weights, float(settings["prior"]))
