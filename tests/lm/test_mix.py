from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.lm.count import add_counts, count_ngrams
from fergus.lm.kernels import lm_logprob10_of_rows
from fergus.lm.mix import interpolate
from fergus.lm.model import NgramModel
from fergus.lm.smooth import kneser_ney
from fergus.lm.tables import rows_of_level, split_tables
from fergus.lm.vocabulary import Vocabulary

CORPORA = st.lists(st.lists(st.sampled_from("aabcd"), max_size=6), max_size=10)
VOCABULARY = Vocabulary.of("abcd")


def estimate(corpus: list[list[str]], *cutoffs: int, order: int = 3) -> NgramModel:
    return kneser_ney(add_counts([count_ngrams(corpus, order=order)], vocabulary=VOCABULARY), cutoffs=cutoffs)


@settings(deadline=None, max_examples=50)
@given(CORPORA, CORPORA, st.floats(0.05, 0.95), st.integers(1, 3))
def test_every_held_ngram_has_the_mean_and_all_contexts_sum_to_one(
    one: list[list[str]], two: list[list[str]], weight: float, order: int
) -> None:
    models = [estimate(one, order=order), estimate(two, *(0, 1, 1)[:order], order=order)]
    mixture = interpolate(models, [weight, 1 - weight])
    levels = split_tables(mixture.tables)
    for length in range(1, order + 1):
        rows = rows_of_level(levels, length)
        mean = sum(
            w * 10 ** lm_logprob10_of_rows(m.tables, rows) for w, m in zip([weight, 1 - weight], models, strict=True)
        )
        np.testing.assert_allclose(10 ** lm_logprob10_of_rows(mixture.tables, rows), mean, rtol=1e-5)
    predicted = [number for number in range(len(VOCABULARY)) if number != 1]
    for length in range(order):
        contexts = itertools.product(*[range(len(VOCABULARY))] * length, predicted)
        rows = np.array(list(contexts), dtype=np.int32)
        sums = (10 ** lm_logprob10_of_rows(mixture.tables, rows)).reshape(-1, len(predicted)).sum(axis=1)
        np.testing.assert_allclose(sums, 1.0, rtol=1e-4)


def test_a_mixture_by_hand() -> None:
    # Unigram models over <unk> </s> a b c d, uniform share 1/6 of what is left; D = 1/2 for a count of 1.
    # one: a 1, </s> 1: P(a) = .5/2 + .5/6 = 1/3. two: b 1, </s> 1: P(a) = .5/6 = 1/12.
    # Three parts of one and one of two: P(a) = 3/4 * 1/3 + 1/4 * 1/12 = 13/48.
    mixture = interpolate([estimate([["a"]], order=1), estimate([["b"]], order=1)], [3, 1])
    assert 10 ** mixture.logprob10([], VOCABULARY.id("a")) == pytest.approx(13 / 48)
    assert mixture.logprob10([], 1) == -99


def test_a_model_mixed_with_itself_is_itself() -> None:
    model = estimate([list("abcab"), list("abd")])
    twice = interpolate([model, model], [0.3, 0.7])
    for one, two in zip(model.tables[1:], twice.tables[1:], strict=True):
        np.testing.assert_allclose(one, two, atol=1e-5)


def test_must_fail() -> None:
    model = estimate([["a"]])
    with pytest.raises(ValueError, match="positive weights"):
        interpolate([model], [0.0])
    with pytest.raises(ValueError, match="0 models"):
        interpolate([], [])
    with pytest.raises(ValueError, match="same vocabulary and order"):
        interpolate([model, estimate([["a"]], order=2)], [1, 1])
