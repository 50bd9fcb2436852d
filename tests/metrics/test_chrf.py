from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF

from fergus.metrics.chrf import ChrF
from fergus.metrics.segment import Batch
from tests.metrics.samples import batch_of, random_segments, segment, streams

ORACLE = CHRF()


def test_by_hand() -> None:
    # "abc" against "abd": precision and recall 2/3, 1/2, 0/1 of lengths 1 to 3, so both are 7/18.
    assert ChrF().sentence_score("ab c", ["a bd"]).score == pytest.approx(700 / 18)


@pytest.mark.parametrize(("references", "seed"), [(1, 1), (3, 2)])
def test_equal_to_sacrebleu(references: int, seed: int) -> None:
    segments = random_segments(400, seed=seed, references=references)
    metric = ChrF()
    rows = metric.statistics(Batch(segments))
    texts = [given.hypothesis.text for given in segments]
    for score, text, given in zip(metric.scores(rows, pooled=False), texts, segments, strict=True):
        expected = ORACLE.sentence_score(text, [r.text for r in given.references])
        assert score == pytest.approx(expected.score, abs=1e-9)
    expected = ORACLE.corpus_score(texts, streams(segments))
    assert metric.aggregate(rows).pooled == pytest.approx(expected.score, abs=1e-9)


def test_many_sums_at_once() -> None:
    rows = ChrF().statistics(Batch(random_segments(50, seed=3)))
    sums = rows[np.random.default_rng(4).integers(0, 50, (7, 6))].sum(axis=1)
    expected = [ORACLE._compute_f_score(list(row)) for row in sums]
    assert ChrF().scores(sums, pooled=True) == pytest.approx(expected, abs=1e-9)


def test_empty_texts() -> None:
    metric = ChrF()
    assert metric.sentence_score("", ["no cost"]).score == 0
    assert metric.sentence_score("", [""]).score is None
    assert np.isnan(metric.statistics(batch_of("", ""))).all()
    assert metric.corpus_score(["", "ab"], [["", "ab"]]).pooled == pytest.approx(100)
    assert metric.statistics(Batch([])).shape == (0, 18)
    assert metric.scores(np.zeros(18), pooled=True) == 0


def test_white_space_and_broken_characters() -> None:
    batch = Batch([segment(["New\u2003York", "\ud800"], [["NewYork", "\ud800"]])])
    assert ChrF().scores(ChrF().statistics(batch), pooled=False) == pytest.approx([100])
