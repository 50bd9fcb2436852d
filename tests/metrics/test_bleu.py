from __future__ import annotations

import math

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from fergus.metrics.bleu import Bleu
from fergus.metrics.segment import Batch
from tests.metrics.samples import batch_of, random_segments, segment, streams

ORACLE = BLEU(tokenize="none", force=True)
SENTENCE_ORACLE = BLEU(tokenize="none", effective_order=True)


def test_by_hand() -> None:
    # 5 tokens against 6: precisions 5/5, 3/4, 1/3 and, smoothed, 1/(2*2); exp(1 - 6/5) for being short.
    score = Bleu().sentence_score("the cat on the mat", ["the cat sat on the mat"]).score
    assert score == pytest.approx(100 * math.exp(-0.2) * (1 * 3 / 4 * 1 / 3 * 1 / 4) ** 0.25)


@pytest.mark.parametrize(("references", "seed"), [(1, 1), (3, 2)])
def test_equal_to_sacrebleu(references: int, seed: int) -> None:
    segments = random_segments(400, seed=seed, references=references)
    metric = Bleu()
    rows = metric.statistics(Batch(segments))
    for row, score, given in zip(rows, metric.scores(rows, pooled=False), segments, strict=True):
        expected = SENTENCE_ORACLE.sentence_score(given.hypothesis.text, [r.text for r in given.references])
        assert [*row] == [expected.sys_len, expected.ref_len, *expected.counts, *expected.totals]
        assert score == pytest.approx(expected.score, abs=1e-9)
    expected = ORACLE.corpus_score([s.hypothesis.text for s in segments], streams(segments))
    assert metric.aggregate(rows).pooled == pytest.approx(expected.score, abs=1e-9)


def test_many_sums_at_once() -> None:
    rows = Bleu().statistics(Batch(random_segments(50, seed=3)))
    samples = np.random.default_rng(4).integers(0, 50, (3, 4, 6))
    sums = rows[samples].sum(axis=-2)
    scores = Bleu().scores(sums, pooled=True)
    assert scores.shape == (3, 4)
    for index in np.ndindex(3, 4):
        stats = [int(x) for x in sums[index]]
        expected = BLEU.compute_bleu(stats[2:6], stats[6:], stats[0], stats[1], smooth_method="exp")
        assert scores[index] == pytest.approx(expected.score, abs=1e-9)


def test_too_short_for_four_grams() -> None:
    # All precisions of a sentence that there are count; a corpus without any 4-gram scores 0, as in sacreBLEU.
    score = Bleu().corpus_score(["no cost"], [["no cost"]])
    assert (score.mean, score.pooled) == (pytest.approx(100), 0)


def test_empty_texts() -> None:
    metric = Bleu()
    assert metric.sentence_score("", ["no cost"]).score == 0
    assert metric.sentence_score("", [""]).score is None
    assert np.isnan(metric.statistics(batch_of("", ""))).all()
    assert metric.corpus_score(["", "a b c d"], [["", "a b c d"]]).missing == 1
    assert metric.statistics(Batch([])).shape == (0, 10)
    assert metric.scores(np.zeros(10), pooled=True) == 0


def test_tokens_are_not_split() -> None:
    batch = Batch([segment(["New York", "", "\ud800"], [["New York", "", "\ud800"]])])
    assert Bleu().statistics(batch).tolist() == [[3, 3, 3, 2, 1, 0, 3, 2, 1, 0]]


def test_signature() -> None:
    assert "|tok:spaces|order:4|eff:sentences|smooth:exp|as:sacrebleu-2.6.0 tok:none|" in Bleu().signature()
