from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fergus.realize.edit_actions import COPY, DELETE, STOP, applied, edit_actions, skeleton, vowels

words = st.text(alphabet="abcxyz", max_size=8)


@given(words, words)
def test_the_actions_make_the_form(lemma: str, form: str) -> None:
    actions = edit_actions(lemma, form)
    assert applied(lemma, actions) == form
    assert actions[-1] == STOP
    # Every letter of the lemma is read once.
    assert sum(action in (COPY, DELETE) for action in actions) == len(lemma)


def test_what_is_common_is_copied_and_deletions_come_first() -> None:
    assert edit_actions("try", "tries") == [COPY, COPY, DELETE, "i", "e", "s", STOP]
    assert edit_actions("go", "go") == [COPY, COPY, STOP]


def test_vowels_alternate_with_consonants() -> None:
    assert vowels(["banana", "mono", "tokyo", "kimono", "nato", "tomato", "domino"]) >= {"a", "o", "i"}
    assert not vowels(["banana", "tomato", "domino", "kimono"]) & set("bntdkm")
    assert vowels([]) == frozenset()
    assert skeleton("cities", frozenset("ie")) == "cVtVVs"
