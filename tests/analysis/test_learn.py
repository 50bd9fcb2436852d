"""Learning a metric: known models are found, nothing is judged by what it was fitted to, files can be used."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.learn import learn, scaled
from fergus.analysis.learned_file import Description, as_toml, check_name, write_learned
from fergus.analysis.learning_data import Part
from fergus.analysis.regress import Exclusion, regress
from fergus.analysis.select_predictors import candidates, choose, folds_of
from fergus.errors import InputError
from fergus.metrics.derived import read_model

QUICK = {"trials": 60, "samples": 60}
MINE = Description(name="mine")


def judged(inputs=40, judges=3, *, seed=1, noise=0.3, systems=("a", "b", "c")):
    """Texts whose quality is accuracy - .1 * errors - .02 * length and something that no metric sees."""
    random = np.random.default_rng(seed)
    names = [(f"i{i}", system) for i in range(inputs) for system in systems]
    items = Items(tuple(f"{i}/{s}" for i, s in names), tuple(i for i, _ in names), tuple(s for _, s in names))
    n = len(items)
    accuracy, errors = 1 - random.random(n), random.integers(0, 8, n).astype(float)
    length = random.integers(5, 25, n).astype(float)
    quality = accuracy - 0.1 * errors - 0.02 * length + random.normal(0, 0.1, n)
    judge, item = np.repeat(np.arange(judges), n), np.tile(np.arange(n), judges)
    score = quality[item] + random.normal(0, noise, len(item))
    ratings = Ratings("quality", tuple(f"J{j}" for j in range(judges)), judge, item, score - score.mean())
    parts = [
        Part("accuracy", accuracy),
        Part("errors", errors, 0.0, higher_is_better=False),
        Part("noise", random.normal(size=n)),
        Part("length", length, None),
    ]
    return items, ratings, parts


def test_scaling() -> None:
    metric = scaled(-0.5, {"bleu": 0.02, "errors": -0.1}, {"bleu": 100, "errors": 0})
    assert metric.perfect == pytest.approx(1.5)
    values = {"bleu": np.array([100.0, 25.0]), "errors": np.array([0.0, 3.0])}
    assert metric.scores(values) == pytest.approx([1, -0.3 / 1.5])
    with pytest.raises(InputError, match=r"a perfect sentence would have -0\.5"):
        scaled(-0.5, {"errors": -0.1}, {"errors": 0})


def test_the_parts_that_count_are_found_and_length_is_dropped() -> None:
    items, ratings, parts = judged(120)
    found = learn(items, ratings, parts, largest=2, **QUICK)
    assert set(found.metric.coefficients) == {"accuracy", "errors"}
    assert found.metric.coefficients["accuracy"] == pytest.approx(1, abs=0.1)
    assert found.metric.coefficients["errors"] == pytest.approx(-0.1, abs=0.02)
    assert found.tried == 6  # of three metrics at most two; length is none
    # The first fit has length as well, the second is the regression without it, as in section 4.2.
    assert found.regression_with_dropped is not None
    assert found.regression_with_dropped.coefficients["length"] == pytest.approx(-0.02, abs=0.005)
    means = ratings.item_means(len(items))
    alone = regress({"accuracy": parts[0].scores, "errors": parts[1].scores}, means)
    assert found.regression.coefficients == pytest.approx(alone.coefficients)
    assert found.metric.coefficients == pytest.approx(alone.coefficients, rel=1e-6)
    assert found.metric.intercept == pytest.approx(alone.intercept, rel=1e-6)
    assert found.metric.perfect == pytest.approx(alone.intercept + alone.coefficients["accuracy"])
    assert (found.texts, found.inputs, found.systems, found.judges) == (360, 120, 3, 3)
    assert found.notices == ()


def test_it_beats_its_parts_and_says_so() -> None:
    items, ratings, parts = judged(120)
    found = learn(items, ratings, parts, **QUICK)
    assert found.beats_best_part
    assert found.verdict.startswith("It agrees with quality significantly better than its best part: r = 0.")
    best = found.best_part
    assert best.name == found.beside[0].name
    assert best.difference == pytest.approx(found.by_inputs.pearson - best.pearson)
    assert best.low < best.difference < best.high
    assert {one.name for one in found.beside} == {"accuracy", "errors", "noise"}
    assert found.by_systems is not None
    assert found.by_systems.by_system.keys() == {"a", "b", "c"}
    assert all(r > 0.4 for r in found.by_systems.by_system.values())


def test_it_says_plainly_that_it_is_no_better() -> None:
    items, ratings, parts = judged(20, noise=2)
    found = learn(items, ratings, parts, predictors=["accuracy", "noise"], **QUICK)
    assert not found.beats_best_part
    assert found.verdict.startswith("It is NOT significantly better than its best part")
    assert found.regression_with_dropped is None


def test_one_part_is_the_part_itself() -> None:
    items, ratings, parts = judged(60)
    found = learn(items, ratings, parts, predictors=["accuracy"], **QUICK)
    assert found.verdict.startswith("It is accuracy on another scale, and no better")
    assert not found.beats_best_part
    assert " errors, which is not among its parts, has 0." in found.verdict or found.beside[0].name == "accuracy"


def test_what_validates_has_no_part_in_choosing() -> None:
    # Twenty-five columns of chance: the best of them fits what it is chosen by, and predicts nothing.
    chosen_inside, chosen_before = [], []
    for seed in range(20):
        random = np.random.default_rng(1000 + seed)
        items, ratings, _ = judged(20, noise=1, seed=seed)
        X, y = random.normal(size=(60, 25)), ratings.item_means(60)
        outer = folds_of(items.input_numbers, folds=5, seed=1)
        inside = choose(X, y, outer=outer, inner=outer, combinations=candidates(25, largest=1))
        before = choose(X, y, outer=outer, inner=outer, combinations=[inside.choices[-1].chosen])
        chosen_inside.append(np.corrcoef(inside.held_out(X, outer), y)[0, 1])
        chosen_before.append(np.corrcoef(before.held_out(X, outer), y)[0, 1])
    assert np.mean(chosen_before) > 0.1
    assert np.mean(chosen_inside) < 0.05


def test_held_out_predictions_are_those_of_separate_fits() -> None:
    items, ratings, parts = judged(12)
    X, y = np.column_stack([part.scores for part in parts[:2]]), ratings.item_means(len(items))
    outer = folds_of(items.input_numbers, folds=4, seed=3)
    chosen = choose(X, y, outer=outer, inner=outer, combinations=[(0, 1)])
    predicted = chosen.held_out(X, outer)
    for part in range(4):
        out = outer == part
        model = regress({"a": X[~out, 0], "b": X[~out, 1]}, y[~out])
        expected = model.intercept + X[out] @ [model.coefficients["a"], model.coefficients["b"]]
        assert predicted[out] == pytest.approx(expected, rel=1e-6)


def test_the_choice_is_that_of_the_smallest_error_by_hand() -> None:
    """Slowly, with separate fits: every combination, every part left out, every part of the rest."""
    items, ratings, parts = judged(10, noise=1, seed=4)
    X, y = np.column_stack([part.scores for part in parts[:3]]), ratings.item_means(len(items))
    outer = folds_of(items.input_numbers, folds=5, seed=1)
    tries = candidates(3, largest=2)
    chosen = choose(X, y, outer=outer, inner=outer, combinations=tries)
    assert len(chosen.choices) == 6
    for part, choice in enumerate(chosen.choices):
        rest = outer != part  # of the last choice, which leaves nothing out: everything
        errors = {}
        for combination in tries:
            errors[combination] = 0.0
            for inner in set(outer[rest]):
                fit, test = rest & (outer != inner), rest & (outer == inner)
                design = np.column_stack([np.ones(len(y)), X[:, list(combination)]])
                beta = np.linalg.lstsq(design[fit], y[fit], rcond=None)[0]
                errors[combination] += float(np.sum((y[test] - design[test] @ beta) ** 2))
        assert choice.chosen == min(errors, key=lambda one: errors[one])


def test_ridge_is_that_of_its_definition() -> None:
    items, ratings, parts = judged(15)
    X, y = np.column_stack([part.scores for part in parts[:3]]), ratings.item_means(len(items))
    outer = folds_of(items.input_numbers, folds=3, seed=1)
    model = choose(X, y, outer=outer, inner=outer, combinations=[(0, 1, 2)], penalties=[0.5]).models[-1]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    slopes = np.linalg.solve(Z.T @ Z + 0.5 * len(y) * np.eye(3), Z.T @ (y - y.mean())) / X.std(axis=0)
    assert model[1:] == pytest.approx(slopes)
    assert model[0] == pytest.approx(y.mean() - slopes @ X.mean(axis=0))


def test_the_penalty_may_be_chosen() -> None:
    items, ratings, parts = judged(15, noise=2)
    parts = [part for part in parts if part.perfect is not None]
    found = learn(items, ratings, parts, predictors=["accuracy", "errors"], ridge="choose", **QUICK)
    assert found.penalty > 0
    plain = learn(items, ratings, parts, predictors=["accuracy", "errors"], **QUICK)
    fixed = learn(items, ratings, parts, predictors=["accuracy", "errors"], ridge=0.2, **QUICK)
    assert fixed.penalty == 0.2
    assert abs(fixed.metric.coefficients["accuracy"]) < abs(plain.metric.coefficients["accuracy"])


def test_one_input_at_a_time() -> None:
    items, ratings, parts = judged(25)
    found = learn(items, ratings, parts, folds=0, largest=2, **QUICK)
    assert found.by_inputs.folds == 25
    assert found.by_inputs.pearson == pytest.approx(learn(items, ratings, parts, largest=2, **QUICK).by_inputs.pearson,
                                                    abs=0.1)  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(0, 12), st.integers(0, 99))
def test_folds_keep_groups_together(groups, folds, seed) -> None:
    numbers = np.unique(groups, return_inverse=True)[1]
    parts = folds_of(numbers, folds=folds, seed=seed)
    count = int(numbers.max()) + 1
    assert set(parts) == set(range(count if folds == 0 else min(folds, count)))
    assert all(len(set(parts[numbers == group])) == 1 for group in range(count))
    sizes = [len(set(numbers[parts == part])) for part in set(parts)]
    assert max(sizes) - min(sizes) <= 1


def test_a_part_that_counts_against_its_direction_is_passed_over_or_named() -> None:
    items, ratings, parts = judged(60)
    turned = [replace(parts[0], higher_is_better=False), *parts[1:3]]
    found = learn(items, ratings, turned, **QUICK)
    assert "accuracy" not in found.metric.coefficients
    found = learn(items, ratings, turned, predictors=["accuracy", "errors"], **QUICK)
    assert [(one.kind, one.count) for one in found.notices] == [("against its direction", 1)]
    assert "accuracy" in found.notices[0].message
    assert found.against == ("accuracy",)
    assert "on another scale" not in found.verdict


def test_a_part_turned_round_is_no_better_than_the_part() -> None:
    items, ratings, parts = judged(60)
    turned = [replace(parts[0], higher_is_better=False)]
    found = learn(items, ratings, turned, **QUICK)
    assert found.best_part.pearson < 0 < found.best_part.low  # a lead over it that means nothing
    assert not found.beats_best_part
    assert found.verdict.startswith(
        "It is accuracy counted against its direction: worse scores, better judgements (r = -"
    )
    content = tomllib.loads(as_toml(found, MINE))
    assert content["validation"]["beats_best_part"] is False


def test_a_metric_that_is_the_same_for_all_texts_that_are_left() -> None:
    items, ratings, parts = judged(30)
    parts[0].scores[:3] = np.nan
    same = np.ones(len(items))
    same[:3] = 0.5  # it varies, but not where there is an accuracy
    half = np.where(np.arange(len(items)) < 10, np.nan, 1.0)
    half[10] = 0.0
    found = learn(items, ratings, [*parts[:3], Part("same", same), Part("half", half)], largest=2, **QUICK)
    told = {one.kind: one for one in found.notices}
    assert told["metrics that say nothing"].message.endswith("same")
    assert told["missing score"].count == 10
    without = Exclusion(items.ids[10], "the only one that differs")
    found = learn(items, ratings, [*parts[:3], Part("same", same), Part("half", half)], exclude=[without], **QUICK)
    told = {one.kind: one for one in found.notices}
    assert told["metrics that say nothing"].message.endswith("same, half")
    assert told["missing score"].count == 3  # half is gone, and so nothing lacks its scores
    assert found.texts == 90 - 3 - 1
    found = learn(items, ratings, [*parts[:2], Part("same", same)], predictors=["accuracy", "errors"], **QUICK)
    assert np.isnan(next(one for one in found.beside if one.name == "same").pearson)


def test_the_file_says_how_well_the_metric_in_it_fits() -> None:
    items, ratings, parts = judged(40)
    found = learn(items, ratings, parts, predictors=["accuracy", "errors"], ridge=0.5, **QUICK)
    own = found.metric.scores({part.name: part.scores for part in parts}) * found.metric.perfect
    y = ratings.item_means(len(items))
    assert found.r_squared == pytest.approx(1 - np.sum((y - own) ** 2) / np.sum((y - y.mean()) ** 2))
    assert found.r_squared < found.regression.r_squared - 0.01
    assert tomllib.loads(as_toml(found, MINE))["training"]["r_squared"] == pytest.approx(found.r_squared, rel=1e-5)
    plain = learn(items, ratings, parts, predictors=["accuracy", "errors"], **QUICK)
    assert plain.r_squared == pytest.approx(plain.regression.r_squared)


@pytest.mark.parametrize("folds", [-1, 1, 2])
def test_too_few_parts_to_choose_and_to_validate(folds) -> None:
    with pytest.raises(InputError, match=f"{folds} parts of the inputs are too few to .*; give 3 parts or more, or 0"):
        learn(*judged(10), folds=folds)


def test_everything_left_out_is_counted() -> None:
    items, ratings, parts = judged(30)
    parts[0].scores[:4] = np.nan
    parts.append(Part("flat", np.ones(len(items))))
    parts.append(Part("empty", np.full(len(items), np.nan)))
    ratings = ratings.only(ratings.item != 50)
    why = Exclusion(items.ids[10], "well-formed by accident")
    found = learn(items, ratings, parts, exclude=[why], **QUICK)
    assert found.texts == 90 - 4 - 1 - 1
    told = {one.kind: one for one in found.notices}
    assert told["missing score"].count == 4
    assert told["excluded"].message == f"{why.item}: well-formed by accident"
    assert told["metrics that say nothing"].message.endswith("flat, empty")


def test_one_system_is_said_to_be_one() -> None:
    items, ratings, parts = judged(40, systems=("a",))
    found = learn(items, ratings, parts, **QUICK)
    assert found.by_systems is None
    assert [one.kind for one in found.notices] == ["one system"]
    assert "systems_left_out" not in as_toml(found, MINE)


def test_a_metric_with_fewer_scores_is_compared_on_those() -> None:
    items, ratings, parts = judged(40)
    parts[2].scores[::2] = np.nan
    found = learn(items, ratings, parts, predictors=["accuracy", "errors"], **QUICK)
    other = next(one for one in found.beside if one.name == "noise")
    assert (other.n, found.texts) == (60, 120)
    assert other.low < other.difference < other.high


def test_what_cannot_be_learned() -> None:
    items, ratings, parts = judged(10)
    with pytest.raises(InputError, match="there is no metric 'bleu'; there are accuracy, errors, noise, length"):
        learn(items, ratings, parts, predictors=["bleu"])
    with pytest.raises(InputError, match="no metric to learn from"):
        learn(items, ratings, parts, predictors=["length"])
    with pytest.raises(InputError, match="all texts are judged the same"):
        learn(items, ratings.with_scores(np.zeros(len(ratings))), parts)
    with pytest.raises(InputError, match="'x' is excluded and not there"):
        learn(items, ratings, parts, exclude=[Exclusion("x", "why")])
    with pytest.raises(InputError, match="3 texts for 3 metrics"):
        learn(*judged(1))
    with pytest.raises(InputError, match="all judgements are of one input"):
        learn(*judged(1, systems=tuple("abcdefg")))
    with pytest.raises(InputError, match="all judgements are of two inputs; learn from three inputs at least"):
        learn(*judged(2, systems=tuple("abcdefg")), folds=0)
    # 22 + 231 + 1540 + 7315 + 26334
    with pytest.raises(InputError, match="there are 35442 combinations of at most 5 of 22 metrics; take fewer metrics"):
        candidates(22, largest=5)
    same = [parts[0], replace(parts[0], name="again")]
    with pytest.raises(InputError, match="a metric that follows from the others"):
        learn(items, ratings, same, predictors=["accuracy", "again"])


def test_the_file_is_read_as_a_metric(tmp_path) -> None:
    items, ratings, parts = judged(60)
    named = [replace(parts[0], name="simple_tree_accuracy"), replace(parts[1], name="substitutions"), *parts[3:]]
    found = learn(items, ratings, named, predictors=["simple_tree_accuracy", "substitutions"], **QUICK)
    path = tmp_path / "mine.toml"
    write_learned(path, found, replace(MINE, settings={"tok": "13a", "refs": "1-7"}))
    model = read_model(path)
    assert (model.name, model.title, model.abbreviation) == ("mine", "Mine", "mine")
    assert dict(model.coefficients) == pytest.approx(found.metric.coefficients, rel=1e-5)
    assert model.intercept == pytest.approx(found.metric.intercept, rel=1e-5)
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    assert content["training"]["texts"] == 180
    assert content["training"]["tok"] == "13a"
    assert content["validation"]["inputs_left_out_pearson"] == pytest.approx(found.by_inputs.pearson, rel=1e-5)
    assert content["validation"]["verdict"] == found.verdict
    assert content["validation"]["beats_best_part"] is found.beats_best_part


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40), st.floats(allow_nan=False, allow_infinity=False), st.floats(1e-3, 1e3))
def test_any_text_and_number_can_be_written(text, intercept, weight) -> None:
    items, ratings, parts = judged(20)
    found = SAVED.setdefault("found", learn(items, ratings, parts, predictors=["accuracy"], **QUICK))
    metric = replace(found.metric, intercept=intercept, coefficients={"accuracy": weight})
    content = tomllib.loads(as_toml(replace(found, metric=metric), replace(MINE, source="judged: " + text)))
    assert content["source"] == "judged: " + text
    assert content["intercept"] == pytest.approx(intercept, rel=1e-5)
    assert content["coefficients"]["accuracy"] == pytest.approx(weight, rel=1e-5)


SAVED: dict = {}


def test_undefined_figures_are_written_as_such() -> None:
    items, ratings, parts = judged(20)
    found = learn(items, ratings, parts, predictors=["accuracy"], **QUICK)
    odd = replace(found, by_inputs=replace(found.by_inputs, kendall=float("nan")))
    assert np.isnan(tomllib.loads(as_toml(odd, MINE))["validation"]["inputs_left_out_kendall"])


@pytest.mark.parametrize(
    ("name", "problem"),
    [("bleu", "another metric"), ("moves", "another metric"), ("my metric", "no name"), ("é", "no name")],
)
def test_names(name, problem) -> None:
    with pytest.raises(InputError, match=problem):
        check_name(name)
