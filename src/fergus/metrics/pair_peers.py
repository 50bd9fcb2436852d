"""Peers that compare a hypothesis with one reference at a time: exact match, DIST, ROUGE-L.

DIST is the normalised edit distance of the surface realization shared tasks (Belz et al. 2011, Mille et al.
2018): characters of the texts, unit costs, over the length of the longer text; the task's figure is pooled.
ROUGE-L is the F1 of the longest common subsequence of tokens (Lin 2004), sentence by sentence. Both shared
task and ROUGE package normalise the text themselves; here tokens are compared as they are, like everywhere.

An empty hypothesis scores 0 in all three; two empty texts are equal, and score what equal texts do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fergus.errors import InputError
from fergus.metrics.base import Aggregate, PairMetric
from fergus.metrics.segment import Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CELL_LIMIT = 1 << 34
"""The largest product of the lengths of two sequences that differ; it takes some ten seconds."""


class ExactMatch(PairMetric):
    """The share of hypotheses that are equal to a reference, token by token.

    >>> ExactMatch().sentence_score("no cost", ["any cost", "no cost"]).score
    1.0
    """

    name = "exact_match"
    title = "Exact match"
    abbreviation = "exact"
    scale = "0 to 1"

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: whether the tokens are equal; 1."""
        import numpy as np

        return np.array([(h.tokens == r.tokens, 1.0) for h, r in batch.pairs], np.float64).reshape(-1, 2)

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """Equal ones over all."""
        return _share(statistics[..., 0], statistics[..., 1], of_nothing=1.0)


class Dist(PairMetric):
    """1 - edits / length of the longer text, in characters and out of 100.

    >>> round(Dist().sentence_score("no coast", ["no cost"]).score, 1)
    87.5
    """

    name = "dist"
    title = "DIST (normalised edit distance)"
    abbreviation = "DIST"
    headline: Aggregate = "pooled"
    perfect = 100.0
    scale = "0 to 100"
    decimals = 2

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: character edits; length of the longer text."""
        import numpy as np
        from rapidfuzz.distance import Levenshtein

        texts = [(h.text, r.text) for h, r in batch.pairs]
        _refuse_endless(texts, "characters")
        rows = [(Levenshtein.distance(left, right), max(len(left), len(right))) for left, right in texts]
        return np.array(rows, np.float64).reshape(-1, 2)

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """What no edit touches."""
        return 100 * (1 - _share(statistics[..., 0], statistics[..., 1], of_nothing=0.0))

    def settings(self) -> dict[str, str]:
        """The unit of the edits."""
        return {"edits": "characters"}


class RougeL(PairMetric):
    """F1 of the longest common subsequence: twice its length over the lengths of both sentences.

    >>> RougeL().sentence_score("estimate no cost", ["no cost estimate"]).score
    0.6666666666666666
    """

    name = "rouge_l"
    title = "ROUGE-L (F1)"
    abbreviation = "ROUGE-L"
    scale = "0 to 1"

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: length of the longest common subsequence; tokens of the hypothesis; of the reference."""
        import numpy as np
        from rapidfuzz.distance import LCSseq

        pairs = [(h.tokens, r.tokens) for h, r in batch.pairs]
        _refuse_endless(pairs, "tokens")
        rows = [(LCSseq.similarity(left, right), len(left), len(right)) for left, right in pairs]
        return np.array(rows, np.float64).reshape(-1, 3)

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """The harmonic mean of precision (over the hypothesis) and recall (over the reference)."""
        return _share(2 * statistics[..., 0], statistics[..., 1] + statistics[..., 2], of_nothing=1.0)

    def settings(self) -> dict[str, str]:
        """No stemming, and no splitting into sentences."""
        return {"f": "1", "stem": "no"}


def _share(part: NDArray[np.float64], whole: NDArray[np.float64], *, of_nothing: float) -> NDArray[np.float64]:
    import numpy as np

    # NaN differs from 0, so that undefined rows stay undefined.
    share: NDArray[np.float64] = np.where(whole == 0, of_nothing, part / np.where(whole == 0, 1, whole))
    return share


def _refuse_endless(pairs: Sequence[tuple[Sequence[str], Sequence[str]]], unit: str) -> None:
    """Two unlike lines of a million tokens would be compared for an hour."""
    for number, (left, right) in enumerate(pairs, 1):
        if len(left) * len(right) > CELL_LIMIT and left != right:
            raise InputError(
                f"pair {number} is too long to be compared: {len(left)} and {len(right)} {unit}",
                remedy=f"the product of their lengths may be {CELL_LIMIT} at most",
            )
