"""The figures of a regression: predicted beside judged (Figures 3 and 4 of the paper), and residuals."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from textwrap import fill
from typing import TYPE_CHECKING

from fergus.analysis.abbreviations import explained
from fergus.analysis.metric_tables import r_squared_bounds
from fergus.analysis.plot_style import BLUE, COLUMN, INK, PAGE, RED, Drawn, cut
from fergus.analysis.regress import Point, Regression, normal_quantiles
from fergus.analysis.report import short_of
from fergus.analysis.written import counted, figure, is_p, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from fergus.analysis.analyse import DimensionAnalysis, Settings

FEW, MANY = 100, 800
"""Up to the first number points are large; from the second on they are counted in hexagons."""
FAR = 0.25
"""Of many points, those that lie farther out than all but one in a thousand by this share of the others' range."""


@dataclass(frozen=True)
class Shown:
    """How points were drawn."""

    most: int
    """Points in the fullest hexagon; 0 if there are none."""
    beyond: tuple[float, ...] = ()
    """Values too far out for the axis; triangles at its end stand for them."""

    @property
    def caption(self) -> str:
        """What a reader must know about it."""
        said = f" Darker hexagons hold more texts, up to {self.most:,}." if self.most else ""
        if self.beyond:
            values = listed([figure(value, 1) for value in sorted(self.beyond)], most=3)
            said += f" Triangles: {counted(len(self.beyond), 'text')} beyond the axis ({values})."
        return said


def model_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Judged against predicted; points that the model was not fitted to are shown with the reason."""
    from matplotlib.figure import Figure

    best = one.best_regression
    if best is None:
        return None
    made = Figure((COLUMN, 2.9), layout="constrained")
    axes = made.subplots()
    fitted, left_out = best.fitted_points, [point for point in best.points if point.excluded]
    known = [point for point in left_out if point.predicted == point.predicted and point.judged == point.judged]
    judged = [p.judged for p in fitted]
    shown = _points(axes, [p.predicted for p in fitted], judged, keep=[point.judged for point in known])
    axes.plot(
        [p.predicted for p in known], [p.judged for p in known], "X", color=RED, markersize=5.5, markeredgecolor="none"
    )
    for point in known:
        _labelled(axes, point)
    low, high = min(p.predicted for p in (*fitted, *known)), max(p.predicted for p in (*fitted, *known))
    axes.plot([low, high], [low, high], color=INK, linewidth=1)
    axes.set_xlabel(cut("predicted by " + " + ".join(short_of(name) for name in best.predictors), 62))
    axes.set_ylabel(f"mean normalised {cut(one.dimension, 24)}")
    caption = (
        f"Judged against predicted {one.dimension} (ordinary least squares, mean normalised judgements): R² = "
        f"{figure(best.r_squared, 2)}{r_squared_bounds(best)}, n = {best.n:,} texts.{shown.caption} "
        "Line: predicted is judged."
    )
    if told := explained(best.predictors):
        caption += f" {told}."
    if known:
        reasons = "; ".join(f"{point.item}: {point.excluded}" for point in known)
        caption += f" Crosses: {counted(len(known), 'text')} that the model was not fitted to ({reasons})."
    return Drawn(one.dimension, "model", f"Regression for {one.dimension}", caption, made)


def residuals_figure(one: DimensionAnalysis, settings: Settings) -> Drawn | None:
    """Residuals against predictions, and against the normal distribution."""
    from matplotlib.figure import Figure

    best = one.best_regression
    if best is None:
        return None
    fitted = [point for point in best.fitted_points if isfinite(point.standardised)]
    if len(fitted) < 3:
        return None
    made = Figure((PAGE, 2.4), layout="constrained")
    left, right = made.subplots(1, 2)
    shown = _points(left, [p.predicted for p in fitted], [p.standardised for p in fitted])
    left.axhline(0, color=INK, linewidth=0.8)
    left.set_xlabel("predicted")
    left.set_ylabel("standardised residual")
    left.set_title("residuals")
    _quantiles(right, best, shown)
    caption = (
        f"Residuals of the model of {one.dimension}, divided by their standard deviations (n = {best.n:,} texts): "
        f"left, a band of the same width throughout means constant variance (Breusch and Pagan’s test: "
        f"{is_p(best.breusch_pagan_p)}); right, points on the line mean normal residuals.{shown.caption}"
    )
    if alone := best.n - len(fitted):
        caption += f" Without {counted(alone, 'text')} that a coefficient is fitted to alone."
    return Drawn(one.dimension, "residuals", f"Residuals for {one.dimension}", caption, made)


def _quantiles(axes: Axes, best: Regression, beside: Shown) -> None:
    """A normal plot; its axis ends where that of the residuals beside it ends."""
    pairs = normal_quantiles(best)
    step = max(1, len(pairs) // MANY)
    shown = [*pairs[:20], *pairs[20:-20:step], *pairs[-20:]] if step > 1 else pairs
    near = [pair for pair in shown if pair[1] not in beside.beyond]
    size = 3.5 if len(pairs) <= FEW else 2.2
    axes.plot([a for a, _ in near], [b for _, b in near], "o", color=BLUE, markersize=size, markeredgecolor="none")
    low, high = axes.get_ylim()
    for expected, value in shown:
        if value in beside.beyond:
            _triangle(axes, expected, low, high, is_low=value < low)
    axes.set_ylim(low, high)
    axes.axline((0, 0), slope=1, color=INK, linewidth=0.8)
    axes.set_xlabel("normal quantile")
    axes.set_ylabel("standardised residual")
    axes.set_title("normal plot")


def _points(axes: Axes, x: Sequence[float], y: Sequence[float], *, keep: Sequence[float] = ()) -> Shown:
    """Points, or hexagons for many of them; the axis has room for what ``keep`` lists."""
    if len(x) <= MANY:
        is_few = len(x) <= FEW
        axes.plot(
            x,
            y,
            "o",
            color=BLUE,
            alpha=0.8 if is_few else 0.45,
            markersize=3.5 if is_few else 2.2,
            markeredgecolor="none",
        )
        return Shown(0)
    import numpy as np
    from matplotlib.colors import to_rgb

    across, up = np.asarray(x, float), np.asarray(y, float)
    lowest, highest = np.quantile(up, (0.001, 0.999))
    margin = FAR * (highest - lowest)
    near = (up >= min([lowest - margin, *keep])) & (up <= max([highest + margin, *keep]))
    hexagons = axes.hexbin(across[near], up[near], gridsize=(45, 30), mincnt=1, linewidths=0.1)
    counts = np.asarray(hexagons.get_array(), float)
    heavy = np.log1p(counts) / np.log1p(counts.max())
    colours = np.column_stack([np.tile(to_rgb(BLUE), (len(counts), 1)), 0.12 + 0.88 * heavy])
    hexagons.set_array(None)
    hexagons.set_facecolor([tuple(row) for row in colours.tolist()])
    hexagons.set_edgecolor("none")
    low, high = min([*axes.get_ylim(), *keep]), max([*axes.get_ylim(), *keep])
    for place, value in zip(across[~near].tolist(), up[~near].tolist(), strict=True):
        _triangle(axes, place, low, high, is_low=value < low)
    axes.set_ylim(low, high)
    return Shown(int(counts.max()), tuple(up[~near].tolist()))


def _triangle(axes: Axes, x: float, low: float, high: float, *, is_low: bool) -> None:
    """It stands for a point beyond the axis, and points there."""
    y, marker = (low, "v") if is_low else (high, "^")
    axes.plot([x], [y], marker, color=BLUE, markersize=4, markeredgecolor="none", clip_on=False)


def _labelled(axes: Axes, point: Point) -> None:
    text = fill(cut(f"{point.item}: {point.excluded}", 72), 26, break_on_hyphens=False)
    is_right = point.predicted > sum(axes.get_xlim()) / 2
    axes.annotate(
        text, (point.predicted, point.judged), xytext=(-5 if is_right else 5, 4), textcoords="offset points",
        ha="right" if is_right else "left", fontsize=6, color=INK,
    )  # fmt: skip
