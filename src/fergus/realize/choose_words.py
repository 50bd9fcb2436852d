"""The stage of lexical choice: how well each of some words would stand at a node, by its unordered tree (section 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fergus.core.tree import DependencyTree
from fergus.realize.word_context import context_hash, contexts, word_hash
from fergus.realize.word_model import WordModel


class WordChooser:
    """Scores words by the counts of a treebank."""

    def __init__(self, model: WordModel) -> None:
        self.model = model

    def scores(self, tree: DependencyTree, node: int, lemmas: Sequence[str]) -> tuple[float, ...]:
        """Natural log probabilities of the lemmas at this node, among themselves; its own word is not looked at."""
        if not lemmas:
            return ()
        words = [lemma.lower() for lemma in lemmas]
        category = tree.nodes[node].upos
        if category is None:
            category = self._category(words)
        found = sorted(contexts(tree, node, self.model.relations))
        kinds = np.array([kind for kind, _ in found], np.int64)
        hashes = np.array([context_hash(*context) for context in found], np.uint64)
        totals = self.model.evidence(words, category, kinds, hashes) @ self.model.weights
        totals -= totals.max()
        return tuple((totals - np.log(np.exp(totals).sum())).tolist())

    def _category(self, words: Sequence[str]) -> str:
        """The category that the treebank has these words in most often; of equals the first in the alphabet."""
        categories = sorted(self.model.relations)
        none = np.zeros(1, np.uint64)
        counts = [
            self.model.count(np.array([word_hash(word, category) for word in words], np.uint64), none).sum()
            for category in categories
        ]
        return categories[int(np.argmax(counts))] if categories else ""
