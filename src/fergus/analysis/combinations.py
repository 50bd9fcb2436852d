"""Every combination of predictors as a model of the judgements, all on the same points (Table 3 of the paper)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Notice
from fergus.analysis.many_tests import corrected_for_number
from fergus.analysis.regress import DEPENDENT, Exclusion, Selected, f_of_r_squared, information, p_of_f
from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


MOST_MODELS = 20_000
"""Fitted at most: beyond that the size of models is limited."""


@dataclass(frozen=True)
class Combination:
    """One model: which predictors, how much they explain, and the F test's p."""

    predictors: tuple[str, ...]
    n: int
    r_squared: float
    adjusted_r_squared: float
    f: float
    p: float
    corrected_p: float
    """By Holm's method over all models tried: the best of many is good by chance too."""
    aic: float
    bic: float


@dataclass(frozen=True)
class Combinations:
    """All models up to a size, smaller ones first, then in the order of the predictors."""

    models: tuple[Combination, ...]
    n: int
    notices: tuple[Notice, ...]


def every_combination(
    predictors: Mapping[str, Floats],
    y: Floats,
    *,
    largest: int,
    items: Sequence[str] | None = None,
    exclude: Sequence[Exclusion] = (),
) -> Combinations:
    """Fit every combination of at most ``largest`` predictors to the points for which all predictors are known.

    Combinations in which one predictor follows from the others (I, M and I') are left out and counted.
    """
    if largest < 1:
        raise InputError(f"combinations of at most {largest} predictors", remedy="ask for 1 or more")
    data = Selected.of(predictors, y, items=items, exclude=exclude, largest=1)
    n, names = len(data.y), list(predictors)
    notices = list(data.notices)
    size_asked = largest
    while largest > 1 and sum(comb(len(names), k) for k in range(1, largest + 1)) > MOST_MODELS:
        largest -= 1
    if largest < size_asked:
        message = f"combinations of up to {size_asked} of {len(names)} predictors are more than {MOST_MODELS:,} models"
        notices.append(Notice("smaller models", f"{message}; models have at most {largest}"))
    sizes = range(1, min(largest, len(names), n - 2) + 1)
    centred = np.column_stack([data.X - data.X.mean(axis=0), data.y - data.y.mean()])
    # The triangle has the same lengths and angles as the columns themselves: one decomposition serves all models.
    triangle = np.linalg.qr(centred).R
    lengths = np.linalg.norm(triangle, axis=0)
    total = float(lengths[-1] ** 2)
    found, dependent = [], []
    # Rounding errors of the means make a constant column a tiny one.
    tiny = DEPENDENT * np.linalg.norm(data.X, axis=0)
    for size in sizes:
        for chosen in combinations(range(len(names)), size):
            small = np.linalg.qr(triangle[:, [*chosen, -1]]).R
            if np.any(np.abs(np.diag(small)[:-1]) <= tiny[list(chosen)]):
                dependent.append(chosen)
                continue
            left = float(small[size, size] ** 2) if small.shape[0] > size else 0.0
            r_squared = 1 - left / total
            f = f_of_r_squared(r_squared, n, size)
            with np.errstate(divide="ignore"):
                aic, bic = information(left, n, size)
            adjusted = 1 - (1 - r_squared) * (n - 1) / (n - size - 1)
            found.append((chosen, r_squared, adjusted, f, p_of_f(f, size, n - size - 1), aic, bic))
    corrected = corrected_for_number([row[4] for row in found])
    models = tuple(
        Combination(tuple(names[i] for i in chosen), n, r_squared, adjusted, f, p, c, aic, bic)
        for (chosen, r_squared, adjusted, f, p, aic, bic), c in zip(found, corrected, strict=True)
    )
    if dependent:
        message = f"combinations in which a predictor follows from the others, such as {_listed(dependent[0], names)}"
        notices.append(Notice("dependent predictors", message, len(dependent)))
    return Combinations(models, n, tuple(notices))


def _listed(chosen: Sequence[int], names: Sequence[str]) -> str:
    return " + ".join(names[i] for i in chosen)
