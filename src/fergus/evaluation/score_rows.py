"""What is done with a chunk of rows: trees for its references, statistics of every metric for every system.

A chunk needs nothing of the others, so that chunks can be scored anywhere; ``accumulate`` puts them together.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from fergus.errors import InputError
from fergus.metrics.base import Metric
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.string_accuracy import SimpleStringAccuracy
from fergus.metrics.tokenization import Tokenization
from fergus.treebank.parse import Parser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.evaluation.run import Row


@runtime_checkable
class Prepared(Protocol):
    """A metric that has looked at all references, and what it keeps of them."""

    prepared: Any


@dataclass(frozen=True)
class Instruments:
    """What rows are scored with; ``parser`` loads what parses references, and is called only if one has no tree."""

    metrics: Sequence[Metric]
    tokenization: Tokenization
    parser: Callable[[], Parser] | None = None


@dataclass(frozen=True)
class ScoredSystem:
    """What is kept of one system's sentences of a chunk; every array has a row a segment."""

    statistics: Mapping[str, NDArray[np.floating[Any]]]
    scores: Mapping[str, NDArray[np.float64]]
    totals: Mapping[str, Any]
    """By the metric's name, the statistics of the chunk as a whole."""
    counts: NDArray[np.int32]
    tree_counts: NDArray[np.int32]
    lengths: NDArray[np.int32]
    chosen: NDArray[np.int32]
    texts: bytes | None
    """Hypotheses and chosen references, compressed; None if they are not kept."""
    segments: Sequence[Segment]


@dataclass(frozen=True)
class ScoredRows:
    """A chunk, scored."""

    systems: Sequence[ScoredSystem]
    identifiers: Sequence[str]
    reference_counts: frozenset[int]
    lines: int
    untokenized: int
    """Of the lines, how many look as if nobody had tokenised them."""
    has_hypothesis_trees: bool
    has_reference_trees: bool
    tree_sources: Sequence[str]
    """Where trees of references came from, each once."""


@dataclass(frozen=True)
class Scoring:
    """The work on a chunk; ``make`` is called once wherever chunks are scored."""

    make: Callable[[], Instruments]
    keeps_texts: bool = False
    keeps_segments: bool = False
    prepared: Mapping[str, Any] = field(default_factory=dict)
    """By the metric's name, what it keeps of all references."""
    expected: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By the metric's name, the settings it must have where it is made again."""

    def like(self, metrics: Sequence[Metric]) -> Scoring:
        """The same for elsewhere, where metrics are made that have to be like these."""
        prepared = {metric.name: metric.prepared for metric in metrics if isinstance(metric, Prepared)}
        return replace(self, prepared=prepared, expected={metric.name: metric.settings() for metric in metrics})

    @cached_property
    def instruments(self) -> Instruments:
        """Made, and given what the others have seen."""
        made = self.make()
        for metric in made.metrics:
            if metric.name in self.prepared and isinstance(metric, Prepared):
                metric.prepared = self.prepared[metric.name]
            own, wanted = metric.settings(), self.expected.get(metric.name)
            if wanted is not None and own != wanted:
                problem = f"{metric.title} would be computed differently by a worker: {own} and not {wanted}"
                raise InputError(problem, remedy="install the same version of Fergus and its models everywhere")
        return made

    def __call__(self, rows: Sequence[Row]) -> ScoredRows:
        """Score a chunk."""
        metrics, tokenization = self.instruments.metrics, self.instruments.tokenization
        needs_trees = any(metric.needs_trees for metric in metrics)
        grown, sources = with_trees([row.references for row in rows], self.instruments.parser if needs_trees else None)
        references = [tuple(tokenization.cased(reference) for reference in row) for row in grown]
        sentences = [sentence for row in rows for sentence in (*row.hypotheses, *row.references)]
        systems = []
        for number in range(len(rows[0].hypotheses)):
            segments = [
                Segment(tokenization.cased(row.hypotheses[number]), row_references, row.identifier)
                for row, row_references in zip(rows, references, strict=True)
            ]
            systems.append(self.scored(segments))
        return ScoredRows(
            systems,
            [row.identifier for row in rows],
            frozenset(map(len, references)),
            len(sentences),
            sum(s.tree is None and bool(s.tokens) and is_glued(s.tokens[-1]) for s in sentences),
            any(hypothesis.tree is not None for row in rows for hypothesis in row.hypotheses),
            any(reference.tree is not None for row in rows for reference in row.references),
            sources,
        )

    def scored(self, segments: Sequence[Segment]) -> ScoredSystem:
        """Score one system's sentences."""
        import numpy as np

        batch = Batch(segments)
        statistics, scores, totals = {}, {}, {}
        for metric in self.instruments.metrics:
            rows = metric.statistics(batch)
            scores[metric.name], totals[metric.name] = metric.scored(rows)
            statistics[metric.name] = _compact(rows)
        pairs = SimpleStringAccuracy().chosen_pairs(batch)
        if any(metric.needs_trees for metric in self.instruments.metrics):
            tree_counts = batch.tree_counts[pairs].astype(np.int32)
        else:
            tree_counts = np.full((len(segments), 5), -1, np.int32)
        texts = [(batch.pairs[pair][0].text, batch.pairs[pair][1].text) for pair in pairs] if self.keeps_texts else []
        return ScoredSystem(
            statistics,
            scores,
            totals,
            batch.string_counts[pairs].astype(np.int32),
            tree_counts,
            np.array([len(segment.hypothesis.tokens) for segment in segments], np.int32),
            (pairs - batch.first_pairs).astype(np.int32),
            zlib.compress(json.dumps(texts).encode(), 1) if self.keeps_texts else None,
            segments if self.keeps_segments else (),
        )


def is_glued(token: str) -> bool:
    """Whether a mark that ends a sentence hangs on its last word, as in text that was not tokenised."""
    return len(token) > 2 and token[-1] in ".?!" and token[-2].isalpha() and "." not in token[:-1]


def with_trees(
    rows: Sequence[tuple[Sentence, ...]], parser: Callable[[], Parser] | None
) -> tuple[list[tuple[Sentence, ...]], list[str]]:
    """The same references, with a tree for those that have none, and where trees came from."""
    sources = []
    bare = [reference.tokens for row in rows for reference in row if reference.tree is None]
    if len(bare) < sum(map(len, rows)):
        sources.append("given")
    if not bare or parser is None:
        return list(rows), sources
    loaded = parser()
    trees = iter(loaded.parse_tokens(bare))
    grown = [
        tuple(r if r.tree is not None else replace(r, tree=next(trees), is_parsed=True) for r in row) for row in rows
    ]
    return grown, [*sources, loaded.signature]


def _compact(rows: NDArray[np.float64]) -> NDArray[np.floating[Any]]:
    """The same numbers in half the room where nothing is lost by it: counts always are such."""
    import numpy as np

    small = rows.astype(np.float32)
    return small if np.array_equal(small, rows, equal_nan=True) else rows
