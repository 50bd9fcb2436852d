"""The figures of Turing-style tests and tasks: shares between their bounds, and quality, time and both together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.plot_style import BLUE, COLUMN, GREY, INK, PAGE, RED, Drawn, cut, lay_out, styled
from fergus.analysis.task_tables import completed_bounds, factor_title, name_of
from fergus.analysis.turing_tables import EVERYBODY, INDEPENDENT, group_label, group_title
from fergus.analysis.written import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fergus.analysis.of_study import Findings
    from fergus.analysis.tasks import Tasks
    from fergus.analysis.turing import Turing

MOST_PAIRS = 60
"""Of more pairs those that fooled most people are drawn."""
Row = tuple[str, float, float, float]
"""A name, a value, and both ends of its interval."""


def study_figures(found: Findings) -> Iterator[Drawn]:
    """One a test and one a task."""
    drawings = [
        *(partial(turing_figure, test) for test in found.turing),
        *(partial(tasks_figure, t) for t in found.tasks),
    ]
    for draw in drawings:
        with styled():  # not around the yield: whoever draws next has a style of their own
            drawn = draw()
            lay_out(drawn.figure)
        yield drawn


def turing_figure(test: Turing) -> Drawn:
    """Everybody, groups and pairs on one axis from 0 to 100%, with the line where people guess."""
    from matplotlib.figure import Figure

    groups = [(EVERYBODY, test.share), *((group_label(test, own.group), own.share) for own in test.groups)]
    above = [(name, own.choices.value, *own.told_bounds) for name, own in groups]
    shown = test.pairs[:MOST_PAIRS]
    below = [(own.pair, own.share.value, own.share.low, own.share.high) for own in shown]
    heights = (0.19 * len(above) + 0.1, 0.155 * len(below) + 0.1)
    made = Figure((COLUMN, 0.75 + sum(heights)), layout="constrained")
    top, bottom = made.subplots(2, 1, sharex=True, height_ratios=heights)
    for axes, rows, colour, title in ((top, above, RED, "people"), (bottom, below, BLUE, "pairs")):
        axes.axvline(50, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
        axes.axvline(100, color=GREY, linewidth=0.6)
        _drawn(axes, [_times_100(*row) for row in rows], colour)
        axes.set_title(title)
    top.tick_params(axis="x", length=0)
    top.spines["bottom"].set_visible(False)
    top.annotate("guessing", (50, 1), xycoords=("data", "axes fraction"), ha="center", va="bottom", fontsize=7)
    bottom.set_xlim(0, 103)
    bottom.set_xlabel("person’s text identified (%)")
    by = f", by {group_title(test)}" if test.groups else ""
    which = f"{counted(len(shown), 'pair')}" if len(shown) == len(test.pairs) else (
        f"the {len(shown):,} of {len(test.pairs):,} pairs that fooled most people"
    )  # fmt: skip
    caption = (
        f"Share of choices that found the person’s text, of {counted(len(test.people), 'participant')}{by} (95% "
        f"intervals that allow for other people and other pairs), and of each of {which} (Wilson’s 95% intervals); n = "
        f"{test.share.choices.n:,} choices. Dashed: guessing."
    )
    if any(isnan(own.crossed.low) for _, own in groups):
        caption += f" {INDEPENDENT}"
    return Drawn(test.question, "turing", "Can people tell?", caption, made)


def tasks_figure(found: Tasks) -> Drawn:
    """Completion, quality, time and quality by time, side by side."""
    from matplotlib.figure import Figure

    panels: list[tuple[str, list[Row]]] = [
        ("completed (%)", [_times_100(o.level, o.completed.value, *completed_bounds(o)) for o in found.levels]),
        ("quality", [(o.level, o.quality.value, o.quality.low, o.quality.high) for o in found.levels]),
        ("seconds", [(o.level, o.seconds.value, o.seconds.low, o.seconds.high) for o in found.levels]),
        (
            "quality a minute",
            [(o.level, o.per_minute.value, o.per_minute.low, o.per_minute.high) for o in found.levels],
        ),
    ]
    made = Figure((PAGE, 0.7 + 0.25 * len(found.levels)), layout="constrained")
    every = made.subplots(1, len(panels), sharey=True)
    for axes, (label, rows) in zip(every, panels, strict=True):
        _drawn(axes, rows, BLUE)
        axes.set_xlabel(label)
        axes.locator_params(axis="x", nbins=4)
        axes.margins(x=0.12)
    for axes in every[1:]:
        axes.tick_params(axis="y", length=0)
    every[0].set_xlim(min(50.0, *(row[2] for row in panels[0][1])) - 3, 103)
    caption = (
        f"Tasks by {factor_title(found)}: share completed in time, quality (0 to 1), seconds, and each solution’s "
        "quality by its time, with 95% intervals that allow for other people and other texts; n = "
        f"{sum(own.solutions for own in found.levels):,} solutions."
    )
    if any(own.people == 1 for own in found.levels):
        caption += " From one person there is no interval, but Wilson’s of the share."
    return Drawn(name_of(found), "tasks", f"Tasks by {factor_title(found)}", caption, made)


def _times_100(name: str, value: float, low: float, high: float) -> Row:
    return name, 100 * value, 100 * low, 100 * high


def _drawn(axes: Axes, rows: Sequence[Row], colour: str) -> None:
    """Points with intervals, the first row on top; what is not known is left out."""
    for place, (_, value, low, high) in enumerate(rows):
        if not (isnan(low) or isnan(high)):
            axes.hlines(place, low, high, color=INK, linewidth=0.9)
        if not isnan(value):
            axes.plot([value], [place], "o", color=colour, markersize=3.6, markeredgecolor="none")
    axes.set_yticks(range(len(rows)), [cut(name, 24) for name, *_ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
