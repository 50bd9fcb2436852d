"""The figures of Turing-style tests and tasks: shares between their bounds, and quality, time and both together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.plot_style import BLUE, COLUMN, GREEN, GREY, INK, PAGE, RED, Drawn, lay_out, name_rows, styled
from fergus.analysis.task_tables import UNTIMED, completed_bounds, factor_title, name_of
from fergus.analysis.turing_tables import EVERYBODY, INDEPENDENT, ONE_HUMAN, group_label, group_title
from fergus.analysis.written import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fergus.analysis.choice_share import Share
    from fergus.analysis.crossed import Estimate
    from fergus.analysis.of_study import Findings
    from fergus.analysis.proportions import Proportion
    from fergus.analysis.tasks import Tasks
    from fergus.analysis.turing import Turing

MOST_PAIRS = 60
"""Of more pairs those that fooled most people are drawn."""
Row = tuple[str, float, float, float]
"""A name, a value, and both ends of its interval."""
Panel = tuple[str, str, list[tuple[str, float, float, float, int]]]
"""A title, a colour, and rows with their numbers of choices."""


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
    """Everybody, groups, control pairs and pairs on one axis from 0 to 100%, with the line where people guess."""
    from matplotlib.figure import Figure

    groups = [(EVERYBODY, test.share), *((group_label(test, own.group), own.share) for own in test.groups)]
    controls = [(own.kind or ONE_HUMAN, own.first) for own in test.sides]
    shown = test.pairs[:MOST_PAIRS]
    panels: list[Panel] = [
        ("identified, by people", RED, [_share_row(*one) for one in groups]),
        ("identified, by pair", BLUE, [(own.pair, *_spread(own.share), own.share.n) for own in shown]),
    ]
    if len(test.sides) > 1:  # beside what was found, what people do where there is nothing to find
        panels.insert(1, ("controls: first text chosen", GREEN, [_share_row(*one) for one in controls]))
    heights = [0.16 * len(rows) + 0.1 for *_, rows in panels]
    made = Figure((COLUMN, 0.5 + 0.22 * len(panels) + sum(heights)), layout="constrained")
    every = made.subplots(len(panels), 1, sharex=True, height_ratios=heights)
    for axes, (title, colour, rows) in zip(every, panels, strict=True):
        axes.axvline(50, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
        axes.axvline(100, color=GREY, linewidth=0.6)
        _drawn(axes, [_times_100(*row[:4]) for row in rows], colour)
        for place, row in enumerate(rows):
            axes.annotate(
                f"{row[4]:,}", (1.02, place), xycoords=("axes fraction", "data"), va="center", fontsize=6.5,
                annotation_clip=False,
            )  # fmt: skip
        axes.annotate(
            "n", (1.02, 1), xycoords="axes fraction", xytext=(0, 6), textcoords="offset points", va="baseline",
            fontsize=6.5,
        )  # fmt: skip
        axes.set_title(title)
    for axes in every[:-1]:
        axes.tick_params(axis="x", length=0)
        axes.spines["bottom"].set_visible(False)
    every[-1].set_xlim(0, 103)
    every[-1].set_xlabel("share of choices (%)")
    return Drawn(test.question, "turing", "Can people tell?", _turing_caption(test, len(shown)), made)


def _turing_caption(test: Turing, shown: int) -> str:
    by = f", by {group_title(test)}" if test.groups else ""
    which = f"{counted(shown, 'pair')}" if shown == len(test.pairs) else (
        f"the {shown:,} of {len(test.pairs):,} pairs that fooled most people"
    )  # fmt: skip
    caption = (
        f"Share of choices that found the person’s text, of {counted(len(test.people), 'participant')}{by} (95% "
        f"intervals that allow for other people and other pairs), and of each of {which} (Wilson’s 95% intervals); n = "
        f"{test.share.choices.n:,} choices. Dashed: guessing."
    )
    every = [test.share, *(own.share for own in test.groups)]
    if len(test.sides) > 1:
        every += [own.first for own in test.sides]
        caption += " Control pairs have no right answer: the first text is chosen in 50% if no side is preferred."
    if any(isnan(own.crossed.low) for own in every):
        caption += f" {INDEPENDENT}"
    return caption


def tasks_figure(found: Tasks) -> Drawn:
    """Completion and quality; if time was measured, that and quality by time too, side by side."""
    from matplotlib.figure import Figure

    panels: list[tuple[str, list[Row]]] = [
        ("completed (%)", [_times_100(o.level, o.completed.value, *completed_bounds(o)) for o in found.levels]),
        ("quality", [(o.level, *_spread(o.quality)) for o in found.levels]),
    ]
    if found.is_timed:
        panels += [
            ("seconds", [(o.level, *_spread(o.seconds)) for o in found.levels]),
            ("quality a minute", [(o.level, *_spread(o.per_minute)) for o in found.levels]),
        ]
    made = Figure((PAGE * (0.25 + 0.1875 * len(panels)), 0.7 + 0.25 * len(found.levels)), layout="constrained")
    every = made.subplots(1, len(panels), sharey=True)
    for axes, (label, rows) in zip(every, panels, strict=True):
        _drawn(axes, rows, BLUE)
        axes.set_xlabel(label)
        axes.locator_params(axis="x", nbins=4)
        axes.margins(x=0.12)
    for axes in every[1:]:
        axes.tick_params(axis="y", length=0)
    every[0].set_xlim(min(50.0, *(row[2] for row in panels[0][1])) - 3, 103)
    by_time = ", seconds, and each solution’s quality by its time," if found.is_timed else ","
    caption = (
        f"Tasks by {factor_title(found)}: share completed in time{',' if found.is_timed else ' and'} quality (0 to 1)"
        f"{by_time} with 95% intervals that allow for other people and other texts; n = "
        f"{sum(own.solutions for own in found.levels):,} solutions."
    )
    if any(own.people == 1 for own in found.levels):
        caption += " From one person there is no interval, but Wilson’s of the share."
    if not found.is_timed:
        caption += f" {UNTIMED}"
    return Drawn(name_of(found), "tasks", f"Tasks by {factor_title(found)}", caption, made)


def _spread(own: Estimate | Proportion) -> tuple[float, float, float]:
    return own.value, own.low, own.high


def _share_row(name: str, own: Share) -> tuple[str, float, float, float, int]:
    return name, own.choices.value, *own.told_bounds, own.choices.n


def _times_100(name: str, value: float, low: float, high: float) -> Row:
    return name, 100 * value, 100 * low, 100 * high


def _drawn(axes: Axes, rows: Sequence[Row], colour: str) -> None:
    """Points with intervals, the first row on top; what is not known is left out."""
    for place, (_, value, low, high) in enumerate(rows):
        if not (isnan(low) or isnan(high)):
            axes.hlines(place, low, high, color=INK, linewidth=0.9)
        if not isnan(value):
            axes.plot([value], [place], "o", color=colour, markersize=3.6, markeredgecolor="none")
    name_rows(axes, [name for name, *_ in rows], 24)
