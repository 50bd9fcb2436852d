"""chrF (Popović 2015) as sacreBLEU defines it: F-score of character n-grams, recall weighing twice.

The statistics are sacreBLEU's: n-grams of the hypothesis, of the reference, and matched ones, of every
length to 6, without white space. Scores equal those of ``sacrebleu.metrics.CHRF()``: precision and recall
are averaged over the lengths that both sides have. Counted by compiled code, since sacreBLEU's own counting
takes 4 s for 10,000 sentences of 20 tokens.

An empty hypothesis scores 0; where the reference is empty too, chrF is undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from fergus.metrics.base import Aggregate, PairMetric
from fergus.metrics.bleu import SACREBLEU
from fergus.metrics.segment import Batch, Sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CODE_POINTS = 0x110000
"""How many there are in Unicode."""


class ChrF(PairMetric):
    """chrF2: character n-grams to 6, beta 2; of several references the one with the best score.

    >>> round(ChrF().sentence_score("there was no coast", ["there was no cost"]).score, 1)
    84.4
    """

    name = "chrf"
    title = "chrF"
    abbreviation = "chrF"
    headline: Aggregate = "pooled"
    perfect = 100.0
    scale = "0 to 100"
    decimals = 2
    order = 6
    beta = 2

    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns, for every length: n-grams of the hypothesis; of the reference; matched ones."""
        import numpy as np

        from fergus.metrics.ngram_kernel import count_matches

        references, reference_starts = _characters([reference for _, reference in batch.pairs])
        hypotheses, hypothesis_starts = _characters([hypothesis for hypothesis, _ in batch.pairs])
        matched = count_matches(
            references,
            reference_starts,
            hypotheses,
            hypothesis_starts,
            CODE_POINTS,
            np.arange(len(batch.pairs) + 1),
            self.order,
        )
        length, reference_length = np.diff(hypothesis_starts), np.diff(reference_starts)
        shorter = np.arange(self.order)
        of_hypothesis = np.maximum(length[:, None] - shorter, 0)
        of_reference = np.maximum(reference_length[:, None] - shorter, 0)
        # As in sacreBLEU, n-grams longer than the reference are not held against the hypothesis.
        of_hypothesis[of_reference == 0] = 0
        rows = np.stack([of_hypothesis, of_reference, matched], axis=-1).reshape(-1, 3 * self.order).astype(np.float64)
        rows[(length == 0) & (reference_length == 0)] = np.nan
        return rows

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """The F-score of the two averages."""
        import numpy as np

        of_hypothesis, of_reference, matched = (statistics[..., column::3] for column in range(3))
        # NaN differs from 0, so that undefined rows stay undefined.
        is_counted = (of_hypothesis != 0) & (of_reference != 0)
        orders = np.maximum(is_counted.sum(axis=-1), 1)
        precision, recall = (
            np.where(is_counted, matched / np.where(is_counted, number, 1), 0.0).sum(axis=-1) / orders
            for number in (of_hypothesis, of_reference)
        )
        factor = self.beta**2
        denominator = factor * precision + recall
        score = (1 + factor) * precision * recall / np.where(denominator == 0, 1, denominator)
        result: NDArray[np.float64] = 100 * score
        return result

    def settings(self) -> dict[str, str]:
        """The names are those of sacreBLEU's signature."""
        return {"eff": "yes", "nc": str(self.order), "nw": "0", "space": "no", "beta": str(self.beta), "as": SACREBLEU}


def _characters(sentences: Sequence[Sentence]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The code points of all texts without white space, and where each text starts."""
    import numpy as np

    texts = ["".join("".join(sentence.tokens).split()) for sentence in sentences]
    starts = np.fromiter(accumulate(map(len, texts), initial=0), np.int64, len(texts) + 1)
    # Half of a surrogate pair is no text, but JSON can hold it and it must not break anything.
    code_points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    return code_points.astype(np.int64), starts
