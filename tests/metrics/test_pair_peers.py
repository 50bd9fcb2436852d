from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer

from fergus.errors import InputError
from fergus.metrics.base import PairMetric
from fergus.metrics.pair_peers import Dist, ExactMatch, RougeL
from fergus.metrics.segment import Batch
from tests.metrics.samples import random_segments, segment

TOKENS = st.lists(st.sampled_from(["a", "b", "ab", "A b", "日", ""]), max_size=8)


class _Spaces(Tokenizer):
    def tokenize(self, text: str) -> list[str]:
        return text.split()


def test_exact_match() -> None:
    metric = ExactMatch()
    assert metric.sentence_score("no cost", ["No cost"]).score == 0
    score = metric.corpus_score(["a b", "a", "c"], [["a b", "b", "d"], ["x", "a", "e"]])
    assert score.mean == score.pooled == pytest.approx(2 / 3)


def test_dist_is_pooled() -> None:
    # "kitten"/"sitting": 3 edits of 7; "ab"/"ab": 0 of 2.
    score = Dist().corpus_score(["kitten", "ab"], [["sitting", "ab"]])
    assert score.score == score.pooled == pytest.approx(100 * (1 - 3 / 9))
    assert score.mean == pytest.approx(100 * (1 - 3 / 14))


def test_dist_is_the_edit_distance_of_the_texts() -> None:
    segments = random_segments(60, seed=1)
    rows = Dist().statistics(Batch(segments))
    for row, sample in zip(rows, segments, strict=True):
        left, right = sample.hypothesis.text, sample.references[0].text
        assert [*row] == [edit_distance(left, right), max(len(left), len(right))]


def test_rouge_l_by_hand() -> None:
    # "the mat sat" is common: 3 of 4 and 3 of 5 tokens, 2 * 3 / 9.
    assert RougeL().sentence_score("the mat sat there", ["the mat was where sat"]).score == pytest.approx(6 / 9)


@pytest.mark.parametrize(("references", "seed"), [(1, 1), (3, 2)])
def test_rouge_l_is_that_of_rouge_score(references: int, seed: int) -> None:
    segments = random_segments(300, seed=seed, references=references)
    scorer = RougeScorer(["rougeL"], tokenizer=_Spaces())
    scores = RougeL().scores(RougeL().statistics(Batch(segments)), pooled=False)
    for score, sample in zip(scores, segments, strict=True):
        expected = scorer.score_multi([r.text for r in sample.references], sample.hypothesis.text)
        assert score == pytest.approx(expected["rougeL"].fmeasure)


@given(TOKENS, TOKENS)
def test_rouge_l_of_any_tokens(left: list[str], right: list[str]) -> None:
    row = RougeL().pair_statistics(Batch([segment(left, [right or ["a"]])]))[0]
    assert [*row] == [_longest(left, right or ["a"]), len(left), len(right or ["a"])]


def _longest(left: list[str], right: list[str]) -> int:
    if not left or not right:
        return 0
    if left[0] == right[0]:
        return 1 + _longest(left[1:], right[1:])
    return max(_longest(left[1:], right), _longest(left, right[1:]))


@pytest.mark.parametrize(("metric", "unit"), [(Dist(), "characters"), (RougeL(), "tokens")])
def test_lines_without_end(metric: PairMetric, unit: str) -> None:
    line = ["a"] * 200_000
    assert metric.sentence_score(line, [line]).score == metric.perfect
    with pytest.raises(InputError, match=rf"pair 1 is too long to be compared: \d+ and \d+ {unit}; the product"):
        metric.sentence_score(["b"] * 200_000, [line])


@pytest.mark.parametrize("metric", [ExactMatch(), Dist(), RougeL()])
def test_empty_texts(metric: PairMetric) -> None:
    assert metric.sentence_score("", ["no cost"]).score == 0
    assert metric.sentence_score("", [""]).score == metric.perfect
    width = metric.statistics(Batch([])).shape[1]
    assert np.isnan(metric.scores(np.full((2, 3, width), np.nan), pooled=True)).all()
    assert metric.scores(np.zeros(width), pooled=True) == metric.perfect
