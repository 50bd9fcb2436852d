"""Weights as they are stored: in steps; where most are 0, only the others, and how far each is from the last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

STEP = 0.025
"""Weights are stored in steps of this size (natural-log units), from -127 to 127 steps."""


def rounded(weights: NDArray[np.float32]) -> NDArray[np.int8]:
    """Weights in steps, as they are stored."""
    steps: NDArray[np.int8] = np.clip(np.rint(weights / STEP), -127, 127).astype(np.int8)
    return steps


def packed(weights: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """The gaps between the weights that are not 0, and these in steps: few, and small numbers."""
    steps = rounded(weights)
    places = np.flatnonzero(steps)
    gaps = np.diff(places, prepend=-1)
    # A gap that a byte cannot hold is a row of 255s and what is left.
    far = gaps // 255
    stored = np.full(int(far.sum()) + len(gaps), 255, np.uint8)
    stored[np.cumsum(far + 1) - 1] = (gaps % 255).astype(np.uint8)
    return stored, steps[places]


def unpacked(
    stored: NDArray[np.uint8], values: NDArray[np.int8], *, size: int, step: float = STEP
) -> NDArray[np.float32] | None:
    """The weights, as many as ``size`` says; None if what is stored cannot be theirs."""
    gaps = stored.astype(np.int64)
    places = np.cumsum(gaps)[gaps != 255] - 1
    if not 0 < size <= 1 << 28 or size & (size - 1) or len(places) != len(values):
        return None
    if len(places) and not 0 <= places[0] <= places[-1] < size:
        return None
    weights = np.zeros(size, np.float32)
    weights[places] = values.astype(np.float32) * np.float32(step)
    return weights
