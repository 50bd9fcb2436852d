from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.errors import InputError
from fergus.metrics import significance
from fergus.metrics.catalogue import metric_class
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.significance import compare, holm, intervals

SSA, GSA, BLEU = (metric_class(name)() for name in ("simple_string_accuracy", "generation_string_accuracy", "bleu"))


def tables(outputs: list[str], references: list[str]) -> dict[str, np.ndarray]:
    pairs = zip(outputs, references, strict=True)
    batch = Batch([Segment(Sentence(tuple(h.split())), (Sentence(tuple(r.split())),)) for h, r in pairs])
    return {metric.name: metric.statistics(batch) for metric in (SSA, GSA, BLEU)}


REFERENCES = [f"the cat number {i} sat on the mat number {i}" for i in range(60)]
GOOD = [r if i % 5 else r.replace("sat on", "on sat") for i, r in enumerate(REFERENCES)]
BAD = [" ".join(reversed(r.split())) for r in REFERENCES]


def test_a_clear_difference_is_found_by_both_tests() -> None:
    found = compare([SSA, BLEU], {"good": tables(GOOD, REFERENCES), "bad": tables(BAD, REFERENCES)}, trials=2000)
    assert [(c.metric, c.aggregate) for c in found] == [("simple_string_accuracy", "mean"), ("bleu", "pooled")]
    for comparison in found:
        assert comparison.difference > 0
        assert comparison.interval.low > 0
        # 1,000 samples and 2,000 trials, none as extreme: (0 + 1) / (n + 1)
        assert comparison.bootstrap_p == pytest.approx(1 / 1001)
        assert comparison.randomisation_p == pytest.approx(1 / 2001)


def test_equal_systems_are_never_different() -> None:
    same = tables(GOOD, REFERENCES)
    for comparison in compare([SSA, BLEU], {"a": same, "b": same, "c": same}, samples=100, trials=100):
        assert comparison.difference == 0
        assert (comparison.bootstrap_p, comparison.randomisation_p) == (1, 1)
        assert (comparison.corrected_bootstrap_p, comparison.corrected_randomisation_p) == (1, 1)


def test_randomisation_equals_all_exchanges() -> None:
    # Three sentences: of the 8 ways to exchange rows, |difference| >= observed in 2 (all or none), since every
    # sentence favours the first system. 2/8 = .25.
    first, second = tables(REFERENCES[:3], REFERENCES[:3]), tables(BAD[:3], REFERENCES[:3])
    (found,) = compare([SSA], {"a": first, "b": second}, samples=50, trials=20_000)
    assert found.randomisation_p == pytest.approx(0.25, abs=0.01)


def test_intervals_are_those_of_plain_resampling() -> None:
    statistics = tables([*GOOD[:30], *BAD[30:]], REFERENCES)
    found = intervals([SSA, BLEU], statistics, samples=4000, seed=1)
    generator = np.random.default_rng(2)
    draws = [generator.integers(0, 60, 60) for _ in range(4000)]
    means = [SSA.scores(statistics[SSA.name][d], pooled=False).mean() for d in draws]
    pooled = [float(BLEU.scores(statistics[BLEU.name][d].sum(axis=0), pooled=True)) for d in draws]
    mean_interval, bleu_interval = found[SSA.name][0], found[BLEU.name][1]
    assert mean_interval is not None
    assert bleu_interval is not None
    assert [mean_interval.low, mean_interval.high] == pytest.approx(np.percentile(means, [2.5, 97.5]), abs=0.02)
    assert [bleu_interval.low, bleu_interval.high] == pytest.approx(np.percentile(pooled, [2.5, 97.5]), abs=1.5)


def test_blocks_change_the_draws_but_not_the_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = tables([*GOOD[:30], *BAD[30:]], REFERENCES)
    whole = intervals([SSA], statistics, samples=3000)[SSA.name][0]
    monkeypatch.setattr(significance, "BLOCK", 3000 * 7)  # nine blocks of seven segments
    parts = intervals([SSA], statistics, samples=3000)[SSA.name][0]
    assert whole is not None
    assert parts is not None
    assert [parts.low, parts.high] == pytest.approx([whole.low, whole.high], abs=0.03)


def test_undefined_sentences_count_for_nothing() -> None:
    statistics = tables(GOOD, REFERENCES)
    holes = {name: np.vstack([table, np.full((5, table.shape[1]), np.nan)]) for name, table in statistics.items()}
    found = intervals([SSA], holes, samples=500)[SSA.name]
    assert found[0] is not None
    score = SSA.aggregate(holes[SSA.name])
    assert score.missing == 5
    assert found[0].low <= (score.mean or 0) <= found[0].high
    nothing = {name: np.full_like(table, np.nan) for name, table in statistics.items()}
    assert intervals([SSA], nothing, samples=10)[SSA.name] == (None, None)
    assert compare([SSA], {"a": statistics, "b": nothing}, samples=10, trials=10) == []


def test_a_baseline_is_compared_with_all_others() -> None:
    systems = {name: tables(GOOD, REFERENCES) for name in "abc"}
    found = compare([SSA], systems, baseline="b", samples=10, trials=10)
    assert [(c.first, c.second) for c in found] == [("a", "b"), ("b", "c")]
    with pytest.raises(InputError, match="no system 'd'; the systems are a, b, c"):
        compare([SSA], systems, baseline="d")


@given(st.lists(st.floats(0.0001, 1), max_size=8))
def test_holm_lies_between_no_correction_and_bonferroni(p_values: list[float]) -> None:
    corrected = holm(p_values)
    for p, q in zip(p_values, corrected, strict=True):
        assert p <= q <= min(1.0, p * len(p_values)) + 1e-12
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [corrected[i] for i in order] == sorted(corrected)


def test_the_same_seed_gives_the_same_intervals() -> None:
    statistics = tables(GOOD, REFERENCES)
    assert intervals([SSA], statistics, seed=7) == intervals([SSA], statistics, seed=7)
    assert intervals([SSA], statistics, seed=7) != intervals([SSA], statistics, seed=8)
