from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fergus.lm.count as count_module
from fergus.lm.count import NgramCounts, add_counts, count_ngrams
from fergus.lm.vocabulary import Vocabulary
from tests.lm.brute_force import raw_counts

CORPORA = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=8)


def as_counter(counts: NgramCounts) -> Counter[tuple[str, ...]]:
    return Counter(dict(pair for length in range(1, counts.order + 1) for pair in counts.ngrams(length)))


def test_one_begin_and_one_end_a_sentence() -> None:
    counts = count_ngrams([["a", "b"], ["a"]], order=3)
    assert as_counter(counts) == {
        **{("<s>",): 2, ("</s>",): 2, ("a",): 2, ("b",): 1},
        **{("<s>", "a"): 2, ("a", "b"): 1, ("b", "</s>"): 1, ("a", "</s>"): 1},
        **{("<s>", "a", "b"): 1, ("a", "b", "</s>"): 1, ("<s>", "a", "</s>"): 1},
    }


@given(CORPORA, st.integers(1, 5), st.integers(1, 12))
def test_counts_are_those_of_a_dictionary_whatever_the_chunks(corpus: list[list[str]], order: int, chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(count_module, "_CHUNK_TOKENS", chunk)
        counts = count_ngrams(corpus, order=order)
    assert as_counter(counts) == raw_counts(corpus, order)


@given(CORPORA, CORPORA, st.integers(1, 3))
def test_counts_of_two_corpora_add_up(one: list[list[str]], two: list[list[str]], weight: int) -> None:
    added = add_counts([count_ngrams(one), count_ngrams(two)], weights=[weight, 1])
    assert as_counter(added) == raw_counts(one * weight + two, 3)


@given(CORPORA, st.integers(1, 4))
def test_rare_words_become_unknown_ones(corpus: list[list[str]], min_count: int) -> None:
    frequency = Counter(word for sentence in corpus for word in sentence)
    replaced = [[w if frequency[w] >= min_count else "<unk>" for w in sentence] for sentence in corpus]
    assert as_counter(count_ngrams(corpus).restricted(min_count=min_count)) == raw_counts(replaced, 3)


def test_the_vocabulary_is_sorted_by_frequency_then_alphabet_and_cut_to_size() -> None:
    counts = count_ngrams([["b", "c", "a", "c"]])
    assert counts.vocabulary.words == ("<unk>", "<s>", "</s>", "c", "a", "b")
    assert counts.restricted(max_size=2).vocabulary.words[3:] == ("c", "a")


def test_a_given_vocabulary_may_hold_words_never_seen() -> None:
    counts = count_ngrams([["b", "c"]])
    assert counts.restricted(words=["z", "b"], min_count=0).vocabulary.words[3:] == ("b", "z")
    assert counts.restricted(words=["z", "b"]).vocabulary.words[3:] == ("b",)


def test_lowercase_and_special_words_in_the_text() -> None:
    counts = count_ngrams([["A", "a", "<S>", "</s>"]], lowercase=True, order=1)
    assert as_counter(counts) == {("<s>",): 1, ("</s>",): 1, ("a",): 2, ("<unk>",): 2}
    assert counts.vocabulary.lowercase


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: count_ngrams([], order=0), "1 or more, not 0"),
        (lambda: add_counts([]), "no counts"),
        (lambda: add_counts([count_ngrams([])], weights=[0]), "weights of at least 1"),
        (lambda: add_counts([count_ngrams([])], weights=[1, 1]), "as many weights"),
        (lambda: add_counts([count_ngrams([]), count_ngrams([], order=2)]), "same order"),
        (lambda: Vocabulary(("a", "b", "c")), "begins with <unk> <s> </s>"),
        (lambda: Vocabulary(("<unk>", "<s>", "</s>", "a", "a")), "'a' is in the vocabulary twice"),
        (lambda: Vocabulary(("<unk>", "<s>", "</s>", "a\n")), "no line break"),
    ],
)
def test_must_fail(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


def test_a_vocabulary_numbers_its_words() -> None:
    vocabulary = Vocabulary.of(["The", "cat", "the"], lowercase=True)
    assert len(vocabulary) == 5
    assert vocabulary.id("THE") == 3
    assert vocabulary.id("</s>") == 2
    assert vocabulary.id("dog") == 0
    assert "Cat" in vocabulary
    assert "dog" not in vocabulary
    assert vocabulary.encode(["Cat", "<s>", "dog"]).tolist() == [4, 0, 0]
