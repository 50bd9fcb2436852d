from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.lm.count import count_ngrams
from fergus.lm.kernels import lm_logprob10_of_rows
from fergus.lm.smooth import discounts, kneser_ney
from tests.lm.brute_force import BruteForceKneserNey

# Enough of a few words that counts of 1, 2, 3 and 4 all occur and the discounts are estimated.
CORPORA = st.lists(st.lists(st.sampled_from("aaabbcd"), max_size=7), max_size=14)
CUTOFFS = st.lists(st.integers(0, 2), min_size=3, max_size=3).map(lambda c: (0, *sorted(c)))


def test_an_example_by_hand() -> None:
    # <s> a b </s>, <s> a </s>. Bigrams: <s> a 2; a b, b </s>, a </s> 1. None occurs thrice: D = 1/2, 1, 3/2.
    # Unigrams by continuation: a 1 (after <s>), b 1, </s> 2 (after a and b), total 4; no 3: the same D.
    #   own a .5, b .5, </s> 1; left over 2 of 4; uniform over <unk> </s> a b: 1/4 each
    #   P(a) = .5/4 + .5/4 = .25 = P(b); P(</s>) = 1/4 + .125 = .375; P(<unk>) = .125
    # After <s> (total 2): own a 2-1, left over 1/2: P(a|<s>) = .5 + .5*.25 = .625
    # After a (total 2): own b .5, </s> .5; left over 1/2: P(b|a) = .25 + .5*.25 = .375;
    #   P(</s>|a) = .25 + .5*.375 = .4375; unseen: P(a|a) = .5*.25 = .125
    # After b (total 1): own </s> .5, left over 1/2: P(</s>|b) = .5 + .5*.375 = .6875
    model = kneser_ney(count_ngrams([["a", "b"], ["a"]], order=2))
    a, b, unknown, begin, end = (model.id(word) for word in ("a", "b", "zebra", "<s>", "</s>"))
    expected = {
        **{((), a): 0.25, ((), b): 0.25, ((), end): 0.375, ((), unknown): 0.125},
        **{
            ((begin,), a): 0.625,
            ((a,), b): 0.375,
            ((a,), end): 0.4375,
            ((a,), a): 0.125,
            ((b,), end): 0.6875,
        },
    }
    for (context, word), probability in expected.items():
        assert 10 ** model.logprob10(context, word) == pytest.approx(probability)
    assert model.logprob10((), begin) == -99


def test_discounts_by_hand() -> None:
    # t1..t4 = 4, 2, 1, 1: Y = 4 / (4 + 2*2) = 1/2
    # D1 = 1 - 2 * 1/2 * 2/4 = .5; D2 = 2 - 3 * 1/2 * 1/2 = 1.25; D3 = 3 - 4 * 1/2 * 1/1 = 1
    assert discounts(np.array([1, 1, 1, 1, 2, 2, 3, 4])) == pytest.approx((0, 0.5, 1.25, 1.0))


@pytest.mark.parametrize(
    "counts",
    [
        [1, 2, 4],  # nothing seen three times
        [1, 2, 3, 4, 4, 4, 4],  # Y = 1/3, D3 = 3 - 4/3 * 4 < 0
    ],
)
def test_too_few_counts_give_the_fallback(counts: list[int]) -> None:
    assert discounts(np.array(counts)) == (0.0, 0.5, 1.0, 1.5)


@settings(deadline=None, max_examples=60)
@given(CORPORA, st.integers(1, 4), CUTOFFS, st.integers(1, 3))
def test_equal_to_brute_force_and_sums_to_one(
    corpus: list[list[str]], order: int, cutoffs: tuple[int, ...], min_count: int
) -> None:
    cutoffs = cutoffs[:order]
    counts = count_ngrams(corpus, order=order).restricted(min_count=min_count)
    words = counts.vocabulary.words
    model = kneser_ney(counts, cutoffs=cutoffs)
    replaced = [[word if word in words else "<unk>" for word in sentence] for sentence in corpus]
    oracle = BruteForceKneserNey(replaced, words, order, cutoffs)
    predicted = [number for number in range(len(words)) if number != 1]
    for length in range(min(order, 3)):  # contexts of three words are many and no different
        rows = np.array(list(itertools.product(*[range(len(words))] * length, predicted)), dtype=np.int32)
        found = 10 ** lm_logprob10_of_rows(model.tables, rows)
        wanted = [oracle.probability(tuple(words[n] for n in row[:-1]), words[row[-1]]) for row in rows.tolist()]
        np.testing.assert_allclose(found, wanted, rtol=2e-6)
        np.testing.assert_allclose(found.reshape(-1, len(predicted)).sum(axis=1), 1.0, rtol=2e-6)


def test_cutoffs_leave_out_what_is_seen_too_seldom() -> None:
    corpus = [["a", "b"]] * 3 + [["a", "c"]]
    model = kneser_ney(count_ngrams(corpus), cutoffs=(0, 0, 1))
    assert model.ngram_counts == (6, 5, 2)  # of <s> a b, a b </s>, <s> a c, a c </s> the latter two are gone


@pytest.mark.parametrize("cutoffs", [(1,), (0, 2, 1), (0, 0, 0, 0)])
def test_cutoffs_that_make_no_sense(cutoffs: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="begin with 0 and never fall"):
        kneser_ney(count_ngrams([["a"]]), cutoffs=cutoffs)
