"""Resampling of judgements: inputs and judges are drawn with replacement, since both are samples of many more.

A drawn input brings all of its items; a drawn judge all of the judge's scores. Item means are made anew from the judges
drawn, so that an interval tells what another set of inputs *and* another set of judges could have given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Ratings, means_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Draw:
    """One resample: how often each input was drawn, and every item's mean score over the judges drawn."""

    inputs: Floats
    means: Floats
    """NaN where no judge of the item was drawn."""


def draws(items: Items, ratings: Ratings, *, samples: int, seed: int, judges: bool = True) -> Iterator[Draw]:
    """Resamples; without ``judges`` only inputs are drawn."""
    random = np.random.default_rng(seed)
    size, people = items.input_count, len(ratings.judges)
    means = ratings.item_means(len(items))
    for _ in range(samples):
        inputs = _times(random, size)
        if judges:
            weight = _times(random, people)[ratings.judge]
            means = means_by(ratings.item, ratings.score, len(items), weight)
        yield Draw(inputs, means)


def _times(random: np.random.Generator, size: int) -> Floats:
    """How often each of so many comes up in as many draws."""
    return np.bincount(random.integers(0, size, size), minlength=size).astype(np.float64)


def interval(values: Floats, *, confidence: float = 0.95) -> tuple[float, float]:
    """The middle of the values that are defined; NaN if half of them are not."""
    kept = values[np.isfinite(values)]
    if len(kept) * 2 < len(values) or len(kept) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(kept, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
