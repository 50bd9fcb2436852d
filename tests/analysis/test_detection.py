"""d' and bias: against printed tables and the normal distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from fergus.analysis.detection import Counts, detection, mean_detection, pooled_detection


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


class TestIntervals:
    def test_they_are_those_of_resampled_people(self) -> None:
        random = np.random.default_rng(3)
        people = [Counts(int(random.binomial(20, 0.75)), 20, int(random.binomial(20, 0.3)), 20) for _ in range(30)]
        found = pooled_detection(people)
        whole = Counts(*(sum(getattr(own, name) for own in people) for name in Counts.__dataclass_fields__))
        assert found.d_prime == detection(whole).d_prime
        drawn = []
        for _ in range(1000):
            own = [people[i] for i in random.integers(0, 30, 30)]
            hits, alarms = sum(one.first_right for one in own), sum(one.second_wrong for one in own)
            drawn.append(detection(Counts(hits, 600, alarms, 600)).d_prime)
        assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.03)
        assert found.low < found.d_prime < found.high

    def test_a_mean_over_people(self) -> None:
        known = [detection(Counts(k, 10, 3, 10)) for k in (5, 6, 7, 8, 9)]
        found = mean_detection([*known, detection(Counts(1, 1, 0, 0))])  # the last never had the second text right
        assert found.n == 5
        assert found.d_prime == pytest.approx(np.mean([own.d_prime for own in known]))
        assert min(own.d_prime for own in known) < found.low < found.d_prime < found.high

    def test_one_person_has_none(self) -> None:
        one = Counts(8, 10, 3, 10)
        for found in (pooled_detection([one]), mean_detection([detection(one)])):
            assert found.d_prime == pytest.approx(detection(one).d_prime)
            assert np.isnan([found.low, found.high]).all()
        nobody = mean_detection([detection(Counts(1, 1, 0, 0))])
        assert nobody.n == 0
        assert np.isnan(nobody.d_prime)

    def test_where_a_side_was_never_right(self) -> None:
        assert np.isnan(pooled_detection([Counts(1, 1, 0, 0), Counts(0, 1, 0, 0)]).low)
