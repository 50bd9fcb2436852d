from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.regress import Exclusion, regress
from fergus.analysis.regression_interval import Explained, on_scale, r_squared_interval
from fergus.analysis.resample import Draw
from tests.analysis.small_table import small_table


def explained(seed: int, *, texts: int = 60) -> tuple[Items, Ratings, dict[str, np.ndarray]]:
    """One judge; x explains half of the variance."""
    random = np.random.default_rng(seed)
    x = random.normal(size=texts)
    names = tuple(map(str, range(texts)))
    score = x + random.normal(size=texts)
    ratings = Ratings("q", ("J",), np.zeros(texts, np.int64), np.arange(texts), score)
    return Items(names, names, ("a",) * texts), ratings, {"x": x}


def test_without_drawing_it_is_the_r_squared_of_the_model() -> None:
    items, ratings = small_table(inputs=8)
    means, random = ratings.item_means(len(items)), np.random.default_rng(1)
    columns = {"a": means + random.normal(size=len(items)), "b": random.normal(size=len(items))}
    matrix = np.column_stack([np.ones(len(items)), *columns.values()])
    statistic = Explained(items.input_numbers, matrix, np.ones(len(items), np.bool_))
    expected = on_scale(regress(columns, means).r_squared)
    assert statistic(Draw(np.ones(8), means)) == pytest.approx(expected)
    # An input drawn twice is as if its texts were there twice.
    twice = np.concatenate([np.arange(len(items)), np.flatnonzero(items.input_numbers == 0)])
    again = regress({name: own[twice] for name, own in columns.items()}, means[twice])
    assert statistic(Draw(np.array([2.0, *np.ones(7)]), means)) == pytest.approx(on_scale(again.r_squared))


def test_intervals_hold_what_is_true() -> None:
    held = []
    for seed in range(100):
        items, ratings, columns = explained(seed)
        found = regress(columns, ratings.score)
        low, high = r_squared_interval(items, ratings, columns, found.r_squared, samples=120, seed=seed)
        assert low <= found.r_squared <= high
        held.append(low <= 0.5 <= high)
    assert 0.88 <= np.mean(held) <= 0.99


def test_what_the_model_is_not_fitted_to_does_not_count() -> None:
    items, ratings, columns = explained(1)
    bad = {"x": columns["x"].copy()}
    bad["x"][0], bad["x"][1] = 1e6, np.nan
    out = [Exclusion("0", "mangled")]
    kept = regress(bad, ratings.score, items=items.ids, exclude=out)
    found = r_squared_interval(items, ratings, bad, kept.r_squared, exclude=out, samples=80)
    assert found[0] > 0.2
    with_it = regress(bad, ratings.score, items=items.ids)
    assert r_squared_interval(items, ratings, bad, with_it.r_squared, samples=80)[0] < 0.1


def test_nothing_that_varies_has_no_value() -> None:
    items, ratings, columns = explained(1, texts=4)
    matrix = np.column_stack([np.ones(4), columns["x"]])
    statistic = Explained(items.input_numbers, matrix, np.ones(4, np.bool_))
    assert np.isnan(statistic(Draw(np.ones(4), np.zeros(4))))
    assert np.isnan(statistic(Draw(np.zeros(4), ratings.score)))
    one = Items(items.ids, ("same",) * 4, items.systems)
    assert np.isnan(r_squared_interval(one, ratings, columns, 0.5, samples=20)).all()
