from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from fergus.analysis.proportions import coin_p, proportion


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_and_binomial_are_those_of_the_libraries(hits: int, misses: int, confidence: float) -> None:
    n = hits + misses
    found = proportion(hits, n, confidence=confidence)
    if n == 0:
        assert math.isnan(found.value)
        assert math.isnan(coin_p(hits, n))
        return
    assert (found.low, found.high) == pytest.approx(
        proportion_confint(hits, n, alpha=1 - confidence, method="wilson"), abs=1e-9
    )
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert coin_p(hits, n) == pytest.approx(binomtest(hits, n).pvalue, abs=1e-9)


def test_the_share_of_hardcastle_and_scott() -> None:
    # Section 2.5: 72% of the choices of (over) 60 subjects with 30 pairs each. 1296 of 1800: Wilson by hand, z = 1.96:
    # middle (.72 + 3.8415 / 3600) / (1 + 3.8415 / 1800) = .71953, half .02072.
    found = proportion(1296, 1800)
    assert found.value == 0.72
    assert (found.low, found.high) == pytest.approx((0.6988, 0.7403), abs=5e-5)
    assert coin_p(1296, 1800) < 1e-70
