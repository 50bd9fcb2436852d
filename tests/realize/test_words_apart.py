from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Node
from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.inflection_model import InflectedForm
from fergus.realize.words_apart import WordSplitter

WORDS = {"any": 20, "where": 20, "way": 20, "a": 500, "every": 30, "day": 30, "days": 10, "ken": 2, "on": 90}
LEXICON = InflectionLexicon(
    {("", "X", ()): {"ny": 900}, **{(word, "X", ()): {word: count} for word, count in WORDS.items()}}
)


def split(lemma: str, parts: int, *forms: tuple[str, float]) -> list[str]:
    nodes = [Node("?", lemma), *(Node("?", deprel="goeswith") for _ in range(parts - 1)), Node(".", ".", "PUNCT")]
    candidates = [[InflectedForm(*form) for form in forms or ((lemma, 0.0),)], *([()] * (parts - 1))]
    found = WordSplitter(LEXICON).split(nodes, [*candidates, [InflectedForm(".", 0.0)]])
    assert found[-1] == [InflectedForm(".", 0.0)]
    return [own[0].form if own else "" for own in found[:-1]]


@pytest.mark.parametrize(
    ("lemma", "parts"),
    [
        ("anywhere", ["any", "where"]),
        ("everyday", ["every", "day"]),
        ("KenMcRice@ECT", ["Ken", "McRice@ECT"]),
        ("JoeARice@ECT", ["Joe", "A", "Rice@ECT"]),
        ("anyway", ["any", "way"]),
        ("whole", ["whole"]),
    ],
)
def test_words_are_cut_into_words(lemma: str, parts: list[str]) -> None:
    assert split(lemma, len(parts)) == parts


def test_the_form_is_cut_and_not_the_lemma() -> None:
    assert split("everyday", 2, ("everydays", 0.0), ("everyday", -3.0)) == ["every", "days"]
    # A form seen before that is much shorter than the lemma was a first part, too.
    assert split("everyday", 2, ("every", 0.0)) == ["every", "day"]


def test_what_cannot_be_cut_stays() -> None:
    assert split("ab", 3) == ["ab", "", ""]
    assert split("a" * 100, 2) == ["a" * 100, ""]


def test_a_part_with_a_lemma_of_its_own_is_a_word() -> None:
    nodes = [Node("any", "any"), Node("where", "where", deprel="goeswith"), Node("x", deprel="dep"), Node("y")]
    candidates = [(InflectedForm(node.form, 0.0),) for node in nodes]
    assert WordSplitter(LEXICON).split(nodes, candidates) == candidates


@given(st.text("abnyweK@", min_size=1, max_size=12), st.integers(2, 4))
def test_parts_together_are_the_whole(lemma: str, parts: int) -> None:
    found = split(lemma, parts)
    assert "".join(found) == lemma
    assert len(lemma) < parts or all(found)


def test_an_empty_lexicon_cuts_somewhere() -> None:
    nodes = [Node("?", "ab"), Node("?", deprel="goeswith")]
    found = WordSplitter(InflectionLexicon()).split(nodes, [(), ()])
    assert [own[0].form for own in found] == ["a", "b"]
