"""Confidence intervals and significance tests on tables of statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fergus.metrics.base import Aggregate, Metric


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two systems differ by one metric, and whether that could be chance."""

    metric: str
    aggregate: Aggregate
    first: str
    second: str
    difference: float
    """The score of the first less that of the second."""
    interval: Interval
    """Of the difference, by paired bootstrap."""
    bootstrap_p: float
    randomisation_p: float
    corrected_bootstrap_p: float
    """By Holm's method, over all pairs of systems that were compared by this metric."""
    corrected_randomisation_p: float


def bootstrap_intervals(
    metric: Metric, statistics: NDArray[np.float64], *, samples: int, seed: int
) -> tuple[Interval, Interval]:
    """The 95% intervals of mean and pooled score."""
    raise NotImplementedError
