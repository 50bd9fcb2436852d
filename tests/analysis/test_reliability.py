from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.analysis.agreement import alpha
from fergus.analysis.judgements import Ratings
from fergus.analysis.reliability import ceiling, interval_alpha, intraclass, judge_reports
from tests.analysis.small_table import small_table

SHROUT_AND_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout and Fleiss (1979), Table 2: four ratings of six targets."""


def ratings_of(rows: list[list[float | None]]) -> Ratings:
    """A row an item, a column a judge."""
    given_ = [(j, i, value) for i, row in enumerate(rows) for j, value in enumerate(row) if value is not None]
    judge, item, score = (np.array(column) for column in zip(*given_, strict=True))
    return Ratings("q", tuple(f"J{j}" for j in range(max(map(len, rows)))), judge, item, score.astype(float))


def test_the_example_of_shrout_and_fleiss() -> None:
    found = intraclass(ratings_of([list(map(float, row)) for row in SHROUT_AND_FLEISS]), 6)
    # Table 4 there: .17, .29, .71; .44, .62, .91
    singles, means = (
        (found.one_way, found.random, found.fixed),
        (found.one_way_mean, found.random_mean, found.fixed_mean),
    )
    assert [round(value or 0, 2) for value in singles] == [0.17, 0.29, 0.71]
    assert [round(value or 0, 2) for value in means] == [0.44, 0.62, 0.91]
    assert found.judges_an_item == 4


def test_incomplete_designs_have_one_way_only() -> None:
    found = intraclass(ratings_of([[1, 2, None], [4, None, 5], [None, 7, 9]]), 3)
    assert found.random is None
    assert found.one_way is not None
    assert found.one_way > 0.5
    assert found.judges_an_item == 2
    assert intraclass(ratings_of([[1], [2]]), 2).one_way is None
    assert intraclass(ratings_of([[0.1, 0.1], [0.1, 0.1], [0.1, 0.1]]), 3).one_way is None  # nothing varies
    assert intraclass(ratings_of([[1, 1], [2, 2]]), 2).one_way == pytest.approx(1)


@given(st.lists(st.lists(st.none() | st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=8))
@settings(max_examples=100)
def test_alpha_is_that_of_the_definition(rows: list[list[int | None]]) -> None:
    if not any(value is not None for row in rows for value in row):
        return
    ours = interval_alpha(ratings_of([[None if v is None else float(v) for v in row] for row in rows]))
    theirs = alpha(rows, level="interval")
    assert (ours is None) == (theirs is None)
    if theirs is not None:
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_a_judge_who_answers_at_random_stands_out() -> None:
    items, ratings = small_table(inputs=40, noise=0.2)
    score = ratings.score.copy()
    own = ratings.judge == 2
    score[own] = np.random.default_rng(0).permutation(score[own])
    reports = judge_reports(ratings.with_scores(score), len(items))
    assert min(reports, key=lambda one: one.with_others).judge == "J2"
    assert reports[2].with_others < 0.3
    assert reports[0].with_others > 0.8
    assert reports[0].shared == len(items)


def test_a_straight_line_has_no_correlation() -> None:
    found = judge_reports(ratings_of([[3, 1], [3, 2], [3, 5]]), 3)
    assert (found[0].commonest, found[0].deviation) == (1.0, 0.0)
    assert np.isnan(found[0].with_others)
    assert found[1].commonest == pytest.approx(1 / 3)


def test_the_interval_of_one_judge_is_fishers() -> None:
    items, ratings = small_table(inputs=10)
    found = judge_reports(ratings, len(items))[0]
    # z ± 1.96 / sqrt(30 - 3)
    assert np.arctanh([found.low, found.high]) == pytest.approx(
        np.arctanh(found.with_others) + np.array([-1, 1]) * 0.3772, abs=1e-4
    )
    few = judge_reports(ratings_of([[1, 1], [2, 3], [3, 2]]), 3)[0]
    assert np.isnan([few.low, few.high]).all()
    same = judge_reports(ratings_of([[1, 1], [2, 2], [3, 3], [4, 4]]), 4)[0]
    assert same.with_others == pytest.approx(1)
    assert 0.9 < same.low <= same.high <= 1


def test_the_ceiling_is_what_the_truth_itself_reaches() -> None:
    random = np.random.default_rng(4)
    truth = random.normal(size=300)
    judge, item = np.repeat(np.arange(6), 300), np.tile(np.arange(300), 6)
    score = truth[item] + random.normal(0, 1.5, len(item))
    ratings = Ratings("q", tuple("abcdef"), judge, item, score)
    reached = np.corrcoef(truth, ratings.item_means(300))[0, 1]
    # Reliability of a mean of six is 1 / (1 + 2.25 / 6) = .727, its root .853.
    assert ceiling(ratings, 300) == pytest.approx(0.853, abs=0.03)
    assert reached == pytest.approx(0.853, abs=0.03)
    assert np.isnan(ceiling(ratings_of([[1], [2]]), 2))


def test_the_ceiling_counts_texts_with_one_judgement_too() -> None:
    random = np.random.default_rng(4)
    truth = random.normal(size=2000)
    item = np.concatenate([np.arange(2000), np.repeat(np.arange(1000), 9)])  # half have one judgement, half have ten
    score = truth[item] + random.normal(0, 2, len(item))
    ratings = Ratings("q", tuple(map(str, range(20))), random.integers(0, 20, len(item)), item, score)
    # The means' noise is 4 (1 + 1/10) / 2 = 2.2 on average; the truth correlates with them by 1 / sqrt(3.2) = .559.
    assert ceiling(ratings, 2000) == pytest.approx(0.559, abs=0.02)
    assert np.corrcoef(truth, ratings.item_means(2000))[0, 1] == pytest.approx(0.559, abs=0.02)


def test_people_who_never_agree_have_a_ceiling_of_0() -> None:
    assert ceiling(ratings_of([[1, 9], [9, 1], [5, 5]]), 3) == 0
