from __future__ import annotations

import pytest

from fergus.realize.contractions import BY_RULE, FROM_TABLE, NO_CONTRACTION, Contractions, learn_contractions

FRENCH = learn_contractions(
    [
        (("de", "le"), "du"),
        (("À", "le"), "Au"),
        (("à", "les"), "aux"),
        (("à", "lesquels"), "auxquels"),
        (("de", "lequel"), "duquel"),
        (("do", "n't"), "don't"),
    ]
)
TURKISH = learn_contractions(
    [(("lira", "liralık"), "liralık"), (("okur", "okurken", "ki"), "okurkenki"), (("on", "onluk"), "onluk")]
)


def test_words_that_stand_side_by_side_are_no_contraction() -> None:
    assert set(FRENCH.table) == {("de", "le"), ("à", "le"), ("à", "les"), ("à", "lesquels"), ("de", "lequel")}
    assert not learn_contractions([(("do", "n't"), "don't")])


@pytest.mark.parametrize(
    ("contractions", "words", "text"),
    [
        (FRENCH, "de le", "du"),
        (FRENCH, "De le", "Du"),
        (FRENCH, "DE le", "DU"),
        (FRENCH, "À le", "Au"),
        (FRENCH, "À LE", "AU"),
        (FRENCH, "à lequel", "auquel"),  # not seen: à le and the rest
        (FRENCH, "de le de le", "dudu"),
        (FRENCH, "chat noir", "chatnoir"),
        (TURKISH, "okur okurken ki", "okurkenki"),
        (TURKISH, "kilo kiloluk", "kiloluk"),  # not seen: the second word repeats the first
        (TURKISH, "bir", "bir"),
    ],
)
def test_what_is_written(contractions: Contractions, words: str, text: str) -> None:
    assert contractions.written(words.split()) == text


def test_what_is_known_of_gaps() -> None:
    assert FRENCH.known(["il", "va", "à", "lequel", "de", "le", "chat"]) == [
        NO_CONTRACTION, NO_CONTRACTION, BY_RULE, NO_CONTRACTION, FROM_TABLE, NO_CONTRACTION,
    ]  # fmt: skip
    assert TURKISH.known(["okur", "okurken", "ki"]) == [FROM_TABLE, FROM_TABLE]
    assert FRENCH.known([]) == []


def test_rules_hold_only_where_they_were_seen() -> None:
    plain = learn_contractions([(("de", "le"), "du")])
    assert not plain.extends
    assert not plain.repeats
    assert plain.known(["de", "lequel"]) == plain.known(["lira", "liralık"]) == [NO_CONTRACTION]


def test_the_most_frequent_writing_is_taken() -> None:
    found = learn_contractions([(("a", "b"), "x"), (("a", "b"), "y"), (("A", "b"), "Y")])
    assert found.table == {("a", "b"): "y"}
