"""Soft pairwise accuracy: does a metric tell systems apart as surely as people do? (Thompson et al. 2024).

For each pair of systems, how near the metric's confidence that the first is better comes to the judges' confidence; 1
less the mean distance. Confidence is the one-sided p of exchanging the two systems' texts input by input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Ratings, means_by
from fergus.analysis.many_tests import CELLS
from fergus.analysis.resample import Draw, spread
from fergus.cluster.chunks import Workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class SoftAccuracy:
    """Of one metric, with its 95% interval; NaN where no two systems share an input."""

    value: float
    low: float
    high: float
    pairs: int
    """Of systems."""


def soft_pairwise_accuracies(
    items: Items,
    ratings: Ratings,
    metrics: Mapping[str, Floats],
    *,
    samples: int = 1000,
    trials: int = 1000,
    seed: int = 12345,
    workers: Workers | None = None,
) -> dict[str, SoftAccuracy]:
    """Of every metric; those that have a score for the same items share the random exchanges.

    In resamples the exchanges' distribution is taken to be normal, with their exact variance.
    """
    people = by_input(items, ratings.item_means(len(items)))
    tables = {name: by_input(items, scores) for name, scores in metrics.items()}
    alike: dict[bytes, list[str]] = {}
    for name, table in tables.items():
        alike.setdefault(np.packbits(np.isfinite(table)).tobytes(), []).append(name)
    found: dict[str, SoftAccuracy] = {}
    for names in alike.values():
        both = Confidences.of(items, people, [tables[name] for name in names])
        if not both.pairs:
            nothing = float("nan")
            found |= {name: SoftAccuracy(nothing, nothing, nothing, 0) for name in names}
            continue
        values = both.exchanged(people, trials=trials, seed=seed)
        margin = spread(items, ratings, both, samples=samples, seed=seed, workers=workers).margin()
        rows = zip(names, values, np.maximum(values - margin, 0), np.minimum(values + margin, 1), strict=True)
        found |= {name: SoftAccuracy(float(v), float(low), float(high), both.pairs) for name, v, low, high in rows}
    return {name: found[name] for name in metrics}


@dataclass(frozen=True)
class Confidences:
    """Of some metrics, their differences of two systems at every input that both realize, pair by pair."""

    items: Items
    first: Ints
    second: Ints
    """By difference, which two systems."""
    inputs: Ints
    begin: Ints
    """Where the differences of each pair of systems begin."""
    differences: Floats
    """A row a metric."""

    @classmethod
    def of(cls, items: Items, people: Floats, tables: Sequence[Floats]) -> Confidences:
        """From tables of systems by inputs, all of which lack the same cells."""
        is_there = np.isfinite(people) & np.isfinite(tables[0])
        places = [
            (a, b, both)
            for a, b in combinations(range(len(people)), 2)
            if len(both := np.flatnonzero(is_there[a] & is_there[b]))
        ]
        sizes = np.array([len(both) for *_, both in places], np.int64)
        first, second = (np.repeat(np.array([one[side] for one in places], np.int64), sizes) for side in (0, 1))
        inputs = np.concatenate([np.zeros(0, np.int64), *(both for *_, both in places)])
        rows = np.array([table[first, inputs] - table[second, inputs] for table in tables])
        return cls(items, first, second, inputs, np.cumsum(sizes) - sizes, rows)

    @property
    def pairs(self) -> int:
        """Of systems that share an input."""
        return len(self.begin)

    def judged(self, people: Floats) -> Floats:
        """The judges' differences."""
        result: Floats = people[self.first, self.inputs] - people[self.second, self.inputs]
        return result

    def exchanged(self, people: Floats, *, trials: int, seed: int) -> Floats:
        """The accuracy of every metric, by so many random exchanges a pair of systems."""
        every = np.vstack([self.judged(people), self.differences])
        random = np.random.default_rng(seed)
        distances = []
        for start, end in zip(self.begin, [*self.begin[1:], len(self.inputs)], strict=True):
            kept = every[:, start:end]
            hits, rows = np.zeros(len(kept)), max(1, CELLS // kept.shape[1])
            for done in range(0, trials, rows):
                signs = random.choice([-1.0, 1.0], size=(min(rows, trials - done), kept.shape[1]))
                hits += np.sum(signs @ kept.T >= kept.sum(axis=1) - 1e-12, axis=0)
            p = hits / trials
            distances.append(np.abs(p[1:] - p[0]))
        result: Floats = 1 - np.mean(distances, axis=0)
        return result

    def __call__(self, draw: Draw) -> Floats:
        """The accuracy of every metric in a resample."""
        judged = self.judged(by_input(self.items, draw.means))
        weight = np.where(np.isfinite(judged), draw.inputs[self.inputs], 0.0)
        is_there = np.add.reduceat(weight, self.begin) > 0
        people = self._p(np.where(weight > 0, judged, 0.0)[None, :], weight)
        distance = np.abs(self._p(self.differences, weight) - people)[:, is_there]
        return 1 - distance.mean(axis=1) if is_there.any() else np.full(len(distance), np.nan)

    def _p(self, rows: Floats, weight: Floats) -> Floats:
        """By metric and pair of systems; of a sum with random signs the mean is 0, the variance the sum of squares."""
        from scipy.special import ndtr

        from fergus.analysis.soft_kernel import sums_by_part

        total, squares = sums_by_part(rows, weight, self.begin)
        # Where no input tells them apart every exchange is as good: p = 1.
        z = np.where(squares > 0, total / np.sqrt(np.maximum(squares, 1e-300)), -np.inf)
        result: Floats = ndtr(-z)
        return result


def by_input(items: Items, scores: Floats) -> Floats:
    """Systems by inputs; NaN where a system has no item for an input, the mean where it has several."""
    known = np.isfinite(scores)
    place = items.system_numbers[known] * items.input_count + items.input_numbers[known]
    shape = (len(items.system_names), items.input_count)
    return means_by(place, scores[known], shape[0] * shape[1]).reshape(shape)
