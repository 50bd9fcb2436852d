from __future__ import annotations

import pytest

from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.numerals import DigitGrouping, grouped, is_long_number, separator_of

CARDINAL = (("NumType", "Card"),)


def lexicon(*forms: tuple[str, str, int]) -> InflectionLexicon:
    return InflectionLexicon({(lemma, "NUM", CARDINAL): {form: count} for lemma, form, count in forms})


def test_long_numbers_are_grouped_as_the_treebank_groups_them() -> None:
    english = DigitGrouping(lexicon(("16900", "16,900", 3), ("3000000", "3,000,000", 1)))
    assert english.forms("250000") == {"250,000": 1.0}
    french = DigitGrouping(lexicon(("16900", "16 900", 1)))
    assert french.forms("20000") == {"20 000": 1.0}
    assert french.forms("2000") == {}  # nothing of that length was seen


def test_years_are_not() -> None:
    grouping = DigitGrouping(lexicon(("1998", "1998", 8), ("2500", "2,500", 4), ("1,5", "1,5", 1), ("1999", "'99", 1)))
    # Of all twelve 8 are plain; years: (8 + 2 * 8/12) / (8 + 2), round numbers: (0 + 2 * 8/12) / (4 + 2).
    assert grouping.forms("1987")["1987"] == pytest.approx((8 + 4 / 3) / 10)
    assert grouping.forms("4500")["4500"] == pytest.approx((4 / 3) / 6)


def test_what_there_is_to_group() -> None:
    assert is_long_number("1000", "NUM")
    assert not is_long_number("999", "NUM")
    assert not is_long_number("1000", "NOUN")
    assert not is_long_number("10a0", "NUM")
    assert grouped("1000", ",") == "1,000"
    assert separator_of("1000", "1.0.00") is None
    assert separator_of("1000", "thousand") is None
