"""Translation Edit Rate (Snover et al. 2006) as sacreBLEU computes it: edits with shifts of whole blocks.

Edits are insertions, deletions, substitutions and shifts of up to ten tokens, found by Tercom's greedy
search with sacreBLEU's limits; edits and lengths equal those of ``sacrebleu.metrics.TER(case_sensitive=True)``
on the same tokens. (sacreBLEU's default is to lower-case; here tokens are compared as they are, unless the
tokenisation lower-cases for all metrics.) Compiled, since sacreBLEU's own takes 50 s for 10,000 sentences
of 20 tokens.

Lower is better, and more edits than tokens give more than 100. An empty hypothesis scores 100; two empty
texts score 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fergus.metrics.base import Aggregate, Metric
from fergus.metrics.bleu import SACREBLEU
from fergus.metrics.segment import Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Ter(Metric):
    """Edits for 100 tokens of the reference; with several references the fewest edits over the mean length.

    >>> Ter().sentence_score("estimate no cost", ["no cost estimate"]).score  # one shift, three tokens
    33.33333333333333
    """

    name = "ter"
    title = "TER (translation edit rate)"
    abbreviation = "TER"
    headline: Aggregate = "pooled"
    higher_is_better = False
    perfect = 0.0
    scale = "0 and above, 100 being an edit a token"
    decimals = 2

    def statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: edits; tokens of the reference, or the mean of several."""
        import numpy as np

        from fergus.metrics.align import over_parts
        from fergus.metrics.ter_kernel import count_edits_with_shifts

        first = batch.first_pairs
        if not len(first):
            return np.zeros((0, 2))
        edits = np.concatenate(over_parts(lambda part: count_edits_with_shifts(*part), batch.encoded))
        lengths = np.diff(batch.encoded[1])
        counts = np.diff([*first, len(edits)])
        fewest, total = np.minimum.reduceat(edits, first), np.add.reduceat(lengths, first)
        return np.column_stack([fewest, total / counts]).astype(np.float64)

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """Edits over length."""
        import numpy as np

        edits, length = statistics[..., 0], statistics[..., 1]
        rate: NDArray[np.float64] = np.where(length == 0, edits > 0, edits / np.where(length == 0, 1, length))
        return 100 * rate

    def settings(self) -> dict[str, str]:
        """The names are those of sacreBLEU's signature."""
        return {"norm": "no", "punct": "yes", "asian": "no", "as": SACREBLEU}
