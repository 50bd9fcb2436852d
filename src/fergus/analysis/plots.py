"""The figures of a report: systems, metrics, which metric beats which, judges, and models with their residuals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.analysis.metric_plots import matrix_figure, metrics_figure
from fergus.analysis.plot_style import (
    BLUE,
    COLUMN,
    GREY,
    INK,
    Drawn,
    cut,
    lay_out,
    name_rows,
    png_of,
    styled,
    svg_of,
)
from fergus.analysis.regression_plots import model_figure, residuals_figure
from fergus.analysis.written import counted, figure
from fergus.whole_file import WholeFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fergus.analysis.analyse import DimensionAnalysis, Settings
    from fergus.analysis.report import Report


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
        captions.append(f"{drawn.name}: {drawn.told}\n")
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
    name_rows(axes, [own.system for own in ranked])
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


def _bands(axes: Axes, groups: Sequence[int]) -> None:
    """Every other group on grey."""
    for number in sorted(set(groups)):
        rows = [row for row, group in enumerate(groups) if group == number]
        if number % 2 == 0 and number:
            axes.axhspan(rows[0] - 0.5, rows[-1] + 0.5, color=GREY, alpha=0.15, linewidth=0)
