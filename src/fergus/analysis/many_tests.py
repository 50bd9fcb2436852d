"""Many tests at once: p-values corrected for their number, and trials enough for them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from fergus.metrics.significance import holm

LEVEL = 0.05
"""What is below is significant."""
CELLS = 1_000_000
"""Of a table of random exchanges that is in memory at once."""
TRIALS_A_COMPARISON = 100
"""The more comparisons p is corrected for, the smaller it must be able to become."""


def corrected_for_number(values: Sequence[float], *, comparisons: int = 0) -> list[float]:
    """p-values by Holm's method; undefined ones stay so and do not count as comparisons.

    ``comparisons`` is said where more could have been made than were: those with whichever turned out best.
    """
    known = [i for i, p in enumerate(values) if not isnan(p)]
    result = list(values)
    others = [1.0] * max(0, comparisons - len(known))
    for i, p in zip(known, holm([*(values[i] for i in known), *others]), strict=False):
        result[i] = p
    return result


def enough_trials(trials: int, comparisons: int) -> int:
    """At least as many as let the smallest possible p, 1 / (trials + 1), be below .01 when corrected for all."""
    return max(trials, TRIALS_A_COMPARISON * comparisons)
