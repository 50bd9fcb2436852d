"""How reliable judges are: intraclass correlations, alpha, each judge against the others, and the ceiling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.coefficients import coefficient
from fergus.analysis.judgements import Ratings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

NORMAL = 1.959963984540054
"""The quantile of the normal distribution for 95% intervals."""


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
    low: float = float("nan")
    high: float = float("nan")
    """The 95% interval of the correlation, by Fisher's z; NaN for three texts or fewer."""


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
    table = complete_table(ratings, items)
    two = (None, None, None, None) if table is None else two_way(table)
    return Intraclass(one, mean, *two, float(k))


def complete_table(ratings: Ratings, items: int) -> Floats | None:
    """Items by judges, if there are two judges or more and each judged every judged item once."""
    judges = np.unique(ratings.judge)
    judged = np.unique(ratings.item)
    pairs = {*zip(ratings.judge.tolist(), ratings.item.tolist(), strict=True)}
    if len(judges) < 2 or not len(ratings) == len(judged) * len(judges) == len(pairs):
        return None
    return ratings.matrix(items)[np.ix_(judges, judged)].T


def two_way(table: Floats) -> tuple[float | None, float | None, float | None, float | None]:
    """ICC(2,1), ICC(2,k), ICC(3,1) and ICC(3,k) of a table of items by judges."""
    n, k = table.shape
    rows, columns, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
    between = float(k * ((rows - grand) ** 2).sum() / (n - 1))
    of_judges = float(n * ((columns - grand) ** 2).sum() / (k - 1))
    error = float(((table - rows[:, None] - columns + grand) ** 2).sum() / ((n - 1) * (k - 1)))
    return (
        _ratio(between - error, between + (k - 1) * error + k * (of_judges - error) / n),
        _ratio(between - error, between + (of_judges - error) / n),
        _ratio(between - error, between + (k - 1) * error),
        _ratio(between - error, between),
    )


def _ratio(above: float, below: float) -> float | None:
    return None if below == 0 else float(above / below)


def judge_reports(ratings: Ratings, items: int) -> list[JudgeReport]:
    """Every judge against the mean of the others (leave-one-out)."""
    beside = {number: (own, rest) for number, _, own, rest in beside_others(ratings, items)}
    found = []
    for number, name in enumerate(ratings.judges):
        score = ratings.score[ratings.judge == number]
        if len(score) == 0:
            continue
        own, rest = beside[number]
        r = coefficient("pearson", own, rest).value
        deviation = float(score.std(ddof=1)) if len(score) > 1 else 0.0
        commonest = float(np.unique(score, return_counts=True)[1].max() / len(score))
        bounds = _fisher_interval(r, len(own))
        found.append(JudgeReport(name, len(score), float(score.mean()), deviation, r, len(own), commonest, *bounds))
    return found


def beside_others(ratings: Ratings, items: int) -> Iterator[tuple[int, Ints, Floats, Floats]]:
    """Every judge's number, the texts that somebody else judged too, the judge's own mean of each and the others'."""
    total = np.bincount(ratings.item, weights=ratings.score, minlength=items)
    count = np.bincount(ratings.item, minlength=items)
    for number in np.unique(ratings.judge).tolist():
        own = ratings.judge == number
        mine = np.bincount(ratings.item[own], weights=ratings.score[own], minlength=items)
        times = np.bincount(ratings.item[own], minlength=items)
        shared = np.flatnonzero((count > times) & (times > 0))
        yield number, shared, mine[shared] / times[shared], (total - mine)[shared] / (count - times)[shared]


def _fisher_interval(r: float, n: int) -> tuple[float, float]:
    """Of one judge's r: with other texts, which are taken to be independent."""
    if np.isnan(r) or n <= 3:
        return float("nan"), float("nan")
    margin, z = NORMAL / (n - 3) ** 0.5, np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15))
    return float(np.tanh(z - margin)), float(np.tanh(z + margin))


def ceiling(ratings: Ratings, items: int) -> float:
    """The highest correlation with the mean judgement that a metric could have: people differ, and so means have noise.

    Of the variance of single judgements the share rho = ICC(1,1) is that of what people think on average; the rest is
    divided by the number of judgements k of a text. What people think on average correlates with the means by
    sqrt(rho / (rho + (1 - rho) mean(1/k))). NaN where too few items have two judgements.
    """
    rho = intraclass(ratings, items).one_way
    if rho is None:
        return float("nan")
    count = np.bincount(ratings.item, minlength=items)
    shared = float(np.mean(1 / count[count > 0]))
    return float(np.sqrt(max(rho, 0.0) / (max(rho, 0.0) + (1 - rho) * shared))) if rho < 1 else 1.0
