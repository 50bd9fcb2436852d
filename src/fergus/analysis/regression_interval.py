"""How far the R² of a regression would vary with other inputs and other judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.regress import Exclusion
from fergus.analysis.resample import Draw, spread
from fergus.cluster.chunks import Workers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TINY = 1e-9


@dataclass(frozen=True)
class Explained:
    """The share of the variance that the same predictors explain in a resample, on the scale of Fisher's z."""

    inputs: NDArray[np.int64]
    columns: Floats
    """A row a text: a constant, and the predictors."""
    is_fitted: NDArray[np.bool_]

    def __call__(self, draw: Draw) -> Floats:
        """z of the multiple correlation R; NaN where nothing varies."""
        weight = np.where(self.is_fitted & np.isfinite(draw.means), draw.inputs[self.inputs], 0.0)
        kept = weight > 0
        if not kept.any():
            return np.array([np.nan])
        root, y = np.sqrt(weight[kept]), draw.means[kept]
        y = y - np.average(y, weights=weight[kept])
        basis = self.columns[kept] * root[:, None]
        fitted = basis @ np.linalg.lstsq(basis, y * root, rcond=None)[0]
        total = float((y * root) @ (y * root))
        if total == 0:
            return np.array([np.nan])
        return on_scale(float(fitted @ fitted) / total)


def on_scale(r_squared: float) -> Floats:
    """Fisher's z of the multiple correlation."""
    return np.array([np.arctanh(min(max(r_squared, 0.0) ** 0.5, 1 - TINY))])


def r_squared_interval(
    items: Items,
    ratings: Ratings,
    predictors: Mapping[str, Floats],
    r_squared: float,
    *,
    exclude: Sequence[Exclusion] = (),
    samples: int = 1000,
    seed: int = 12345,
    workers: Workers | None = None,
) -> tuple[float, float]:
    """The 95% interval of the R² that these predictors have; they are given, not chosen anew in each resample."""
    columns = np.column_stack([np.ones(len(items)), *predictors.values()])
    left_out = {one.item for one in exclude}
    is_fitted = np.isfinite(columns).all(axis=1) & np.array([name not in left_out for name in items.ids])
    statistic = Explained(items.input_numbers, np.where(is_fitted[:, None], columns, 0.0), is_fitted)
    margin = spread(items, ratings, statistic, samples=samples, seed=seed, workers=workers).margin()
    centre = on_scale(r_squared)
    low, high = np.tanh(np.maximum(centre - margin, 0.0)) ** 2, np.tanh(centre + margin) ** 2
    return float(low[0]), float(high[0])
