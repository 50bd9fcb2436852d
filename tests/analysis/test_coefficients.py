from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.analysis.coefficient_kernel import coefficients_of
from fergus.analysis.coefficients import KINDS, MOST_ORDERS, Kind, coefficient, p_of_r

stats = pytest.importorskip("scipy.stats")
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=30)


@pytest.mark.parametrize("kind", KINDS)
@given(points=POINTS)
@settings(max_examples=60)
def test_values_and_p_are_those_of_scipy(kind: Kind, points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, float).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of constant columns
        theirs = SCIPY[kind](x, y)
    ours = coefficient(kind, x, y)
    assert ours.value == pytest.approx(theirs.statistic, abs=1e-9, nan_ok=True)
    is_exact = kind == "spearman" and len(x) <= MOST_ORDERS  # scipy has Student's t there
    if not np.isnan(ours.value) and abs(ours.value) < 1 - 1e-9 and not is_exact:
        assert ours.p == pytest.approx(theirs.pvalue, abs=1e-6)


def test_spearman_of_few_points_counts_their_orders() -> None:
    three, four = np.arange(3.0), np.arange(4.0)
    assert coefficient("spearman", three, three).p == pytest.approx(2 / 6)
    assert coefficient("spearman", four, -four).p == pytest.approx(2 / 24)
    # With a tie: y is 0 0 1; the 1 comes last, first or between: rho is .87, -.87 or 0.
    assert coefficient("spearman", three, np.array([0.0, 0.0, 1.0])).p == pytest.approx(2 / 3)
    random = np.random.default_rng(2)
    x, y = random.normal(size=7), random.integers(0, 4, 7).astype(float)
    ranks = stats.rankdata(y)

    def rho(own: np.ndarray) -> float:
        """The correlation of the ranks; scipy's own takes seconds for 5,040 orders."""
        return float(np.corrcoef(stats.rankdata(own), ranks)[0, 1])

    told = stats.permutation_test((x,), rho, permutation_type="pairings")
    assert coefficient("spearman", x, y).p == pytest.approx(told.pvalue, abs=1e-9)


@given(points=POINTS, weights=st.lists(st.integers(0, 3), min_size=30, max_size=30))
@settings(max_examples=60)
def test_weights_are_as_good_as_repeated_points(points: list[tuple[int, int]], weights: list[int]) -> None:
    x, y = np.array(points, float).T
    times = np.array(weights[: len(x)])
    order = np.argsort(x, kind="stable")[None, :]
    ours = coefficients_of(x[None, :], order, y, times.astype(float))[0]
    repeated = np.repeat(x, times), np.repeat(y, times)
    theirs = [coefficient(kind, *repeated).value for kind in KINDS]
    assert ours == pytest.approx(theirs, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("n", [2, 3, 10, 33, 34, 500])
@pytest.mark.parametrize("swaps", [0, 1, 5, 1000])
def test_kendall_without_ties_is_exact_for_few_points(n: int, swaps: int) -> None:
    random = np.random.default_rng(n + swaps)
    x, y = np.arange(n, dtype=float), np.arange(n, dtype=float)
    for place in random.integers(0, n - 1, swaps).tolist():
        y[place], y[place + 1] = y[place + 1], y[place]
    for own in (y, -y):
        assert coefficient("kendall", x, own).p == pytest.approx(stats.kendalltau(x, own).pvalue, rel=1e-9, abs=1e-300)


def test_kendall_with_ties_by_many_points() -> None:
    random = np.random.default_rng(1)
    x = random.integers(0, 12, 3000).astype(float)
    y = np.round(x / 40 + random.normal(size=3000), 1)
    theirs = stats.kendalltau(x, y)
    assert coefficient("kendall", x, y).p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_missing_values_leave_their_points_out() -> None:
    x, y = np.array([1, 2, np.nan, 4, 9.0]), np.array([1, 3, 5, np.nan, 4.0])
    found = coefficient("kendall", x, y)
    assert (found.n, found.value) == (3, pytest.approx(1))


@pytest.mark.parametrize(("x", "y"), [([], []), ([1.0], [2.0]), ([3.0, 3, 3], [1.0, 2, 3]), ([0.1] * 3, [1.0, 2, 3])])
def test_what_has_no_correlation_has_none(x: list[float], y: list[float]) -> None:
    for kind in KINDS:
        found = coefficient(kind, np.array(x), np.array(y))
        assert np.isnan(found.value)
        assert np.isnan(found.p)


@pytest.mark.parametrize(
    ("r", "is_significant"),
    [
        (0.08, False),
        (0.23, False),
        (0.51, True),
        (0.48, True),
        (0.16, False),
        (0.33, False),
        (0.45, True),
        (0.42, True),
    ],
)
def test_the_correlations_that_the_paper_prints(r: float, is_significant: bool) -> None:
    """Bangalore, Rambow and Whittaker (2000), section 4.1: r(22), that is 24 sentence variants; p < 0.05 or not."""
    assert (p_of_r(r, 24) < 0.05) is (r in (0.51, 0.48, 0.45, 0.42))  # the tree metrics


def test_understanding_and_quality_correlate_as_the_paper_says() -> None:
    assert p_of_r(0.94, 24) < 0.0001  # "r(22) = 0.94, p < 0.0001"


def test_p_at_the_ends() -> None:
    assert p_of_r(1.0, 5) == 0
    assert np.isnan(p_of_r(0.5, 2))
    assert p_of_r(0.0, 10) == pytest.approx(1)
