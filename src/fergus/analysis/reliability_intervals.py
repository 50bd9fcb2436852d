"""Intervals of agreement: how far alpha, intraclass correlations and ceiling would vary with other inputs.

Those of a one-way analysis follow from three sums a text (how many judgements, their total, their squares), so that a
resample of inputs is the same sums with other weights. The judges are those who judged:
with others, who agree more or less with one another, the figures would vary more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.reliability import complete_table, two_way

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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
    score = ratings.score - ratings.score.mean()
    columns = (np.ones(len(score)), score, score**2)
    count, total, squares = (np.bincount(ratings.item, own, len(items)).astype(np.float64) for own in columns)
    whole, of_input = complete_table(ratings, len(items)), items.input_numbers
    rows = []
    for _ in range(samples):
        weight = np.bincount(random.integers(0, size, size), minlength=size)[of_input]
        row = one_way(count, total, squares, weight.astype(np.float64))
        two = two_way(np.repeat(whole, weight, axis=0)) if whole is not None and weight.sum() > 1 else (None,) * 4
        rows.append([*row, *two])
    table = np.array(rows, np.float64)
    found = []
    for column in table.T:
        known = column[np.isfinite(column)]
        low, high = np.quantile(known, [0.025, 0.975]) if 2 * len(known) >= samples else UNKNOWN
        found.append((float(low), float(high)))
    return ReliabilityIntervals(*found)


def one_way(count: Floats, total: Floats, squares: Floats, weight: Floats) -> tuple[float, float, float, float]:
    """Alpha, ICC(1,1), ICC(1,k) and the ceiling, of texts that count as often as their weight says."""
    twice = count >= 2
    with np.errstate(invalid="ignore", divide="ignore"):
        n = float(weight[twice] @ count[twice])
        within = weight[twice] @ ((count * squares - total**2)[twice] / (count[twice] - 1))
        expected = (n * (weight[twice] @ squares[twice]) - (weight[twice] @ total[twice]) ** 2) / (n - 1)
        alpha = 1 - within / expected
        judged = count > 0
        w, k = weight[judged], count[judged]
        texts, judgements = w.sum(), w @ k
        grand = w @ total[judged] / judgements
        between = (w @ (total[judged] ** 2 / k) - judgements * grand**2) / (texts - 1)
        error = (w @ squares[judged] - w @ (total[judged] ** 2 / k)) / (judgements - texts)
        each = (judgements - w @ k**2 / judgements) / (texts - 1)
        rho = (between - error) / (between + (each - 1) * error)
        true = np.maximum(rho, 0.0)
        top = np.sqrt(true / (true + (1 - true) * (w @ (1 / k)) / texts))
        return float(alpha), float(rho), float((between - error) / between), float(top)
