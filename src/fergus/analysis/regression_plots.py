"""The figures of a regression: predicted beside judged (Figures 3 and 4 of the paper), and residuals."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from fergus.analysis.plot_style import BLUE, COLUMN, INK, PAGE, RED, Drawn, cut, file_name
from fergus.analysis.regress import Point, Regression, normal_quantiles
from fergus.analysis.report import short_of
from fergus.analysis.written import counted, figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from fergus.analysis.analyse import DimensionAnalysis, Settings

MANY = 800
"""From so many points on they are counted in hexagons."""


def model_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Judged against predicted; points that the model was not fitted to are shown with the reason."""
    from matplotlib.figure import Figure

    best = one.best_regression
    if best is None:
        return None
    made = Figure((COLUMN, 2.9), layout="constrained")
    axes = made.subplots()
    fitted, left_out = best.fitted_points, [point for point in best.points if point.excluded]
    most = _points(axes, [p.predicted for p in fitted], [p.judged for p in fitted])
    known = [point for point in left_out if point.predicted == point.predicted and point.judged == point.judged]
    axes.plot(
        [p.predicted for p in known], [p.judged for p in known], "X", color=RED, markersize=5.5, markeredgecolor="none"
    )
    for point in known:
        _labelled(axes, point)
    low, high = min(p.predicted for p in (*fitted, *known)), max(p.predicted for p in (*fitted, *known))
    axes.plot([low, high], [low, high], color=INK, linewidth=1)
    axes.set_xlabel(cut("predicted by " + " + ".join(short_of(name) for name in best.predictors), 62))
    axes.set_ylabel(f"mean normalised {cut(one.dimension, 24)}")
    caption = f"Judged against predicted {one.dimension}: R² = {figure(best.r_squared, 2)}, n = {best.n:,} texts."
    caption += f" Darker hexagons hold more texts, up to {most:,}." if most else ""
    caption += " Line: predicted is judged."
    if known:
        reasons = "; ".join(f"{point.item}: {point.excluded}" for point in known)
        caption += f" Crosses: {counted(len(known), 'text')} that the model was not fitted to ({reasons})."
    return Drawn(f"{file_name(one.dimension)}-model", f"Regression for {one.dimension}", caption, made)


def residuals_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Residuals against predictions, and against the normal distribution."""
    from matplotlib.figure import Figure

    best = one.best_regression
    if best is None or best.n < 3:
        return None
    made = Figure((PAGE, 2.4), layout="constrained")
    left, right = made.subplots(1, 2)
    fitted = best.fitted_points
    _points(left, [p.predicted for p in fitted], [p.standardised for p in fitted])
    left.axhline(0, color=INK, linewidth=0.8)
    left.set_xlabel("predicted")
    left.set_ylabel("standardised residual")
    left.set_title("residuals")
    _quantiles(right, best)
    caption = (
        f"Residuals of the model of {one.dimension} (n = {best.n:,}): left, a band of the same width throughout means "
        "constant variance; right, points on the line mean normal residuals."
    )
    return Drawn(f"{file_name(one.dimension)}-residuals", f"Residuals for {one.dimension}", caption, made)


def _quantiles(axes: Axes, best: Regression) -> None:
    pairs = normal_quantiles(best)
    step = max(1, len(pairs) // MANY)
    shown = [*pairs[:20], *pairs[20:-20:step], *pairs[-20:]] if step > 1 else pairs
    expected, found = [a for a, _ in shown], [b for _, b in shown]
    axes.plot(expected, found, "o", color=BLUE, markersize=2.2, markeredgecolor="none")
    axes.axline((0, 0), slope=1, color=INK, linewidth=0.8)
    axes.set_xlabel("normal quantile")
    axes.set_ylabel("standardised residual")
    axes.set_title("normal plot")


def _points(axes: Axes, x: Sequence[float], y: Sequence[float]) -> int:
    """Points, or hexagons for many of them; how many points the fullest hexagon has, 0 for points."""
    if len(x) <= MANY:
        is_few = len(x) <= 100
        axes.plot(
            x,
            y,
            "o",
            color=BLUE,
            alpha=0.8 if is_few else 0.45,
            markersize=3.5 if is_few else 2.2,
            markeredgecolor="none",
        )
        return 0
    import numpy as np
    from matplotlib.colors import to_rgb

    hexagons = axes.hexbin(x, y, gridsize=(45, 30), mincnt=1, linewidths=0.1)
    counts = np.asarray(hexagons.get_array(), float)
    heavy = np.log1p(counts) / np.log1p(counts.max())
    colours = np.column_stack([np.tile(to_rgb(BLUE), (len(counts), 1)), 0.12 + 0.88 * heavy])
    hexagons.set_array(None)
    hexagons.set_facecolor([tuple(row) for row in colours.tolist()])
    hexagons.set_edgecolor("none")
    return int(counts.max())


def _labelled(axes: Axes, point: Point) -> None:
    text = fill(cut(f"{point.item}: {point.excluded}", 72), 26, break_on_hyphens=False)
    is_right = point.predicted > sum(axes.get_xlim()) / 2
    axes.annotate(
        text, (point.predicted, point.judged), xytext=(-5 if is_right else 5, 4), textcoords="offset points",
        ha="right" if is_right else "left", fontsize=6, color=INK,
    )  # fmt: skip
