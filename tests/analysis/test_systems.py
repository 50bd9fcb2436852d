from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.normalise import normalise
from fergus.analysis.systems import compare_systems, system_scores
from tests.analysis.small_table import small_table


def test_systems_come_out_as_they_were_made() -> None:
    items, ratings = small_table(inputs=30, noise=0.3)
    scores, comparisons = system_scores(items, ratings, normalise(ratings).ratings, samples=200, trials=200)
    assert [one.system for one in scores] == ["person", "b", "a"]
    assert [one.cluster for one in scores] == [1, 2, 3]
    assert all(one.low < one.normalised < one.high for one in scores)
    assert (scores[0].items, scores[0].judgements) == (30, 150)
    own = np.array(items.systems)[ratings.item] == "person"
    assert scores[0].raw == pytest.approx(ratings.score[own].mean())
    assert all(one.inputs == 30 for one in comparisons)


def test_equal_systems_share_a_cluster() -> None:
    random = np.random.default_rng(1)
    items = Items(
        tuple(f"{i}{s}" for i in range(20) for s in "xy"),
        tuple(str(i) for i in range(20) for _ in "xy"),
        tuple("xy" * 20),
    )
    ratings = Ratings("q", ("J",), np.zeros(40, int), np.arange(40), random.normal(size=40))
    scores, (comparison,) = system_scores(items, ratings, ratings, samples=50, trials=200)
    assert comparison.corrected_p > 0.05
    assert {one.cluster for one in scores} == {1}


def test_systems_without_shared_inputs_cannot_be_compared() -> None:
    items = Items(("1", "2"), ("i", "j"), ("x", "y"))
    (found,) = compare_systems(items, np.array([1.0, 2.0]), trials=20)
    assert found.inputs == 0
    assert np.isnan(found.corrected_p)


def test_the_permutation_is_exact_for_three_inputs() -> None:
    # Differences 1, 2, 3: of the eight sign patterns two have a sum of 6 or -6, so p tends to 1/4.
    items = Items(tuple("abcdef"), tuple("112233"), tuple("xyxyxy"))
    (found,) = compare_systems(items, np.array([1.0, 0, 2, 0, 3, 0]), trials=4000)
    assert found.p == pytest.approx(0.25, abs=0.03)
    assert found.difference == 2
