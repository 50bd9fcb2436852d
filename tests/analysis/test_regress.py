"""Regressions against statsmodels, against a model that is known, and with what cannot be fitted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.analysis.combinations import every_combination
from fergus.analysis.regress import Exclusion, f_of_r_squared, normal_quantiles, p_of_f, regress
from fergus.errors import InputError


def data(n: int = 23, predictors: int = 3, seed: int = 1, noise: float = 1.0):
    random = np.random.default_rng(seed)
    X = random.normal(1, 2, (n, predictors))
    y = 0.5 + X @ np.linspace(1, 0, predictors) + noise * random.normal(size=n)
    return {f"x{i}": X[:, i] for i in range(predictors)}, y


@pytest.mark.parametrize(("n", "predictors"), [(23, 3), (8, 1), (200, 6), (5, 3)])
def test_everything_is_that_of_statsmodels(n, predictors) -> None:
    import statsmodels.api as sm
    from statsmodels.stats.diagnostic import het_breuschpagan
    from statsmodels.stats.outliers_influence import variance_inflation_factor

    columns, y = data(n, predictors, seed=n)
    X = sm.add_constant(np.column_stack(list(columns.values())))
    theirs, ours = sm.OLS(y, X).fit(), regress(columns, y)
    close = {"rel": 1e-9, "abs": 1e-9}
    low, high = theirs.conf_int().T
    for name, values in {
        "value": theirs.params, "standard_error": theirs.bse, "t": theirs.tvalues, "p": theirs.pvalues,
        "low": low, "high": high,
    }.items():  # fmt: skip
        assert [getattr(term, name) for term in ours.terms] == pytest.approx(values, **close), name
    assert (ours.r_squared, ours.adjusted_r_squared) == pytest.approx((theirs.rsquared, theirs.rsquared_adj), **close)
    assert (ours.f, ours.p, ours.aic, ours.bic) == pytest.approx(
        (theirs.fvalue, theirs.f_pvalue, theirs.aic, theirs.bic), **close
    )
    assert ours.error == pytest.approx(np.sqrt(theirs.mse_resid), **close)
    assert (ours.n, ours.degrees) == (n, (predictors, n - predictors - 1))
    influence = theirs.get_influence()
    for name, values in {
        "predicted": theirs.fittedvalues, "residual": theirs.resid, "leverage": influence.hat_matrix_diag,
        "cook": influence.cooks_distance[0], "standardised": influence.resid_studentized_internal,
    }.items():  # fmt: skip
        assert [getattr(point, name) for point in ours.points] == pytest.approx(values, **close), name
    assert ours.breusch_pagan_p == pytest.approx(het_breuschpagan(theirs.resid, X)[1], **close)
    inflation = [variance_inflation_factor(X, i) for i in range(1, predictors + 1)]
    assert [term.inflation for term in ours.terms[1:]] == pytest.approx(inflation, **close)


def test_condition_number_by_hand() -> None:
    # Columns 1 and x scaled to length 1 have the product c = sum(x) / sqrt(n * sum(x²)) = 6 / sqrt(4 * 14):
    # the singular values' squares are 1 + c and 1 - c.
    c = 6 / np.sqrt(4 * 14)
    found = regress({"x": np.array([0.0, 1, 2, 3])}, np.array([0.0, 1, 1, 2]))
    assert found.condition == pytest.approx(np.sqrt((1 + c) / (1 - c)))


def test_a_line_by_hand() -> None:
    # x 0 1 2 3, y 0 1 1 2: means 1.5 and 1; Sxy = 3, Sxx = 5, Syy = 2. Slope .6, intercept .1, R² = 9/10.
    # SSR = .2 with 2 degrees: F = 1.8 / .1 = 18; the slope's standard error sqrt(.1 / 5).
    found = regress({"x": np.array([0.0, 1, 2, 3])}, np.array([0.0, 1, 1, 2]))
    assert (found.intercept, found.coefficients["x"]) == pytest.approx((0.1, 0.6))
    assert (found.r_squared, found.f) == pytest.approx((0.9, 18.0))
    assert found.terms[1].standard_error == pytest.approx(np.sqrt(0.02))
    assert found.predictors == ("x",)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(7, 30))
def test_residuals_have_nothing_of_the_predictors(seed, predictors, n) -> None:
    columns, y = data(n, predictors, seed)
    found = regress(columns, y)
    residuals = np.array([point.residual for point in found.points])
    assert residuals.sum() == pytest.approx(0, abs=1e-8)
    for column in columns.values():
        assert residuals @ column == pytest.approx(0, abs=1e-7)
    assert 0 <= found.r_squared <= 1
    assert sum(point.leverage for point in found.points) == pytest.approx(predictors + 1)


def test_an_excluded_point_is_shown_and_not_fitted() -> None:
    columns, y = data()
    names = [f"v{i}" for i in range(23)]
    spoilt = y.copy()
    spoilt[4] += 1000
    left_out = Exclusion("v4", "mangled, and well-formed all the same")
    found = regress(columns, spoilt, items=names, exclude=[left_out])
    without = regress({name: np.delete(x, 4) for name, x in columns.items()}, np.delete(y, 4))
    assert (found.n, found.degrees) == (22, (3, 18))
    assert [term.value for term in found.terms] == pytest.approx([term.value for term in without.terms])
    shown = [point for point in found.points if point.excluded]
    assert [(point.item, point.judged, point.excluded) for point in shown] == [("v4", spoilt[4], left_out.reason)]
    expected = found.intercept + sum(weight * columns[name][4] for name, weight in found.coefficients.items())
    assert shown[0].predicted == pytest.approx(expected)
    assert shown[0].residual == pytest.approx(spoilt[4] - expected)
    assert np.isnan([shown[0].leverage, shown[0].cook]).all()
    assert [point.item for point in found.fitted_points] == [name for name in names if name != "v4"]
    assert "mangled" in next(n.message for n in found.notices if n.kind == "excluded")


@pytest.mark.parametrize("reason", ["", "  "])
def test_nothing_is_excluded_without_a_reason(reason) -> None:
    with pytest.raises(InputError, match="v1 is excluded without a reason"):
        Exclusion("v1", reason)


def test_missing_values_are_counted() -> None:
    columns, y = data(40)
    columns["x0"][3] = y[5] = np.nan
    found = regress(columns, y)
    assert found.n == 38
    assert [(one.kind, one.count) for one in found.notices] == [("missing value", 2)]


def test_warnings() -> None:
    columns, y = data(40)
    assert regress(columns, y).notices == ()
    columns["again"] = columns["x0"] + 1e-3 * np.arange(40)
    kinds = {one.kind: one.message for one in regress(columns, y).notices}
    assert kinds.keys() == {"collinearity"}
    assert "x0, again" in kinds["collinearity"]
    x = np.append(np.arange(12.0) % 3, 50)
    kinds = {one.kind: one.message for one in regress({"x": x, "z": x**2}, np.append(np.zeros(12), 9.0)).notices}
    assert "13 points for 2 predictors" in kinds["few points"]
    y = np.append(np.arange(12.0) % 2, 9)
    kinds = {one.kind: one.message for one in regress({"x": x}, y).notices}
    assert kinds["influential point"].endswith(": 13")


def test_a_perfect_fit_has_no_p() -> None:
    x = np.arange(6.0)
    found = regress({"x": x}, 2 * x)
    assert found.r_squared == pytest.approx(1)
    assert found.p < 1e-12
    assert f_of_r_squared(1.0, 23, 3) == float("inf")
    assert p_of_f(float("inf"), 3, 19) == 0


def test_a_point_that_a_coefficient_is_fitted_to_alone() -> None:
    columns, y = data(30, 1)
    alone = np.where(np.arange(30) == 4, 0.3, 0.0)
    found = regress({**columns, "alone": alone}, y)
    point = found.points[4]
    assert point.leverage == pytest.approx(1)
    assert np.isnan([point.standardised, point.cook]).all()
    assert np.isfinite([one.standardised for one in found.points if one is not point]).all()
    assert [(one.kind, one.count, one.message[-4:]) for one in found.notices] == [("point by itself", 1, "): 5")]
    assert len(normal_quantiles(found)) == 29
    without = regress(columns, np.where(alone > 0, np.nan, y))  # the others are fitted as if it was not there
    assert found.terms[1].value == pytest.approx(without.terms[1].value)


def test_what_cannot_be_fitted() -> None:
    columns, y = data(10)
    with pytest.raises(InputError, match="there is no predictor"):
        regress({}, y)
    with pytest.raises(InputError, match="4 points for 3 predictors; at least 5"):
        regress({name: x[:4] for name, x in columns.items()}, y[:4])
    with pytest.raises(InputError, match="all 10 judgements are the same"):
        regress(columns, np.ones(10))
    with pytest.raises(InputError, match="x is a linear combination of a constant"):
        regress({"x": np.full(10, 0.1)}, y)
    with pytest.raises(InputError, match="sum is a linear combination of x0, x1, x2; leave out sum"):
        regress({**columns, "sum": columns["x0"] - columns["x2"] + 3}, y)
    with pytest.raises(InputError, match="'v1' is excluded and not there"):
        regress(columns, y, exclude=[Exclusion("v1", "why not")])


def test_normal_plot() -> None:
    columns, y = data(101)
    points = normal_quantiles(regress(columns, y, exclude=[Exclusion("7", "for the test")]))
    assert len(points) == 100
    quantiles, residuals = map(list, zip(*points, strict=True))
    assert residuals == sorted(residuals)
    assert quantiles[0] == pytest.approx(-2.5758293)  # of .005
    assert np.corrcoef(quantiles, residuals)[0, 1] > 0.98


def test_every_combination_is_a_regression_of_its_own() -> None:
    columns, y = data(30, 4)
    found = every_combination(columns, y, largest=3)
    assert [len(one.predictors) for one in found.models] == [1] * 4 + [2] * 6 + [3] * 4
    for one in found.models:
        alone = regress({name: columns[name] for name in one.predictors}, y)
        ours = (one.r_squared, one.adjusted_r_squared, one.f, one.p, one.aic, one.bic)
        theirs = (alone.r_squared, alone.adjusted_r_squared, alone.f, alone.p, alone.aic, alone.bic)
        assert ours == pytest.approx(theirs, rel=1e-9)
        assert one.corrected_p >= one.p
    assert max(found.models[:4], key=lambda one: one.r_squared).predictors == ("x0",)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_a_further_predictor_never_explains_less(seed) -> None:
    columns, y = data(12, 4, seed, noise=5)
    by_name = {one.predictors: one.r_squared for one in every_combination(columns, y, largest=4).models}
    for names, value in by_name.items():
        for one in names if len(names) > 1 else ():
            assert value >= by_name[tuple(name for name in names if name != one)] - 1e-12


def test_combinations_use_the_same_points() -> None:
    columns, y = data(30, 3)
    columns["x2"][:5] = np.nan
    names = [f"v{i}" for i in range(30)]
    found = every_combination(columns, y, largest=1, items=names, exclude=[Exclusion("v9", "a test")])
    assert {one.n for one in found.models} == {24} == {found.n}
    assert [(one.kind, one.count) for one in found.notices] == [("missing value", 5), ("excluded", 1)]


def test_dependent_combinations_are_left_out_and_counted() -> None:
    # I' = I - M: of 7 combinations the one of all three is left out; a constant is in 4 more of 8.
    random = np.random.default_rng(3)
    insertions, moves = random.integers(3, 9, 40).astype(float), random.integers(0, 3, 40).astype(float)
    columns = {"I": insertions, "M": moves, "I'": insertions - moves}
    y = random.normal(size=40)
    found = every_combination(columns, y, largest=3)
    assert len(found.models) == 6
    assert [(one.kind, one.count) for one in found.notices] == [("dependent predictors", 1)]
    assert "I + M + I'" in found.notices[0].message
    found = every_combination({"I": insertions, "M": moves, "flat": np.full(40, 0.1)}, y, largest=3)
    assert [one.predictors for one in found.models] == [("I",), ("M",), ("I", "M")]
    assert found.notices[0].count == 4


def test_few_points_allow_small_models_only() -> None:
    columns, y = data(6, 4)
    assert max(len(one.predictors) for one in every_combination(columns, y, largest=4).models) == 4
    with pytest.raises(InputError, match="at most 0 predictors"):
        every_combination(columns, y, largest=0)


def test_a_combination_that_explains_all() -> None:
    x = np.arange(8.0)
    found = every_combination({"x": x, "z": x % 2}, 3 * x, largest=1).models[0]
    assert found.r_squared == pytest.approx(1)
    assert found.p < 1e-12


def test_more_predictors_than_points_are_combined_as_far_as_points_go() -> None:
    random = np.random.default_rng(4)
    y = random.normal(size=5)
    columns = {f"x{i}": random.normal(size=5) for i in range(8)}
    found = every_combination(columns, y, largest=4)
    assert {len(one.predictors) for one in found.models} == {1, 2, 3}  # four leave nothing to test with
    pair = next(one for one in found.models if len(one.predictors) == 2)
    assert pair.r_squared == pytest.approx(regress({name: columns[name] for name in pair.predictors}, y).r_squared)
    with pytest.raises(InputError, match="2 points for 1 predictors"):
        every_combination({name: column[:2] for name, column in columns.items()}, y[:2], largest=4)
