"""Tasks: time, quality, and quality of solution normalised by time to solution (SCANMail, section 2.6).

Where the same people worked with both systems, they are their own controls and the tests are paired; where each worked
with one, two groups of people are compared. Either way the unit is the person: several solutions of one person are one
mean. Intervals of the means allow for other people and other texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Literal

import numpy as np

from fergus.analysis.compare_metrics import corrected_for_number
from fergus.analysis.crossed import SAMPLES, SEED, Estimate, crossed_mean
from fergus.analysis.judgements import Notice, means_by
from fergus.analysis.proportions import Proportion, proportion
from fergus.analysis.task_rows import Clock, TaskRows, read_tasks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.model import Json

    Floats = NDArray[np.float64]

Measure = Literal["quality", "seconds", "per_minute"]
MEASURES: tuple[Measure, ...] = ("quality", "seconds", "per_minute")
"""Quality from 0 to 1, seconds to solution, quality a minute."""
TRIALS = 10_000
MOST_EXACT = 13
"""So many people have 8,192 ways to exchange the two systems: all of them are tried, also for ranks with ties."""
_NAN = float("nan")


@dataclass(frozen=True)
class LevelSummary:
    """One system, or one condition."""

    level: str
    solutions: int
    people: int
    completed: Proportion
    """Written, and in time; with Wilson's interval."""
    completed_crossed: Estimate
    """The same share, allowing for other people and other texts."""
    late: int
    quality: Estimate
    seconds: Estimate
    median_seconds: float
    per_minute: Estimate
    """The mean of each solution's quality by its time."""
    throughput: float
    """All quality by all time, in minutes: how much is solved a minute."""


@dataclass(frozen=True)
class TaskComparison:
    """Two systems or conditions by one measure, people as units."""

    measure: Measure
    first: str
    second: str
    design: Literal["within", "between"]
    people: tuple[int, int]
    """How many are compared: the same ones twice, or those of either group."""
    means: tuple[float, float]
    difference: float
    """The first less the second."""
    low: float
    high: float
    """The 95% interval of the t test."""
    t: float
    df: float
    t_p: float
    """Paired t test, or Welch's."""
    rank_p: float
    """Wilcoxon's signed ranks, or Mann and Whitney's."""
    permutation_p: float
    corrected_p: float
    """That of the permutation, by Holm's method over all comparisons by this measure."""


@dataclass(frozen=True)
class Tasks:
    """Everything about the tasks of a study."""

    factor: str
    clock: Clock
    levels: tuple[LevelSummary, ...]
    comparisons: tuple[TaskComparison, ...]
    notices: tuple[Notice, ...]
    question: str = ""
    """Empty: of all questions together."""


def analyse_tasks(
    records: Iterable[Mapping[str, Json]],
    *,
    factor: str = "system",
    question: str = "",
    clock: Clock = "active",
    samples: int = SAMPLES,
    trials: int = TRIALS,
    seed: int = SEED,
) -> Tasks:
    """The tasks in the rows of an export, by the values of a column: ``system``, ``condition``, ``item_...``."""
    rows = read_tasks(records, factor=factor, question=question, clock=clock)
    levels = tuple(_summary(rows, number, samples, seed) for number in range(len(rows.levels)))
    random = np.random.default_rng(seed)
    found: list[TaskComparison] = []
    notices = list(rows.notices)
    for measure in MEASURES:
        values = _values(rows, measure)
        own = []
        for first, second in combinations(range(len(rows.levels)), 2):
            comparison, alone = _compare(rows, measure, values, first, second, trials, random)
            own.append(comparison)
            if alone and measure == "seconds":
                names = f"{rows.levels[first]} and {rows.levels[second]}"
                message = f"participants worked with one of {names} only; a comparison within people leaves them out"
                notices.append(Notice("one level only", message, alone))
        corrected = corrected_for_number([one.permutation_p for one in own])
        found += [replace(one, corrected_p=p) for one, p in zip(own, corrected, strict=True)]
    return Tasks(factor, clock, levels, tuple(found), tuple(notices), question)


def _values(rows: TaskRows, measure: Measure) -> Floats:
    return {"quality": rows.quality, "seconds": rows.seconds, "per_minute": rows.per_minute}[measure]


def _summary(rows: TaskRows, number: int, samples: int, seed: int) -> LevelSummary:
    own = rows.level == number

    def mean(values: Floats, bounds: tuple[float, float]) -> Estimate:
        kept = own & np.isfinite(values)
        if not kept.any():
            return Estimate(_NAN, _NAN, _NAN, _NAN, _NAN, 0, 0, 0)
        return crossed_mean(values[kept], rows.person[kept], rows.text[kept], samples=samples, seed=seed, bounds=bounds)

    timed = rows.seconds[own & np.isfinite(rows.seconds)]
    both = own & np.isfinite(rows.quality) & np.isfinite(rows.seconds)
    minutes = float(rows.seconds[both].sum()) / 60
    done = rows.is_completed[own]
    return LevelSummary(
        rows.levels[number],
        int(own.sum()),
        len(np.unique(rows.person[own])),
        proportion(int(done.sum()), len(done)),
        mean(rows.is_completed.astype(np.float64), (0, 1)),
        int(rows.is_late[own].sum()),
        mean(rows.quality, (0, 1)),
        mean(rows.seconds, (0, np.inf)),
        float(np.median(timed)) if len(timed) else _NAN,
        mean(rows.per_minute, (0, np.inf)),
        float(rows.quality[both].sum()) / minutes if minutes > 0 else _NAN,
    )


def _compare(
    rows: TaskRows, measure: Measure, values: Floats, first: int, second: int, trials: int, random: np.random.Generator
) -> tuple[TaskComparison, int]:
    """Within people if at least two have both, else between them; and how many a comparison within leaves out."""
    a, b = (_by_person(rows, values, level) for level in (first, second))
    both = np.isfinite(a) & np.isfinite(b)
    names = rows.levels[first], rows.levels[second]
    if both.sum() >= 2:
        x, y = a[both], b[both]
        tested = compare_within(x, y, trials=trials, random=random)
        alone = int((np.isfinite(a) ^ np.isfinite(b)).sum())
        design: Literal["within", "between"] = "within"
    else:
        x, y = a[np.isfinite(a)], b[np.isfinite(b)]
        tested, alone, design = compare_between(x, y, trials=trials, random=random), 0, "between"
    means = (float(x.mean()), float(y.mean())) if len(x) and len(y) else (_NAN, _NAN)
    return TaskComparison(
        measure, *names, design, (len(x), len(y)), means, means[0] - means[1], *tested, corrected_p=_NAN
    ), alone


def _by_person(rows: TaskRows, values: Floats, level: int) -> Floats:
    """Each person's mean; NaN for those who have none."""
    kept = (rows.level == level) & np.isfinite(values)
    return means_by(rows.person[kept], values[kept], len(rows.people))


Tested = tuple[float, float, float, float, float, float, float]
"""low, high, t, df, p of t, p of ranks, p of the permutation."""


def compare_within(x: Floats, y: Floats, *, trials: int, random: np.random.Generator) -> Tested:
    """The same people twice: paired t, Wilcoxon's signed ranks, and all (or many) ways to exchange the two."""
    from scipy import stats

    difference, n = x - y, len(x)
    # Nothing varies, but for rounding: t has no error, and if all are 0 ranks have nothing to rank.
    if np.ptp(difference) <= 1e-12 * max(np.abs(x).max(), np.abs(y).max()):
        flips = 1.0 if np.isclose(x[0], y[0], rtol=1e-12, atol=0) else 2.0 ** (1 - n)
        return _NAN, _NAN, _NAN, float(n - 1), _NAN, flips, flips
    if n <= MOST_EXACT:
        signs = np.array(list(product((1.0, -1.0), repeat=n)))
        ranks = _share_as_large(signs, stats.rankdata(np.abs(difference)) * np.sign(difference))
        p = _share_as_large(signs, difference)
    else:
        signs = random.choice((1.0, -1.0), size=(trials, n))
        # The ranks of zero differences are split between the signs, so that nobody is dropped.
        ranks = float(stats.wilcoxon(difference, zero_method="zsplit").pvalue)
        p = (_share_as_large(signs, difference) * trials + 1) / (trials + 1)
    error = float(difference.std(ddof=1)) / n**0.5
    return *_t_test(float(difference.mean()), error, float(n - 1)), ranks, p


def _t_test(difference: float, error: float, df: float) -> tuple[float, float, float, float, float]:
    """low, high, t, df, p; scipy's own warns of a group in which everybody is alike, though Welch's test allows it."""
    from scipy.special import stdtr, stdtrit

    width = float(stdtrit(df, 0.975)) * error
    t = difference / error
    return difference - width, difference + width, t, df, float(2 * stdtr(df, -abs(t)))


def _share_as_large(signs: Floats, values: Floats) -> float:
    """Of the ways to give the values signs, those whose sum is as far from 0."""
    observed = abs(values.sum()) - 1e-9 * np.abs(values).sum()  # equal sums must not differ by rounding
    return float((np.abs(signs @ values) >= observed).mean())


def compare_between(x: Floats, y: Floats, *, trials: int, random: np.random.Generator) -> Tested:
    """Two groups of people: Welch's t, Mann and Whitney's test, and people put into groups by chance."""
    from scipy import stats

    pooled = np.concatenate([x, y])
    if min(len(x), len(y)) < 2 or np.ptp(pooled) == 0:
        return (_NAN,) * 7
    observed = abs(x.mean() - y.mean()) - 1e-9 * np.abs(pooled).max()
    drawn = random.permuted(np.tile(pooled, (trials, 1)), axis=1)
    n = len(x)
    hits = (np.abs(drawn[:, :n].mean(axis=1) - drawn[:, n:].mean(axis=1)) >= observed).sum()
    p = float((hits + 1) / (trials + 1))
    ranks = float(stats.mannwhitneyu(x, y).pvalue)
    parts = [float(own.var(ddof=1)) / len(own) for own in (x, y)]
    error = sum(parts) ** 0.5
    if error <= 1e-12 * float(np.abs(pooled).max()):  # everybody in a group is alike, but for rounding
        return _NAN, _NAN, _NAN, _NAN, _NAN, ranks, p
    df = sum(parts) ** 2 / sum(part**2 / (len(own) - 1) for part, own in zip(parts, (x, y), strict=True))
    return *_t_test(float(x.mean() - y.mean()), error, df), ranks, p
