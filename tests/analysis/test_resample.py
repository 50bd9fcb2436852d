from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from fergus.analysis.crossed import crossed_mean
from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.resample import STEP, Draw, input_draws, judge_draws, spread

Floats = NDArray[np.float64]


def crossed_study(
    random: np.random.Generator, *, inputs: int, judges: int, of_inputs: float, of_judges: float, noise: float
) -> tuple[Items, Ratings]:
    """One text an input, judged by everybody; the three standard deviations are known."""
    item, judge = (part.ravel() for part in np.meshgrid(np.arange(inputs), np.arange(judges), indexing="ij"))
    score = random.normal(0, of_inputs, inputs)[item] + random.normal(0, of_judges, judges)[judge]
    names = tuple(map(str, range(inputs)))
    items = Items(names, names, ("a",) * inputs)
    score = score + random.normal(0, noise, len(item))
    return items, Ratings("q", tuple(f"J{j:02}" for j in range(judges)), judge, item, score)


def mean_of(items: Items) -> Callable[[Draw], Floats]:
    def mean(draw: Draw) -> Floats:
        weight = draw.inputs[items.input_numbers] * np.isfinite(draw.means)
        return np.array([np.nan_to_num(draw.means) @ weight / weight.sum()])

    return mean


@pytest.mark.parametrize(("of_inputs", "of_judges", "noise"), [(1.0, 0.0, 0.3), (0.3, 1.0, 0.3), (0.5, 0.5, 2.0)])
def test_the_error_of_a_plain_mean_is_the_crossed_one(of_inputs: float, of_judges: float, noise: float) -> None:
    random = np.random.default_rng(4)
    items, ratings = crossed_study(random, inputs=60, judges=12, of_inputs=of_inputs, of_judges=of_judges, noise=noise)
    found = spread(items, ratings, mean_of(items), samples=4000, seed=1)
    told = crossed_mean(ratings.score, ratings.judge, ratings.item)
    assert found.error[0] == pytest.approx(told.error, rel=0.08)


def test_degrees_of_freedom_are_those_of_what_varies() -> None:
    random = np.random.default_rng(4)
    for of_inputs, of_judges, df in ((1.0, 0.0, 29), (0.0, 1.0, 7)):
        items, ratings = crossed_study(
            random, inputs=30, judges=8, of_inputs=of_inputs, of_judges=of_judges, noise=0.01
        )
        found = spread(items, ratings, mean_of(items), samples=400)
        assert found.df[0] == pytest.approx(df, rel=0.02)
        assert found.margin()[0] == pytest.approx(found.error[0] * stats.t.ppf(0.975, found.df[0]))


def test_inputs_are_drawn_with_their_judgements() -> None:
    items, ratings = crossed_study(np.random.default_rng(1), inputs=6, judges=3, of_inputs=1, of_judges=1, noise=1)
    for draw in input_draws(items, ratings, 10, np.random.default_rng(1)):
        assert draw.inputs.sum() == 6
        assert draw.means == pytest.approx(ratings.item_means(6))


def test_what_a_judge_says_beyond_the_others_goes_up_or_down_in_all_texts_at_once() -> None:
    # Judge 0 says 1 more than judge 1 about both texts: each is half a point from the mean, and counts one half of
    # sqrt(2), since half a point is all that is left of the difference of one judge from what many would say.
    names = ("x", "y")
    items = Items(names, names, ("a", "a"))
    ratings = Ratings("q", ("J0", "J1"), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), np.array([3.0, 2, 5, 4]))
    moves = {
        tuple(np.round(draw.means - [2.5, 4.5], 6))
        for draw in judge_draws(items, ratings, ratings.judge, 60, np.random.default_rng(2))
    }
    step = round(2 * 0.5 * STEP / np.sqrt(2), 6)
    assert moves == {(0, 0), (step, step), (-step, -step)}


def test_a_text_with_one_judgement_is_now_and_then_left_out() -> None:
    names = ("x", "y")
    items = Items(names, names, ("a", "a"))
    ratings = Ratings("q", ("J0", "J1"), np.array([0, 1]), np.array([0, 1]), np.array([5.0, 6.0]))
    seen = [tuple(np.isnan(d.means)) for d in judge_draws(items, ratings, ratings.judge, 300, np.random.default_rng(1))]
    assert {(False, False), (True, False), (False, True)} <= set(seen)
    assert np.mean([x for x, _ in seen]) == pytest.approx(0.1, abs=0.05)


def test_what_most_resamples_do_not_have_and_what_one_input_cannot_tell_is_undefined() -> None:
    items, ratings = crossed_study(np.random.default_rng(1), inputs=6, judges=3, of_inputs=1, of_judges=1, noise=1)
    found = spread(items, ratings, lambda draw: np.array([np.nan, draw.inputs[0]]), samples=40)
    assert np.isnan(found.error[0])
    assert found.error[1] > 0
    one = Items(("x", "y"), ("1", "1"), ("a", "b"))
    alone = Ratings("q", ("J0",), np.array([0, 0]), np.array([0, 1]), np.array([5.0, 6.0]))
    assert np.isnan(spread(one, alone, lambda draw: draw.means, samples=40).error).all()
