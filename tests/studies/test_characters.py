"""What can be stored, compared with Unicode's own table."""

from __future__ import annotations

import sys
import unicodedata

from fergus.studies.characters import unstorable, without_unstorable


def test_they_are_the_control_characters_and_surrogates_of_unicode() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    expected = "".join(c for c in every if c in "\t\n\r" or unicodedata.category(c) not in ("Cc", "Cs"))
    assert without_unstorable(every) == expected


def test_the_first_one_is_named() -> None:
    assert unstorable("a\u200db\ud800\0") == "U+D800"
    assert unstorable("a\u200d\n") == ""
