"""The figures of a report: systems, metrics, which metric beats which, judges, and models with their residuals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.analysis.plot_style import (
    BLUE,
    COLUMN,
    GREEN,
    GREY,
    INK,
    PAGE,
    RED,
    Drawn,
    cut,
    lay_out,
    png_of,
    styled,
    svg_of,
)
from fergus.analysis.regression_plots import model_figure, residuals_figure
from fergus.analysis.report import short_of, title_of
from fergus.analysis.written import counted, figure, percent
from fergus.whole_file import WholeFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fergus.analysis.analyse import DimensionAnalysis, Settings
    from fergus.analysis.correlate import Level
    from fergus.analysis.report import Report

LEVELS: tuple[tuple[Level, str, str, str], ...] = (
    ("item", "text by text", "o", BLUE),
    ("input", "within inputs", "s", RED),
    ("system", "whole systems", "^", GREEN),
)
LEVEL = 0.05


def figures_of(report: Report) -> Iterator[Drawn]:
    """Every figure for which there are data, dimension by dimension."""
    settings = report.analysis.settings
    drawings: tuple[Callable[[DimensionAnalysis, Settings], Drawn | None], ...] = (
        systems_figure,
        judges_figure,
        metrics_figure,
        matrix_figure,
        model_figure,
        residuals_figure,
    )
    for one in report.analysis.dimensions:
        for draw in drawings:
            with styled():
                found = draw(one, settings)
                if found is not None:
                    lay_out(found.figure)
            if found is not None:
                yield found


def write_figures(report: Report, folder: Path) -> list[str]:
    """Write every figure as SVG and PNG, and their captions; the names of the files."""
    names, captions = [], []
    for drawn in report.figures:
        for ending, content in ((".svg", svg_of(drawn)), (".png", png_of(drawn))):
            with WholeFile(folder / (drawn.name + ending)) as stream:
                stream.write(content)
            names.append(drawn.name + ending)
        captions.append(f"{drawn.name}: {drawn.title}. {drawn.caption}\n")
    with WholeFile(folder / "captions.txt") as stream:
        stream.write("\n".join(captions).encode())
    return [*names, "captions.txt"]


def systems_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Every system's mean with its interval; groups are told apart by bands."""
    from matplotlib.figure import Figure

    ranked = [own for own in one.systems if not isnan(own.normalised)]
    if len(ranked) < 2:
        return None
    made = Figure((COLUMN, 0.55 + 0.155 * len(ranked)), layout="constrained")
    axes = made.subplots()
    rows = range(len(ranked))
    _bands(axes, [own.cluster for own in ranked])
    axes.axvline(0, color=GREY, linewidth=0.6)
    axes.hlines(rows, [own.low for own in ranked], [own.high for own in ranked], color=INK, linewidth=0.9)
    axes.plot([own.normalised for own in ranked], rows, "o", color=BLUE, markersize=3.6, markeredgecolor="none")
    _rows(axes, [own.system for own in ranked])
    axes.set_xlabel(f"mean {cut(one.dimension, 24)} (standard deviations of a judge)")
    groups = max(own.cluster for own in ranked)
    bands = f" Bands: {groups} groups that significance tells apart." if groups > 1 else ""
    caption = (
        f"Mean normalised {one.dimension} of {counted(len(ranked), 'system')} with 95% intervals ({settings.samples:,} "
        f"resamples of inputs and judges); n = {one.items:,} texts, {one.judgements:,} judgements."
        f"{bands}"
    )
    return Drawn(one.dimension, "systems", f"Systems by {one.dimension}", caption, made)


def judges_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """How each judge agrees with the others: a histogram."""
    import numpy as np
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    values = [own.with_others for own in one.reliability.judges if not isnan(own.with_others)]
    if len(values) < 3:
        return None
    made = Figure((COLUMN, 1.75), layout="constrained")
    axes = made.subplots()
    lowest = np.floor(min(0.0, *values) * 10) / 10
    axes.hist(values, bins=np.arange(lowest, 1.05, 0.1).tolist(), color=BLUE, rwidth=0.92)
    middle = float(np.median(values))
    axes.axvline(middle, color=INK, linewidth=1, linestyle=(0, (4, 2)))
    axes.axvline(0, color=GREY, linewidth=0.6)
    side = "right" if middle > 0.6 else "left"  # where there is room
    label, above = f" median {figure(middle, 2)} ", ("data", "axes fraction")
    axes.annotate(label, (middle, 1), xycoords=above, ha=side, va="top", fontsize=7)
    axes.set_xlabel("Pearson’s r with the mean of the other judges")
    axes.set_ylabel("judges")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axes.margins(y=0.15)
    caption = (
        f"How each of {counted(len(values), 'judge')} agrees with the others: Pearson’s r of the judge’s scores with "
        f"the mean of the others’, over the texts that others judged too; median {figure(middle, 2)}."
    )
    return Drawn(one.dimension, "judges", "Agreement of the judges", caption, made)


def metrics_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Metrics against people: correlations at three levels, and pairs, with ceiling and chance."""
    from matplotlib.figure import Figure

    by = {(c.metric, c.level): c for c in one.correlations if c.kind == "pearson"}
    ranked = [c for c in one.correlations if c.kind == "pearson" and c.level == "item" and not isnan(c.value)]
    if not ranked:
        return None
    names = [c.metric for c in sorted(ranked, key=lambda c: (-c.value, c.metric))]
    made = Figure((PAGE, 0.95 + 0.27 * len(names)), layout="constrained")
    left, right = made.subplots(1, 2, sharey=True, width_ratios=(1.7, 1))
    for number, (level, label, marker, colour) in enumerate(LEVELS):
        known = [(row, by[name, level]) for row, name in enumerate(names) if not isnan(by[name, level].value)]
        places = [row + (number - 1) * 0.22 for row, _ in known]
        left.hlines(places, [c.low for _, c in known], [c.high for _, c in known], color=colour, linewidth=0.9)
        values = [c.value for _, c in known]
        left.plot(values, places, marker, color=colour, markersize=3.6, markeredgecolor="none", label=label)
    left.axvline(0, color=GREY, linewidth=0.6)
    top = one.reliability.ceiling
    if not isnan(top):
        left.axvline(
            top,
            color=BLUE,
            linewidth=0.9,
            linestyle=(0, (4, 2)),
            label=f"human ceiling text by text ({figure(top, 2)})",
        )
    left.set_xlabel("Pearson’s r with mean judgements (0: chance)")
    left.set_title("correlation")
    pairs = {own.metric: own.pairs for own in one.agreement}
    shown = [(row, 100 * pairs[name].value) for row, name in enumerate(names) if not isnan(pairs[name].value)]
    if shown:
        right.plot([value for _, value in shown], [row for row, _ in shown], "D", color=INK, markersize=3.4)
        chance = 100 * pairs[names[0]].chance
        right.axvline(chance, color=GREY, linewidth=0.9, linestyle=(0, (1.5, 1.5)))
        right.annotate(" chance", (chance, 1), xycoords=("data", "axes fraction"), va="bottom", fontsize=7, color=INK)
    right.set_xlabel("pairs of texts ordered as people do (%)")
    right.set_title("pairs")
    _rows(left, [title_of(name) + (" −" if name in settings.lower_is_better else "") for name in names])
    right.tick_params(axis="y", length=0)
    made.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=4)
    n = by[names[0], "item"].n, by[names[0], "input"].n, by[names[0], "system"].n
    caption = (
        f"Metrics against mean normalised {one.dimension}: Pearson’s r over {n[0]:,} texts, within {n[1]:,} inputs and "
        f"over {n[2]:,} systems, with 95% intervals ({settings.samples:,} resamples of inputs and judges); "
        f"and the share of {pairs[names[0]].pairs:,} pairs of texts of one input that a metric orders as people do, "
        f"ties calibrated (chance: {percent(pairs[names[0]].chance)})."
    )
    if any(name in settings.lower_is_better for name in names):
        caption += " −: less is better, the sign is turned."
    return Drawn(one.dimension, "metrics", "Metrics against people", caption, made)


def matrix_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Which metric agrees with people significantly better than which."""
    import numpy as np
    from matplotlib.figure import Figure

    value = {c.metric: c.value for c in one.correlations if c.kind == "pearson" and c.level == "item"}
    names = sorted((name for name in value if not isnan(value[name])), key=lambda name: (-value[name], name))
    if len(names) < 3:
        return None
    p = {(own.first, own.second): own for own in one.metric_comparisons}
    rows, columns = names[:-1], names[1:]  # the best is no column: nothing is better than it; nor the worst a row
    size = len(rows)
    shades = np.full((size, size), np.nan)
    made = Figure((min(PAGE, 1.3 + 0.32 * size), 0.9 + 0.25 * size), layout="constrained")
    axes = made.subplots()
    for row, above in enumerate(rows):
        for column, below in enumerate(columns):
            own = p.get((above, below)) or p.get((below, above))
            if column < row or own is None or isnan(own.corrected_p):
                continue
            is_clear = own.corrected_p < LEVEL
            shades[row, column] = 1.0 if is_clear else 0.0
            text = "<.001" if own.corrected_p < 0.001 else figure(own.corrected_p, 2)
            axes.text(column, row, text, ha="center", va="center", fontsize=6, color="white" if is_clear else INK)
    from matplotlib.colors import ListedColormap

    edges = np.arange(size + 1) - 0.5  # squares that are drawn, where an image would be dots
    axes.pcolormesh(edges, edges, shades, cmap=ListedColormap(["#8a8a8a40", BLUE]), vmin=0, vmax=1, linewidth=0)
    axes.set_xticks(range(size), [_brief(name) for name in columns], rotation=45, ha="right", rotation_mode="anchor")
    _rows(axes, [title_of(name) for name in rows])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0)
    caption = (
        "p that the metric of the row agrees with people no better than that of the column, text by text (paired "
        f"permutation, Holm’s correction for {len(one.metric_comparisons):,} comparisons; n = {one.items:,} texts). "
        f"Blue: significant at {figure(LEVEL, 2)}; grey: not."
    )
    return Drawn(one.dimension, "significance", "Which metric is better than which", caption, made)


def _brief(name: str) -> str:
    return title_of(name) if len(title_of(name)) <= 10 else cut(short_of(name), 14)


def _rows(axes: Axes, names: Sequence[str]) -> None:
    """Names down the axis, the first on top."""
    axes.set_yticks(range(len(names)), [cut(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)


def _bands(axes: Axes, groups: Sequence[int]) -> None:
    """Every other group on grey."""
    for number in sorted(set(groups)):
        rows = [row for row, group in enumerate(groups) if group == number]
        if number % 2 == 0 and number:
            axes.axhspan(rows[0] - 0.5, rows[-1] + 0.5, color=GREY, alpha=0.15, linewidth=0)
