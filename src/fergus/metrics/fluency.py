"""Fluency: the cross-entropy of a hypothesis under an n-gram language model, in bits a token.

    - 1 / (tokens + 1)  *  sum of log2 P(token | those before it), the end of the sentence among them

so that 2 to the pooled score is the model's perplexity on the output. Language models as judges of
grammaticality: Mutton et al. 2007. References play no part in it. Lower is better, but not without end: a
system that repeats the most frequent phrases of the language will beat its references, whose own
cross-entropy is the figure to compare with.

The tokens go to the model as they are: one that was trained on normalised tokens has to normalise them
itself. An empty hypothesis has no tokens to judge: undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import TYPE_CHECKING, Protocol

from fergus.errors import InputError
from fergus.metrics.base import Aggregate, Metric
from fergus.metrics.segment import Batch
from fergus.metrics.tokenization import SPACES, Tokenization

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BITS = log2(10)
"""In a unit of the decimal logarithm."""


class LanguageModel(Protocol):
    """What a model has to offer; ``fergus.lm.NgramModel`` does (50,000 sentences of 20 tokens a second)."""

    def score(self, tokens: Sequence[str]) -> Sequence[float]:
        """log10 P of each token after those before it, and of the sentence's end after the last."""
        ...


class Fluency(Metric):
    """Cross-entropy in bits a token; ``model_name`` tells in signatures which model it was."""

    name = "fluency"
    title = "Fluency (cross-entropy in bits a token)"
    abbreviation = "bits/token"
    headline: Aggregate = "pooled"
    higher_is_better = False
    perfect = None
    scale = "0 and above"
    decimals = 3

    def __init__(self, model: LanguageModel, *, model_name: str, tokenization: Tokenization = SPACES) -> None:
        super().__init__(tokenization=tokenization)
        self.model = model
        self.model_name = model_name

    def statistics(self, batch: Batch) -> NDArray[np.float64]:
        """Columns: the bits of all tokens and the sentence's end; how many these are."""
        import numpy as np

        rows = np.full((len(batch), 2), np.nan)
        for row, segment in enumerate(batch.segments):
            tokens = segment.hypothesis.tokens
            if tokens:
                logprobs10 = self.model.score(tokens)
                if len(logprobs10) != len(tokens) + 1:
                    raise InputError(
                        f"language model {self.model_name} gave {len(logprobs10)} scores for {len(tokens)} tokens",
                        remedy="one a token and one for the end of the sentence are needed",
                    )
                rows[row] = -BITS * sum(logprobs10), len(logprobs10)
        return rows

    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """Bits for each."""
        import numpy as np

        bits, count = statistics[..., 0], statistics[..., 1]
        entropy: NDArray[np.float64] = np.where(count == 0, np.nan, bits / np.where(count == 0, 1, count))
        return entropy

    def settings(self) -> dict[str, str]:
        """The model, and that the end of the sentence counts as a token."""
        return {"model": self.model_name, "end": "counted"}
