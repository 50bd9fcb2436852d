"""Small tables of mixed models, compiled: a matrix library would wake its threads for them, and wait for busy ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from fergus.compiled import compiled


@compiled
def take_away(table: Any, rows: Any, weights: Any) -> None:
    """From the upper triangle of ``table``, each row's products with itself by its weight; most of a row may be 0."""
    size = table.shape[0]
    for number in range(rows.shape[0]):
        row = rows[number]
        for i in range(size):
            if row[i] != 0:
                factor = weights[number] * row[i]
                for k in range(i, size):
                    table[i, k] -= factor * row[k]


@compiled
def factor_upper(table: Any) -> bool:
    """Make the upper triangle Cholesky's factor in place, and the rest 0; False if the table is not positive."""
    size = table.shape[0]
    for j in range(size):
        if not table[j, j] > 0:
            return False
        pivot = np.sqrt(table[j, j])
        for k in range(j, size):
            table[j, k] /= pivot
        for i in range(j + 1, size):
            factor = table[j, i]
            table[i, j] = 0.0
            if factor != 0:
                for k in range(i, size):
                    table[i, k] -= factor * table[j, k]
    return True


@compiled
def less_weighted(products: Any, explained: Any, weights: Any) -> Any:
    """The products less the sum of the explained tables, each by its weight."""
    found = products.copy()
    for number in range(len(weights)):
        weight, row = weights[number], explained[number]
        for k in range(len(found)):
            found[k] -= weight * row[k]
    return found
