"""What a metric is: statistics of a segment first, aggregation second, a signature with every score.

A metric turns a batch of segments into a table of *statistics*, one row a segment, and statistics into
scores. The score of a row is the sentence's; the score of the sum of all rows is the *pooled* score of the
corpus; the *mean* is taken over the sentences' scores. Bootstrap and significance tests work on the table.
Objects are used in sacreBLEU's manner:

>>> metric = GenerationStringAccuracy()                                                   # doctest: +SKIP
>>> metric.sentence_score("estimate no cost", ["no cost estimate"]).score                 # doctest: +SKIP
0.6666666666666667
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Literal

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.tokenization import Tokenization, named_tokenization
from fergus.version import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.significance import Interval

Aggregate = Literal["mean", "pooled"]
Text = str | Sequence[str] | Sentence
Reference = Text | OrderedTree
"""A sentence as text (which is tokenised), as tokens, as a tree with its order, or with all that is known."""


@dataclass(frozen=True)
class SentenceScore:
    """The score of one sentence; ``None`` where the metric is not defined for it."""

    name: str
    score: float | None
    signature: str

    def __str__(self) -> str:
        return f"{self.name} = {'undefined' if self.score is None else format(self.score, '.4f')}"


@dataclass(frozen=True)
class CorpusScore:
    """The two aggregates of a corpus, ``score`` being the one by which the metric is usually reported."""

    name: str
    score: float | None
    mean: float | None
    """The mean of the sentences' scores."""
    pooled: float | None
    """The score of the summed statistics."""
    sentences: int
    missing: int
    """Sentences for which the metric is not defined; they are left out of both aggregates."""
    signature: str
    mean_interval: Interval | None = None
    pooled_interval: Interval | None = None

    def __str__(self) -> str:
        mean, pooled = ("undefined" if x is None else format(x, ".4f") for x in (self.mean, self.pooled))
        missing = f", undefined for {self.missing}" if self.missing else ""
        count = f"{self.sentences} sentence{'' if self.sentences == 1 else 's'}{missing}"
        return f"{self.name} = {mean} mean, {pooled} pooled ({count})"


class Metric(ABC):
    """A score of hypotheses against references, by statistics that can be added up."""

    name: str
    """The name in snake_case, under which results are kept."""
    title: str
    """The name for people."""
    abbreviation: str
    headline: Aggregate = "mean"
    """The aggregate that the literature reports."""
    higher_is_better: bool = True
    perfect: float | None = 1.0
    """The best possible score, None if there is no bound."""
    scale: str = "at most 1"
    """The range of the scores, in words."""
    decimals: int = 4
    is_yardstick: bool = False
    """Whether it only stands beside another metric, as its control or its bound: no system is better by it."""
    needs_trees: bool = False
    """Whether the metric is undefined for a reference that has no tree."""

    def __init__(
        self, *, tokenize: str = "spaces", lowercase: bool = False, tokenization: Tokenization | None = None
    ) -> None:
        """``tokenize`` names one of sacreBLEU's tokenizers, or ``spaces``; ``tokenization`` is any other."""
        self.tokenization = tokenization or named_tokenization(tokenize, lowercase=lowercase)

    @abstractmethod
    def statistics(self, batch: Batch) -> NDArray[np.float64]:
        """A row a segment; NaN throughout where the metric is not defined."""

    @abstractmethod
    def scores(self, statistics: NDArray[np.float64], *, pooled: bool) -> NDArray[np.float64]:
        """The score of every row (of the last axis, whatever stands before it); ``pooled`` if rows are sums."""

    def settings(self) -> dict[str, str]:
        """What a signature says of the metric beyond its name, references, tokenisation and version."""
        return {}

    def signature(self, *, references: str = "1", trees: str = "given") -> str:
        """Settings, tokenisation and version: what has to be equal for scores to be comparable.

        ``references`` is how many a segment has, ``trees`` says where the trees are from.
        """
        fields = {"metric": self.name, "refs": references, **self.tokenization.signature}
        if self.needs_trees:
            fields["trees"] = trees
        fields |= {**self.settings(), "version": f"fergus-{__version__}"}
        # A parser's signature has bars itself.
        return "|".join(f"{key}:{value.replace('|', ',')}" for key, value in fields.items())

    def get_signature(self) -> str:
        """The signature by the name that sacreBLEU's users know."""
        return self.signature()

    def sentence_score(self, hypothesis: Text, references: Sequence[Reference]) -> SentenceScore:
        """The score of one hypothesis against its references."""
        if isinstance(references, str | OrderedTree | Sentence):
            raise InputError("references must be a list of references", remedy="write [reference]")
        segment = self._segment(hypothesis, references, 1)
        statistics = self.statistics(Batch([segment]))
        value = float(self.scores(statistics, pooled=False)[0])
        return SentenceScore(self.name, _defined(value), self.signature(references=str(len(references))))

    def corpus_score(
        self,
        hypotheses: Iterable[Text],
        references: Sequence[Sequence[Reference]],
        *,
        n_bootstrap: int = 0,
        seed: int = 12345,
    ) -> CorpusScore:
        """The scores of a system: ``references`` is a list of streams, each with one reference a hypothesis."""
        if not references:
            raise InputError("there are no references", remedy="give a list of lists, one for each reference")
        if isinstance(hypotheses, str):
            raise InputError("the hypotheses are one text", remedy="give a list of them")
        hypotheses = list(hypotheses)
        for number, stream in enumerate(references, 1):
            if isinstance(stream, str | OrderedTree | Sentence):
                raise InputError("references must be a list of lists", remedy="write [references]")
            if len(stream) != len(hypotheses):
                raise InputError(
                    f"{len(hypotheses)} hypotheses but {len(stream)} references in stream {number}",
                    remedy="give one reference for every hypothesis",
                )
        streams = zip(*references, strict=True)
        segments = [self._segment(h, r, i) for i, (h, r) in enumerate(zip(hypotheses, streams, strict=True), 1)]
        statistics = self.statistics(Batch(segments))
        scores, total = self.scored(statistics)
        both: tuple[Interval | None, Interval | None] = (None, None)
        if n_bootstrap and segments:
            from fergus.metrics.significance import intervals

            both = intervals([self], {self.name: statistics}, samples=n_bootstrap, seed=seed)[self.name]
        return self.summary(scores, total, references=str(len(references)), intervals=both)

    def aggregate(self, statistics: NDArray[np.float64]) -> CorpusScore:
        """Both aggregates of a table of statistics."""
        return self.summary(*self.scored(statistics))

    def scored(self, statistics: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The score of every row, and the sum of the rows that have one."""
        import numpy as np

        scores = self.scores(statistics, pooled=False)
        return scores, statistics[~np.isnan(scores)].sum(axis=0)

    def summary(
        self,
        scores: NDArray[np.float64],
        total: NDArray[np.float64],
        *,
        references: str = "1",
        trees: str = "given",
        intervals: tuple[Interval | None, Interval | None] = (None, None),
    ) -> CorpusScore:
        """Both aggregates, from the sentences' scores and from the sum of the statistics of those that have one."""
        import numpy as np

        is_defined = ~np.isnan(scores)
        count = int(is_defined.sum())
        mean = float(scores[is_defined].mean()) if count else None
        pooled = _defined(float(self.scores(total, pooled=True))) if count else None
        return CorpusScore(
            self.name,
            mean if self.headline == "mean" else pooled,
            mean,
            pooled,
            len(scores),
            len(scores) - count,
            self.signature(references=references, trees=trees),
            *intervals,
        )

    def _segment(self, hypothesis: Text, references: Sequence[Reference], number: int) -> Segment:
        given = (hypothesis, *references)
        sentences = [self.tokenization.cased(as_sentence(text, self.tokenization)) for text in given]
        return Segment(sentences[0], tuple(sentences[1:]), str(number))


def as_sentence(given: Reference, tokenization: Tokenization) -> Sentence:
    """What was given as a sentence with its tokens and, of a tree, its tags."""
    if isinstance(given, Sentence):
        return given
    if isinstance(given, OrderedTree):
        tags = tuple(given.tree.nodes[node].upos or "" for node in given.order)
        return Sentence(given.forms, given, tags=tags if all(tags) else None, source=given.tree.source)
    if not isinstance(given, Iterable):
        raise InputError(f"{given!r} is no sentence", remedy="give text, or a list of tokens")
    if isinstance(given, str):
        return Sentence(tokenization.tokens(given))
    if not all(isinstance(token, str) for token in given):
        bad = next(token for token in given if not isinstance(token, str))
        raise InputError(f"{bad!r} is not a token", remedy="give text, or a list of strings")
    return Sentence(tuple(given))


class PairMetric(Metric):
    """A metric of a hypothesis and one reference; of several references the best score is chosen (footnote 7).

    Where scores are equal the first reference is taken.
    """

    @abstractmethod
    def pair_statistics(self, batch: Batch) -> NDArray[np.float64]:
        """A row a pair of the batch."""

    def chosen_pairs(self, batch: Batch) -> NDArray[np.int64]:
        """The pair that counts for every segment, by its number in the batch."""
        return self._choose(batch, self.pair_statistics(batch))

    def statistics(self, batch: Batch) -> NDArray[np.float64]:
        """The rows of the chosen references."""
        rows = self.pair_statistics(batch)
        chosen: NDArray[np.float64] = rows[self._choose(batch, rows)]
        return chosen

    def _choose(self, batch: Batch, rows: NDArray[np.float64]) -> NDArray[np.int64]:
        import numpy as np

        first = batch.first_pairs
        if len(rows) == len(first):
            return first
        scores = self.scores(rows, pooled=False)
        quality = np.nan_to_num(scores if self.higher_is_better else -scores, nan=-np.inf)
        best = np.repeat(np.maximum.reduceat(quality, first), np.diff([*first, len(rows)]))
        candidates = np.where(quality == best, np.arange(len(rows)), len(rows))
        chosen: NDArray[np.int64] = np.minimum.reduceat(candidates, first)
        return chosen


def _defined(value: float) -> float | None:
    return None if isnan(value) else value
