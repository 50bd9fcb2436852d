from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.analysis.judgements import Items
from fergus.analysis.pairwise import pair_accuracy, pairs_within


def one_input(size: int) -> Items:
    return Items(tuple(map(str, range(size))), ("i",) * size, tuple(f"s{k}" for k in range(size)))


def test_pairs_are_within_inputs() -> None:
    items = Items(("1", "2", "3", "4"), ("a", "b", "a", "a"), ("s",) * 4)
    first, second = pairs_within(items)
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (0, 3), (2, 3)]


def test_a_threshold_that_calls_small_differences_ties() -> None:
    # Judges: 1 = 2 < 3. The metric gives .50, .52, .90: right with any threshold from .02 to .38.
    found = pair_accuracy(one_input(3), np.array([0.50, 0.52, 0.90]), np.array([1.0, 1.0, 3.0]))
    assert (found.value, found.pairs, found.ties) == (1.0, 3, 1)
    assert 0.02 <= found.threshold < 0.38
    assert found.chance == pytest.approx(1 / 3)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
@settings(max_examples=100)
def test_the_best_threshold_by_trying_all(rows: list[tuple[int, int]]) -> None:
    metric, judged = np.array(rows, float).T

    def accuracy(threshold: float) -> float:
        right = total = 0
        for i in range(len(rows)):
            for j in range(i + 1, len(rows)):
                d = metric[i] - metric[j]
                right += (0 if abs(d) <= threshold else np.sign(d)) == np.sign(judged[i] - judged[j])
                total += 1
        return right / total

    found = pair_accuracy(one_input(len(rows)), metric, judged, samples=5)
    if np.ptp(metric) == 0:  # it says nothing
        assert np.isnan(found.value)
        return
    assert found.value == pytest.approx(max(accuracy(t) for t in range(6)))
    assert found.value == pytest.approx(accuracy(found.threshold))


def test_nothing_to_compare_is_undefined() -> None:
    assert np.isnan(pair_accuracy(one_input(1), np.ones(1), np.ones(1)).value)
    assert np.isnan(pair_accuracy(one_input(2), np.array([1, np.nan]), np.ones(2)).value)


def test_the_interval_of_pairs_is_that_of_other_inputs() -> None:
    # 100 inputs of two texts; the metric is right in 70: a binomial's error is sqrt(.7 * .3 / 100) = .046.
    items = Items(tuple(map(str, range(200))), tuple(str(i // 2) for i in range(200)), ("a", "b") * 100)
    judged = np.tile([0.0, 1.0], 100)
    metric = judged.copy()
    metric[:60] = 1 - metric[:60]
    found = pair_accuracy(items, metric, judged)
    assert (found.value, found.low, found.high) == pytest.approx((0.7, 0.61, 0.79), abs=0.02)
    alone = pair_accuracy(one_input(4), np.arange(4.0), np.arange(4.0))
    assert np.isnan(alone.low)
