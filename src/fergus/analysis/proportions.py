"""Shares of judgements that are taken to be independent: Wilson's interval and the exact binomial test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Proportion:
    """A share of so many, with Wilson's interval; NaN for a share of none."""

    hits: int
    n: int
    value: float
    low: float
    high: float


def proportion(hits: int, n: int, *, confidence: float = 0.95) -> Proportion:
    """A share with its interval (Wilson 1927): good for few judgements too, and never beyond 0 and 1.

    >>> found = proportion(9, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.5958, 0.9821)
    """
    from statistics import NormalDist

    if n == 0:
        nan = float("nan")
        return Proportion(hits, n, nan, nan, nan)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    # Where all or none hit, the bound is 1 or 0 exactly; rounding would put it beside.
    low, high = (0.0 if hits == 0 else middle - half), (1.0 if hits == n else middle + half)
    return Proportion(hits, n, share, low, high)


def coin_p(hits: int, n: int) -> float:
    """Two-sided exact p of so many hits in so many throws of a fair coin; NaN for no throw.

    >>> round(coin_p(8, 10), 9)  # 2 * (45 + 10 + 1) / 1024
    0.109375
    """
    from scipy.special import bdtr

    return float(min(1.0, 2 * bdtr(min(hits, n - hits), n, 0.5))) if n else float("nan")
