"""What sections 4.1 and 4.2 of Bangalore, Rambow and Whittaker (2000) print and can be recomputed from one another.

"Evaluation Metrics for Generation", INLG 2000. A printed figure is rounded: a relation holds if some values that round
to the printed ones fulfil it.
"""

from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.coefficients import p_of_r
from fergus.analysis.learn import scaled
from fergus.analysis.regress import f_of_r_squared, p_of_f
from fergus.metrics.derived import LEARNED, read_model

VARIANTS, EXCLUDED = 24, 1
POINTS = VARIANTS - EXCLUDED


def test_subjects_and_variants() -> None:
    # "three or five variants" of 6 base sentences, and 24 judgements a subject: three sentences of each kind.
    assert [(a, 6 - a) for a in range(7) if 3 * a + 5 * (6 - a) == VARIANTS] == [(3, 3)]


def test_mean_number_of_substitutions() -> None:
    # "S ranges between 0 and 10 with a mean of 1.583": 38 substitutions in all 24 variants; no number of them in 23
    # has this mean, so that it counts the excluded variant too.
    assert round(38 / VARIANTS, 3) == 1.583
    assert not any(round(count / POINTS, 3) == 1.583 for count in range(231))


@pytest.mark.parametrize(
    ("r", "low", "high"),
    [
        (0.94, 0, 0.0001),  # understanding with quality, "p < 0.0001"
        (0.08, 0.05, 1), (0.23, 0.05, 1),  # string accuracies with understanding, "for both p > 0.05"
        (0.51, 0, 0.05), (0.48, 0, 0.05),  # tree accuracies with understanding, "for both p < 0.05"
        (0.16, 0.05, 1), (0.33, 0.05, 1),  # the same with quality
        (0.45, 0, 0.05), (0.42, 0, 0.05),
    ],
)  # fmt: skip
def test_p_of_the_correlations(r, low, high) -> None:
    # r(22): 24 points, before the exclusion.
    assert low < p_of_r(r, VARIANTS) < high


TABLE_3 = [
    ("SSA", "understanding", 1, 0.02, 0.571),
    ("SSA", "quality", 1, 0.00, 0.953),
    ("GSA", "understanding", 1, 0.02, 0.584),
    ("GSA", "quality", 1, 0.05, 0.327),
    ("STA", "understanding", 1, 0.36, 0.003),
    ("STA", "quality", 1, 0.34, 0.003),
    ("GTA", "understanding", 1, 0.35, 0.003),
    ("GTA", "quality", 1, 0.35, 0.003),
    ("STA + S", "understanding", 2, 0.48, 0.001),
    ("STA + S", "quality", 2, 0.47, 0.002),
    ("STA + M", "understanding", 2, 0.38, 0.008),
    ("STA + M", "quality", 2, 0.34, 0.015),
    ("STA + length", "understanding", 2, 0.40, 0.006),
    ("STA + length", "quality", 2, 0.42, 0.006),
    ("STA + S + length", "understanding", 3, 0.51, 0.003),
    ("STA + S + length", "quality", 3, 0.53, 0.002),
]
# Two rows do not agree with themselves, whatever was rounded (23 points, as the degrees of freedom of F say):
# - GSA, understanding: R² of .015 or more has p of .578 or less, not .584; that p is R² = .0145, printed .01;
# - STA + length, quality: R² of .42 has p = .004, not .006; that p is R² of .396 to .406, the row above's .40.
CONTRADICTORY = {("GSA", "understanding"): (0.471, 0.578), ("STA + length", "quality"): (0.004, 0.005)}


def p_of(r_squared: float, predictors: int, points: int = POINTS) -> float:
    return p_of_f(f_of_r_squared(r_squared, points, predictors), predictors, points - predictors - 1)


@pytest.mark.parametrize(("model", "judged", "predictors", "r_squared", "p"), TABLE_3)
def test_p_of_table_3(model, judged, predictors, r_squared, p) -> None:
    least, most = p_of(r_squared + 0.005, predictors), p_of(max(r_squared - 0.005, 0), predictors)
    agrees = round(least, 3) <= p <= round(most, 3)
    assert agrees == ((model, judged) not in CONTRADICTORY)
    if not agrees:
        assert (round(least, 3), round(most, 3)) == CONTRADICTORY[model, judged]


def test_table_3_excludes_the_variant() -> None:
    # With all 24 points most rows would contradict themselves: the table is of 23.
    contradictory = [
        row
        for *row, predictors, r_squared, p in TABLE_3
        if not round(p_of(r_squared + 0.005, predictors, VARIANTS), 3)
        <= p
        <= round(p_of(max(r_squared - 0.005, 0), predictors, VARIANTS), 3)
    ]
    assert len(contradictory) == 10


def test_r_squared_of_the_contradictory_rows_from_their_p() -> None:
    # As in the comment above.
    trial = np.arange(0.0001, 0.6, 0.0001)
    for (model, judged, predictors, _, p), (least, most) in {
        TABLE_3[2]: (0.0144, 0.0146),
        TABLE_3[13]: (0.396, 0.406),
    }.items():
        fitting = [r for r in trial if round(p_of(r, predictors), 3) == p]
        assert (model, judged) in CONTRADICTORY
        assert least - 5e-4 <= min(fitting)
        assert max(fitting) <= most + 5e-4


def test_a_larger_model_explains_no_less() -> None:
    printed = {(model, judged): r_squared for model, judged, _, r_squared, _ in TABLE_3}
    for (model, judged), larger in printed.items():
        for (part, other), smaller in printed.items():
            if judged == other and set(part.split(" + ")) < set(model.split(" + ")):
                assert larger >= smaller


@pytest.mark.parametrize(("f", "r_squared", "p"), [(6.62, 0.51, 0.003), (7.23, 0.53, 0.002)])
def test_f_of_the_best_models(f, r_squared, p) -> None:
    # F(3,19) = 6.62 and 7.23, both "p < 0.005": R² of 3 F / (3 F + 19) = .5111 and .5331.
    assert round(3 * f / (3 * f + 19), 2) == r_squared
    assert f_of_r_squared(3 * f / (3 * f + 19), POINTS, 3) == pytest.approx(f)
    assert f_of_r_squared(r_squared - 0.005, POINTS, 3) < f < f_of_r_squared(r_squared + 0.005, POINTS, 3)
    assert round(p_of_f(f, 3, 19), 3) == p < 0.005


PERFECT = {"simple_tree_accuracy": 1.0, "substitutions": 0.0}


@pytest.mark.parametrize(
    ("name", "intercept", "accuracy", "substitutions", "perfect"),
    [
        ("understandability_accuracy", -0.4458, 1.3147, -0.1039, 0.8689),
        ("quality_accuracy", -0.3553, 1.0192, -0.0869, 0.6639),
    ],
)
def test_the_scaling_of_both_metrics(name, intercept, accuracy, substitutions, perfect) -> None:
    # Section 4.2: "a perfect sentence gets a score of 0.8689 (for understandability) or 0.6639 (for quality)".
    coefficients = {"simple_tree_accuracy": accuracy, "substitutions": substitutions}
    metric = scaled(intercept, coefficients, PERFECT)
    assert round(metric.perfect, 4) == perfect
    assert metric.scores({"simple_tree_accuracy": np.array([1.0]), "substitutions": np.array([0.0])}) == [1.0]
    shipped = read_model(LEARNED / f"{name}.toml")
    assert (shipped.intercept, dict(shipped.coefficients)) == (intercept, coefficients)


# Table 2's simple tree accuracies beside Table 4's new ones.
TABLES_2_AND_4 = {"baseline": (0.41, -0.08, -0.12), "supertag": (0.65, 0.44, 0.42)}


@pytest.mark.parametrize("system", TABLES_2_AND_4)
def test_both_metrics_of_table_4_are_of_one_number_of_substitutions(system) -> None:
    # Both metrics are linear: their means follow from the mean accuracy and the mean number of substitutions. The
    # latter is not printed, but what rounds to the printed figures must leave a number that suits both:
    # for the baseline about 1.6, for the supertag model about .3 substitutions a sentence.
    accuracy, understandability, quality = TABLES_2_AND_4[system]
    suitable = []
    for count in np.arange(0, 3, 0.01):
        for true in np.arange(accuracy - 0.005, accuracy + 0.005, 0.001):
            values = {"simple_tree_accuracy": np.array([true]), "substitutions": np.array([count])}
            both = (
                scaled(-0.4458, {"simple_tree_accuracy": 1.3147, "substitutions": -0.1039}, PERFECT).scores(values)[0],
                scaled(-0.3553, {"simple_tree_accuracy": 1.0192, "substitutions": -0.0869}, PERFECT).scores(values)[0],
            )
            if np.allclose(both, (understandability, quality), atol=0.005, rtol=0):
                suitable.append(count)
    assert suitable
    assert min(suitable) > (1.4 if system == "baseline" else 0.1)
    assert max(suitable) < (1.8 if system == "baseline" else 0.5)
