"""Intervals of agreement: how far alpha, intraclass correlations and ceiling would vary with other inputs.

Those of a one-way analysis follow from three sums a text (how many judgements, their total, their squares), so that a
resample of inputs is the same sums with other weights. The judges are those who judged:
with others, who agree more or less with one another, the figures would vary more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.reliability import complete_table, one_way, sums_by_item, two_way

Interval = tuple[float, float]
UNKNOWN: Interval = (float("nan"), float("nan"))


@dataclass(frozen=True)
class ReliabilityIntervals:
    """95% intervals, the percentiles of resamples of inputs; NaN where a figure is undefined."""

    alpha: Interval = UNKNOWN
    one_way: Interval = UNKNOWN
    one_way_mean: Interval = UNKNOWN
    ceiling: Interval = UNKNOWN
    random: Interval = UNKNOWN
    random_mean: Interval = UNKNOWN
    fixed: Interval = UNKNOWN
    fixed_mean: Interval = UNKNOWN
    """Of a complete table only."""


def reliability_intervals(items: Items, ratings: Ratings, *, samples: int, seed: int) -> ReliabilityIntervals:
    """From ratings with one judgement a judge and item."""
    if items.input_count < 2:
        return ReliabilityIntervals()
    size, random = items.input_count, np.random.default_rng(seed)
    sums = sums_by_item(ratings, len(items))
    whole, of_input = complete_table(ratings, len(items)), items.input_numbers
    rows = []
    for _ in range(samples):
        weight = np.bincount(random.integers(0, size, size), minlength=size)[of_input]
        *row, _ = one_way(*sums, weight.astype(np.float64))
        two = two_way(np.repeat(whole, weight, axis=0)) if whole is not None and weight.sum() > 1 else (None,) * 4
        rows.append([*row, *two])
    table = np.array(rows, np.float64)
    found = []
    for column in table.T:
        known = column[np.isfinite(column)]
        low, high = np.quantile(known, [0.025, 0.975]) if 2 * len(known) >= samples else UNKNOWN
        found.append((float(low), float(high)))
    return ReliabilityIntervals(*found)
