from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.reliability import ceiling, interval_alpha, intraclass, one_way, sums_by_item
from fergus.analysis.reliability_intervals import reliability_intervals


def judged(random: np.random.Generator, *, texts: int, judges: int, share: float) -> tuple[Items, Ratings]:
    """A table in which a judge gives the text's true score and noise; some judgements are missing."""
    judge, item = (part.ravel() for part in np.meshgrid(np.arange(judges), np.arange(texts)))
    kept = random.random(len(judge)) < share
    score = random.normal(size=texts)[item] + random.normal(size=len(item))
    names = tuple(map(str, range(texts)))
    ratings = Ratings("q", tuple(map(str, range(judges))), judge, item, score).only(kept)
    return Items(names, names, ("a",) * texts), ratings


def test_a_text_that_counts_twice_is_as_good_as_two() -> None:
    _, ratings = judged(np.random.default_rng(1), texts=60, judges=4, share=0.7)
    weight = np.ones(60)
    weight[:7] = 2
    again = ratings.only(ratings.item < 7)
    judge, item = (np.concatenate(own) for own in ((ratings.judge, again.judge), (ratings.item, again.item + 60)))
    both = Ratings("q", ratings.judges, judge, item, np.concatenate([ratings.score, again.score]))
    found = intraclass(both, 67)
    expected = (interval_alpha(both), found.one_way, found.one_way_mean, ceiling(both, 67), found.judges_an_item)
    assert one_way(*sums_by_item(ratings, 60), weight) == pytest.approx(expected)


def test_intervals_hold_what_is_true() -> None:
    # Half of the variance is the texts': alpha and ICC(1,1) are .5, ICC(1,4) is .8.
    held = []
    for seed in range(60):
        items, ratings = judged(np.random.default_rng(seed), texts=50, judges=4, share=1)
        found = reliability_intervals(items, ratings, samples=100, seed=seed)
        pairs = ((found.alpha, 0.5), (found.one_way, 0.5), (found.one_way_mean, 0.8), (found.fixed, 0.5))
        held.append([low <= truth <= high for (low, high), truth in pairs])
    assert (np.mean(held, axis=0) > 0.85).all()
    assert (np.mean(held, axis=0) < 1).any()


def test_one_input_and_tables_that_are_not_complete_have_none() -> None:
    items, ratings = judged(np.random.default_rng(1), texts=10, judges=3, share=0.5)
    found = reliability_intervals(items, ratings, samples=20, seed=1)
    assert np.isfinite(found.alpha).all()
    assert np.isnan(found.random).all()
    one = Items(items.ids, ("same",) * 10, items.systems)
    assert np.isnan(reliability_intervals(one, ratings, samples=20, seed=1).alpha).all()
