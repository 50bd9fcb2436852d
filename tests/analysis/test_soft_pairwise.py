from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.resample import Draw
from fergus.analysis.soft_pairwise import Confidences, by_input, soft_pairwise_accuracies
from tests.analysis.small_table import small_table

QUICK: dict[str, Any] = {"samples": 60, "trials": 400}


def test_it_is_1_for_the_judges_themselves_and_low_for_their_opposite() -> None:
    items, ratings = small_table(inputs=30)
    means = ratings.item_means(len(items))
    random = np.random.default_rng(0).normal(size=len(items))
    found = soft_pairwise_accuracies(items, ratings, {"same": means, "not": -means, "any": random}, **QUICK)
    assert list(found) == ["same", "not", "any"]
    assert found["same"].value == 1
    # Every system is surely better or worse: the opposite is surely wrong.
    assert found["not"].value < 0.1
    assert 0.2 < found["any"].value < 0.9
    assert {one.pairs for one in found.values()} == {3}
    assert all(0 <= one.low <= one.value <= one.high <= 1 for one in found.values())
    assert found["any"].high - found["any"].low > 0.1


def test_in_resamples_it_is_what_exchanges_give() -> None:
    items, ratings = small_table(inputs=40, noise=2)
    means = ratings.item_means(len(items))
    tables = [by_input(items, np.random.default_rng(seed).normal(size=len(items))) for seed in range(3)]
    people = by_input(items, means)
    both = Confidences.of(items, people, tables)
    assert both(Draw(np.ones(40), means)) == pytest.approx(both.exchanged(people, trials=4000, seed=1), abs=0.03)


def test_a_metric_without_all_scores_is_compared_where_it_has_them() -> None:
    items, ratings = small_table(inputs=20)
    means = ratings.item_means(len(items))
    some = np.where(np.array(items.systems) == "person", np.nan, means)
    found = soft_pairwise_accuracies(items, ratings, {"all": means, "some": some, "none": means * np.nan}, **QUICK)
    assert [one.pairs for one in found.values()] == [3, 1, 0]
    assert np.isnan([found["none"].value, found["none"].low, found["none"].high]).all()


def test_the_interval_is_wider_the_fewer_inputs_there_are() -> None:
    widths = []
    for inputs in (8, 200):
        items, ratings = small_table(inputs=inputs, noise=1.5)
        noise = np.random.default_rng(5).normal(size=len(items))
        # Two systems that are nearly alike to the metric: its p is anything.
        found = soft_pairwise_accuracies(items, ratings, {"m": ratings.item_means(len(items)) + 2 * noise}, **QUICK)[
            "m"
        ]
        widths.append(found.high - found.low)
    assert widths[0] > widths[1] > 0


def test_where_nobody_is_told_apart_p_is_1() -> None:
    items = Items(("1", "2", "3", "4"), ("i", "i", "j", "j"), ("a", "b") * 2)
    ratings = Ratings("q", ("J", "K"), np.repeat([0, 1], 4), np.tile(np.arange(4), 2), np.array([1.0, 2, 2, 4] * 2))
    flat = Confidences.of(items, by_input(items, ratings.item_means(4)), [by_input(items, np.ones(4))])
    # People: a is worse twice, so p = 1 by exchanges as well.
    assert flat.exchanged(by_input(items, ratings.item_means(4)), trials=50, seed=1) == pytest.approx([1])
    assert flat(Draw(np.ones(2), np.ones(4))) == pytest.approx([1])
    assert np.isnan(flat(Draw(np.ones(2), np.full(4, np.nan)))).all()
