from __future__ import annotations

import numpy as np
import pytest

from fergus.analysis.clusters import clusters
from fergus.analysis.compare_metrics import compare_metrics, williams
from fergus.analysis.many_tests import corrected_for_number, enough_trials


def test_williams_by_hand() -> None:
    # n = 50, r12 = .6, r13 = .4, r23 = .5: the determinant is 1 - .36 - .16 - .25 + .24 = .47, the mean .5;
    # t = .2 sqrt(49 * 1.5 / (2 * .47 * 49/47 + .25 * .125)) = .2 sqrt(73.5 / 1.01125) = 1.7051.
    t, p = williams(0.6, 0.4, 0.5, 50)
    assert t == pytest.approx(1.7051, abs=1e-4)
    assert p == pytest.approx(0.0948, abs=1e-4)  # two-sided, 47 degrees of freedom


def test_williams_is_antisymmetric_and_undefined_for_few() -> None:
    assert williams(0.4, 0.6, 0.5, 50)[0] == pytest.approx(-williams(0.6, 0.4, 0.5, 50)[0])
    assert np.isnan(williams(0.4, 0.6, 0.5, 3)).all()
    assert np.isnan(williams(0.4, 0.4, 1.0, 30)).all()


def test_williams_keeps_its_level() -> None:
    random = np.random.default_rng(5)
    hits = 0
    for _ in range(400):  # two metrics that are equally good
        y = random.normal(size=60)
        a, b = y + random.normal(size=60), y + random.normal(size=60)
        r = np.corrcoef([y, a, b])
        hits += williams(r[0, 1], r[0, 2], r[1, 2], 60)[1] < 0.05
    assert 0.02 <= hits / 400 <= 0.09  # a binomial of .05 and 400 trials lies there but once in ten thousand


def test_a_better_metric_is_found() -> None:
    random = np.random.default_rng(1)
    y = random.normal(size=200)
    metrics = {
        "good": y + random.normal(0, 0.5, 200),
        "poor": y + random.normal(0, 3, 200),
        "none": random.normal(size=200),
    }
    found = {(c.first, c.second): c for c in compare_metrics(metrics, y, trials=200)}
    assert found["good", "poor"].difference > 0.4
    assert found["good", "poor"].corrected_p < 0.05
    assert found["good", "poor"].williams_p < 1e-6
    values = {name: float(np.corrcoef(scores, y)[0, 1]) for name, scores in metrics.items()}
    assert clusters(values, found.values())[0] == ["good"]


def test_equal_metrics_are_not_told_apart() -> None:
    random = np.random.default_rng(2)
    y = random.normal(size=100)
    a = y + random.normal(size=100)
    found = {(c.first, c.second): c for c in compare_metrics({"a": a, "b": 3 * a + 2, "c": np.ones(100)}, y, trials=50)}
    assert found["a", "b"].permutation_p == 1
    assert np.isnan(found["a", "c"].permutation_p)
    assert np.isnan(found["a", "c"].corrected_p)


def test_texts_of_one_input_are_exchanged_together() -> None:
    # Two equally bad metrics; what they see and what people think both depend on the input. A test that takes the 150
    # texts as independent finds them different in a third of such studies.
    random = np.random.default_rng(8)
    inputs = np.repeat(np.arange(15), 10)
    hits = {"inputs": 0, "texts": 0}
    for seed in range(200):
        y, a, b = (random.normal(size=15)[inputs] + random.normal(0, 0.5, 150) for _ in range(3))
        for name, groups in (("inputs", inputs), ("texts", None)):
            (found,) = compare_metrics({"a": a, "b": b}, y, inputs=groups, trials=100, seed=seed)
            hits[name] += found.permutation_p < 0.05
    assert hits["inputs"] / 200 < 0.09
    assert hits["texts"] / 200 > 0.3


def test_exchanges_are_those_of_a_slow_loop() -> None:
    random = np.random.default_rng(3)
    inputs = np.repeat(np.arange(6), 2)
    y, a, b = (random.normal(size=12) for _ in range(3))
    (found,) = compare_metrics({"a": a, "b": b}, y, inputs=inputs, trials=20_000)
    (x1, x2), hits = ((one - one.mean()) / one.std() for one in (a, b)), 0
    observed = abs(np.corrcoef(a, y)[0, 1] - np.corrcoef(b, y)[0, 1])
    for number in range(2**6):
        swap = np.array([number >> i & 1 for i in range(6)], bool)[inputs]
        first, second = np.where(swap, x2, x1), np.where(swap, x1, x2)
        hits += abs(np.corrcoef(first, y)[0, 1] - np.corrcoef(second, y)[0, 1]) >= observed - 1e-12
    assert found.permutation_p == pytest.approx(hits / 2**6, abs=0.015)


def test_missing_scores_leave_their_items_out() -> None:
    y = np.arange(10.0)
    a, b = y.copy(), y[::-1].copy()
    a[0], b[1] = np.nan, np.nan
    (found,) = compare_metrics({"a": a, "b": b}, y, trials=20)
    assert found.n == 8


def test_correction_leaves_undefined_ones_alone() -> None:
    assert corrected_for_number([0.01, float("nan"), 0.04, 0.03]) == pytest.approx(
        [0.03, float("nan"), 0.06, 0.06], nan_ok=True
    )
    # Two of six possible comparisons: .01 counts six times and .04 five times.
    assert corrected_for_number([0.04, 0.01], comparisons=6) == pytest.approx([0.2, 0.06])
    assert enough_trials(1000, 45) == 4500
