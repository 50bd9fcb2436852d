from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fergus.analysis.analyse import Analysis, Settings, analyse
from fergus.analysis.judgements import Items, Judgements, Ratings
from fergus.analysis.load import within_scale
from fergus.analysis.regress import Exclusion
from tests.analysis.small_table import small_table

QUICK = Settings(samples=40, trials=40)


def small(**options: int) -> tuple[Judgements, dict[str, np.ndarray]]:
    items, ratings = small_table(**options)
    means = ratings.item_means(len(items))
    random = np.random.default_rng(0)
    metrics = {"good": means + random.normal(0, 0.3, len(items)), "noise": random.normal(size=len(items))}
    return Judgements(items, {"quality": ratings}, source="small"), metrics


def kinds(analysis: Analysis) -> set[str]:
    return {notice.kind for dimension in analysis.dimensions for notice in dimension.notices}


def test_the_whole_of_a_small_study() -> None:
    judgements, metrics = small(inputs=20)
    told: list[str] = []
    found = analyse(judgements, metrics, settings=QUICK, progress=told.append)
    assert told == ["quality"]
    (dimension,) = found.dimensions
    assert (dimension.judgements, dimension.judges, dimension.items) == (300, 5, 60)
    assert [one.system for one in dimension.systems] == ["person", "b", "a"]
    assert dimension.metric_clusters[0] == ("good",)
    best = max(dimension.agreement, key=lambda one: one.pairs.value)
    assert best.metric == "good"
    assert dimension.best_regression is not None
    assert "good" in dimension.best_regression.predictors
    assert len(dimension.correlations) == 2 * 9
    assert 0.5 < dimension.reliability.ceiling <= 1
    assert found.points["quality"]["judged"]


def test_the_same_seed_gives_the_same_analysis() -> None:
    judgements, metrics = small(inputs=8)
    once, again = (analyse(judgements, metrics, settings=QUICK) for _ in range(2))
    assert repr(once) == repr(again)


def test_two_dimensions_are_correlated() -> None:
    judgements, metrics = small(inputs=10)
    both = {"quality": judgements.ratings["quality"], "ease": judgements.ratings["quality"]}
    found = analyse(Judgements(judgements.items, both), metrics, settings=QUICK)
    assert found.between_dimensions["quality", "ease"].value == pytest.approx(1)


def test_without_metrics_people_are_analysed_alone() -> None:
    judgements, _ = small(inputs=10)
    (dimension,) = analyse(judgements, {}, settings=QUICK).dimensions
    assert dimension.correlations == ()
    assert dimension.best_regression is None
    assert dimension.systems


def test_an_excluded_item_keeps_its_reason() -> None:
    judgements, metrics = small(inputs=10)
    settings = Settings(
        samples=10, trials=10, exclude=(Exclusion(judgements.items.ids[3], "mangled, yet well-formed"),)
    )
    (dimension,) = analyse(judgements, metrics, settings=settings).dimensions
    assert dimension.best_regression is not None
    assert dimension.best_regression.n == 29
    assert {point.excluded for point in dimension.best_regression.points} == {"", "mangled, yet well-formed"}


def one_dimension(rows: list[tuple[int, int, float]], *, systems: int = 1) -> Judgements:
    judge, item, score = (np.array(column) for column in zip(*rows, strict=True))
    size = int(item.max()) + 1
    items = Items(
        tuple(map(str, range(size))),
        tuple(str(i // systems) for i in range(size)),
        tuple(f"s{i % systems}" for i in range(size)),
    )
    judges = tuple(f"J{j}" for j in range(int(judge.max()) + 1))
    return Judgements(items, {"quality": Ratings("quality", judges, judge, item, score.astype(float))})


def test_one_judge_one_item_and_constant_scores_are_named() -> None:
    assert {"few judges", "few items", "agreement unknown"} <= kinds(analyse(one_dimension([(0, 0, 3), (0, 1, 4)]), {}))
    assert "constant scores" in kinds(analyse(one_dimension([(j, i, 4) for j in range(3) for i in range(3)]), {}))
    single = analyse(one_dimension([(0, 0, 3)]), {"m": np.array([1.0])}, settings=QUICK)
    assert {"few judges", "few items", "few systems", "no regression", "single judgement"} <= kinds(single)
    assert np.isnan(single.dimensions[0].correlations[0].value)


def test_a_scale_that_is_used_up_is_named() -> None:
    rows = [(j, i, 7.0 if i < 5 else float(i % 7)) for j in range(4) for i in range(9)]
    assert "ceiling effect" in kinds(analyse(one_dimension(rows), {}, settings=QUICK))


def test_judges_who_do_not_agree_are_named() -> None:
    random = np.random.default_rng(0)
    rows = [(j, i, float(random.integers(1, 8))) for j in range(4) for i in range(30)]
    rows += [(4, i, 8.0 - np.mean([rows[k * 30 + i][2] for k in range(4)])) for i in range(30)]
    found = analyse(one_dimension(rows, systems=3), {}, settings=QUICK)
    assert {"low agreement", "contrary judge"} <= kinds(found)


def test_typing_errors_are_named_and_left_out_by_the_scale() -> None:
    rows = [(j, i, float(50 + 10 * ((i + j) % 5))) for j in range(4) for i in range(10)]
    rows[7] = (rows[7][0], rows[7][1], 111111.0)
    judgements = one_dimension(rows)
    assert "far out" in kinds(analyse(judgements, {}, settings=QUICK))
    cleaned = within_scale(judgements, 0, 100)
    assert len(cleaned.ratings["quality"]) == 39
    assert "111111 by J0 of 7" in cleaned.notices[0].message
    assert "far out" not in kinds(analyse(cleaned, {}, settings=QUICK))
    assert within_scale(cleaned, 0, 100).notices == cleaned.notices


def test_a_dimension_of_some_texts_is_analysed_as_if_there_were_no_others() -> None:
    random = np.random.default_rng(1)
    inputs, systems = 12, ("a", "b", "c", "d")
    ids = [(i, s) for i in range(inputs) for s in systems]
    items = Items(tuple(f"{i}-{s}" for i, s in ids), tuple(str(i) for i, _ in ids), tuple(s for _, s in ids))
    some = np.array([i < 5 and s in "ab" for i, s in ids])
    every = {"whole": np.ones(len(ids), bool), "part": some}
    ratings = {}
    for name, mask in every.items():
        item = np.repeat(np.flatnonzero(mask), 3)
        judge = np.tile(np.arange(3), int(mask.sum()))
        ratings[name] = Ratings(name, ("J0", "J1", "J2"), judge, item, random.normal(size=len(item)))
    metric = random.normal(size=len(ids))
    both = analyse(Judgements(items, ratings), {"m": metric}, settings=QUICK).dimensions[1]
    own = replace(ratings["part"], item=(np.cumsum(some) - 1)[ratings["part"].item])
    alone = analyse(Judgements(items.only(some), {"part": own}), {"m": metric[some]}, settings=QUICK).dimensions[0]
    assert (both.items, both.inputs, [one.items for one in both.systems]) == (10, 5, [5, 5])
    assert repr(both) == repr(alone)


def test_a_judge_who_judged_twice_agrees_with_nobody() -> None:
    rows = [(0, item, 1 + item % 5) for item in range(8)] * 2
    found = analyse(one_dimension(rows), {}, settings=QUICK).dimensions[0].reliability
    assert found.alpha_raw is None
    assert np.isnan(found.ceiling)


def test_the_scale_is_the_one_that_was_told() -> None:
    rows = [(judge, item, 60 if item % 2 else 20 + item) for judge in range(3) for item in range(10)]
    judged = one_dimension(rows)
    told = {name: replace(own, scale=(0.0, 100.0)) for name, own in judged.ratings.items()}
    assert "ceiling effect" in kinds(analyse(judged, {}, settings=QUICK))
    assert "ceiling effect" not in kinds(analyse(replace(judged, ratings=told), {}, settings=QUICK))
