"""Pairwise accuracy with calibrated ties: does a metric put two texts in the order in which people do?

Deutsch, Foster and Freitag (2023): within each input, every pair of items is better, worse or equal; a metric's two
scores are equal if they differ by at most a threshold, and the threshold is the one that makes the metric right most
often: no metric is punished for never giving the same number twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PairAccuracy:
    """How often a metric orders two items of one input as the judges do."""

    value: float
    """NaN if there is no pair."""
    threshold: float
    """Scores that differ by no more than this are equal."""
    pairs: int
    ties: int
    """Pairs that are equal to the judges."""
    chance: float
    """What a metric gets that calls every pair equal, or tosses coins: the better of the two."""
    low: float = float("nan")
    high: float = float("nan")
    """The 95% interval, with other inputs and the same threshold."""


def pairs_within(items: Items) -> tuple[Ints, Ints]:
    """Every pair of items that realize the same input."""
    members = np.argsort(items.input_numbers, kind="stable")
    begin = np.searchsorted(items.input_numbers[members], np.arange(items.input_count + 1))
    first, second = [], []
    for g in range(items.input_count):
        inside = members[begin[g] : begin[g + 1]]
        i, j = np.triu_indices(len(inside), 1)
        first.append(inside[i])
        second.append(inside[j])
    empty = np.zeros(0, np.int64)
    return np.concatenate([empty, *first]), np.concatenate([empty, *second])


def pair_accuracy(
    items: Items, scores: Floats, judged: Floats, *, samples: int = 1000, seed: int = 12345
) -> PairAccuracy:
    """Over all pairs of an input for which both have a score, with the threshold at which it is largest.

    Undefined for a metric that gives all of these the same score.
    """
    first, second = pairs_within(items)
    human, metric = judged[first] - judged[second], scores[first] - scores[second]
    kept = np.isfinite(human) & np.isfinite(metric)
    human, metric = human[kept], metric[kept]
    pairs = len(human)
    if not pairs or not metric.any():
        return PairAccuracy(float("nan"), 0.0, pairs, int((np.abs(human) < 1e-12).sum()), float("nan"))
    is_tie = np.abs(human) < 1e-12
    agrees = np.sign(human) * np.sign(metric) > 0
    # From the smallest distance upwards each pair becomes a tie: a tied pair is won, an agreeing one lost.
    distance = np.abs(metric)
    order = np.argsort(distance, kind="stable")
    gain = is_tie[order].astype(np.int64) - (agrees & ~is_tie)[order]
    right = int((agrees & ~is_tie).sum()) + np.concatenate([[0], np.cumsum(gain)])
    ordered = distance[order]
    # Only between two different distances can a threshold lie; equal scores are always a tie.
    may_stop = np.concatenate([[ordered[0] > 0], ordered[1:] > ordered[:-1], [True]])
    best = int(np.argmax(np.where(may_stop, right, -1)))
    threshold = 0.0 if best == 0 else float(ordered[best - 1])
    ties = int(is_tie.sum())
    is_right = np.where(distance <= threshold, is_tie, agrees & ~is_tie)
    low, high = _share_interval(is_right, items.input_numbers[first[kept]], items.input_count, samples, seed)
    chance = max(ties / pairs, (1 - ties / pairs) / 2)
    return PairAccuracy(float(right[best] / pairs), threshold, pairs, ties, chance, low, high)


def _share_interval(
    is_right: NDArray[np.bool_], inputs: Ints, size: int, samples: int, seed: int
) -> tuple[float, float]:
    """Of the share of pairs, drawing inputs."""
    right, count = np.bincount(inputs, weights=is_right, minlength=size), np.bincount(inputs, minlength=size)
    if np.count_nonzero(count) < 2:
        return float("nan"), float("nan")
    random = np.random.default_rng(seed)
    shares = []
    for _ in range(samples):
        drawn = random.integers(0, size, size)
        shares.append(right[drawn].sum() / count[drawn].sum() if count[drawn].any() else np.nan)
    low, high = np.nanquantile(shares, [0.025, 0.975])
    return float(low), float(high)
