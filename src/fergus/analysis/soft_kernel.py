"""The sums that soft pairwise accuracy asks for a thousand times, compiled: no large tables are made for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fergus.compiled import compiled


@compiled
def sums_by_part(rows: Any, weight: Any, begin: Any) -> Any:
    """By row and part (each ends where the next one begins): weighted sums, and weighted sums of squares."""
    found = np.zeros((2, rows.shape[0], len(begin)))
    for number in range(rows.shape[0]):
        row = rows[number]
        for part in range(len(begin)):
            end = begin[part + 1] if part + 1 < len(begin) else len(weight)
            total, squares = 0.0, 0.0
            for i in range(begin[part], end):
                weighted = weight[i] * row[i]
                total += weighted
                squares += weighted * row[i]
            found[0, number, part] = total
            found[1, number, part] = squares
    return found
