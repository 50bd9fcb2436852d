"""Signal detection for forced choices between two: sensitivity d' and the bias towards a side.

Macmillan and Creelman, Detection Theory: A User's Guide (2nd edition 2005), chapter 7. Of two texts side by side one is
the person's. *Hits* are choices of the first text where it is the right one, *false alarms* choices of the first where
it is not:

    d' = (z(H) - z(F)) / √2        bias c = -(z(H) + z(F)) / 2

c is above 0 if the second text is preferred, whatever it is. Without bias d' is √2 z(p) of the share p that is right.
Shares of 0 and 1 have no z: half a choice is added to each count and one to each number of pairs, always and not only
then (the log-linear correction; Hautus 1995). Intervals allow for other people, with the same pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

RESAMPLES, SEED = 1000, 12345
"""Of people, for intervals."""
CONFIDENCE = 0.95
_NAN = float("nan")
_ENDS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
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
    low: float = _NAN
    high: float = _NAN
    """The interval of d' by percentiles of resamples of people; NaN for one person."""


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


def pooled_detection(people: Sequence[Counts], *, samples: int = RESAMPLES, seed: int = SEED) -> Detection:
    """All people's choices together, with the interval of d' that other people could have given."""
    import numpy as np
    from scipy.special import ndtri

    rows = np.array(
        [(own.first_right, own.first_total, own.second_wrong, own.second_total) for own in people], np.int64
    )
    found = detection(Counts(*rows.sum(axis=0).tolist()))
    if len(rows) < 2:
        return found
    sums = np.random.default_rng(seed).multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=samples) @ rows
    sums = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
    d_prime = (ndtri((sums[:, 0] + 0.5) / (sums[:, 1] + 1)) - ndtri((sums[:, 2] + 0.5) / (sums[:, 3] + 1))) / 2**0.5
    low, high = np.quantile(d_prime, _ENDS).tolist() if len(d_prime) else (_NAN, _NAN)
    return replace(found, low=low, high=high)


def mean_detection(people: Sequence[Detection], *, samples: int = RESAMPLES, seed: int = SEED) -> Detection:
    """Means over the people for whom d' is defined; n is how many they are."""
    import numpy as np

    own = [one for one in people if np.isfinite(one.d_prime)]
    if not own:
        return Detection(_NAN, _NAN, _NAN, 0)
    rows = np.array([(one.d_prime, one.d_prime_of_share, one.bias) for one in own])
    d_prime, of_share, bias = rows.mean(axis=0).tolist()
    found = Detection(d_prime, of_share, bias, len(own))
    if len(own) < 2:
        return found
    drawn = np.random.default_rng(seed).multinomial(len(own), np.full(len(own), 1 / len(own)), size=samples)
    low, high = np.quantile(drawn @ rows[:, 0] / len(own), _ENDS).tolist()
    return replace(found, low=low, high=high)


def _rate(hits: int, n: int, corrected: bool) -> float:
    """z of a share; infinite where it is 0 or 1 and nothing is corrected."""
    if n == 0:
        return _NAN
    share = (hits + 0.5) / (n + 1) if corrected else hits / n
    if share in (0, 1):
        return float("inf") if share else float("-inf")
    return _z(share)
