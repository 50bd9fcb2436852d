from __future__ import annotations

import pytest

from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.syncretism import Syncretism, most_frequent

FIRST, THIRD, PARTICIPLE = ((("Person", "1"),), (("Person", "3"),), (("VerbForm", "Part"),))


def lexicon() -> InflectionLexicon:
    entries = {}
    for lemma, past, participle in (("see", "saw", "seen"), ("go", "went", "gone"), ("do", "did", "done")):
        for feats, form in ((FIRST, past), (THIRD, past), (PARTICIPLE, participle)):
            entries[lemma, "VERB", feats] = {form: 1}
    entries["fly", "VERB", THIRD] = {"flew": 2}
    return InflectionLexicon(entries)


def test_cells_that_were_the_same_are_likely_the_same() -> None:
    syncretism = Syncretism(lexicon())
    # Of the 9 pairs of cells 3 are the same: (3 + 1) / (9 + 2). Then (3 + 2p) / (3 + 2), twice.
    base = 4 / 11
    once = (3 + 2 * base) / 5
    assert syncretism.base_rate("VERB") == pytest.approx(base)
    assert syncretism.probability("VERB", FIRST, THIRD) == pytest.approx((3 + 2 * once) / 5)
    assert syncretism.probability("VERB", FIRST, THIRD) == syncretism.probability("VERB", THIRD, FIRST)
    assert syncretism.probability("VERB", FIRST, PARTICIPLE) < 0.1


def test_a_known_form_is_taken_over_or_ruled_out() -> None:
    syncretism = Syncretism(lexicon())
    guesses = {"flied": 0.6, "flew": 0.4}
    assert (
        max((p, form) for form, p in syncretism.revised("fly", "VERB", FIRST, guesses, floor=0.05).items())[1] == "flew"
    )
    other = syncretism.revised("fly", "VERB", PARTICIPLE, guesses, floor=0.05)
    assert other["flew"] < 0.4
    assert sum(other.values()) == pytest.approx(1.0)
    # A likely form that nobody guessed comes in; without anything known the guesses stay.
    assert "flew" in syncretism.revised("fly", "VERB", FIRST, {"flied": 1.0}, floor=0.05)
    assert syncretism.revised("cry", "VERB", FIRST, guesses, floor=0.05) == guesses
    assert syncretism.revised("cry", "VERB", FIRST, {}, floor=0.05) == {}


def test_most_frequent_breaks_ties_by_the_alphabet() -> None:
    assert most_frequent({"b": 2, "a": 2, "c": 1}) == "a"
