from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from fergus.errors import InputError
from fergus.lm import count_ngrams, kneser_ney
from fergus.metrics.fluency import Fluency
from fergus.metrics.segment import Batch

SENTENCES = ["there was no cost estimate", "there was no cost for the second phase", "the estimate was there"]


class _Coin:
    """Every token, and the end, has probability 1/4."""

    def score(self, tokens: Sequence[str]) -> list[float]:
        return [math.log10(0.25)] * (len(tokens) + 1)


def test_two_bits_a_token() -> None:
    score = Fluency(_Coin(), model_name="coin").corpus_score(["a", "a b c"], [["x", "y"]])
    assert (score.mean, score.pooled) == (pytest.approx(2), pytest.approx(2))
    assert "|model:coin|end:counted|" in score.signature


def test_is_the_logarithm_of_the_perplexity() -> None:
    model = kneser_ney(count_ngrams([text.split() for text in SENTENCES], order=3))
    hypotheses = ["there was no phase", "the second estimate"]
    score = Fluency(model, model_name="three sentences").corpus_score(hypotheses, [hypotheses])
    assert score.score == score.pooled
    assert score.pooled == pytest.approx(math.log2(model.perplexity([text.split() for text in hypotheses])))


def test_order_of_words_is_judged() -> None:
    metric = Fluency(kneser_ney(count_ngrams([text.split() for text in SENTENCES], order=3)), model_name="m")
    fluent, scrambled = (
        metric.sentence_score(text, ["x"]).score for text in ("there was no cost", "cost no there was")
    )
    assert fluent is not None
    assert scrambled is not None
    assert fluent < scrambled
    assert not metric.higher_is_better


def test_empty_hypothesis_is_undefined() -> None:
    metric = Fluency(_Coin(), model_name="coin")
    assert metric.sentence_score("", ["x"]).score is None
    score = metric.corpus_score(["", "a"], [["x", "y"]])
    assert (score.missing, score.pooled) == (1, pytest.approx(2))
    assert metric.statistics(Batch([])).shape == (0, 2)
    assert np.isnan(metric.scores(np.zeros((3, 2)), pooled=True)).all()


def test_model_without_sentence_ends() -> None:
    class Broken:
        def score(self, tokens: Sequence[str]) -> list[float]:
            return [-1.0] * len(tokens)

    with pytest.raises(InputError, match="language model broken gave 2 scores for 2 tokens; one a token and one"):
        Fluency(Broken(), model_name="broken").sentence_score("a b", ["a"])
