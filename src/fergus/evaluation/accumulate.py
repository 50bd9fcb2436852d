"""What is kept of one system while its sentences go by: statistics, counts and, if wanted, texts.

Numbers are kept as small as they can be without loss, and texts compressed: a million sentences, all metrics
that need no model, in JSON, take about half a gigabyte.
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from fergus.evaluation.result import SystemResult
from fergus.evaluation.score_rows import ScoredSystem
from fergus.metrics.base import Metric
from fergus.metrics.segment import Segment
from fergus.metrics.significance import intervals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Pair = tuple[str, str]


class PackedTexts(Sequence[Pair]):
    """Pairs of texts, compressed in the chunks in which they came; quick when read in their order."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._ends: list[int] = [0]
        self._open: tuple[int, list[Pair]] = (-1, [])

    def add(self, packed: bytes, count: int) -> None:
        """Keep some more, as ``score_rows`` packs them."""
        self._chunks.append(packed)
        self._ends.append(self._ends[-1] + count)

    def __len__(self) -> int:
        return self._ends[-1]

    def __iter__(self) -> Iterator[Pair]:
        for chunk in range(len(self._chunks)):
            yield from self._unpacked(chunk)

    @overload
    def __getitem__(self, row: int) -> Pair: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Pair]: ...
    def __getitem__(self, row: int | slice) -> Pair | Sequence[Pair]:
        if isinstance(row, slice):
            return [self[k] for k in range(*row.indices(len(self)))]
        row = row + len(self) if row < 0 else row
        if not 0 <= row < len(self):
            raise IndexError(row)
        chunk = bisect_right(self._ends, row) - 1
        return self._unpacked(chunk)[row - self._ends[chunk]]

    def _unpacked(self, chunk: int) -> list[Pair]:
        if self._open[0] != chunk:
            pairs = json.loads(zlib.decompress(self._chunks[chunk]))
            self._open = (chunk, [(hypothesis, reference) for hypothesis, reference in pairs])
        return self._open[1]


class Accumulator:
    """The statistics of one system as they grow."""

    def __init__(self, name: str, metrics: Sequence[Metric]) -> None:
        self.name, self.metrics = name, metrics
        self.statistics: dict[str, list[NDArray[np.floating[Any]]]] = {metric.name: [] for metric in metrics}
        self.scores: dict[str, list[NDArray[np.float64]]] = {metric.name: [] for metric in metrics}
        self.totals: dict[str, Any] = {metric.name: 0.0 for metric in metrics}
        self.counts: list[NDArray[np.int32]] = []
        self.tree_counts: list[NDArray[np.int32]] = []
        self.lengths: list[NDArray[np.int32]] = []
        self.chosen: list[NDArray[np.int32]] = []
        self.texts = PackedTexts()
        self.segments: list[Segment] = []

    def add(self, scored: ScoredSystem) -> None:
        """Keep some more segments."""
        for name in self.statistics:
            self.statistics[name].append(scored.statistics[name])
            self.scores[name].append(scored.scores[name])
            self.totals[name] = self.totals[name] + scored.totals[name]
        self.counts.append(scored.counts)
        self.tree_counts.append(scored.tree_counts)
        self.lengths.append(scored.lengths)
        self.chosen.append(scored.chosen)
        if scored.texts is not None:
            self.texts.add(scored.texts, len(scored.lengths))
        self.segments.extend(scored.segments)

    def result(self, context: Mapping[str, str], *, samples: int, seed: int) -> SystemResult:
        """Everything about the system; the accumulator is empty afterwards."""
        import numpy as np

        # One after the other, so that never more than one table is there twice.
        statistics = {metric.name: np.concatenate(self.statistics.pop(metric.name)) for metric in self.metrics}
        scores = {metric.name: np.concatenate(self.scores.pop(metric.name)) for metric in self.metrics}
        both = intervals(self.metrics, statistics, samples=samples, seed=seed) if samples else {}
        corpus = {
            metric.name: metric.summary(
                scores[metric.name],
                self.totals[metric.name],
                references=context["references"],
                trees=context["trees"],
                intervals=both.get(metric.name, (None, None)),
            )
            for metric in self.metrics
        }
        return SystemResult(
            self.name,
            statistics,
            scores,
            corpus,
            np.concatenate(self.counts),
            np.concatenate(self.tree_counts),
            np.concatenate(self.lengths),
            np.concatenate(self.chosen),
            self.texts,
            self.segments,
        )
