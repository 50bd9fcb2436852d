"""How far a statistic of judgements would vary with other inputs *and* other judges: both are samples of many more.

The variance is that of inputs, plus that of judges, less that of single judgements, which is in both (Cameron, Gelbach
and Miller 2011; ``crossed`` does the same for plain means). Inputs are drawn with replacement, each with all of its
texts. Judges are not: where a text has few, drawing them twice makes its mean noisier than it was, and a correlation
with it lower. Instead what a judge says beyond the others is turned round or not, for all texts at once (all that a
judge contributes) or anew for every input (what is mere noise).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Ratings
from fergus.cluster.chunks import Workers, chunked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

THREADS, AT_ONCE = 2, 64
"""How many resamples are worked on at once, and how many are in memory."""
STEP = 1 / 3
"""How much of a judge's difference from the others is turned round: variances are then to be divided by its square."""
MISSING = STEP**2 / (1 + STEP**2)
"""The share of texts with a single judgement that are left out instead: the variance shrinks by the same factor."""


@dataclass(frozen=True)
class Draw:
    """One resample: how often each input was drawn, and every item's mean score; NaN for an item that is left out."""

    inputs: Floats
    means: Floats


@dataclass(frozen=True)
class Spread:
    """How far each number of a statistic varies; NaN where fewer than half of the resamples have it."""

    error: Floats
    """The standard error."""
    df: Floats
    """Its degrees of freedom, by Satterthwaite's formula."""

    def margin(self, confidence: float = 0.95) -> Floats:
        """Half of the interval's width, by Student's t."""
        from scipy.special import stdtrit

        result: Floats = self.error * stdtrit(self.df, (1 + confidence) / 2)
        return result


def spread(
    items: Items,
    ratings: Ratings,
    statistic: Callable[[Draw], Floats],
    *,
    samples: int = 1000,
    seed: int = 12345,
    workers: Workers | None = None,
) -> Spread:
    """Of so many resamples one half is of inputs, one quarter of judges and one quarter of single judgements.

    The statistic must be one of texts' means, and may be called from several threads at once; by ``workers``, if there
    are any. What is drawn is drawn here, by one generator, and does not depend on them.
    """
    random = np.random.default_rng(seed)
    few = max(2, samples // 4)
    of_inputs = _variance(input_draws(items, ratings, max(2, samples - 2 * few), random), statistic, workers)
    judges = ratings.judge
    cells = np.unique(judges * items.input_count + items.input_numbers[ratings.item], return_inverse=True)[1]
    of_judges, of_cells = (
        _variance(judge_draws(items, ratings, units, few, random), statistic, workers) / STEP**2
        for units in (judges, cells)
    )
    shared = np.maximum(of_judges - of_cells, 0)  # what judges say again and again, beyond noise
    variance = of_inputs + shared
    size, people = items.input_count - 1, len(np.unique(judges)) - 1
    if size < 1:
        return Spread(np.full_like(variance, np.nan), np.full_like(variance, np.nan))
    below = of_inputs**2 / size + shared**2 / max(people, 1)
    df = np.where(below > 0, variance**2 / np.maximum(below, 1e-300), size)
    return Spread(np.sqrt(variance), df)


def input_draws(items: Items, ratings: Ratings, samples: int, random: np.random.Generator) -> Iterator[Draw]:
    """Inputs drawn with replacement; judgements stay as they are."""
    means, size = ratings.item_means(len(items)), items.input_count
    for _ in range(samples):
        drawn = random.integers(0, size, size)
        yield Draw(np.bincount(drawn, minlength=size).astype(np.float64), means)


def judge_draws(
    items: Items, ratings: Ratings, units: Ints, samples: int, random: np.random.Generator
) -> Iterator[Draw]:
    """Every unit's part in the means (a unit is what each judgement belongs to) a little larger or smaller."""
    size, ones = len(items), np.ones(items.input_count)
    means, count = ratings.item_means(size), np.bincount(ratings.item, minlength=size)[ratings.item]
    # Of k judgements of a text each differs from their mean by (k - 1)/k of the variance of one, and counts 1/k.
    part = (ratings.score - means[ratings.item]) * STEP / np.sqrt(np.maximum(count * (count - 1), 1))
    is_alone = count == 1
    for _ in range(samples):
        chance = random.random(int(units.max()) + 1)[units]
        moved = means + np.bincount(ratings.item, weights=np.where(chance < 0.5, -part, part), minlength=size)
        moved[ratings.item[is_alone & (chance < MISSING)]] = np.nan
        yield Draw(ones, moved)


@dataclass(frozen=True)
class OnEach:
    """The statistic of every draw of a chunk."""

    statistic: Callable[[Draw], Floats]

    def __call__(self, draws: list[Draw]) -> list[Floats]:
        """In their order."""
        return [self.statistic(draw) for draw in draws]


def _variance(draws: Iterator[Draw], statistic: Callable[[Draw], Floats], workers: Workers | None) -> Floats:
    """Over all draws, where at least half of them have a value."""
    parts = chunked(draws, AT_ONCE)
    values: list[Floats]
    if workers is None:
        # Compiled statistics let go of the interpreter, so two resamples are worked on at once.
        with ThreadPoolExecutor(THREADS) as pool:
            values = [value for part in parts for value in pool.map(statistic, part)]
    else:
        values = [value for found in workers.map(OnEach(statistic), parts) for value in found]
    table = np.array(values)
    known = np.isfinite(table)
    count = known.sum(axis=0)
    mean = np.where(known, table, 0.0).sum(axis=0) / np.maximum(count, 1)
    squares = (np.where(known, table - mean, 0.0) ** 2).sum(axis=0)
    return np.where((2 * count >= len(table)) & (count > 1), squares / np.maximum(count - 1, 1), np.nan)
