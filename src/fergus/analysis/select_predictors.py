"""Which metrics a learned one is made of: every combination, by how well it predicts inputs that it was not fitted to.

Everything is done on sums of products, one table for each part of the data that is left out, so that a fit costs the
same for a hundred texts and for a million. What validates a choice is left out of the choice too: the table
``outer`` by ``inner`` has for every part that is left out in the end the parts by which the choice is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from fergus.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

MOST_COMBINATIONS = 5000
PENALTIES = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Of ridge regression on predictors with standard deviation 1, among which cross-validation chooses."""
TINY = 1e-9
"""The least penalty: a predictor may be constant in what is left when a part is left out."""
INNER = 10
"""Parts by which choices are made."""


@dataclass(frozen=True)
class Choice:
    """Some of the predictors, and the penalty on their coefficients."""

    chosen: tuple[int, ...]
    penalty: float


@dataclass(frozen=True)
class Chosen:
    """What was chosen with each part left out, and with none left out."""

    choices: tuple[Choice, ...]
    """For every part, and at last for all data."""
    models: Floats
    """The same, as intercept and a coefficient for every predictor, 0 for those not chosen."""
    tried: int
    against: tuple[int, ...]
    """Parts without which no combination counted in the right direction throughout; there directions were ignored."""

    def held_out(self, X: Floats, parts: Ints) -> Floats:  # noqa: N803
        """Every row's prediction by the model that was made without the row's part."""
        models = self.models[parts]
        result: Floats = models[:, 0] + np.sum(models[:, 1:] * X, axis=1)
        return result


def folds_of(groups: Ints, *, folds: int, seed: int) -> Ints:
    """The part of every row, so that a group stays together; parts have about as many groups each."""
    size = int(groups.max()) + 1
    folds = size if folds == 0 else min(folds, size)
    order = np.random.default_rng(seed).permutation(size)
    part = np.empty(size, np.int64)
    part[order] = np.arange(size) % folds
    result: Ints = part[groups]
    return result


def candidates(count: int, *, largest: int) -> list[tuple[int, ...]]:
    """Every combination of at most ``largest`` of so many predictors, small ones first."""
    number = sum(comb(count, size) for size in range(1, largest + 1))
    if number > MOST_COMBINATIONS:
        remedy = f"take fewer metrics, or combine fewer: at most {MOST_COMBINATIONS} are tried"
        raise InputError(f"there are {number} combinations of at most {largest} of {count} metrics", remedy=remedy)
    return [chosen for size in range(1, min(largest, count) + 1) for chosen in combinations(range(count), size)]


def choose(
    X: Floats,  # noqa: N803
    y: Floats,
    *,
    outer: Ints,
    inner: Ints,
    combinations: Sequence[tuple[int, ...]],
    penalties: Sequence[float] = (0.0,),
    directions: Floats | None = None,
) -> Chosen:
    """With each part of ``outer`` left out, and with none: the combination of the smallest error over ``inner``.

    ``directions`` are 1 where more is better and -1 where less is; a combination in which a metric counts against its
    direction is passed over. Of combinations with the same error the first is taken.
    """
    centre, width = X.mean(axis=0), X.std(axis=0)
    rows = np.column_stack([np.ones(len(y)), (X - centre) / width, y])
    tables = _tables(rows, outer, inner)
    left_out = tables.sum(axis=1)
    total = left_out.sum(axis=0)
    kept = total - left_out
    # A part of a part: what is left for fitting, and what the fit is tried on.
    tried_on = tables.sum(axis=0) - tables
    fitted_to = kept[:, None] - tried_on
    is_used = tried_on[..., 0, 0] > 0
    allowed = np.zeros(X.shape[1]) if directions is None else directions
    best = np.full(len(kept), np.inf)
    best_right = np.full(len(kept), np.inf)
    first: list[Choice | None] = [None] * len(kept)
    right: list[Choice | None] = [None] * len(kept)
    tried = 0
    for chosen in combinations:
        if _is_dependent(total, chosen):
            continue
        tried += 1
        for penalty in penalties:
            inside = _solve(fitted_to, chosen, penalty)
            errors = np.where(is_used, np.einsum("oip,oipq,oiq->oi", inside, tried_on, inside), 0.0).sum(axis=1)
            signs = _solve(kept, chosen, penalty)[:, [1 + c for c in chosen]] * -1
            is_right = np.all(signs * allowed[list(chosen)] >= 0, axis=1)
            for o in np.flatnonzero(errors < best * (1 - 1e-12)):
                best[o], first[o] = errors[o], Choice(chosen, penalty)
            for o in np.flatnonzero(is_right & (errors < best_right * (1 - 1e-12))):
                best_right[o], right[o] = errors[o], Choice(chosen, penalty)
    if not tried:
        raise InputError("every combination has a metric that follows from the others", remedy="choose other metrics")
    choices = [b or a for a, b in zip(first, right, strict=True) if a is not None]
    models = np.zeros((len(kept), X.shape[1] + 1))
    for part, choice in enumerate(choices):
        vector = -_solve(kept[part], choice.chosen, choice.penalty)[:-1]
        models[part, 1:] = vector[1:] / width
        models[part, 0] = vector[0] - models[part, 1:] @ centre
    against = tuple(part for part, one in enumerate(right) if one is None)
    return Chosen(tuple(choices), models, tried, against)


def _tables(rows: Floats, outer: Ints, inner: Ints) -> Floats:
    """Sums of products by outer and inner part, and at the end one of nothing: no part is left out."""
    size, width = int(inner.max()) + 1, rows.shape[1]
    tables = np.zeros((int(outer.max()) + 2, size, width, width))
    cells = outer * size + inner
    order = np.argsort(cells, kind="stable")
    begin = np.searchsorted(cells[order], np.arange(tables.shape[0] * size + 1))
    for cell in np.unique(cells):
        own = rows[order[begin[cell] : begin[cell + 1]]]
        tables[cell // size, cell % size] = own.T @ own
    return tables


def _solve(tables: Floats, chosen: Sequence[int], penalty: float) -> Floats:
    """For every table the vector v with v · (1, x, y) the residual: -intercept, -coefficients, 1."""
    places = [1 + c for c in chosen]
    n = np.maximum(tables[..., 0, 0], 1)
    means = tables[..., 0, :] / n[..., None]
    centred = tables - n[..., None, None] * means[..., :, None] * means[..., None, :]
    square = centred[..., places, :][..., places]
    square = square + (max(penalty, TINY) * n)[..., None, None] * np.eye(len(places))
    slopes = np.linalg.solve(square, centred[..., places, -1][..., None])[..., 0]
    result: Floats = np.zeros(tables.shape[:-1])
    result[..., -1] = 1
    result[..., places] = -slopes
    result[..., 0] = np.sum(slopes * means[..., places], axis=-1) - means[..., -1]
    return result


def _is_dependent(total: Floats, chosen: Sequence[int]) -> bool:
    places = [1 + c for c in chosen]
    return bool(np.linalg.eigvalsh(total[np.ix_(places, places)] / total[0, 0])[0] < TINY)
