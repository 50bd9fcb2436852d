from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.coefficients import KINDS, coefficient
from fergus.analysis.correlate import LEVELS, correlations
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.resample import draws, interval
from tests.analysis.small_table import small_table


def test_levels_are_what_they_say() -> None:
    items, ratings = small_table()
    random = np.random.default_rng(3)
    means = ratings.item_means(len(items))
    metric = means + random.normal(0, 1, len(items))
    metric[4] = np.nan
    found = {(c.level, c.kind): c for c in correlations(items, ratings, {"m": metric}, samples=30)}
    assert len(found) == len(LEVELS) * len(KINDS)
    systems, inputs = np.array(items.systems), np.array(items.inputs)
    for kind in KINDS:
        whole = coefficient(kind, metric, means)
        assert found["item", kind].value == pytest.approx(whole.value)
        assert (found["item", kind].p, found["item", kind].n) == (pytest.approx(whole.p), len(items) - 1)
        each = [coefficient(kind, metric[inputs == i], means[inputs == i]).value for i in dict.fromkeys(items.inputs)]
        assert found["input", kind].value == pytest.approx(np.nanmean(each))
        assert found["input", kind].n == np.isfinite(each).sum()
        x = np.array([np.nanmean(metric[systems == s]) for s in items.system_names])
        y = np.array([means[systems == s].mean() for s in items.system_names])
        assert found["system", kind].value == pytest.approx(coefficient(kind, x, y).value)
        assert found["system", kind].n == 3


def test_a_perfect_metric_and_its_opposite() -> None:
    items, ratings = small_table()
    means = ratings.item_means(len(items))
    found = correlations(items, ratings, {"same": means, "opposite": -means}, samples=5)
    assert [c.value for c in found] == pytest.approx([1.0] * 9 + [-1.0] * 9)


def test_the_interval_holds_the_value_and_the_seed_decides() -> None:
    items, ratings = small_table(inputs=40)
    metric = ratings.item_means(len(items)) + np.random.default_rng(0).normal(0, 1, len(items))
    once, again = (correlations(items, ratings, {"m": metric}, samples=200, seed=7) for _ in range(2))
    assert once == again or [c.low for c in once] == [c.low for c in again]
    item = once[0]
    assert item.low < item.value < item.high


def test_nobody_drawn_is_missing_and_not_0() -> None:
    items = Items(("x", "y"), ("1", "2"), ("a", "b"))
    ratings = Ratings("q", ("J0", "J1"), np.array([0, 1]), np.array([0, 1]), np.array([5.0, 6.0]))
    seen = [tuple(np.isnan(draw.means)) for draw in draws(items, ratings, samples=50, seed=1)]
    assert {(False, False), (True, False), (False, True)} == set(seen)  # one judge drawn twice leaves an item unjudged


def test_without_judges_only_inputs_are_drawn() -> None:
    items, ratings = small_table(inputs=6)
    for draw in draws(items, ratings, samples=10, seed=1, judges=False):
        assert draw.inputs.sum() == 6
        assert draw.means == pytest.approx(ratings.item_means(len(items)))


def test_intervals_of_mostly_undefined_values_are_undefined() -> None:
    assert interval(np.arange(101) / 100) == pytest.approx((0.025, 0.975))
    assert np.isnan(interval(np.array([1, np.nan, np.nan]))).all()
    assert np.isnan(interval(np.zeros(0))).all()
