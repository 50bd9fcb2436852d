from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.realize.word_case import in_case_of, lowered, same_word


@pytest.mark.parametrize(
    ("form", "lemma", "expected"),
    [("Cats", "cat", "cats"), ("", "", ""), ("İyi", "iyi", "iyi"), ("Işık", "ışık", "ışık"), ("IX", "ix", "ix")],
)
def test_lowered(form: str, lemma: str, expected: str) -> None:
    assert lowered(form, lemma) == expected


@pytest.mark.parametrize(
    ("lemma", "form", "expected"),
    [
        ("cat", "cats", "cats"),
        ("NGO", "ngos", "NGOs"),
        ("iPhone", "iphones", "iPhones"),
        ("Apfel", "äpfel", "Äpfel"),
        ("I", "me", "me"),
        ("5-HT", "5-ht", "5-HT"),
    ],
)
def test_in_case_of(lemma: str, form: str, expected: str) -> None:
    assert in_case_of(lemma, form) == expected


@given(st.text(max_size=12))
def test_lowering_keeps_the_length_and_a_word_takes_its_own_case(word: str) -> None:
    assert len(lowered(word)) == len(word)
    assert in_case_of(word, lowered(word)) == word or word.islower() or word == ""


def test_same_word() -> None:
    assert same_word("It", "it")
    assert same_word("IŞIK", "ışık")
    assert not same_word("mı", "mi")
    assert not same_word("cat", "cats")
