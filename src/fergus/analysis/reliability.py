"""How reliable judges are: intraclass correlations, alpha, each judge against the others, and the ceiling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.coefficients import coefficient
from fergus.analysis.judgements import Ratings, means_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Intraclass:
    """Intraclass correlations by the names of Shrout and Fleiss (1979); None where the design does not allow them."""

    one_way: float | None
    """ICC(1,1): each item has judges of its own."""
    one_way_mean: float | None
    """ICC(1,k): of the mean over as many judges as an item has on average."""
    random: float | None
    """ICC(2,1): the same judges for all items, a sample of judges."""
    random_mean: float | None
    fixed: float | None
    """ICC(3,1): the same judges for all items, and no others are meant."""
    fixed_mean: float | None
    judges_an_item: float
    """k: on average, by the harmonic kind of mean that unbalanced designs need."""


@dataclass(frozen=True)
class JudgeReport:
    """One judge beside the others."""

    judge: str
    judgements: int
    mean: float
    deviation: float
    with_others: float
    """Pearson's r with the mean of the others on the same items."""
    shared: int
    """Items that somebody else judged too."""
    commonest: float
    """The share of the value given most often: 1 for a straight line."""


def interval_alpha(ratings: Ratings) -> float | None:
    """Krippendorff's alpha for interval data, in one pass: what ``agreement.alpha`` gives, for any number of values."""
    count = np.bincount(ratings.item).astype(np.float64)
    kept = count[ratings.item] >= 2
    item, score = ratings.item[kept], ratings.score[kept] - ratings.score.mean()
    n = len(score)
    if n == 0:
        return None
    size = np.bincount(item).astype(np.float64)
    total, squares = np.bincount(item, weights=score), np.bincount(item, weights=score * score)
    judged = size >= 2
    within = (size[judged] * squares[judged] - total[judged] ** 2) / (size[judged] - 1)
    expected = (n * squares.sum() - total.sum() ** 2) / (n - 1)
    return None if expected <= 1e-12 * max(squares.sum(), 1e-300) else float(1 - within.sum() / expected)


def intraclass(ratings: Ratings, items: int) -> Intraclass:
    """From the analysis of variance; two-way ones only where every judge judged every item once."""
    count = np.bincount(ratings.item, minlength=items).astype(np.float64)
    judged = count > 0
    n, total = int(judged.sum()), len(ratings)
    if n < 2 or total <= n:
        return Intraclass(None, None, None, None, None, None, total / n if n else 0.0)
    k = (total - (count**2).sum() / total) / (n - 1)
    means = np.bincount(ratings.item, weights=ratings.score, minlength=items)[judged] / count[judged]
    grand = ratings.score.mean()
    between = float((count[judged] * (means - grand) ** 2).sum() / (n - 1))
    all_means = np.zeros(items)
    all_means[judged] = means
    within = float(((ratings.score - all_means[ratings.item]) ** 2).sum() / (total - n))
    one = _ratio(between - within, between + (k - 1) * within)
    mean = _ratio(between - within, between)
    judges = len(np.unique(ratings.judge))
    pairs = {*zip(ratings.judge.tolist(), ratings.item.tolist(), strict=True)}
    is_complete = total == n * judges == len(pairs)
    if not is_complete or judges < 2:
        return Intraclass(one, mean, None, None, None, None, float(k))
    by_judge = np.bincount(ratings.judge, weights=ratings.score)[np.unique(ratings.judge)] / n
    judge_square = float(n * ((by_judge - grand) ** 2).sum() / (judges - 1))
    rest = within * (total - n) - judge_square * (judges - 1)
    error = rest / ((n - 1) * (judges - 1))
    return Intraclass(
        one,
        mean,
        _ratio(between - error, between + (judges - 1) * error + judges * (judge_square - error) / n),
        _ratio(between - error, between + (judge_square - error) / n),
        _ratio(between - error, between + (judges - 1) * error),
        _ratio(between - error, between),
        float(k),
    )


def _ratio(above: float, below: float) -> float | None:
    return None if below == 0 else float(above / below)


def judge_reports(ratings: Ratings, items: int) -> list[JudgeReport]:
    """Every judge against the mean of the others (leave-one-out)."""
    total = np.bincount(ratings.item, weights=ratings.score, minlength=items)
    count = np.bincount(ratings.item, minlength=items)
    found = []
    for number, name in enumerate(ratings.judges):
        own = ratings.judge == number
        item, score = ratings.item[own], ratings.score[own]
        if len(score) == 0:
            continue
        mine = np.bincount(item, weights=score, minlength=items)
        times = np.bincount(item, minlength=items)
        others = (count > times) & (times > 0)
        rest = (total[others] - mine[others]) / (count - times)[others]
        r = coefficient("pearson", mine[others] / times[others], rest).value
        deviation = float(score.std(ddof=1)) if len(score) > 1 else 0.0
        commonest = float(np.unique(score, return_counts=True)[1].max() / len(score))
        found.append(JudgeReport(name, len(score), float(score.mean()), deviation, r, int(others.sum()), commonest))
    return found


def pairwise_correlation(ratings: Ratings, items: int, *, least: int = 3) -> tuple[float, int]:
    """The mean Pearson's r over all pairs of judges with at least so many items in common, and how many pairs."""
    matrix = ratings.matrix(items)
    known = np.isfinite(matrix)
    filled = np.where(known, matrix, 0.0)
    both = known.astype(np.float64)
    n = both @ both.T
    with np.errstate(invalid="ignore", divide="ignore"):
        sum_x, sum_xx, sum_xy = filled @ both.T, (filled**2) @ both.T, filled @ filled.T
        spread = n * sum_xx - sum_x**2
        r = (n * sum_xy - sum_x * sum_x.T) / np.sqrt(spread * spread.T)
    upper = np.triu(np.ones_like(n, bool), 1)
    kept = upper & (n >= least) & (spread > 1e-9 * n) & (1e-9 * n < spread.T) & np.isfinite(r)
    return (float(r[kept].mean()), int(kept.sum())) if kept.any() else (float("nan"), 0)


def ceiling(ratings: Ratings, items: int, *, splits: int = 100, seed: int = 12345) -> float:
    """The highest correlation with the mean judgement that a metric could have: people differ, and so means have noise.

    r of half of each item's judgements with the other half, stepped up to all of them by Spearman and Brown's
    formula, is the reliability of the means; a metric that knew what people think on average would correlate by its
    square root. NaN where too few items have two judgements.
    """
    random = np.random.default_rng(seed)
    values = []
    for _ in range(splits):
        order = random.permutation(len(ratings))
        item = ratings.item[order]
        by_item = np.argsort(item, kind="stable")
        rank = np.empty(len(item), np.int64)
        begin = np.concatenate([[0], np.cumsum(np.bincount(item, minlength=items))[:-1]])
        rank[by_item] = np.arange(len(item)) - begin[item[by_item]]
        half = rank % 2 == 0
        first, second = (means_by(item[mask], ratings.score[order][mask], items) for mask in (half, ~half))
        values.append(coefficient("pearson", first, second).value)
    r = float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")
    return float(np.sqrt(max(0.0, 2 * r / (1 + r)))) if r > -1 else float("nan")
