"""Tasks: time, quality, and quality of solution normalised by time to solution (SCANMail, section 2.6).

Where the same people worked with both systems, they are their own controls and the tests are paired; where each worked
with one, two groups of people are compared. Where some did this and some that, the larger number is kept, and the
others are counted. The unit is the person: several solutions of one person are one mean. Intervals of the means allow
for other people and other texts; from one person there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from fergus.analysis.compare_people import compare_between, compare_within
from fergus.analysis.crossed import SAMPLES, SEED, Estimate, crossed_mean
from fergus.analysis.judgements import Notice, means_by
from fergus.analysis.many_tests import corrected_for_number
from fergus.analysis.proportions import Proportion, proportion
from fergus.analysis.task_rows import Clock, TaskRows, read_tasks
from fergus.analysis.written import listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fergus.studies.model import Json

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

Measure = Literal["quality", "seconds", "per_minute"]
Design = Literal["within", "between"]
LeftOut = tuple[str, str, Design, int]
"""Two levels, how they are compared, and how many people are not."""
MEASURES: tuple[Measure, ...] = ("quality", "seconds", "per_minute")
"""Quality from 0 to 1, seconds to solution, quality a minute."""
TITLES: dict[Measure, str] = {"quality": "quality", "seconds": "seconds", "per_minute": "quality a minute"}
TRIALS = 10_000
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
    throughput: Estimate
    """All quality by all time, in minutes: how much is solved a minute."""


@dataclass(frozen=True)
class TaskComparison:
    """Two systems or conditions by one measure, people as units."""

    measure: Measure
    first: str
    second: str
    design: Design
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

    @property
    def is_timed(self) -> bool:
        """Did any solution take time? Artificial raters take none unless they are told to."""
        return any(own.seconds.value > 0 for own in self.levels)


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
    left_out: dict[LeftOut, list[Measure]] = {}
    for measure in MEASURES:
        values = _values(rows, measure)
        own = []
        for first, second in combinations(range(len(rows.levels)), 2):
            comparison, without = _compare(rows, measure, values, first, second, trials, random)
            own.append(comparison)
            if without:
                left_out.setdefault((comparison.first, comparison.second, comparison.design, without), []).append(
                    measure
                )
        corrected = corrected_for_number([one.permutation_p for one in own])
        found += [replace(one, corrected_p=p) for one, p in zip(own, corrected, strict=True)]
    notices = (*rows.notices, *_alone(levels), *(_left_out(*one, own) for one, own in left_out.items()))
    return Tasks(factor, clock, levels, tuple(found), notices, question)


def _alone(levels: Iterable[LevelSummary]) -> Iterator[Notice]:
    names = [one.level for one in levels if one.people == 1]
    if names:
        message = f"{', '.join(names)}: how far people differ cannot be told from one, so that there is no interval"
        yield Notice("one person", message, len(names))
    names = [one.level for one in levels if one.completed_crossed.texts == 1 and one.people > 1]
    if names:
        message = f"{', '.join(names)}: intervals allow for other people, and not for other texts"
        yield Notice("one text", message, len(names))


def _left_out(first: str, second: str, design: Design, number: int, measures: Sequence[Measure]) -> Notice:
    begin = f"{listed([TITLES[measure] for measure in measures])}: participants worked with"
    if design == "within":
        message = f"{begin} one of {first} and {second} only; a comparison within people leaves them out"
        return Notice("one level only", message, number)
    message = f"{begin} both {first} and {second}; a comparison of those who worked with one leaves them out"
    return Notice("both levels", message, number)


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
        mean(_throughput(rows, own), (0, np.inf)),
    )


def _throughput(rows: TaskRows, own: Bools) -> Floats:
    """Values whose mean is all quality by all time, and which vary as that quotient does (its linearisation)."""
    both = own & np.isfinite(rows.quality) & np.isfinite(rows.seconds)
    values = np.full(len(own), _NAN)
    quality, minutes = rows.quality[both], rows.seconds[both] / 60
    if minutes.sum() > 0:
        quotient = quality.sum() / minutes.sum()
        values[both] = quotient + (quality - quotient * minutes) / minutes.mean()
    return values


def _compare(
    rows: TaskRows, measure: Measure, values: Floats, first: int, second: int, trials: int, random: np.random.Generator
) -> tuple[TaskComparison, int]:
    """Within people or between them, whichever keeps more; and how many it leaves out."""
    a, b = (_by_person(rows, values, level) for level in (first, second))
    has_a, has_b = np.isfinite(a), np.isfinite(b)
    both, alone = has_a & has_b, has_a ^ has_b
    # Somebody in both of two groups would be compared with herself: groups are of those who are in one.
    smaller = min(int((has_a & alone).sum()), int((has_b & alone).sum()))
    if both.any() and (both.sum() >= alone.sum() or smaller < 2):
        design: Design = "within"
        x, y, without = a[both], b[both], int(alone.sum())
        tested = compare_within(x, y, trials=trials, random=random)
    else:
        design = "between"
        x, y, without = a[has_a & alone], b[has_b & alone], int(both.sum())
        tested = compare_between(x, y, trials=trials, random=random)
    names = rows.levels[first], rows.levels[second]
    means = (float(x.mean()), float(y.mean())) if len(x) and len(y) else (_NAN, _NAN)
    return TaskComparison(
        measure, *names, design, (len(x), len(y)), means, means[0] - means[1], *tested, corrected_p=_NAN
    ), without


def _by_person(rows: TaskRows, values: Floats, level: int) -> Floats:
    """Each person's mean; NaN for those who have none."""
    kept = (rows.level == level) & np.isfinite(values)
    return means_by(rows.person[kept], values[kept], len(rows.people))
