"""Means over people and texts: against textbook formulas in the cases that have one, and by recovery."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fergus.analysis.crossed import Estimate, crossed_difference, crossed_mean

ROWS, COLUMNS = np.divmod(np.arange(12), 4)  # three people, four texts


def test_one_text_leaves_the_textbook_interval_of_people() -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0, 3.0])
    found = crossed_mean(values, np.arange(5), np.zeros(5, np.int64), samples=4000)
    told = stats.ttest_1samp(values, 2.0)
    assert found.error == pytest.approx(stats.sem(values), abs=1e-12)
    assert (found.t_against(2.0), found.p_against(2.0)) == pytest.approx((told.statistic, told.pvalue), abs=1e-9)
    assert (found.df, found.people, found.texts, found.n) == (4, 5, 1, 5)
    # The bootstrap has a shape of its own; its width is that of Student's t.
    assert found.high - found.low == pytest.approx(2 * stats.t.ppf(0.975, 4) * found.error, rel=0.06)


def test_one_person_says_nothing_of_others() -> None:
    found = crossed_mean(np.array([1.0, 2.0, 4.0, 7.0, 3.0]), np.zeros(5, np.int64), np.arange(5))
    assert (found.value, found.people, found.texts, found.n) == (3.4, 1, 5, 5)
    assert np.isnan([found.low, found.high, found.error, found.df, found.p_against(0.0)]).all()


@pytest.mark.parametrize("alone", ["person", "text"])
def test_a_side_of_one_person_or_one_text_cannot_be_compared(alone: str) -> None:
    values = np.random.default_rng(1).random(12)
    person, text = (ROWS, COLUMNS) if alone == "person" else (COLUMNS, ROWS)
    for is_first in (ROWS < 1, ROWS >= 1):
        found = crossed_difference(values, person, text, is_first)
        assert found.value == pytest.approx(values[is_first].mean() - values[~is_first].mean())
        assert np.isnan([found.low, found.high, found.error, found.p_against(0.0)]).all()


def test_one_text_leaves_the_difference_of_two_groups_of_people_as_welch_has_it() -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0, 3.0, 9.0, 8.0])
    is_first = np.array([True] * 4 + [False] * 3)
    found = crossed_difference(values, np.arange(7), np.zeros(7, np.int64), is_first)
    told = stats.ttest_ind(values[:4], values[4:], equal_var=False)
    assert found.value == pytest.approx(-19 / 6)
    assert (found.df, found.p_against(0)) == pytest.approx((told.df, told.pvalue), abs=1e-9)


def test_the_variance_by_hand() -> None:
    # Person effects only, y = 0, 1, 2 for all four texts: the mean is 1. By people: sums of (y - 1) / 12 over the texts
    # are -1/3, 0, 1/3, squares 2/9, times 3/2: 1/3. By texts: sums 0. Single: 8/144 = 1/18. 1/3 + 0 - 1/18 = 5/18.
    found = crossed_mean(ROWS.astype(float), ROWS, COLUMNS)
    assert found.value == 1
    assert found.error**2 == pytest.approx(5 / 18)
    assert found.df == pytest.approx(2)  # all variance is that of three people


def test_what_never_varies_has_no_interval() -> None:
    found = crossed_mean(np.ones(12), ROWS, COLUMNS)
    assert found.value == 1
    assert np.isnan([found.low, found.high, found.error, found.p_against(0.5)]).all()
    one = crossed_mean(np.array([0.0, 1.0]), np.zeros(2, np.int64), np.zeros(2, np.int64))
    assert (one.value, one.people, one.texts) == (0.5, 1, 1)
    assert np.isnan(one.error)


def test_a_side_without_judgements_is_undefined() -> None:
    assert np.isnan(crossed_difference(np.ones(12), ROWS, COLUMNS, np.ones(12, bool)).value)
    assert np.isnan(crossed_difference(np.ones(12), ROWS, COLUMNS, np.zeros(12, bool)).value)


def test_a_single_resample_has_no_spread() -> None:
    found = crossed_mean(ROWS.astype(float), ROWS, COLUMNS, samples=1)
    assert np.isnan(found.low)
    assert found.error > 0


def test_names_of_people_and_texts_do_not_matter_and_bounds_hold() -> None:
    values = (ROWS + COLUMNS > 1).astype(float)
    found = crossed_mean(values, ROWS, COLUMNS, bounds=(0, 1))
    assert crossed_mean(values, ROWS * 7 + 3, COLUMNS * 2, bounds=(0, 1)) == found
    assert 0 <= found.low < found.value < found.high <= 1
    assert crossed_mean(values, ROWS, COLUMNS, bounds=(0, 1), seed=2) != found


def simulated(
    random: np.random.Generator, people: int, texts: int, *, skill: float, ease: float, share: float
) -> Estimate:
    """Of so many people and texts; probit effects of both. The true share over all of them is ``share``."""
    middle = stats.norm.ppf(share) * np.sqrt(1 + skill**2 + ease**2)
    chances = stats.norm.cdf(
        middle + skill * random.standard_normal((people, 1)) + ease * random.standard_normal((1, texts))
    )
    person, text = np.divmod(np.arange(people * texts), texts)
    values = (random.random(people * texts) < chances.ravel()).astype(float)
    return crossed_mean(values, person, text, samples=200, seed=int(random.integers(1 << 31)), bounds=(0, 1))


@pytest.mark.parametrize(("skill", "ease"), [(0.3, 0.5), (0.0, 0.0)])
def test_recovery_of_a_known_share(skill: float, ease: float) -> None:
    random = np.random.default_rng(2008)
    runs = [simulated(random, 40, 30, skill=skill, ease=ease, share=0.72) for _ in range(200)]
    assert 0.92 <= np.mean([one.low <= 0.72 <= one.high for one in runs]) <= 0.98
    # Wilson's interval is for independent judgements: .72 ± 1.96 √(.72 * .28 / 1200), half as wide as it ought to be.
    if skill:
        half = 1.96 * (0.72 * 0.28 / 1200) ** 0.5
        assert np.mean([abs(one.value - 0.72) <= half for one in runs]) < 0.8


def test_recovery_of_no_difference() -> None:
    random = np.random.default_rng(4)
    rejected = 0
    person, text = np.divmod(np.arange(24 * 20), 20)
    for _ in range(200):
        effects = 0.3 * random.standard_normal((24, 1)) + 0.5 * random.standard_normal((1, 20))
        values = (random.random(480) < stats.norm.cdf(0.5 + effects).ravel()).astype(float)
        rejected += crossed_difference(values, person, text, person < 12, samples=2).p_against(0) < 0.05
    assert 0.02 <= rejected / 200 <= 0.08


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(-100, 100), min_size=12, max_size=12), st.floats(-5, 5), st.floats(0.1, 10))
def test_shift_and_scale(values: list[float], shift: float, scale: float) -> None:
    plain = crossed_mean(np.array(values), ROWS, COLUMNS, samples=50)
    moved = crossed_mean(np.array(values) * scale + shift, ROWS, COLUMNS, samples=50)
    assert moved.value == pytest.approx(plain.value * scale + shift, abs=1e-8)
    if plain.error > 1e-6:
        assert moved.error == pytest.approx(plain.error * scale, rel=1e-6)
        assert moved.low == pytest.approx(plain.low * scale + shift, abs=1e-6)
