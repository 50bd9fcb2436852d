"""Scores of an evaluation as the pages of the workbench print them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fergus.evaluation.result import Evaluation
    from fergus.metrics.base import Metric


@dataclass(frozen=True)
class Row:
    """A metric with the score of every system."""

    title: str
    name: str
    is_higher_better: bool
    cells: tuple[tuple[str, str], ...]
    """A score and its interval; both empty where there is none."""


def rows_of(evaluation: Evaluation) -> tuple[Row, ...]:
    """Every metric's headline score for every system."""
    rows = []
    for metric in evaluation.metrics:
        cells = []
        for system in evaluation.systems:
            score = system.corpus[metric.name]
            interval = score.mean_interval if metric.headline == "mean" else score.pooled_interval
            between = f"{figure(interval.low, metric)} to {figure(interval.high, metric)}" if interval else ""
            cells.append(("", "") if score.score is None else (figure(score.score, metric), between))
        rows.append(Row(metric.title, metric.name, metric.higher_is_better, tuple(cells)))
    return tuple(rows)


def figure(value: float, metric: Metric) -> str:
    """A score with as many decimals as the metric has."""
    return f"{value:.{metric.decimals}f}".replace("-", "\N{MINUS SIGN}")
