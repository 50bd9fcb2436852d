"""Sorting for compiled code: numba takes seconds to compile numpy's argsort, and our lists are short."""

from __future__ import annotations

from typing import Any

import numpy as np

from fergus.compiled import compiled


@compiled
def best_first(scores: Any, count: int, keep: int) -> Any:
    """The places of the ``keep`` highest of the first ``count`` scores, best first, ties as they stand."""
    places = np.empty(keep, np.int32)
    taken = np.zeros(count, np.bool_)
    for rank in range(keep):
        best = -1
        for i in range(count):
            if not taken[i] and (best < 0 or scores[i] > scores[best]):
                best = i
        places[rank] = best
        taken[best] = True
    return places


@compiled
def sort_by_key(items: Any, begin: int, end: int, key: Any) -> None:
    """Sort ``items[begin:end]`` in place by ascending ``key[item]``, ties as they stand (insertion)."""
    for i in range(begin + 1, end):
        item, j = items[i], i - 1
        while j >= begin and key[items[j]] > key[item]:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = item
