"""Correlations of points that count more or less than once: what a bootstrap asks a thousand times.

A resample is the same points with other weights (how often each was drawn), so a column is sorted once and for all:
ranks are running sums of weights, and Kendall's tau-b counts pairs with a Fenwick tree over the other column's ranks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fergus.compiled import compiled


@compiled
def weighted_pearson(x: Any, y: Any, weight: Any) -> Any:
    """Pearson's r; NaN where a column does not vary."""
    total, mean_x, mean_y = 0.0, 0.0, 0.0
    for i in range(len(x)):
        if weight[i] > 0:
            total += weight[i]
            mean_x += weight[i] * x[i]
            mean_y += weight[i] * y[i]
    if total < 2:
        return np.nan
    mean_x /= total
    mean_y /= total
    xx, yy, xy, size_x, size_y = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(x)):
        if weight[i] > 0:
            a, b = x[i] - mean_x, y[i] - mean_y
            xx += weight[i] * a * a
            yy += weight[i] * b * b
            xy += weight[i] * a * b
            size_x, size_y = max(size_x, abs(x[i])), max(size_y, abs(y[i]))
    # What rounding leaves of a constant column is no variance.
    if xx <= 1e-24 * total * size_x * size_x or yy <= 1e-24 * total * size_y * size_y:
        return np.nan
    return min(max(xy / np.sqrt(xx * yy), -1.0), 1.0)


@compiled
def fill_ranks(values: Any, order: Any, weight: Any, ranks: Any) -> None:
    """The mean rank of each value, ``order`` being their ascending order."""
    n, before, begin = len(order), 0.0, 0
    while begin < n:
        end, inside = begin, 0.0
        while end < n and (end == begin or values[order[end]] == values[order[begin]]):  # NaN does not equal itself
            inside += weight[order[end]]
            end += 1
        for k in range(begin, end):
            ranks[order[k]] = before + (inside + 1) / 2
        before += inside
        begin = end


@compiled
def fill_levels(values: Any, order: Any, levels: Any) -> int:
    """Number the distinct values from 1 upwards; how many there are."""
    level = 0
    for k in range(len(order)):
        if k == 0 or values[order[k]] != values[order[k - 1]]:
            level += 1
        levels[order[k]] = level
    return level


@compiled
def weighted_tau_b(x: Any, order: Any, levels: Any, count: int, weight: Any) -> Any:
    """Kendall's tau-b of x, sorted by ``order``, with a column of ``count`` levels; NaN if one does not vary."""
    tree = np.zeros(count + 1)
    at_level = np.zeros(count + 1)
    n, total, balance, tied_x = len(order), 0.0, 0.0, 0.0
    begin = 0
    while begin < n:
        end, inside = begin, 0.0
        while end < n and (end == begin or x[order[end]] == x[order[begin]]):
            i = order[end]
            if weight[i] > 0:
                inside += weight[i]
                below = _below(tree, levels[i] - 1)
                balance += weight[i] * (2 * below + at_level[levels[i]] - total)
            end += 1
        for k in range(begin, end):
            i = order[k]
            if weight[i] <= 0:
                continue
            at_level[levels[i]] += weight[i]
            place = levels[i]
            while place <= count:
                tree[place] += weight[i]
                place += place & -place
        tied_x += inside * (inside - 1) / 2
        total += inside
        begin = end
    pairs = total * (total - 1) / 2
    tied_y = 0.0
    for level in range(1, count + 1):
        tied_y += at_level[level] * (at_level[level] - 1) / 2
    untied = (pairs - tied_x) * (pairs - tied_y)
    if untied <= 0:
        return np.nan
    return balance / np.sqrt(untied)


@compiled
def _below(tree: Any, place: int) -> float:
    """The weight at levels up to ``place``."""
    total = 0.0
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total


@compiled
def coefficients_of(metrics: Any, orders: Any, y: Any, weight: Any) -> Any:
    """Pearson, Spearman and Kendall of every metric (a row) with y; a missing value takes its point out."""
    rows, n = metrics.shape
    result = np.full((rows, 3), np.nan)
    known = np.empty(n)
    clean = np.where(np.isnan(y), 0.0, y)
    order_y = np.argsort(clean, kind="mergesort")
    levels = np.empty(n, np.int64)
    count = fill_levels(clean, order_y, levels)
    ranks_x, ranks_y = np.zeros(n), np.zeros(n)
    for m in range(rows):
        for i in range(n):
            known[i] = 0.0 if np.isnan(metrics[m, i]) or np.isnan(y[i]) else weight[i]
        fill_ranks(metrics[m], orders[m], known, ranks_x)
        fill_ranks(clean, order_y, known, ranks_y)
        result[m, 0] = weighted_pearson(metrics[m], clean, known)
        result[m, 1] = weighted_pearson(ranks_x, ranks_y, known)
        result[m, 2] = weighted_tau_b(metrics[m], orders[m], levels, count, known)
    return result


@compiled
def coefficients_within(metrics: Any, y: Any, members: Any, begin: Any, weight: Any) -> Any:
    """The same within each input (``members[begin[g]:begin[g + 1]]``), averaged by the inputs' weights; how many."""
    rows = len(metrics)
    total, heavy = np.zeros((rows, 3)), np.zeros((rows, 3))
    size = 0
    for g in range(len(begin) - 1):
        size = max(size, begin[g + 1] - begin[g])
    a, b, rank_a, rank_b, ones = np.empty(size), np.empty(size), np.empty(size), np.empty(size), np.ones(size)
    for g in range(len(begin) - 1):
        if weight[g] <= 0:
            continue
        for m in range(rows):
            n = 0
            for k in range(begin[g], begin[g + 1]):
                i = members[k]
                if not np.isnan(metrics[m, i]) and not np.isnan(y[i]):
                    a[n], b[n] = metrics[m, i], y[i]
                    n += 1
            if n < 2:
                continue
            tau = _tau_b_and_ranks(a[:n], b[:n], rank_a[:n], rank_b[:n])
            r = weighted_pearson(a[:n], b[:n], ones[:n])
            rho = weighted_pearson(rank_a[:n], rank_b[:n], ones[:n])
            for kind, value in enumerate((r, rho, tau)):
                if not np.isnan(value):
                    total[m, kind] += weight[g] * value
                    heavy[m, kind] += weight[g]
    return np.where(heavy > 0, total / np.maximum(heavy, 1e-300), np.nan), heavy


@compiled
def _tau_b_and_ranks(x: Any, y: Any, rank_x: Any, rank_y: Any) -> Any:
    """Kendall's tau-b, and the mean ranks of both columns, pair by pair: the texts of one input are few."""
    n = len(x)
    rank_x[:], rank_y[:] = 1.0, 1.0
    balance, tied_x, tied_y = 0.0, 0.0, 0.0
    for i in range(n):
        for j in range(i):
            above_x, above_y = 0, 0
            if x[i] > x[j]:
                above_x = 1
                rank_x[i] += 1
            elif x[i] < x[j]:
                above_x = -1
                rank_x[j] += 1
            else:
                tied_x += 1
                rank_x[i] += 0.5
                rank_x[j] += 0.5
            if y[i] > y[j]:
                above_y = 1
                rank_y[i] += 1
            elif y[i] < y[j]:
                above_y = -1
                rank_y[j] += 1
            else:
                tied_y += 1
                rank_y[i] += 0.5
                rank_y[j] += 0.5
            balance += above_x * above_y
    pairs = n * (n - 1) / 2
    untied = (pairs - tied_x) * (pairs - tied_y)
    return balance / np.sqrt(untied) if untied > 0 else np.nan
