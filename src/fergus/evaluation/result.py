"""The result of an evaluation: for every system the scores of every sentence and both aggregates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fergus.metrics.base import CorpusScore, Metric
from fergus.metrics.derived import LearnedMetric
from fergus.metrics.segment import Segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.significance import Comparison


MANY = 0.3
"""The share of lines from which on they are taken for untokenised."""


@dataclass(frozen=True, repr=False)
class SystemResult:
    """What one system reached; every array has a row a segment."""

    name: str
    statistics: Mapping[str, NDArray[np.floating[Any]]]
    """By the metric's name, the statistics from which everything else is made."""
    scores: Mapping[str, NDArray[np.float64]]
    """By the metric's name, the sentences' scores; NaN where the metric is not defined."""
    corpus: Mapping[str, CorpusScore]
    counts: NDArray[np.int32]
    """The counts of the string accuracies (fields of ``Counts``), against the chosen reference."""
    tree_counts: NDArray[np.int32]
    """The counts of the tree accuracies; -1 throughout where the reference has no tree."""
    lengths: NDArray[np.int32]
    """The number of tokens of every hypothesis."""
    chosen: NDArray[np.int32]
    """Which of its references each segment's counts are against: the one of the best Simple String Accuracy."""
    texts: Sequence[tuple[str, str]] = ()
    """Hypothesis and chosen reference, where they were kept."""
    segments: Sequence[Segment] = ()
    """The sentences themselves, where they were kept for a report."""

    def __repr__(self) -> str:
        return f"<SystemResult of {self.name}: {len(self.lengths)} sentences>"


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Any number of systems on the same segments."""

    metrics: Sequence[Metric]
    systems: Sequence[SystemResult]
    identifiers: Sequence[str]
    """The name of every segment: its ``sent_id``, or the number of its line."""
    settings: Mapping[str, str]
    """How it was made: files, tokenisation, parser, seed, samples, version."""
    comparisons: Sequence[Comparison] = ()
    """Every pair of systems by every metric, where significance was asked for."""
    untokenized: float = 0.0
    """The share of lines that look as if nobody had tokenised them, where tokens are what has spaces around it."""
    looks_swapped: bool = False
    """Whether hypotheses came with trees and references without: perhaps they were given the wrong way round."""

    def __repr__(self) -> str:
        names = ", ".join(system.name for system in self.systems)
        return f"<Evaluation of {names}: {len(self.identifiers)} sentences, {len(self.metrics)} metrics>"

    def _repr_html_(self) -> str:
        from fergus.evaluation.notebook import evaluation_html

        return evaluation_html(self)

    @property
    def warnings(self) -> list[str]:
        """What a reader of the scores should know about the input."""
        found = []
        for system in self.systems:
            empty = int((system.lengths == 0).sum())
            if empty:
                found.append(f"{empty:,} of {len(system.lengths):,} hypotheses of {system.name} are empty")
        if self.settings["tokenization"] == "spaces" and self.untokenized > MANY:
            found.append(
                f"{self.untokenized:.0%} of the lines look untokenised (a mark is glued to the last word); tokens are "
                "what has spaces around it, unless a tokenizer is named (--tokenize parser, or 13a)"
            )
        if self.looks_swapped:
            found.append("the hypotheses have trees and the references have none: are they the right way round?")
        return [*found, *(told for metric in self.metrics if (told := _learned_otherwise(metric)))]


def _learned_otherwise(metric: Metric) -> str:
    """What to say of a learned metric for which texts were compared in another way when it was learned."""
    if not isinstance(metric, LearnedMetric):
        return ""
    model, used = metric.model, metric.tokenization
    tokenize = model.tokenization or used.name
    lowercase = used.lowercase if model.lowercase is None else model.lowercase
    if (tokenize, lowercase) == (used.name, used.lowercase):
        return ""
    wanted = f"--tokenize {tokenize}" + (" --lowercase" if lowercase else ", and without --lowercase")
    return f"{metric.name} was learned and validated with {wanted}: otherwise its scores mean something else"
