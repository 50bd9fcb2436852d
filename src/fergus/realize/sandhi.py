"""Forms that depend on their neighbours: of each word's candidates the one that suits the sentence.

    a apple -> an apple     de eau -> d' eau     do not -> do n't     kitap mi -> kitap mı

External sandhi, contraction, elision and harmony across words, learned: a conditional random field on the chain of
the sentence's words scores every candidate by itself and with its neighbours', and the best path is found exactly.
Words with a single candidate cost nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fergus.compiled import compiled
from fergus.core.tree import Node
from fergus.realize.inflection_model import InflectedForm
from fergus.realize.openings import with_openings
from fergus.realize.sandhi_scores import MOST_FORMS, SandhiEncoder, SandhiModel, chain_scores


class FormChooser:
    """Chooses among candidate forms of words in their order."""

    def __init__(self, model: SandhiModel) -> None:
        self.model = model
        self._encoder = SandhiEncoder(model.vowels)

    def choose(self, nodes: Sequence[Node], candidates: Sequence[Sequence[InflectedForm]]) -> tuple[int, ...]:
        """For every word the place of its form among its candidates; a word without candidates gets 0."""
        if all(len(own) < 2 for own in candidates):
            return (0,) * len(nodes)
        pairs = [
            [(one.form, one.logprob10 * math.log(10)) for one in own[:MOST_FORMS]] or [(node.form, 0.0)]
            for node, own in zip(nodes, candidates, strict=True)
        ]
        heard = with_openings(self.model.openings, nodes, pairs)
        best = best_path(*self._encoder.encode(nodes, heard), self.model.weights)
        return tuple(best.tolist())


@compiled
def best_path(words, forms, start, base, sentence, weights):
    """The candidate of every word on the best path; of equal ones the first."""
    n = words.shape[0]
    own, pair = np.zeros((n, MOST_FORMS)), np.zeros((n, MOST_FORMS, MOST_FORMS))
    chain_scores(words, forms, start, base, sentence, weights, np.uint64(0), np.uint64(0), own, pair)
    came_from = np.zeros((n, MOST_FORMS), np.int32)
    for i in range(1, n):
        for y in range(start[i + 1] - start[i]):
            best = 0
            for x in range(start[i] - start[i - 1]):
                if own[i - 1, x] + pair[i - 1, x, y] > own[i - 1, best] + pair[i - 1, best, y]:
                    best = x
            came_from[i, y] = best
            own[i, y] += own[i - 1, best] + pair[i - 1, best, y]
    chosen = np.zeros(n, np.int32)
    for x in range(start[n] - start[n - 1]):
        if own[n - 1, x] > own[n - 1, chosen[n - 1]]:
            chosen[n - 1] = x
    for i in range(n - 1, 0, -1):
        chosen[i - 1] = came_from[i, chosen[i]]
    return chosen
