from __future__ import annotations

import math

import numpy as np
import pytest
from nltk.translate.nist_score import corpus_nist

from fergus.errors import InputError
from fergus.metrics import nist
from fergus.metrics.nist import Nist
from fergus.metrics.segment import Batch, Segment
from tests.metrics.samples import batch_of, random_segments, segment


def _nltk(segments: list[Segment], order: int = 5) -> float:
    references = [[list(r.tokens) for r in s.references] for s in segments]
    return float(corpus_nist(references, [list(s.hypothesis.tokens) for s in segments], order))


def test_by_hand() -> None:
    # The 4 tokens of the references: a twice (log2 4/2 = 1 bit), b and c once (2 bits each);
    # "a b" once (log2 2/1 = 1 bit), "c a" once (log2 1/1 = 0 bits). The hypotheses are equal to them:
    # (1 + 2 + 2 + 1) / 4 for the tokens, (1 + 0) / 2 for the pairs.
    assert Nist().corpus_score(["a b", "c a"], [["a b", "c a"]]).pooled == pytest.approx(6 / 4 + 1 / 2)


def test_penalty_is_a_half_at_two_thirds() -> None:
    row = np.zeros(12)
    row[0], row[5], row[10], row[11] = 6, 2, 2, 3
    assert Nist().scores(row, pooled=True) == pytest.approx(3 / 2)


@pytest.mark.parametrize(("references", "seed", "order"), [(1, 1, 5), (1, 2, 4), (3, 3, 5)])
def test_equal_to_nltk(references: int, seed: int, order: int) -> None:
    segments = random_segments(150, seed=seed, references=references)
    metric = Nist(order=order)
    rows = metric.statistics(Batch(segments))
    assert metric.aggregate(rows).pooled == pytest.approx(_nltk(segments, order))


def test_prepared_batches_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nist, "CHUNK", 7)
    segments = random_segments(40, seed=4, references=2)
    whole = Nist()
    prepared = Nist()
    prepared.prepare(reference for given in segments for reference in given.references)
    parts = np.concatenate([prepared.statistics(Batch(segments[:11])), prepared.statistics(Batch(segments[11:]))])
    assert parts == pytest.approx(whole.statistics(Batch(segments)))
    assert prepared.scores(parts.sum(axis=0), pooled=True) == pytest.approx(_nltk(segments))


def test_several_references_are_not_pooled() -> None:
    # mteval would match both tokens; NLTK and we take the reference whose match is worth more: 1 of 2 tokens,
    # 2 bits (4 tokens in all), and no pair matches.
    score = Nist().sentence_score("a b", ["a x", "y b"])
    assert score.score == pytest.approx(2 / 2)
    assert "|references:best|" in score.signature


def test_reference_that_was_not_counted() -> None:
    metric = Nist()
    metric.prepare(batch_of("", "no cost").segments[0].references)
    assert metric.sentence_score("no cost", ["no cost"]).score
    with pytest.raises(InputError, match=r"'cost no' was not among .*; call prepare"):
        metric.sentence_score("no", ["cost no"])


def test_many_sums_at_once() -> None:
    rows = Nist().statistics(Batch(random_segments(30, seed=5)))
    sums = rows[np.random.default_rng(1).integers(0, 30, (4, 3, 9))].sum(axis=2)
    scores = Nist().scores(sums, pooled=True)
    assert scores.shape == (4, 3)
    assert scores[2, 1] == pytest.approx(float(Nist().scores(sums[2, 1], pooled=True)))


def test_empty_texts() -> None:
    metric = Nist()
    assert metric.sentence_score("", ["no cost"]).score == 0
    assert metric.sentence_score("", [""]).score is None
    assert metric.corpus_score(["", "a b"], [["", "a b"]]).missing == 1
    assert metric.statistics(Batch([])).shape == (0, 12)
    assert metric.scores(np.zeros(12), pooled=True) == 0
    assert np.isnan(metric.scores(np.full((2, 12), np.nan), pooled=False)).all()


def test_shorter_than_the_longest_ngram() -> None:
    # Two tokens of 1 bit each, a pair of 0 bits; there are no longer n-grams, where NLTK divides by 0.
    assert Nist().sentence_score("a b", ["a b"]).score == pytest.approx(math.log2(2))
    odd = Batch([segment(["New York", "", "\ud800"], [["New York", "", "\ud800"]])])
    assert Nist().statistics(odd)[0, 5:].tolist() == [3, 2, 1, 0, 0, 3, 3]
