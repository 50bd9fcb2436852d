"""The tables of tasks: completion; quality, time and quality by time; every two systems or conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fergus.analysis.report_tables import Table, better_of
from fergus.analysis.tasks import TITLES
from fergus.analysis.turing import CONDITION
from fergus.analysis.written import NOTHING, figure, interval, percent, percents, probability

if TYPE_CHECKING:
    from fergus.analysis.tasks import LevelSummary, Measure, TaskComparison, Tasks

DECIMALS: dict[Measure, int] = {"quality": 3, "seconds": 2, "per_minute": 2}
SIGN = {"quality": 1, "seconds": -1, "per_minute": 1}
"""Less time is better."""
UNTIMED = "No time was measured, so that time and quality by time cannot be analysed."


def name_of(found: Tasks) -> str:
    """How its tables and figures are called: by the question, and by what is compared."""
    return f"{found.question or 'tasks'}-by-{factor_title(found)}"


def factor_title(found: Tasks) -> str:
    """What is compared, in words."""
    return found.factor if found.factor == CONDITION else found.factor.removeprefix("item_")


def completion_table(found: Tasks) -> Table:
    """How many solutions were written in time."""
    rows = tuple(
        (
            own.level, f"{own.people:,}", f"{own.solutions:,}", f"{own.completed.hits:,}", percent(own.completed.value),
            percents(*completed_bounds(own)), f"{own.late:,}",
        )
        for own in found.levels
    )  # fmt: skip
    return Table(
        f"{name_of(found)}-completion", "Tasks completed",
        (factor_title(found), "people", "solutions", "completed", "share", "95% interval", "late"), rows,
        "Completed: something was written, and in time. Intervals allow for other people and other texts; where "
        "nothing varies, or one person worked, they are Wilson’s, which take solutions to be independent.",
    )  # fmt: skip


def completed_bounds(own: LevelSummary) -> tuple[float, float]:
    """The interval of the share completed; Wilson's where nothing varies and there is no other."""
    crossed = own.completed_crossed
    return (crossed.low, crossed.high) if crossed.low == crossed.low else (own.completed.low, own.completed.high)


def measured(found: Tasks) -> tuple[Measure, ...]:
    """What can be told of the solutions: without their time neither that nor quality by time."""
    return tuple(measure for measure in TITLES if measure == "quality" or found.is_timed)


def compared(found: Tasks) -> tuple[TaskComparison, ...]:
    """The comparisons that have somebody on either side, by what was measured."""
    kept = measured(found)
    return tuple(own for own in found.comparisons if own.measure in kept and min(own.people) > 0)


def measures_table(found: Tasks) -> Table:
    """Quality, time and quality by time, by level."""
    rows: list[tuple[str, ...]] = []
    for measure in measured(found):
        title = TITLES[measure]
        for own in found.levels:
            mean = {"quality": own.quality, "seconds": own.seconds, "per_minute": own.per_minute}[measure]
            numbers = f"{mean.n:,}", f"{mean.people:,}", f"{mean.texts:,}"
            places = DECIMALS[measure]
            bounds = interval(mean.low, mean.high, places)
            rows.append((f"{title}, mean", own.level, figure(mean.value, places), bounds, *numbers))
            if measure == "seconds":
                rows.append((f"{title}, median", own.level, figure(own.median_seconds, places), NOTHING, *numbers))
            elif measure == "per_minute":
                rows.append((f"{title}, in all", own.level, figure(own.throughput.value, places),
                             interval(own.throughput.low, own.throughput.high, places), *numbers))  # fmt: skip
    rows.sort(key=lambda row: row[0].partition(",")[2] == " mean", reverse=True)
    head = ("measure", factor_title(found), "value", "95% interval", "solutions", "people", "texts")
    allowed = "Intervals allow for other people and other texts; from one person there is none."
    if not found.is_timed:
        caption = f"Quality is from 0 to 1. {allowed} {UNTIMED}"
        return Table(f"{name_of(found)}-measures", "Quality", head, tuple(rows), caption, (0, 1))
    return Table(
        f"{name_of(found)}-measures", "Quality, time, and quality by time", head, tuple(rows),
        "Quality is from 0 to 1; quality a minute is the mean of each solution’s quality by its time (SCANMail, "
        f"section 2.6), and in all, all quality by all time. {allowed} Time: {_clock(found)}.", (0, 1),
    )  # fmt: skip


def _clock(found: Tasks) -> str:
    return "while the page was in view" if found.clock == "active" else "until the answer came, by the server’s clock"


def comparisons_table(found: Tasks) -> Table:
    """Every two levels by every measure."""
    rows = tuple(
        (
            TITLES[own.measure], f"{own.first} − {own.second}", f"{people_of(own)}, {own.design}",
            figure(own.difference, DECIMALS[own.measure], signed=True),
            interval(own.low, own.high, DECIMALS[own.measure]), f"{figure(own.t, 2)} ({figure(own.df, 1)})",
            probability(own.t_p), probability(own.rank_p), probability(own.permutation_p),
            probability(own.corrected_p), better(own),
        )
        for own in compared(found)
    )  # fmt: skip
    return Table(
        f"{name_of(found)}-comparisons", f"Every two, by {factor_title(found)}",
        ("measure", "compared", "people", "difference", "95% interval", "t (df)", "p of t", "p of ranks", "p",
         "corrected p", "better"),
        rows,
        "Within: the same people worked with both, and tests are paired (t, Wilcoxon’s signed ranks, exchanging the "
        "two person by person). Between: two groups of people (Welch’s t, Mann and Whitney’s test, exchanging people). "
        "The larger number of people is kept, and those who worked otherwise are left out. The unit is the person’s "
        "mean. The p of exchanging, corrected by Holm’s method for the comparisons by a measure, decides.",
        (0, 1, 2, 10),
    )  # fmt: skip


def people_of(own: TaskComparison) -> str:
    """How many are compared."""
    return f"{own.people[0]:,}" if own.design == "within" else f"{own.people[0]:,} and {own.people[1]:,}"


def better(own: TaskComparison) -> str:
    """Which of the two is significantly better; of time, less is."""
    return better_of(own.first, own.second, SIGN[own.measure] * own.difference, own.corrected_p)


def task_tables(found: Tasks) -> Sequence[Table]:
    """All of them."""
    tables = [completion_table(found), measures_table(found)]
    return [*tables, comparisons_table(found)] if compared(found) else tables
