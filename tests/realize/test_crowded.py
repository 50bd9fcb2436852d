from __future__ import annotations

import pytest

from fergus.lm import count_ngrams, kneser_ney
from fergus.realize.crowded import HeadBigrams


def test_head_bigrams_are_weighted_natural_logs() -> None:
    model = kneser_ney(count_ngrams([["the", "dog", "barks"], ["the", "cat"]], order=2))
    words = [model.id("the"), model.id("dog")]
    bigrams = HeadBigrams(model, words, 0.5)
    expected = 0.5 * 2.302585 * model.logprob10([words[0]], words[1])
    assert bigrams.score(0, 1) == pytest.approx(expected, abs=1e-5)
    assert bigrams.score(0, 1) > bigrams.score(1, 0)
