"""The figures about metrics: how they agree with people, and which does so better than which."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.abbreviations import explained, full_title
from fergus.analysis.correlate import FEWEST_SYSTEMS
from fergus.analysis.many_tests import LEVEL, enough_trials
from fergus.analysis.plot_style import BLUE, GREEN, GREY, INK, PAGE, RED, Drawn, cut, name_rows
from fergus.analysis.report import short_of, title_of
from fergus.analysis.written import counted, figure, listed, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fergus.analysis.analyse import DimensionAnalysis, Settings
    from fergus.analysis.compare_metrics import MetricComparison
    from fergus.analysis.correlate import Level
    from fergus.analysis.pairwise import PairAccuracy

LEVELS: tuple[tuple[Level, str, str, str], ...] = (
    ("item", "text by text", "o", BLUE),
    ("input", "within inputs", "s", RED),
    ("system", "whole systems", "^", GREEN),
)
ALONE, APART = 2.0, 10.0
"""A metric lies beyond the axis if the next is farther off than so many ranges of all others, and percentage points."""


def metrics_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Metrics against people: correlations at up to three levels, and pairs, with ceiling and chance."""
    from matplotlib.figure import Figure

    found = [c for c in one.correlations if c.kind == "pearson" and c.level == "item"]
    names = [c.metric for c in sorted(found, key=lambda c: (-c.value, c.metric)) if not isnan(c.value)]
    if not names:
        return None
    made = Figure((PAGE, 0.95 + 0.27 * len(names)), layout="constrained")
    left, right = made.subplots(1, 2, sharey=True, width_ratios=(1.7, 1))
    pairs = {own.metric: own.pairs for own in one.agreement}
    sizes = _correlations(left, one, names)
    beyond = _pairs(right, [pairs[name] for name in names])
    name_rows(left, [title_of(name) + (" −" if name in settings.lower_is_better else "") for name in names])
    right.tick_params(axis="y", length=0)
    handles, labels = left.get_legend_handles_labels()
    more, words = right.get_legend_handles_labels()
    made.legend([*handles, *more], [*labels, *words], loc="outside lower left", ncols=3 if len(labels) > 3 else 4)
    over = {"item": f"over {sizes['item']:,} texts", "input": f"within {sizes['input']:,} inputs"}
    if sizes["system"] >= FEWEST_SYSTEMS:
        over["system"] = f"over {sizes['system']:,} systems"
    caption = (
        f"Metrics against mean normalised {one.dimension}: Pearson’s r {listed(list(over.values()))}, with 95% "
        f"intervals ({settings.samples:,} resamples of inputs and judges); and, with intervals over inputs, the share "
        f"of {pairs[names[0]].pairs:,} pairs of texts of one input that a metric orders as people do, "
        f"ties calibrated (chance: {percent(pairs[names[0]].chance)})."
    )
    caption += _left_out(one, names, sizes["system"])
    if beyond:
        told = [f"{title_of(names[row])} ({percent(pairs[names[row]].value)})" for row in beyond]
        caption += f" Triangles: beyond the axis {'lie' if len(told) > 1 else 'lies'} {listed(told)}."
    if turned := [full_title(name) for name in names if name in settings.lower_is_better]:
        caption += f" −: less is better, and the sign is turned: {listed(turned)}."
    return Drawn(one.dimension, "metrics", "Metrics against people", caption, made)


def _correlations(axes: Axes, one: DimensionAnalysis, names: Sequence[str]) -> dict[Level, int]:
    """Each level with its mark, the ceiling where it holds; over how many texts, inputs and systems."""
    by = {(c.metric, c.level): c for c in one.correlations if c.kind == "pearson"}
    sizes = {level: max(by[name, level].n for name in names) for level, *_ in LEVELS}
    for number, (level, label, marker, colour) in enumerate(LEVELS):
        if level == "system" and sizes[level] < FEWEST_SYSTEMS:
            continue
        known = [(row, by[name, level]) for row, name in enumerate(names) if not isnan(by[name, level].value)]
        places = [row + (number - 1) * 0.22 for row, _ in known]
        axes.hlines(places, [c.low for _, c in known], [c.high for _, c in known], color=colour, linewidth=0.9)
        values = [c.value for _, c in known]
        axes.plot(values, places, marker, color=colour, markersize=3.6, markeredgecolor="none", label=label)
    axes.axvline(0, color=GREY, linewidth=0.6)
    top = one.reliability.ceiling
    if not isnan(top):  # of single texts' judgements: systems, whose means rest on many more, may lie beyond
        places = [row - 0.22 for row in range(len(names))]
        label = f"human ceiling of text by text ({figure(top, 2)})"
        axes.plot([top] * len(names), places, "|", color=BLUE, markersize=7, markeredgewidth=1.1, label=label)
    axes.set_xlabel("Pearson’s r with mean judgements (0: chance)")
    axes.set_title("correlation")
    return sizes


def _pairs(axes: Axes, shares: Sequence[PairAccuracy]) -> list[int]:
    """The share of pairs by row; the rows of those that would squeeze all others and lie beyond the axis."""
    axes.set_xlabel("pairs ordered as people do (%)")
    axes.set_title("pairs")
    known = {row: 100 * own.value for row, own in enumerate(shares) if not isnan(own.value)}
    if not known:
        return []
    chance = shares[0].chance
    low, high = near([*known.values(), 100 * chance])
    beyond = [row for row, value in known.items() if not low <= value <= high]
    inside = [row for row in known if row not in beyond]
    ends = {row: (100 * shares[row].low, 100 * shares[row].high) for row in inside if not isnan(shares[row].low)}
    axes.hlines(list(ends), [end[0] for end in ends.values()], [end[1] for end in ends.values()], INK, linewidth=0.9)
    axes.plot([known[row] for row in inside], inside, "D", color=INK, markersize=3.4, markeredgecolor="none")
    low, high = min([low, *(end[0] for end in ends.values())]), max([high, *(end[1] for end in ends.values())])
    margin = (0.2 if beyond else 0.08) * (high - low) or 1.0
    label = f"chance in pairs ({percent(chance)})"
    axes.axvline(100 * chance, color=GREY, linewidth=0.9, linestyle=(0, (1.5, 1.5)), label=label)
    axes.set_xlim(low - margin, high + margin)
    axes.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
    for row in beyond:
        is_low = known[row] < low
        end, side = (low - margin, "left") if is_low else (high + margin, "right")
        mark = "<" if is_low else ">"
        axes.plot([end], [row], mark, color=INK, markersize=4.5, markeredgecolor="none", clip_on=False, zorder=5)
        axes.annotate(
            f"{known[row]:.1f}", (end, row), xytext=(6 if is_low else -6, 0), textcoords="offset points",
            ha=side, va="center", fontsize=6.5,
        )  # fmt: skip
    return beyond


def near(values: Sequence[float]) -> tuple[float, float]:
    """Both ends of the percentages that are drawn, without those so far off that all others would be one spot.

    >>> near([9.0, 45.8, 47, 50, 56])
    (45.8, 56)
    """
    kept = sorted(values)
    while len(kept) > 3:
        if kept[1] - kept[0] > max(APART, ALONE * (kept[-1] - kept[1])):
            del kept[0]
        elif kept[-1] - kept[-2] > max(APART, ALONE * (kept[-2] - kept[0])):
            del kept[-1]
        else:
            break
    return kept[0], kept[-1]


def _left_out(one: DimensionAnalysis, names: Sequence[str], systems: int) -> str:
    said = ""
    if 1 < systems < FEWEST_SYSTEMS:
        said += f" Whole systems are not drawn: {systems} are too few to correlate anything with."
    if lacking := sorted({c.metric for c in one.correlations} - set(names)):
        which = listed([title_of(name) for name in lacking])
        said += f" Not drawn, since no correlation is defined (too few scores, or all alike): {which}."
    return said


def matrix_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Which metric agrees with people significantly better than which."""
    import numpy as np
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

    value = {c.metric: c.value for c in one.correlations if c.kind == "pearson" and c.level == "item"}
    names = sorted((name for name in value if not isnan(value[name])), key=lambda name: (-value[name], name))
    if len(names) < 3:
        return None
    p = {(own.first, own.second): own for own in one.metric_comparisons}
    rows, columns = names[:-1], names[1:]  # the best is no column: nothing is better than it; nor the worst a row
    size = len(rows)
    shades = np.full((size, size), np.nan)
    trials = enough_trials(settings.trials, len(one.metric_comparisons))
    made = Figure((min(PAGE, 1.3 + 0.34 * size), 0.9 + 0.25 * size), layout="constrained")
    axes = made.subplots()
    said = []
    for row, above in enumerate(rows):
        for column, below in enumerate(columns):
            own = p.get((above, below)) or p.get((below, above))
            if column < row or own is None or isnan(own.corrected_p):
                continue
            is_clear = own.corrected_p < LEVEL
            shades[row, column] = 1.0 if is_clear else 0.0
            said.append(_p(own, trials))
            axes.text(column, row, said[-1], ha="center", va="center", fontsize=6, color="white" if is_clear else INK)
    edges = np.arange(size + 1) - 0.5  # squares that are drawn, where an image would be dots
    axes.pcolormesh(edges, edges, shades, cmap=ListedColormap(["#8a8a8a40", BLUE]), vmin=0, vmax=1, linewidth=0)
    axes.set_xticks(range(size), [_brief(name) for name in columns], rotation=45, ha="right", rotation_mode="anchor")
    name_rows(axes, [title_of(name) for name in rows])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0)
    tested = sum(not isnan(own.corrected_p) for own in one.metric_comparisons)
    caption = (
        "p that the metric of the row agrees with people no better than that of the column, text by text (paired "
        f"permutation, {trials:,} trials, Holm’s correction for {counted(tested, 'comparison')}; n = {one.items:,} "
        f"texts). Blue: significant at {figure(LEVEL, 2)}; grey: not."
    )
    if any(text.startswith("≤") for text in said):
        caption += " ≤: the least that so many trials can show."
    if told := explained(name for name in columns if _brief(name) != title_of(name)):
        caption += f" {told}."
    return Drawn(one.dimension, "significance", "Which metric is better than which", caption, made)


def _p(own: MetricComparison, trials: int) -> str:
    """A p-value; marked if no trial gave a difference as large, so that it may be far smaller."""
    if own.corrected_p < 0.001:
        return "<.001"
    is_least = own.permutation_p < 1.5 / (trials + 1)
    return ("≤" if is_least else "") + figure(own.corrected_p, 2)


def _brief(name: str) -> str:
    return title_of(name) if len(title_of(name)) <= 10 else cut(short_of(name), 14)
