"""NIST (Doddington 2002): n-grams weighed by their information, the rarer the more.

    information(w1 ... wn) = log2(count(w1 ... wn-1) / count(w1 ... wn))

in bits, the counts being those of all references together, and for n = 1 the numerator all their tokens.
For every n the information of the matched n-grams is divided by the number of n-grams of the hypotheses;
the score is the sum over n, times a penalty for being short (1/2 at two thirds of the reference's length).

Scores equal those of NLTK's ``corpus_nist``. With one reference a sentence these are mteval-v13a's. With
several, NLTK (and we) take for every sentence and n the one reference whose matches are worth most, and its
length, while mteval pools the references as BLEU does and takes their mean length. Where no hypothesis has
an n-gram of some length NLTK fails; here that length adds nothing. The surface realization shared tasks
report NIST with n to 4: ``Nist(order=4)``.

An empty hypothesis scores 0; where the reference is empty too, NIST is undefined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, islice
from math import log
from typing import TYPE_CHECKING

from fergus.errors import InputError
from fergus.metrics.base import Aggregate, Metric
from fergus.metrics.segment import Batch, Sentence
from fergus.metrics.tokenization import SPACES, Tokenization

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 10_000
"""How many sentences are counted at a time, so that the table grows with what was counted."""
BETA = log(0.5) / log(1.5) ** 2


class Nist(Metric):
    """NIST-5. Call ``prepare`` with all references of the corpus if the statistics are made in several batches.

    >>> Nist().corpus_score(["no cost", "a cost"], [["no cost", "the cost"]]).score
    1.0
    """

    name = "nist"
    title = "NIST"
    abbreviation = "NIST"
    headline: Aggregate = "pooled"
    perfect = None
    scale = "0 and above"
    decimals = 3

    def __init__(self, *, order: int = 5, tokenization: Tokenization = SPACES) -> None:
        super().__init__(tokenization=tokenization)
        self.order = order
        self.prepared: _NgramCounts | None = None
        """What ``prepare`` counted, which another NIST may be given."""

    def prepare(self, references: Iterable[Sentence]) -> None:
        """Count the n-grams of all references, from which the information of every n-gram is computed."""
        self.prepared = _NgramCounts(self.order)
        self.prepared.add(reference.tokens for reference in references)

    def statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: information of the matches of every length; n-grams of the hypothesis; both lengths in tokens."""
        import numpy as np

        from fergus.metrics.nist_kernel import sum_information

        counts = self.prepared
        if counts is None:
            counts = _NgramCounts(self.order)
            counts.add(reference.tokens for _, reference in batch.pairs)
        information, lengths = np.zeros((len(batch), self.order)), np.zeros(len(batch))
        hypotheses, starts = counts.numbers([hypothesis.tokens for hypothesis, _ in batch.pairs])
        if len(batch):
            references = counts.numbers([reference.tokens for _, reference in batch.pairs])
            first = np.append(batch.first_pairs, len(batch.pairs))
            stranger = sum_information(
                *references,
                hypotheses,
                starts,
                first,
                self.order,
                counts.keys,
                counts.nodes,
                counts.counts,
                information,
                lengths,
            )
            if stranger >= 0:
                raise InputError(
                    f"reference {batch.pairs[stranger][1].text[:60]!r} was not among those that NIST was prepared with",
                    remedy="call prepare with the references of the whole corpus",
                )
        own_lengths = np.diff(starts)[batch.first_pairs]
        total = np.maximum(own_lengths[:, None] - np.arange(self.order), 0)
        rows = np.column_stack([information, total, own_lengths, lengths]).astype(np.float64)
        rows[(own_lengths == 0) & (lengths == 0)] = np.nan
        return rows

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """The sum of the information for each n-gram, with the penalty for being short."""
        import numpy as np

        information, total = statistics[..., : self.order], statistics[..., self.order : 2 * self.order]
        length, reference = statistics[..., -2], statistics[..., -1]
        share = np.where(total == 0, 0.0, information / np.where(total == 0, 1, total)).sum(axis=-1)
        ratio = length / np.where(reference == 0, 1, reference)
        inside = np.clip(np.where(ratio > 0, ratio, 1.0), None, 1.0)
        penalty = np.where(ratio == 0, 0.0, np.exp(BETA * np.log(inside) ** 2))
        result: NDArray[np.float64] = share * penalty
        return result

    def settings(self) -> dict[str, str]:
        """The longest n-grams, and whose treatment of several references it is."""
        return {"order": str(self.order), "references": "best"}


class _NgramCounts:
    """The counts of n-grams, in arrays for compiled code."""

    def __init__(self, order: int) -> None:
        import numpy as np

        self.order = order
        self.vocabulary: dict[str, int] = {}
        self.keys, self.nodes = np.zeros(2, np.int64), np.zeros(2, np.int64)
        self.counts = np.zeros(1, np.int64)
        """By node; that of the root is the number of tokens."""
        self._largest = 0

    def add(self, sentences: Iterable[Sequence[str]]) -> None:
        from fergus.metrics.nist_kernel import enter_ngrams

        remaining = iter(sentences)
        while chunk := list(islice(remaining, CHUNK)):
            vocabulary = self.vocabulary
            for token in chain.from_iterable(chunk):
                vocabulary.setdefault(token, len(vocabulary) + 1)
            items, starts = self.numbers(chunk)
            self._make_room(len(items) * self.order)
            self._largest = enter_ngrams(items, starts, self.order, self.keys, self.nodes, self.counts, self._largest)
            self.counts[0] += len(items)

    def numbers(self, sentences: Sequence[Sequence[str]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All tokens as numbers, and where each sentence starts."""
        import numpy as np

        starts = np.fromiter(accumulate(map(len, sentences), initial=0), np.int64, len(sentences) + 1)
        get = self.vocabulary.get
        items = [get(token, 0) for token in chain.from_iterable(sentences)]
        return np.array(items, np.int64), starts

    def _make_room(self, more: int) -> None:
        import numpy as np

        from fergus.metrics.nist_kernel import rehash

        wanted = self._largest + 1 + more
        slots = len(self.keys)
        while slots < 2 * wanted:
            slots *= 2
        if slots > len(self.keys):
            keys, nodes = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
            rehash(self.keys, self.nodes, keys, nodes)
            self.keys, self.nodes = keys, nodes
        self.counts = np.append(self.counts[: self._largest + 1], np.zeros(more, np.int64))
