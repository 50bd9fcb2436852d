"""Signal detection for forced choices between two: sensitivity d' and the bias towards a side.

Macmillan and Creelman, Detection Theory: A User's Guide (2nd edition 2005), chapter 7. Of two texts side by side one is
the person's. *Hits* are choices of the first text where it is the right one, *false alarms* choices of the first where
it is not:

    d' = (z(H) - z(F)) / √2        bias c = -(z(H) + z(F)) / 2

c is above 0 if the second text is preferred, whatever it is. Without bias d' is √2 z(p) of the share p that is right.
Shares of 0 and 1 have no z: half a choice is added to each count and one to each number of pairs, always and not only
then (the log-linear correction; Hautus 1995).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

_NAN = float("nan")
_z = NormalDist().inv_cdf


@dataclass(frozen=True)
class Counts:
    """The choices of somebody, or of all people together."""

    first_right: int
    """The first text was the right one and was chosen: hits."""
    first_total: int
    """Pairs whose first text was the right one."""
    second_wrong: int
    """The second text was the right one and the first was chosen: false alarms."""
    second_total: int

    @property
    def right(self) -> int:
        """How many were right."""
        return self.first_right + self.second_total - self.second_wrong

    @property
    def total(self) -> int:
        """Out of how many."""
        return self.first_total + self.second_total


@dataclass(frozen=True)
class Detection:
    """Sensitivity and bias; NaN where a side was never the right one."""

    d_prime: float
    """With what the preferred side explains taken out."""
    d_prime_of_share: float
    """√2 z(p): as if no side was preferred. Where one is, and more than half are right, it is too low."""
    bias: float
    """c: above 0 if the second text is preferred."""
    n: int


def detection(counts: Counts, *, corrected: bool = True) -> Detection:
    """d' and bias of some choices.

    >>> found = detection(Counts(76, 100, 24, 100), corrected=False)
    >>> round(found.d_prime, 2), round(found.bias, 2) + 0.0  # d' = 1 is 76% right (Hacker and Ratcliff 1979, table 1)
    (1.0, 0.0)
    """
    hit = _rate(counts.first_right, counts.first_total, corrected)
    alarm = _rate(counts.second_wrong, counts.second_total, corrected)
    return Detection(
        (hit - alarm) / 2**0.5,
        2**0.5 * _rate(counts.right, counts.total, corrected),
        -(hit + alarm) / 2 + 0.0,
        counts.total,
    )


def _rate(hits: int, n: int, corrected: bool) -> float:
    """z of a share; infinite where it is 0 or 1 and nothing is corrected."""
    if n == 0:
        return _NAN
    share = (hits + 0.5) / (n + 1) if corrected else hits / n
    if share in (0, 1):
        return float("inf") if share else float("-inf")
    return _z(share)
