"""Leaving out features at random while a model learns, so that no weight relies on another one being there."""

from __future__ import annotations

from typing import Any

import numpy as np

from fergus.compiled import compiled


@compiled
def next_random(state: Any) -> Any:
    """The next state of a xorshift generator."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@compiled
def drop_features(features: Any, count: int, threshold: Any, state: Any) -> Any:
    """Leave out a random share (threshold / 65536) of features; how many are left, in front, and the new state."""
    kept = 0
    for f in range(count):
        state = next_random(state)
        if (state & np.uint64(65535)) >= threshold:
            features[kept] = features[f]
            kept += 1
    return kept, state
