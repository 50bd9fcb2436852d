"""d' and bias: against printed tables and the normal distribution."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from fergus.analysis.detection import Counts, detection


@pytest.mark.parametrize(
    # √2 z(p), which tables of forced choices between two print with two digits (Hacker and Ratcliff 1979, table 1).
    ("percent", "d_prime"),
    [(50, 0.00), (60, 0.36), (70, 0.74), (75, 0.95), (76, 1.00), (80, 1.19), (90, 1.81), (95, 2.33), (99, 3.29)],
)
def test_tables_of_forced_choice(percent: int, d_prime: float) -> None:
    found = detection(Counts(percent, 100, 100 - percent, 100), corrected=False)
    assert round(found.d_prime, 2) == round(found.d_prime_of_share, 2) == d_prime
    assert found.bias == pytest.approx(0, abs=1e-12)
    assert found.n == 200


def test_bias_by_hand() -> None:
    # H = .9, F = .4: z = 1.28155 and -.25335. d' = 1.53490 / 1.41421 = 1.08534; c = -(1.02820) / 2 = -.51410: the first
    # is preferred. Right are 90 + 60 of 200: √2 z(.75) = .95387, less than d', since the preference costs choices.
    found = detection(Counts(90, 100, 40, 100), corrected=False)
    assert found.d_prime == pytest.approx(1.08534, abs=1e-5)
    assert found.bias == pytest.approx(-0.51410, abs=1e-5)
    assert found.d_prime_of_share == pytest.approx(0.95387, abs=1e-5)


def test_the_log_linear_correction() -> None:
    # All right: H = 10.5 / 11, F = .5 / 11; p = 20.5 / 21.
    found = detection(Counts(10, 10, 0, 10))
    assert found.d_prime == pytest.approx((norm.ppf(10.5 / 11) - norm.ppf(0.5 / 11)) / math.sqrt(2), abs=1e-9)
    assert found.d_prime_of_share == pytest.approx(math.sqrt(2) * norm.ppf(20.5 / 21), abs=1e-9)
    assert detection(Counts(10, 10, 0, 10), corrected=False).d_prime == math.inf
    assert detection(Counts(0, 10, 10, 10), corrected=False).d_prime == -math.inf


def test_a_side_that_was_never_right_is_undefined() -> None:
    found = detection(Counts(5, 10, 0, 0))
    assert math.isnan(found.d_prime)
    assert math.isnan(found.bias)
    assert found.d_prime_of_share == pytest.approx(0)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_exchanging_the_sides_turns_the_bias_and_nothing_else(a: int, b: int, c: int, d: int) -> None:
    counts = Counts(a, a + b + 1, c, c + d + 1)
    turned = Counts(counts.second_total - c, counts.second_total, counts.first_total - a, counts.first_total)
    found, other = detection(counts), detection(turned)
    assert other.d_prime == pytest.approx(found.d_prime, abs=1e-9)
    assert other.bias == pytest.approx(-found.bias, abs=1e-9)
    assert counts.right == turned.right
