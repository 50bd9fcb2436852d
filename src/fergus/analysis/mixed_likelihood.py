"""The restricted likelihood of a linear model with crossed random effects, quick for thousands of levels.

y = X b + sum over factors of Z u + e, where u has a variance relative to that of e. The factor with most levels has a
diagonal block in Henderson's equations (as in Bates et al. 2015, Journal of Statistical Software 67:1), and levels
that occur equally often have the same entry in it: eliminating them takes one sum of tables a number of occurrences.
A factor that the first is nested in, as items are in inputs, then has a diagonal block too and is eliminated as well.
What is left is one Cholesky factor a trial, of the other factors' levels, X and y; neither the number of judgements
nor that of the first factor's levels matters any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fergus.analysis.mixed_kernel import factor_upper, less_weighted, take_away

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SMALL = 300
"""Larger tables are worth a library's threads."""


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
        self.second = _around(factors, sizes, self.first)
        self.rest = [k for k in range(len(sizes)) if k not in (self.first, self.second)]
        self.rest_sizes = [sizes[k] for k in self.rest]
        rows, ones = np.arange(self.n), np.ones(self.n)
        indicators = [csr_array((ones, (rows, levels))) for levels in factors]
        columns = hstack([*(indicators[k] for k in self.rest), csr_array(np.column_stack([X, y - self.mean]))]).tocsr()
        around = indicators[self.second] if self.second >= 0 else csr_array((self.n, 0))
        self.size: int = columns.shape[1]
        self.diagonal = np.diag_indices(sum(self.rest_sizes))
        self.products = _tables(columns, around)
        self.counts: Floats = np.zeros(0)
        self.members: Floats = np.zeros(0)
        self.explained: Floats = np.zeros((0, len(self.products)))
        if sizes:
            sums, sums_around = ((indicators[self.first].T @ table).tocsr() for table in (columns, around))
            occurring = np.bincount(factors[self.first])
            counts, members = np.unique(occurring, return_counts=True)
            self.counts, self.members = counts.astype(np.float64), members.astype(np.float64)
            chosen = [np.flatnonzero(occurring == count) for count in counts]
            self.explained = np.array([_tables(sums[own], sums_around[own]) for own in chosen])

    def solve(self, variances: Floats) -> Solution:
        """Estimate the coefficients, given the relative variances."""
        flat, determinant = self.products, 0.0
        if self.first >= 0:
            own = float(variances[self.first])
            diagonal = 1 + own * self.counts
            flat = less_weighted(flat, self.explained, own / diagonal)
            determinant += float(self.members @ np.log(diagonal))
        table: Floats = flat[: self.size**2].reshape(self.size, self.size).copy()
        if self.second >= 0:
            between, own = flat[self.size**2 :].reshape(-1, self.size + 1), float(variances[self.second])
            diagonal = 1 + own * between[:, -1]
            take_away(table, np.ascontiguousarray(between[:, :-1]), own / diagonal)
            determinant += float(np.log(diagonal).sum())
        levels = sum(self.rest_sizes)
        if self.rest:
            scale = np.sqrt(np.repeat(variances[self.rest], self.rest_sizes))
            table[:levels] *= scale[:, None]
            table[:, :levels] *= scale
            table[self.diagonal] += 1
        triangle = _cholesky(table)
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


def _around(factors: Sequence[Ints], sizes: Sequence[int], first: int) -> int:
    """The largest factor of which every level of the first has one level, as an item has one input; -1 if none."""
    found = [
        k
        for k in range(len(sizes))
        if k != first and len(np.unique(factors[first] * sizes[k] + factors[k])) == sizes[first]
    ]
    return max(found, key=lambda k: sizes[k], default=-1)


def _tables(columns: csr_array, around: csr_array) -> Floats:
    """Products of the columns; then by level of the factor around those with the columns, and its own with itself."""
    between = np.column_stack([(around.T @ columns).toarray(), around.multiply(around).sum(axis=0)])
    return np.concatenate([(columns.T @ columns).toarray().ravel(), between.ravel()])


def _cholesky(table: Floats) -> Floats:
    """The lower triangle of a table whose upper one is given."""
    if len(table) > SMALL:
        return np.linalg.cholesky(table, upper=True).T.astype(np.float64)
    if not factor_upper(table):
        raise np.linalg.LinAlgError("the table is not positive definite")
    return table.T
