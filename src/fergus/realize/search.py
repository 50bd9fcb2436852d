"""The LP Chooser on trees: words become the language model's, readings parallel arcs, paths orders of nodes again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.core.realization import Scores
from fergus.core.tree import DependencyTree
from fergus.lm.kernels import lm_score
from fergus.lm.model import NgramModel
from fergus.lm.tokenize import normalise
from fergus.realize.alternatives import Alternatives, with_alternatives
from fergus.realize.choose_path import LN10, NOTHING, PathChooser
from fergus.realize.features import Ints, TreeArrays
from fergus.realize.presets import Unraveled
from fergus.realize.readings import Completed, Reading


class Found(NamedTuple):
    """One of the n best paths."""

    order: tuple[int, ...]
    readings: tuple[Reading, ...]
    """The reading of every node in this order; none if the tree came with its words."""
    scores: Scores


class Search:
    """Searches lattices with one language model; remembers the ids of words."""

    def __init__(self, language_model: NgramModel) -> None:
        self.language_model = language_model
        self._word_ids: dict[str, int] = {"": NOTHING}

    def best(
        self,
        completed: Completed,
        arrays: TreeArrays,
        unraveled: Unraveled,
        words: Ints,
        keys: NDArray[np.int64],
        *,
        n: int,
    ) -> list[Found]:
        """The LP Chooser's n best, in the given tree's numbers; ``words`` and ``keys`` are of the completed tree."""
        chooser = PathChooser(self.language_model, unraveled.lm_weight, beam=unraveled.beam)
        if not completed.readings:
            return [
                Found(tuple(arrays.original[order].tolist()), (), self.scores(score, words[order], unraveled))
                for order, score in chooser.choose(unraveled.lattice, words, keys, n=n)
            ]
        alternatives = Alternatives.of(completed.alternatives(arrays.original.tolist()))
        words, keys = self.ids(alternatives.forms)
        lattice = with_alternatives(unraveled.lattice, alternatives)
        found = []
        for path, score in chooser.choose(lattice, words, keys, n=n, length=len(completed.tree)):
            nodes = alternatives.node[path]
            order = tuple(arrays.original[nodes].tolist())
            chosen = (path - alternatives.first[nodes]).tolist()
            readings = tuple(completed.readings[node][number] for node, number in zip(order, chosen, strict=True))
            spelled = words[path]
            found.append(Found(order, readings, self.scores(score, spelled[spelled != NOTHING], unraveled)))
        return found

    def scores(self, total: float, words: Ints, unraveled: Unraveled) -> Scores:
        """The total score and its parts."""
        logprob10 = float(np.sum(lm_score(self.language_model.tables, words)))
        return Scores(total, total - unraveled.lm_weight * LN10 * logprob10, logprob10)

    def words(self, tree: DependencyTree, arrays: TreeArrays) -> tuple[Ints, NDArray[np.int64]]:
        """The language model's ids of the nodes, and keys that are equal where two nodes print the same."""
        words, keys = self.ids([node.form for node in tree.nodes])
        return words[arrays.original], keys[arrays.original]

    def ids(self, forms: Sequence[str]) -> tuple[Ints, NDArray[np.int64]]:
        """The same of forms, the empty one being no word."""
        ids = self._word_ids
        for form in forms:
            if form not in ids:
                ids[form] = self.language_model.id(normalise(form))
        number: dict[str, int] = {}
        keys = [number.setdefault(form, len(number)) for form in forms]
        return np.array([ids[form] for form in forms], np.int32), np.array(keys, np.int64)
