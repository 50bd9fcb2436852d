"""Simple and Generation String Accuracy (section 3.1 of the paper, equations 1 and 3).

    Simple String Accuracy      1 - (I + D + S) / R
    Generation String Accuracy  1 - (M + I' + D' + S) / R

on tokens, compared as they are: case and punctuation count. Both are at most 1 and may be negative. An
empty hypothesis scores 0; an empty reference scores 1 against an empty hypothesis and is an error otherwise.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from fergus.errors import InputError
from fergus.metrics.accuracy import Accuracy
from fergus.metrics.align import (
    Counts,
    count_edits,
    count_edits_batch,
    generation_accuracies,
    simple_accuracies,
)
from fergus.metrics.segment import Batch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Tokens = Sequence[str]


def string_counts(reference: Tokens, hypothesis: Tokens, *, substitutions: bool = True) -> Counts:
    """What both string accuracies are computed from; ``substitutions=False`` forbids them (footnote 5)."""
    _refuse_text([reference], [hypothesis])
    return count_edits(reference, hypothesis, substitutions=substitutions)


def string_counts_batch(
    references: Sequence[Tokens],
    hypotheses: Sequence[Tokens],
    *,
    substitutions: bool = True,
    moves: bool = True,
) -> NDArray[np.int64]:
    """One row a sentence, with the fields of ``Counts`` as columns."""
    _refuse_text(references, hypotheses)
    return count_edits_batch(references, hypotheses, substitutions=substitutions, moves=moves)


def simple_string_accuracy(reference: Tokens, hypothesis: Tokens) -> float:
    """1 - (I + D + S) / R of one sentence.

    >>> simple_string_accuracy("no cost estimate".split(), "estimate no cost".split())
    0.33333333333333337
    """
    _refuse_text([reference], [hypothesis])
    return float(simple_string_accuracies([reference], [hypothesis])[0])


def generation_string_accuracy(reference: Tokens, hypothesis: Tokens) -> float:
    """1 - (M + I' + D' + S) / R of one sentence.

    >>> generation_string_accuracy("no cost estimate".split(), "estimate no cost".split())
    0.6666666666666667
    """
    return float(generation_string_accuracies([reference], [hypothesis])[0])


def simple_string_accuracies(references: Sequence[Tokens], hypotheses: Sequence[Tokens]) -> NDArray[np.float64]:
    """The Simple String Accuracy of every sentence."""
    return simple_accuracies(string_counts_batch(references, hypotheses, moves=False))


def generation_string_accuracies(references: Sequence[Tokens], hypotheses: Sequence[Tokens]) -> NDArray[np.float64]:
    """The Generation String Accuracy of every sentence."""
    return generation_accuracies(string_counts_batch(references, hypotheses))


def sequence_accuracy(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], *, moves: bool = True) -> float:
    """The generation accuracy of any two sequences of hashable items; the simple one with ``moves=False``.

    So a model that was built can be compared with the model that was wanted, as Hartley and Scott (2001) did with
    what a text planner was to express (told in section 4.2 of Hardcastle and Scott 2008):

    >>> wanted = [("open", "dialog"), ("choose", "colour"), ("press", "apply"), ("close", "dialog")]
    >>> built = [("open", "dialog"), ("press", "apply"), ("choose", "colour"), ("press", "ok")]
    >>> sequence_accuracy(wanted, built)
    0.5
    """
    counts = count_edits(reference, hypothesis)
    return counts.generation_accuracy if moves else counts.simple_accuracy


class SimpleStringAccuracy(Accuracy):
    """1 - (I + D + S) / R."""

    name, title, abbreviation = "simple_string_accuracy", "Simple String Accuracy", "SSA"

    def counts(self, batch: Batch) -> NDArray[np.int64]:
        """The counts of the alignments."""
        return batch.string_counts

    def settings(self) -> dict[str, str]:
        """The rule for alignments of equal cost."""
        return {"ties": "fewest-substitutions-most-moves"}


class GenerationStringAccuracy(SimpleStringAccuracy):
    """1 - (M + I' + D' + S) / R."""

    name, title, abbreviation = "generation_string_accuracy", "Generation String Accuracy", "GSA"
    has_moves = True


def _refuse_text(*sides: Sequence[Tokens]) -> None:
    """A string is a sequence of strings too, but scoring its characters is never what was meant."""
    for sentences in sides:
        for number, sentence in enumerate(sentences, start=1):
            if isinstance(sentence, str):
                raise InputError(
                    f"sentence {number} is text and not a list of tokens: {sentence[:40]!r}",
                    remedy="tokenise it, for instance with .split()",
                )
