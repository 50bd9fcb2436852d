"""The restricted likelihood of a linear model with crossed random effects, quick for thousands of levels.

y = X b + sum over factors of Z u + e, where u has a variance relative to that of e. The factor with most levels has a
diagonal block in Henderson's equations (as in Bates et al. 2015, Journal of Statistical Software 67:1), and levels
that occur equally often have the same entry in it: eliminating them takes one sum of tables a number of occurrences.
What is left is one Cholesky factor a trial, of the other factors' levels, X and y; neither the number of judgements
nor that of the first factor's levels matters any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Solution:
    """What follows from given variances."""

    coefficients: Floats
    inverse: Floats
    """(X' V⁻¹ X)⁻¹: times the residual variance it is the coefficients' covariance."""
    squares: float
    """The weighted sum of squares that is left."""
    log_determinants: float
    """log |V| + log |X' V⁻¹ X|."""


class CrossedLikelihood:
    """The likelihood as a function of the factors' variances relative to the residuals'."""

    def __init__(self, X: Floats, y: Floats, factors: Sequence[Ints]) -> None:  # noqa: N803
        """``factors`` have the level of every row, numbered from 0 without gaps; the first of ``X`` is constant."""
        from scipy.sparse import csr_array, hstack

        self.n: int = X.shape[0]
        self.p: int = X.shape[1]
        # With a centred y fewer digits are lost; the constant's coefficient gets the mean back.
        self.mean = float(y.mean())
        sizes = [int(levels.max()) + 1 for levels in factors]
        self.first = int(np.argmax(sizes)) if sizes else -1
        self.rest = [k for k in range(len(sizes)) if k != self.first]
        self.rest_sizes = [sizes[k] for k in self.rest]
        rows, ones = np.arange(self.n), np.ones(self.n)
        indicators = [csr_array((ones, (rows, levels))) for levels in factors]
        columns = hstack([*(indicators[k] for k in self.rest), csr_array(np.column_stack([X, y - self.mean]))]).tocsr()
        self.products: Floats = (columns.T @ columns).toarray()
        self.diagonal = np.diag_indices(sum(self.rest_sizes))
        self.counts: Floats = np.zeros(0)
        self.members: Floats = np.zeros(0)
        self.explained: list[Floats] = []
        if sizes:
            sums = (indicators[self.first].T @ columns).tocsr()
            occurring = np.bincount(factors[self.first])
            counts, members = np.unique(occurring, return_counts=True)
            self.counts, self.members = counts.astype(np.float64), members.astype(np.float64)
            for count in counts:
                part = sums[np.flatnonzero(occurring == count)]
                self.explained.append((part.T @ part).toarray())

    def solve(self, variances: Floats) -> Solution:
        """Estimate the coefficients, given the relative variances."""
        table, determinant = self.products.copy(), 0.0
        if self.first >= 0:
            own = float(variances[self.first])
            diagonal = 1 + own * self.counts
            for weight, explained in zip((own / diagonal).tolist(), self.explained, strict=True):
                table -= weight * explained
            determinant += float(self.members @ np.log(diagonal))
        levels = sum(self.rest_sizes)
        if self.rest:
            scale = np.sqrt(np.repeat(variances[self.rest], self.rest_sizes))
            table[:levels] *= scale[:, None]
            table[:, :levels] *= scale
            table[self.diagonal] += 1
        triangle = np.linalg.cholesky(table)
        determinant += 2 * float(np.log(np.diag(triangle)[:-1]).sum())
        half: Floats = np.linalg.inv(triangle[levels:-1, levels:-1]).astype(np.float64)
        coefficients = triangle[-1, levels:-1].astype(np.float64) @ half
        coefficients[0] += self.mean
        return Solution(coefficients, half.T @ half, float(triangle[-1, -1] ** 2), determinant)

    def profiled(self, variances: Floats) -> float:
        """The deviance (-2 log restricted likelihood) with the residual variance that suits best."""
        found = self.solve(variances)
        left = self.n - self.p
        return found.log_determinants + left * (1 + float(np.log(2 * np.pi * found.squares / left)))

    def deviance(self, variances: Floats, error: float) -> float:
        """The deviance with this standard deviation of the residuals."""
        found = self.solve(variances)
        left = self.n - self.p
        return found.log_determinants + left * float(np.log(2 * np.pi * error**2)) + found.squares / error**2
