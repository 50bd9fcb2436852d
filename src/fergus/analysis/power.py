"""How many judges and items a study needs: power by simulation, for ratings of two systems and for Turing-style pairs.

Ratings follow the model of ``fergus.studies.raters``. Two systems write one text for each item. A text has a quality,
standard-normal over texts, the second system's better by *d* on average; a judge adds a bias of the person's own and
noise that is drawn anew each time, and answers blindly now and then. Each text's mean over its judges is taken, and the
systems are compared by a paired t test over items.

Of a pair, person *i* finds the right text *j* with probability Φ(m + a(i) + b(j)), a and b normal, m such that the
share over all people and pairs is *p*. It is tested against 1/2 as ``fergus.analysis.crossed`` does, which allows for
other people and other pairs, or by the exact binomial test, which takes all choices to be independent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from fergus.analysis.crossed import crossed_error
from fergus.analysis.proportions import proportion
from fergus.errors import InputError
from fergus.studies.raters import RaterSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RUNS, SEED, LEVEL, TARGET = 2000, 12345, 0.05, 0.8
MOST_ITEMS, MOST_JUDGES = 5000, 1000
"""Where the search ends: few studies have more."""
_AT_ONCE = 4_000_000
"""Judgements that are simulated together: 32 MB of numbers."""


@dataclass(frozen=True, kw_only=True)
class RatingDesign:
    """A study in which judges rate the texts of two systems."""

    difference: float
    """By how much the second system's texts are better, in standard deviations of the quality of texts."""
    items: int
    judges: int
    judgements: int = 0
    """Judges of each text; 0 for all of them."""
    same_judges: bool = True
    """Do the same judges see both texts of an item? Their bias then cancels."""
    points: int = 0
    """Of the scale; 0 for any number."""
    shared: float = 0.0
    """The share of the variance of quality that both texts of an item have in common: hard items, easy items."""
    raters: RaterSettings = field(default_factory=RaterSettings)
    level: float = LEVEL

    def __post_init__(self) -> None:
        _check_sizes(self.items, self.judges, self.level)
        if not 0 <= self.judgements <= self.judges:
            remedy = f"it must be from 1 to the number of judges, {self.judges}, or 0 for all of them"
            raise InputError(f"judgements of a text are {self.judgements}", remedy=remedy)
        if self.points == 1 or self.points < 0:
            raise InputError(f"the scale has {self.points} points", remedy="give 2 or more, or 0 for any number")
        if not 0 <= self.shared <= 1:
            raise InputError(f"the shared variance is {self.shared}", remedy="it must be from 0 to 1")

    @property
    def each(self) -> int:
        """Judges of each text."""
        return self.judgements or self.judges

    @property
    def total(self) -> int:
        """Judgements of the whole study."""
        return 2 * self.items * self.each


@dataclass(frozen=True, kw_only=True)
class PairDesign:
    """A study in which everybody says of every pair which text is a person's."""

    share: float
    """That is identified."""
    items: int
    """Pairs."""
    judges: int
    skill: float = 0.3
    """How much people differ: the standard deviation of a(i)."""
    ease: float = 0.4
    """How much pairs differ: the standard deviation of b(j)."""
    test: Literal["crossed", "binomial"] = "crossed"
    level: float = LEVEL

    def __post_init__(self) -> None:
        _check_sizes(self.items, self.judges, self.level)
        if not 0 < self.share < 1:
            raise InputError(f"the share identified is {self.share}", remedy="it must be between 0 and 1")
        if min(self.skill, self.ease) < 0:
            raise InputError("a standard deviation is below 0", remedy="give 0 or more for skill and ease")

    @property
    def total(self) -> int:
        """Judgements of the whole study."""
        return self.items * self.judges


Design = RatingDesign | PairDesign


@dataclass(frozen=True)
class Power:
    """How often the difference would be found significant, if it is there."""

    design: Design
    power: float
    error: float
    """The standard error of the simulation."""
    low: float
    high: float
    """Its 95% interval."""
    runs: int


def power_of(design: Design, *, runs: int = RUNS, seed: int = SEED) -> Power:
    """The power of a design, by so many simulated studies; with no difference it is the rate of false alarms."""
    if runs < 1:
        raise InputError(f"runs are {runs}", remedy="give 1 or more; 2000 tell the power to about .02")
    random = np.random.default_rng(seed)
    size = max(1, _AT_ONCE // max(1, design.total))
    found = 0
    for begin in range(0, runs, size):
        count = min(size, runs - begin)
        p = _rating_p(design, count, random) if isinstance(design, RatingDesign) else _pair_p(design, count, random)
        found += int((p < design.level).sum())
    told = proportion(found, runs)
    return Power(design, told.value, (told.value * (1 - told.value) / runs) ** 0.5, told.low, told.high, runs)


def least_items(design: Design, *, target: float = TARGET, runs: int = RUNS, seed: int = SEED) -> Power | None:
    """The power with the fewest items that reach the target; None if even ``MOST_ITEMS`` do not."""
    _check_effect(design)
    return _least(lambda n: replace(design, items=n), target, runs, seed, least=2, most=MOST_ITEMS)


def least_judges(design: Design, *, target: float = TARGET, runs: int = RUNS, seed: int = SEED) -> Power | None:
    """The power with the fewest judges that reach the target; None if even ``MOST_JUDGES`` do not.

    More judges of the same few items help only so far: then other items are needed, and no number of judges is enough.
    """
    _check_effect(design)
    least = max(2, design.judgements if isinstance(design, RatingDesign) else 0)
    return _least(lambda n: replace(design, judges=n), target, runs, seed, least=least, most=MOST_JUDGES)


def _least(
    design: Callable[[int], Design], target: float, runs: int, seed: int, *, least: int, most: int
) -> Power | None:
    """Doubling, then halving the interval; noise may move the answer by as much as the error allows."""
    if not 0 < target < 1:
        raise InputError(f"the power to reach is {target}", remedy="it must be between 0 and 1, such as 0.8")
    low, high = least - 1, least
    best = power_of(design(high), runs=runs, seed=seed)
    while best.power < target:
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
        best = power_of(design(high), runs=runs, seed=seed)
    while high - low > 1:
        middle = (low + high) // 2
        tried = power_of(design(middle), runs=runs, seed=seed)
        if tried.power >= target:
            high, best = middle, tried
        else:
            low = middle
    return best


def _check_effect(design: Design) -> None:
    if (design.difference == 0) if isinstance(design, RatingDesign) else (design.share == 0.5):
        problem = "there is no difference that could be found"
        raise InputError(problem, remedy="give a difference other than 0, or a share other than 0.5")


def _check_sizes(items: int, judges: int, level: float) -> None:
    if items < 2:
        raise InputError(f"items are {items}", remedy="give 2 or more: one item has no spread")
    if judges < 1:
        raise InputError(f"judges are {judges}", remedy="give 1 or more")
    if not 0 < level < 1:
        raise InputError(f"the level is {level}", remedy="it must be between 0 and 1, such as 0.05")


def _rating_p(design: RatingDesign, runs: int, random: np.random.Generator) -> Floats:
    """p of the paired t test over items, in so many studies."""
    from scipy.special import stdtr

    raters, n, k = design.raters, design.items, design.each
    own = random.standard_normal((runs, n, 2)) * (1 - design.shared) ** 0.5
    if design.shared:
        own += random.standard_normal((runs, n, 1)) * design.shared**0.5
    own[..., 1] += design.difference
    seen = own[..., None] + _biases(design, runs, random)
    seen += raters.noise * random.standard_normal((runs, n, 2, k))
    scores = _on_scale(seen, design.points)
    if raters.inattention:
        blind = random.random(scores.shape) < raters.inattention
        scores = np.where(blind, _on_scale(random.uniform(-2.5, 2.5, scores.shape), design.points), scores)
    means = scores.mean(axis=-1)
    gaps = means[..., 1] - means[..., 0]
    spread = gaps.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = gaps.mean(axis=1) / (spread / n**0.5)
    t = np.where(np.isnan(t), 0.0, t)  # no text differs from its fellow: nothing is found
    result: Floats = 2 * stdtr(n - 1, -np.abs(t))
    return result


def _biases(design: RatingDesign, runs: int, random: np.random.Generator) -> Floats:
    """The bias of the judge of every judgement: judges take turns over items in an order that chance decides."""
    n, k, judges = design.items, design.each, design.judges
    biases = design.raters.bias * random.standard_normal((runs, judges))
    sides = 1 if design.same_judges else 2
    turns = random.permuted(np.tile(np.arange(n * sides), (runs, 1)), axis=1).reshape(runs, n, sides)
    judge = (turns[..., None] * k + np.arange(k)) % judges
    drawn = np.take_along_axis(biases, judge.reshape(runs, -1), axis=1)
    return drawn.reshape(runs, n, sides, k)


def _on_scale(seen: Floats, points: int) -> Floats:
    """Impressions as points of a scale, spread as artificial raters of a study spread them."""
    if not points:
        return seen
    result: Floats = np.clip(np.rint((points + 1) / 2 + (points - 1) / 5 * seen), 1, points)
    return result


def _pair_p(design: PairDesign, runs: int, random: np.random.Generator) -> Floats:
    """p against 1/2, in so many studies."""
    from scipy.special import bdtr, ndtr, ndtri, stdtr

    people, pairs = design.judges, design.items
    middle = ndtri(design.share) * (1 + design.skill**2 + design.ease**2) ** 0.5
    skills = design.skill * random.standard_normal((runs, people, 1))
    eases = design.ease * random.standard_normal((runs, 1, pairs))
    right = (random.random((runs, people, pairs)) < ndtr(middle + skills + eases)).astype(np.float64)
    n = people * pairs
    share = right.mean(axis=(1, 2))
    if design.test == "binomial" or people == 1:
        hits = np.rint(share * n)
        result: Floats = np.minimum(1.0, 2 * bdtr(np.minimum(hits, n - hits), n, 0.5))
        return result
    of_people = ((right.mean(axis=2) - share[:, None]) ** 2).sum(axis=1) / (people * (people - 1))
    of_pairs = ((right.mean(axis=1) - share[:, None]) ** 2).sum(axis=1) / (pairs * (pairs - 1))
    error, df = crossed_error(of_people, of_pairs, share * (1 - share) / n, people - 1, pairs - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, (share - 0.5) / error, np.inf)
    crossed: Floats = 2 * stdtr(df, -np.abs(t))
    return crossed
