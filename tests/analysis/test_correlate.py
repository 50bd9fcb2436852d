from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fergus.analysis.coefficients import KINDS, coefficient
from fergus.analysis.correlate import LEVELS, correlations
from fergus.analysis.judgements import Items, Ratings
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
    items, ratings = small_table(inputs=40, systems=("a", "b", "c", "d", "e"))
    metric = ratings.item_means(len(items)) + np.random.default_rng(0).normal(0, 1, len(items))
    once, again = (correlations(items, ratings, {"m": metric}, samples=200, seed=7) for _ in range(2))
    assert once == again or [c.low for c in once] == [c.low for c in again]
    item = once[0]
    assert item.low < item.value < item.high


@pytest.mark.parametrize("number", [2, 3, 4])
def test_few_systems_have_no_interval(number: int) -> None:
    items, ratings = small_table(systems=("a", "b", "c", "d")[:number])
    found = correlations(items, ratings, {"m": ratings.item_means(len(items))}, samples=20)
    by = {(c.level, c.kind): c for c in found}
    assert np.isnan([by["system", kind].low for kind in KINDS]).all()
    assert np.isfinite([by["item", kind].low for kind in KINDS]).all()


def test_ranks_that_agree_have_an_interval_below() -> None:
    items, ratings = small_table(systems=("a", "b", "c", "d", "e"))
    noisy = ratings.item_means(len(items)) + np.random.default_rng(5).normal(0, 0.4, len(items))
    found = {(c.level, c.kind): c for c in correlations(items, ratings, {"m": noisy}, samples=200)}
    tau = found["system", "kendall"]
    assert (tau.value, tau.high) == (pytest.approx(1), pytest.approx(1))
    assert -1 < tau.low < 0.9


def study_of_few_judges_a_text(
    random: np.random.Generator, *, inputs: int
) -> tuple[Items, Ratings, NDArray[np.float64]]:
    """Three judgements a text, four texts an input; judges weigh what the metric sees differently."""
    n, judges = inputs * 4, inputs * 4 // 6
    which = np.repeat(np.arange(inputs), 4)
    seen, unseen = random.normal(0, 1, n) + random.normal(0, 0.5, inputs)[which], random.normal(0, 1, n)
    item = np.repeat(np.arange(n), 3)
    judge = np.concatenate([random.permutation(judges) for _ in range(len(item) // judges + 1)])[: len(item)]
    score = (0.6 + random.normal(0, 0.3, judges)[judge]) * seen[item] + 0.6 * unseen[item]
    items = Items(tuple(map(str, range(n))), tuple(map(str, which)), ("a", "b", "c", "d") * inputs)
    ratings = Ratings("q", tuple(f"J{j}" for j in range(judges)), judge, item, score + random.normal(0, 1, len(item)))
    return items, ratings, seen + random.normal(0, 0.8, n)


@pytest.mark.no_cover  # many times the same
def test_intervals_hold_the_truth_in_simulated_studies() -> None:
    # benchmarks/recovery.py does the same for more designs and quantities with 200 studies each.
    truths = []
    for seed in range(20):
        items, ratings, metric = study_of_few_judges_a_text(np.random.default_rng(seed), inputs=1500)
        truths.append(coefficient("pearson", metric, ratings.item_means(len(items))).value)
    truth, held = np.mean(truths), []
    for seed in range(150):
        items, ratings, metric = study_of_few_judges_a_text(np.random.default_rng([7, seed]), inputs=30)
        found = correlations(items, ratings, {"m": metric}, samples=120, seed=seed)[0]
        held.append(found.low <= truth <= found.high)
    assert 0.92 <= np.mean(held) <= 0.98
