"""How far judges correlate with one another, with intervals for other inputs and other judges.

The variance is that of inputs, plus that of judges, less that of single judgements, as in ``resample``; here from what
each judgement contributes to a coefficient. Nothing is drawn: two judges may have three texts in common, and of three
texts drawn with replacement two are often the same one, by which any two judges correlate perfectly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.reliability import beside_others

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

FEWEST = 3
"""Texts that two judges must have in common."""
FLAT = 1e-9
"""A judge whose scores vary less has no correlation."""


@dataclass(frozen=True)
class MeanCorrelation:
    """A mean of Pearson's r, with its 95% interval; NaN where there is none."""

    value: float
    low: float
    high: float
    n: int
    """Coefficients: pairs of judges, or judges."""


@dataclass(frozen=True)
class _Judge:
    """One judge's coefficients, and what the texts of each input contribute to their sum."""

    total: float
    count: int
    by_input: Floats


def pairwise_correlation(items: Items, ratings: Ratings) -> MeanCorrelation:
    """Over all pairs of judges with at least three texts in common; from one judgement of each judge and text."""
    return _mean(list(_with_each(items, ratings)), times=2)


def correlation_with_others(items: Items, ratings: Ratings) -> MeanCorrelation:
    """Over all judges, each with the mean of the others."""
    found = []
    for _, item, own, rest in beside_others(ratings, len(items)):
        r, parts, _ = _coefficients(own, rest, np.zeros(len(own), np.int64), 1, fewest=2)
        if np.isfinite(r[0]):
            found.append(_Judge(float(r[0]), 1, _by_input(items, item, parts)))
    return _mean(found, times=1)


def _with_each(items: Items, ratings: Ratings) -> Iterator[_Judge]:
    """Every judge beside every other one: a pair comes twice, once for either."""
    order = np.argsort(ratings.item, kind="stable")
    item, judge, score = ratings.item[order], ratings.judge[order], ratings.score[order]
    begin = np.searchsorted(item, np.arange(len(items) + 1))
    for number in range(len(ratings.judges)):
        mine = np.flatnonzero(judge == number)
        sizes = (begin[1:] - begin[:-1])[item[mine]]
        # All judgements of the texts that this one judged, text by text.
        first = np.repeat(begin[item[mine]] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        theirs = first + np.arange(int(sizes.sum()))
        own = np.repeat(score[mine], sizes)
        others = judge[theirs] != number
        theirs, own = theirs[others], own[others]
        r, parts, is_known = _coefficients(own, score[theirs], judge[theirs], len(ratings.judges), fewest=FEWEST)
        if is_known.any():
            yield _Judge(float(r[is_known].sum()), int(is_known.sum()), _by_input(items, item[theirs], parts))


def _by_input(items: Items, item: Ints, parts: Floats) -> Floats:
    return np.bincount(items.input_numbers[item], weights=parts, minlength=items.input_count).astype(np.float64)


def _coefficients(
    x: Floats, y: Floats, of: Ints, size: int, *, fewest: int
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """r of each of so many sets of points, what every point contributes to its r, and which sets have one.

    A point moves r by z(x) z(y) - r (z(x)² + z(y)²) / 2, over n: the influence function (Devlin, Gnanadesikan and
    Kettenring 1975).
    """
    n = np.bincount(of, minlength=size)
    some = np.maximum(n, 1)
    dx, dy = (own - (np.bincount(of, weights=own, minlength=size) / some)[of] for own in (x, y))
    xx, yy, xy = (np.bincount(of, weights=own, minlength=size) for own in (dx * dx, dy * dy, dx * dy))
    is_known = (n >= fewest) & (xx > FLAT) & (yy > FLAT)
    xx, yy = np.where(is_known, xx, 1.0), np.where(is_known, yy, 1.0)
    r = np.where(is_known, np.clip(xy / np.sqrt(xx * yy), -1, 1), np.nan)
    zx, zy = dx / np.sqrt(xx)[of], dy / np.sqrt(yy)[of]
    parts = np.where(is_known[of], zx * zy - r[of] * (zx * zx + zy * zy) / 2, 0.0)
    return r, parts, is_known


def _mean(found: list[_Judge], *, times: int) -> MeanCorrelation:
    """Of all coefficients, each of which is there so many times."""
    from scipy.special import stdtrit

    nothing = float("nan")
    n = sum(one.count for one in found) // times
    if not n:
        return MeanCorrelation(nothing, nothing, nothing, 0)
    value = sum(one.total for one in found) / times / n
    cells = np.array([one.by_input for one in found]) / n
    inputs, judges = cells.shape[1], len(found)
    rest = n - np.array([one.count for one in found])
    if inputs < 2 or judges < 3 or rest.min() == 0 or abs(value) >= 1 - FLAT:
        return MeanCorrelation(value, nothing, nothing, n)
    of_inputs = float(((cells.sum(axis=0) / times) ** 2).sum()) * inputs / (inputs - 1)
    # The jackknife: by how much the mean changes without a judge, and how much of that single judgements would do.
    own = np.array([one.total - one.count * value for one in found]) / rest
    of_judges = float(((own - own.mean()) ** 2).sum()) * (judges - 1) / judges
    # An input that is the same to all judges changes none of them beside the others.
    is_there = cells != 0
    number = np.maximum(is_there.sum(axis=0), 2)
    around = np.where(is_there, cells - cells.sum(axis=0) / number, 0.0) * (n / rest)[:, None]
    of_cells = float(((around**2).sum(axis=0) * number / (number - 1)).sum()) * (judges - 1) / judges
    shared = max(of_judges - of_cells, 0.0)
    below = of_inputs**2 / (inputs - 1) + shared**2 / (judges - 1)
    if below == 0:
        return MeanCorrelation(value, nothing, nothing, n)
    df = (of_inputs + shared) ** 2 / below
    # On the scale of Fisher's z, as other correlations.
    margin = (of_inputs + shared) ** 0.5 / (1 - value**2) * float(stdtrit(df, 0.975))
    low, high = np.tanh(np.arctanh(value) + np.array([-margin, margin]))
    return MeanCorrelation(value, float(low), float(high), n)
