"""How reliable judges are: intraclass correlations, alpha, each judge against the others, and the ceiling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fergus.analysis.coefficients import coefficient
from fergus.analysis.judgements import Ratings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ROUNDING = 1e-12
"""What is less, beside the scores, is no difference."""
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


class OneWay(NamedTuple):
    """What follows from an analysis of variance by texts; NaN, or infinite, where it is undefined."""

    alpha: float
    """Krippendorff's, for interval data."""
    single: float
    """ICC(1,1)."""
    mean: float
    """ICC(1,k)."""
    ceiling: float
    judges: float
    """k."""


def sums_by_item(ratings: Ratings, items: int) -> tuple[Floats, Floats, Floats]:
    """How many judgements every text has, their total and the sum of their squares; around 0 the sums are exact."""
    score = ratings.score - ratings.score.mean()
    score[np.abs(score) < ROUNDING * np.abs(ratings.score).max(initial=0.0)] = 0.0
    columns = (np.ones(len(score)), score, score**2)
    count, total, squares = (np.bincount(ratings.item, own, items).astype(np.float64) for own in columns)
    return count, total, squares


def one_way(count: Floats, total: Floats, squares: Floats, weight: Floats) -> OneWay:
    """From sums by text, of texts that count as often as their weight says."""
    twice = count >= 2
    with np.errstate(invalid="ignore", divide="ignore"):
        n, every = weight[twice] @ count[twice], weight[twice] @ squares[twice]
        within = weight[twice] @ ((count * squares - total**2)[twice] / (count[twice] - 1))
        expected = (n * every - (weight[twice] @ total[twice]) ** 2) / (n - 1)
        alpha = 1 - within / expected if expected > ROUNDING * every else np.nan
        judged = count > 0
        w, k = weight[judged], count[judged]
        texts, judgements = w.sum(), w @ k
        grand = w @ total[judged] / judgements
        between = (w @ (total[judged] ** 2 / k) - judgements * grand**2) / (texts - 1)
        error = np.maximum(w @ squares[judged] - w @ (total[judged] ** 2 / k), 0.0) / (judgements - texts)
        each = (judgements - w @ k**2 / judgements) / (texts - 1)
        rho = (between - error) / (between + (each - 1) * error)
        true = np.maximum(rho, 0.0)
        top = np.sqrt(true / (true + (1 - true) * (w @ (1 / k)) / texts))
        return OneWay(*map(float, (alpha, rho, (between - error) / between, top, each)))


def _all_once(ratings: Ratings, items: int) -> OneWay:
    return one_way(*sums_by_item(ratings, items), np.ones(items))


def interval_alpha(ratings: Ratings) -> float | None:
    """Krippendorff's alpha for interval data, in one pass: what ``agreement.alpha`` gives, for any number of values."""
    return _defined(_all_once(ratings, int(ratings.item.max()) + 1).alpha)


def intraclass(ratings: Ratings, items: int) -> Intraclass:
    """From the analysis of variance; two-way ones only where every judge judged every item once."""
    n, total = len(np.unique(ratings.item)), len(ratings)
    if n < 2 or total <= n:
        return Intraclass(None, None, None, None, None, None, total / n if n else 0.0)
    found, table = _all_once(ratings, items), complete_table(ratings, items)
    two = (None, None, None, None) if table is None else two_way(table)
    return Intraclass(_defined(found.single), _defined(found.mean), *two, found.judges)


def _defined(value: float) -> float | None:
    return value if np.isfinite(value) else None


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
    return _all_once(ratings, items).ceiling if intraclass(ratings, items).one_way is not None else float("nan")
