"""Mixed models against analyses of variance, against statsmodels, and against effects that are known."""

from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.judgements import Items, Ratings
from fergus.analysis.mixed_effects import Fit, components_of
from fergus.analysis.mixed_likelihood import CrossedLikelihood
from fergus.analysis.mixed_models import mixed_model, rating_model
from fergus.errors import InputError

from .small_table import small_table


def crossed(judges=8, items=12, *, seed=1, deviations=(0.7, 0.5, 1.0), share=1.0):
    """Scores 1 + .5 * system + .3 * x of the item, the judge and the item; perhaps not of every judge and item."""
    random = np.random.default_rng(seed)
    judge, item = (table.ravel() for table in np.divmod(np.arange(judges * items), items))
    kept = random.random(judges * items) < share
    judge, item = judge[kept], item[kept]
    system, x = (np.arange(items) % 2).astype(float), random.normal(size=items)
    own, other, error = deviations
    y = 1 + 0.5 * system[item] + 0.3 * x[item] + random.normal(0, own, judges)[judge]
    y += random.normal(0, other, items)[item] + random.normal(0, error, len(item))
    return y, {"system": system[item], "x": x[item]}, {"judge": judge, "item": item}


def dense_deviance(y, X, factors, variances, error):  # noqa: N803
    """By the definition: with the whole covariance matrix of all judgements."""
    V = error**2 * np.eye(len(y))
    for levels, variance in zip(factors, variances, strict=True):
        V += error**2 * variance * (levels[:, None] == levels)
    inverse = np.linalg.inv(V)
    information = X.T @ inverse @ X
    left = y - X @ np.linalg.solve(information, X.T @ inverse @ y)
    determinants = np.linalg.slogdet(V)[1] + np.linalg.slogdet(information)[1]
    return determinants + left @ inverse @ left + (len(y) - X.shape[1]) * np.log(2 * np.pi)


@pytest.mark.parametrize("variances", [(0.0, 0.0, 0.0), (0.5, 0.0, 2.0), (0.3, 1.7, 0.2)])
def test_the_likelihood_is_that_of_the_definition(variances) -> None:
    y, fixed, random = crossed(share=0.6)
    X = np.column_stack([np.ones(len(y)), *fixed.values()])
    factors = [random["judge"], random["item"], random["item"] // 3]
    for size in (0, 1, 2, 3):
        quick = CrossedLikelihood(X, y, factors[:size])
        for error in (0.8, 1.3):
            ours = quick.deviance(np.array(variances[:size]), error)
            assert ours == pytest.approx(dense_deviance(y, X, factors[:size], variances[:size], error), rel=1e-10)


def test_large_tables_go_to_the_matrix_library(monkeypatch) -> None:
    y, fixed, random = crossed(share=0.6)
    random["input"] = random["item"] // 3
    small = mixed_model(y, fixed, random)
    monkeypatch.setattr("fergus.analysis.mixed_likelihood.SMALL", 0)
    large = mixed_model(y, fixed, random)
    assert large.deviance == pytest.approx(small.deviance, rel=1e-10)
    assert [one.value for one in large.effects] == pytest.approx([one.value for one in small.effects], rel=1e-6)


def test_a_factor_around_the_largest_is_found_whatever_the_order() -> None:
    item = np.arange(12)
    assert CrossedLikelihood(np.ones((12, 1)), item * 1.0, [item // 2, item % 5, item // 4]).second == 2
    assert CrossedLikelihood(np.ones((12, 1)), item * 1.0, [item % 6, item // 6]).second == -1


def test_a_table_that_is_not_positive_is_no_covariance() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        CrossedLikelihood(np.zeros((4, 1)), np.arange(4.0), []).solve(np.zeros(0))


def test_a_balanced_table_has_the_variances_of_its_analysis_of_variance() -> None:
    # Judges by items, one judgement each: the mean squares' expectations are e + I * j, e + J * i and e, and
    # restricted maximum likelihood solves just these where all are positive. The mean's variance is
    # (MSj + MSi - MSe) / (I * J).
    judges, items = 8, 12
    y, _, random = crossed(judges, items)
    table = y.reshape(judges, items)
    rows, columns = table.mean(axis=1), table.mean(axis=0)
    msj = items * rows.var(ddof=1)
    msi = judges * columns.var(ddof=1)
    left = table - rows[:, None] - columns + table.mean()
    mse = (left**2).sum() / ((judges - 1) * (items - 1))
    found = mixed_model(y, {}, random)
    assert [one.variance for one in found.components] == pytest.approx(
        [(msj - mse) / items, (msi - mse) / judges, mse], rel=1e-5
    )
    assert found.effects[0].value == pytest.approx(y.mean())
    assert found.effects[0].standard_error == pytest.approx(np.sqrt((msj + msi - mse) / (items * judges)), rel=1e-5)
    # Satterthwaite's degrees of freedom of a sum of mean squares.
    by_hand = (msj + msi - mse) ** 2 / (
        msj**2 / (judges - 1) + msi**2 / (items - 1) + mse**2 / ((judges - 1) * (items - 1))
    )
    assert found.effects[0].degrees == pytest.approx(by_hand, rel=1e-3)
    assert [one.levels for one in found.components] == [8, 12, 96]
    assert sum(one.share for one in found.components) == pytest.approx(1)
    assert found.joint is None


def test_effects_of_items_have_the_degrees_of_the_items() -> None:
    # Three systems with five items each, four judgements an item: a one-way analysis of the 15 items' means.
    from scipy.stats import f_oneway

    random = np.random.default_rng(2)
    item = np.repeat(np.arange(15), 4)
    system = item // 5
    y = system * 0.4 + random.normal(0, 0.6, 15)[item] + random.normal(0, 0.5, 60)
    found = mixed_model(y, {"b": (system == 1) * 1.0, "c": (system == 2) * 1.0}, {"item": item})
    means = np.array([y[item == i].mean() for i in range(15)])
    expected = f_oneway(means[:5], means[5:10], means[10:])
    assert found.joint is not None
    assert (found.joint.f, found.joint.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-4)
    assert found.joint.degrees == (2, pytest.approx(12, rel=1e-3))
    assert [one.degrees for one in found.effects] == pytest.approx([12, 12, 12], rel=1e-3)
    one = mixed_model(y, {"b": (system == 1) * 1.0}, {"item": item})
    assert one.joint is not None
    assert (one.joint.f, one.joint.p) == pytest.approx((one.effects[1].t ** 2, one.effects[1].p))


@pytest.mark.parametrize("seed", [1, 4])
def test_estimates_are_those_of_statsmodels(seed) -> None:
    import pandas
    import statsmodels.formula.api as formulas

    y, fixed, random = crossed(share=0.7, seed=seed)
    found = mixed_model(y, fixed, random)
    frame = pandas.DataFrame({"y": y, **fixed, **random, "all": 1})
    parts = {"judge": "0 + C(judge)", "item": "0 + C(item)"}
    theirs = formulas.mixedlm("y ~ system + x", frame, groups="all", vc_formula=parts).fit()
    assert [one.value for one in found.effects] == pytest.approx(list(theirs.fe_params), abs=1e-4)
    assert found.deviance == pytest.approx(-2 * theirs.llf, abs=1e-6)
    assert found.deviance <= -2 * theirs.llf + 1e-9
    # theirs are in the order of the names: item, judge
    expected = [theirs.vcomp[1], theirs.vcomp[0], theirs.scale]
    assert [one.variance for one in found.components] == pytest.approx(expected, rel=1e-3)
    # Its cov_params uses another matrix than that of the coefficients alone; with given variances it is this.
    X = np.column_stack([np.ones(len(y)), *fixed.values()])
    V = expected[2] * np.eye(len(y))
    for levels, variance in zip(random.values(), expected, strict=False):
        V += variance * (levels[:, None] == levels)
    spread = np.sqrt(np.diag(np.linalg.inv(X.T @ np.linalg.inv(V) @ X)))
    assert [one.standard_error for one in found.effects] == pytest.approx(spread, rel=1e-3)


def test_no_grid_has_a_smaller_deviance() -> None:
    # The deviance has a slope, or none, at variances of 0: a search may stop there by mistake.
    values = np.append(0, np.geomspace(1e-3, 10, 12))
    for seed in range(6):
        y, fixed, random = crossed(5, 8, seed=seed, deviations=(0.2, 0.2, 1))
        found = mixed_model(y, fixed, random)
        quick = CrossedLikelihood(np.column_stack([np.ones(len(y)), *fixed.values()]), y, list(random.values()))
        smallest = min(quick.profiled(np.array([a, b])) for a in values for b in values)
        assert found.deviance <= smallest + 2e-4
        assert found.has_converged


@pytest.mark.no_cover  # many times the same
def test_intervals_cover_the_truth() -> None:
    # 200 studies of few judges and items: 95% intervals must hold the truth in 92 to 98% of them.
    truth = {"intercept": 1.0, "system": 0.5, "x": 0.3}
    hits = dict.fromkeys(truth, 0)
    inner = 0
    for seed in range(200):
        found = mixed_model(*crossed(6, 12, seed=seed, share=0.8))
        for one in found.effects:
            hits[one.name] += one.low <= truth[one.name] <= one.high
        inner += found.components[2].low <= 1 <= found.components[2].high
    assert all(184 <= count <= 196 for count in (*hits.values(), inner)), (hits, inner)


def test_no_variance_is_said_to_be_none() -> None:
    # Every judge gives the same mean: less than chance would have.
    y, _, random = crossed(5, 20)
    y = y - np.array([y[random["judge"] == j].mean() for j in range(5)])[random["judge"]]
    found = mixed_model(y, {}, random)
    judge = found.components[0]
    assert (judge.variance, judge.share) == (0, 0)
    assert np.isnan([judge.low, judge.high]).all()
    told = next(one.message for one in found.notices if one.kind == "no variance")
    assert told.startswith("scores do not vary with judge beyond chance")
    only = mixed_model(y, {}, {"judge": random["judge"]})
    # Without any variance but the residuals' it is the one-sample t test.
    assert only.effects[0].degrees == pytest.approx(99, rel=1e-4)
    assert only.effects[0].standard_error == pytest.approx(y.std(ddof=1) / 10)


def test_factors_that_cannot_be_told_apart_are_left_out() -> None:
    y, fixed, random = crossed(1, 12)
    found = mixed_model(y, fixed, random)
    assert [one.name for one in found.components] == ["residual"]
    told = [one.message for one in found.notices if one.kind == "factor left out"]
    assert told[0].startswith("judge has one level")
    assert told[1].startswith("item has a level for every judgement")
    from fergus.analysis.regress import regress

    line = regress(fixed, y)
    assert [one.value for one in found.effects] == pytest.approx([one.value for one in line.terms])
    assert [one.p for one in found.effects] == pytest.approx([one.p for one in line.terms], rel=1e-4)


def test_missing_values_are_counted() -> None:
    y, fixed, random = crossed()
    y[3] = fixed["x"][7] = np.nan
    found = mixed_model(y, fixed, random)
    assert found.n == 94
    assert [(one.kind, one.count) for one in found.notices] == [("missing value", 2)]


def test_two_factors_that_are_one_do_not_converge_in_silence() -> None:
    y, _, random = crossed(4, 6, deviations=(2, 0.1, 0.5))
    found = mixed_model(y, {}, {"judge": random["judge"], "again": random["judge"]})
    alone = mixed_model(y, {}, {"judge": random["judge"]})
    assert not found.has_converged
    assert "no convergence" in [one.kind for one in found.notices]
    assert sum(one.variance for one in found.components[:2]) == pytest.approx(alone.components[0].variance, rel=0.01)


def test_what_cannot_be_fitted() -> None:
    y, fixed, random = crossed(2, 2)
    with pytest.raises(InputError, match="4 judgements for 3 effects; at least 5"):
        mixed_model(y, fixed, random)
    y, fixed, random = crossed()
    with pytest.raises(InputError, match="all 96 judgements are the same"):
        mixed_model(np.ones(96), fixed, random)
    with pytest.raises(InputError, match="again is a linear combination of system, x"):
        mixed_model(y, {**fixed, "again": 2 * fixed["x"] + 1}, random)
    with pytest.raises(InputError, match="the effects explain every judgement"):
        mixed_model(fixed["x"] * 2, fixed, random)


def test_systems_and_metrics_of_ratings() -> None:
    items, ratings = small_table(inputs=20)
    found = rating_model(items, ratings)
    assert [one.name for one in found.effects] == ["intercept", "b - a", "person - a"]
    assert found.joint is not None
    assert found.joint.p < 0.001
    means = {one.name: one.value for one in found.contrasts}
    scores = np.array([ratings.score[items.system_numbers[ratings.item] == s].mean() for s in range(3)])
    assert list(means) == ["mean of a", "mean of b", "mean of person"]
    assert list(means.values()) == pytest.approx(scores)  # everything is judged by everybody
    other = rating_model(items, ratings, baseline="person", has_inputs=True)
    assert [one.name for one in other.effects] == ["intercept", "a - person", "b - person"]
    assert other.effects[1].value == pytest.approx(-found.effects[2].value)
    assert [one.name for one in other.components] == ["judge", "item", "input", "residual"]
    metric = np.array([{"a": 0.2, "b": 0.5, "person": 0.9}[name] for name in items.systems])
    by_metric = rating_model(items, ratings, metrics={"metric": metric})
    assert by_metric.effects[1].low > 0
    assert by_metric.contrasts == ()
    with pytest.raises(InputError, match="there is no system 'c'; the systems are a, b, person"):
        rating_model(items, ratings, baseline="c")


def test_thousands_of_items_take_no_time() -> None:
    from time import process_time

    random = np.random.default_rng(1)
    items = Items(tuple(map(str, range(6000))), tuple(str(i // 10) for i in range(6000)), ("a", "b") * 3000)
    item = np.repeat(np.arange(6000), 3)[random.random(18000) < 0.8]
    judge = random.integers(0, 100, len(item))
    score = random.normal(0, 1, 100)[judge] + random.normal(0, 0.5, 6000)[item] + random.normal(size=len(item))
    ratings = Ratings("quality", tuple(map(str, range(100))), judge, item, score)
    begin = process_time()
    found = rating_model(items, ratings)
    assert process_time() - begin < 20
    assert [one.deviation for one in found.components] == pytest.approx([1, 0.5, 1], abs=0.2)


def test_judgements_that_follow_from_who_judged_have_no_model() -> None:
    # Every judge gives one value: nothing is left that could vary.
    items, ratings = small_table(inputs=4)
    with pytest.raises(InputError, match="the effects explain every judgement"):
        rating_model(items, ratings.with_scores(items.system_numbers[ratings.item].astype(float)))
    found = rating_model(items, ratings.with_scores(ratings.judge.astype(float)))
    assert not found.has_converged


def test_a_variance_of_which_nothing_is_known_has_no_bounds() -> None:
    fit = Fit(np.array([1.0, 1.0]), np.zeros(2), np.diag([1e4, 1e-4]), np.zeros(1), np.eye(1), np.zeros((2, 1, 1)))
    (judge, _), _ = components_of(fit, ["judge"], [3, 9])
    assert (judge.low, judge.high) == (0.0, float("inf"))


def test_a_search_that_meets_a_singular_table_is_an_input_error(monkeypatch) -> None:
    def fails(*_):
        raise np.linalg.LinAlgError

    y, fixed, random = crossed()
    monkeypatch.setattr("fergus.analysis.mixed_models.best_variances", fails)
    with pytest.raises(InputError, match="all 96 judgements follow from system, x, judge, item"):
        mixed_model(y, fixed, random)
