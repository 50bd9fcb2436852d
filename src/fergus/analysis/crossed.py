"""Means and differences over judgements whose people and texts are both samples of many more.

Everybody judges several texts and every text is judged by several people. Judgements are therefore not independent, and
an interval that takes them to be is too narrow (Clark 1973, The language-as-fixed-effect fallacy). The variance is that
of people, plus that of texts, less that of single judgements, which is in both (Cameron, Gelbach and Miller 2011). Its
degrees of freedom are Satterthwaite's. The interval has the shape that a bootstrap of people *and* texts gives; since
that bootstrap counts the noise of single judgements three times (Owen 2007, The pigeonhole bootstrap), its spread is
brought to the variance above.

How much people vary cannot be told from one of them: a mean over one person has no interval, nor has a difference one
of whose sides is a single person's. Of a single text that everybody judged the interval allows for other people alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SAMPLES, SEED = 2000, 12345
CONFIDENCE = 0.95
_NAN = float("nan")


@dataclass(frozen=True)
class Estimate:
    """A mean or a difference of means, with the interval that another sample of people and texts could have given."""

    value: float
    low: float
    high: float
    error: float
    """The standard error; NaN, as are the bounds, where a side has one person, or nothing varies."""
    df: float
    n: int
    """Judgements."""
    people: int
    texts: int

    def p_against(self, null: float) -> float:
        """Two-sided p of the hypothesis that the true value is this one, by Student's t."""
        from scipy.special import stdtr

        return float(2 * stdtr(self.df, -abs(self.t_against(null))))

    def t_against(self, null: float) -> float:
        """How many standard errors the value lies from this one."""
        return (self.value - null) / self.error if self.error > 0 else _NAN


def crossed_mean(
    values: Floats,
    people: Ints,
    texts: Ints,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Estimate:
    """The mean over all judgements; people and texts are numbers from 0."""
    sides = np.zeros(len(values), np.int64)
    return _estimate(values, people, texts, sides, (1.0,), samples, seed, bounds)


def crossed_difference(
    values: Floats,
    people: Ints,
    texts: Ints,
    is_first: NDArray[np.bool_],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Estimate:
    """The mean of some judgements less that of the others; people or texts may be on both sides or on one."""
    sides = (~is_first).astype(np.int64)
    return _estimate(values, people, texts, sides, (1.0, -1.0), samples, seed, bounds)


@dataclass(frozen=True)
class _Clusters:
    """People or texts: which one each judgement belongs to, and which of them are drawn together."""

    of: Ints
    size: int
    strata: tuple[Ints, ...]
    """By side, if each is on one side only; otherwise all of them."""
    fewest: int
    """On a side."""

    @classmethod
    def made(cls, of: Ints, sides: Ints) -> _Clusters:
        names, numbers = np.unique(of, return_inverse=True)
        numbers, size = numbers.astype(np.int64), len(names)
        on = [np.unique(numbers[sides == side]) for side in np.unique(sides)]
        is_apart = len(on) == 2 and len(np.intersect1d(on[0], on[1])) == 0
        return cls(numbers, size, tuple(on) if is_apart else (np.arange(size),), min(map(len, on)))

    def variance(self, influence: Floats) -> tuple[float, float]:
        """The variance of the sum of influences, and its degrees of freedom (Welch's, for sides that are apart)."""
        squares = np.bincount(self.of, weights=influence, minlength=self.size) ** 2
        parts = [(float(squares[own].sum()) * len(own) / (len(own) - 1), len(own) - 1) for own in self.strata]
        total = sum(variance for variance, _ in parts)
        below = sum(variance**2 / df for variance, df in parts)
        return total, (total**2 / below if below > 0 else float(sum(df for _, df in parts)))

    def drawn(self, random: np.random.Generator, samples: int) -> Floats:
        """How often each comes up in every resample; a single one is always there."""
        weights = np.ones((samples, self.size))
        for own in self.strata:
            if len(own) > 1:
                weights[:, own] = random.multinomial(len(own), np.full(len(own), 1 / len(own)), size=samples)
        return weights


def _estimate(
    values: Floats,
    people: Ints,
    texts: Ints,
    sides: Ints,
    signs: tuple[float, ...],
    samples: int,
    seed: int,
    bounds: tuple[float, float],
) -> Estimate:
    from scipy.special import ndtri, stdtrit

    n = len(values)
    if any((sides == side).sum() == 0 for side in range(len(signs))):
        return Estimate(_NAN, _NAN, _NAN, _NAN, _NAN, n, len(np.unique(people)), len(np.unique(texts)))
    a, b = _Clusters.made(people, sides), _Clusters.made(texts, sides)
    means = np.array([values[sides == side].mean() for side in range(len(signs))])
    counts = np.bincount(sides)
    value = float(np.array(signs) @ means)
    influence = np.array(signs)[sides] * (values - means[sides]) / counts[sides]
    # The deviations of a side's only person, or text, from its mean have no sum: it would seem never to vary.
    if a.fewest == 1 or (b.fewest == 1 and b.size > 1):
        return Estimate(value, _NAN, _NAN, _NAN, _NAN, n, a.size, b.size)
    error, df = _error(influence, a, b)
    if not error > 1e-12 * np.abs(values).max():  # rounding leaves a trace of variance where there is none
        return Estimate(value, _NAN, _NAN, _NAN, df, n, a.size, b.size)
    random = np.random.default_rng(seed)
    deviations = _resampled(values, sides, signs, a.drawn(random, samples), b.drawn(random, samples), a, b) - value
    deviations = deviations[np.isfinite(deviations)]
    upper = (1 + CONFIDENCE) / 2
    widening = float(stdtrit(df, upper) / ndtri(upper))  # few people or texts: Student's t, not the normal
    spread = deviations.std(ddof=1) if len(deviations) > 1 else 0.0
    if spread == 0:
        return Estimate(value, _NAN, _NAN, error, df, n, a.size, b.size)
    scaled = value + (deviations - deviations.mean()) * (error * widening / spread)
    low, high = np.clip(np.quantile(scaled, [1 - upper, upper]), *bounds)
    return Estimate(value, float(low), float(high), error, df, n, a.size, b.size)


def _error(influence: Floats, a: _Clusters, b: _Clusters) -> tuple[float, float]:
    """The standard error with its degrees of freedom; where there is one text, people alone are a sample."""
    of_people, people_df = a.variance(influence)
    if b.size == 1:
        return of_people**0.5, people_df
    of_texts, texts_df = b.variance(influence)
    single = float((influence**2).sum())
    error, df = crossed_error(np.array(of_people), np.array(of_texts), np.array(single), people_df, texts_df)
    return float(error), float(df)


def crossed_error(
    of_people: Floats, of_texts: Floats, single: Floats, people_df: float, texts_df: float
) -> tuple[Floats, Floats]:
    """The standard errors that variances of people, of texts and of single judgements make, and their df."""
    variance = np.maximum(of_people + of_texts - single, single)
    below = of_people**2 / people_df + of_texts**2 / texts_df
    df = np.where(below > 0, (of_people + of_texts) ** 2 / np.where(below > 0, below, 1.0), min(people_df, texts_df))
    return np.sqrt(variance), df


def _resampled(
    values: Floats, sides: Ints, signs: tuple[float, ...], heavy_a: Floats, heavy_b: Floats, a: _Clusters, b: _Clusters
) -> Floats:
    """The statistic in every resample; NaN where a side has come up empty."""
    result = np.zeros(len(heavy_a))
    for side, sign in enumerate(signs):
        own = sides == side
        total, count = np.zeros((a.size, b.size)), np.zeros((a.size, b.size))
        np.add.at(total, (a.of[own], b.of[own]), values[own])
        np.add.at(count, (a.of[own], b.of[own]), 1.0)
        above, below = ((heavy_a @ cells * heavy_b).sum(axis=1) for cells in (total, count))
        result += sign * np.where(below > 0, above / np.maximum(below, 1e-300), np.nan)
    return result
