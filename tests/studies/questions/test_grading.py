from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.questions.grading import (
    grade_exact,
    grade_number,
    grade_ranking,
    grade_set,
    number,
    parts,
    plain,
)


@pytest.mark.parametrize(
    ("solution", "gold", "score"),
    [
        ("  BOB ", "Bob", 1),
        ("robert", "Bob | Robert", 1),
        ("555-1234", "5551234", 1),
        ("It's 10:30.", "its 1030", 1),
        ("Straße", "STRASSE", 1),
        ("1.5", "15", 0),
        ("Ro", "Bob|Robert", 0),
        ("", "Bob|", 0),
        ("?!", "!", 0),
        ("!", "!", 1),
    ],
)
def test_exact_but_for_case_space_and_punctuation(solution: str, gold: str, score: float) -> None:
    assert grade_exact(solution, gold) == score


def test_plain_keeps_symbols_and_letters_of_every_script() -> None:
    assert plain("C++ и «Ж»!") == "c++иж"
    assert plain(".5, 2.") == "52"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7), ("-7.5", -7.5), ("−3", -3), ("+1,234,567.8", 1234567.8), ("$ 12", 12), ("40 %", 40), ("1e3", 1000),
        (".5", 0.5),
        ("1,23", None), ("12,3456", None), ("seven", None), ("", None), ("e5", None), ("nan", None), ("inf", None),
        ("1e999", None), ("1_000", None), ("٣", None), ("²", None), ("1 2", None), ("0x10", None),
    ],
)  # fmt: skip
def test_numbers_as_people_write_them(text: str, value: float | None) -> None:
    assert number(text) == value


def test_a_number_within_the_tolerance_of_an_alternative() -> None:
    assert grade_number("0.4", "0.3", tolerance=0.1) == 1  # 0.4 - 0.3 is 0.10000000000000003 in binary fractions
    assert grade_number("0.41", "0.3", tolerance=0.1) == 0
    assert grade_number("20", "3|20", tolerance=0) == 1
    assert grade_number("soon", "3", tolerance=1) == 0


@pytest.mark.parametrize(
    ("solution", "score"),
    [
        ("ann, bob, carol", 1),
        ("Carol\nROBERT;ann", 1),
        ("ann", 0.5),  # precision 1, recall 1/3
        ("bob, robert, rob", 0.4),  # bob and robert are one, rob is wrong: precision 1/2, recall 1/3
        ("dan", 0),
        ("", 0),
    ],
)
def test_sets_are_graded_by_f1(solution: str, score: float) -> None:
    assert grade_set(solution, "Ann, Bob|Robert, Carol") == pytest.approx(score)


def test_nothing_against_nothing_is_not_right() -> None:
    assert grade_set("", "") == 0


@pytest.mark.parametrize(
    ("solution", "score"),
    [
        ("a > b > c", 1),
        ("A, bee, x, c", 1),  # what the gold answer lacks is passed over
        ("c > b > a", 0),
        ("b > a > c", 2 / 3),
        ("a > b", 1 / 3),  # a-c and b-c are not in order
        ("a", 0),
        ("a > b > c > a", 1),  # named again: the first place counts
    ],
)
def test_rankings_are_graded_by_pairs_in_order(solution: str, score: float) -> None:
    assert grade_ranking(solution, "a > b|bee > c") == pytest.approx(score)


def test_a_ranking_of_one_has_no_pairs() -> None:
    assert grade_ranking("a", "a") == 0


@given(st.permutations("abcde"))
def test_a_ranking_and_its_reverse_share_the_pairs(order: list[str]) -> None:
    gold = "a > b > c > d > e"
    assert grade_ranking(",".join(order), gold) + grade_ranking(",".join(order[::-1]), gold) == pytest.approx(1)


def test_rankings_by_chance_score_one_half() -> None:
    scores = [grade_ranking(",".join(order), "a>b>c>d") for order in permutations("abcd")]
    assert sum(scores) / len(scores) == pytest.approx(0.5)


def test_parts_are_separated_by_commas_semicolons_and_lines() -> None:
    assert parts("a, b;;c\n d > e ") == ["a", "b", "c", "d > e"]
    assert parts("a > b", steps=True) == ["a", "b"]
