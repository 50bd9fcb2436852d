from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Node, OrderedTree
from fergus.errors import ModelError
from fergus.realize.capitalise import capitalise
from fergus.realize.capitals_model import (
    AS_IT_IS,
    CAPITAL,
    CAPITALS,
    CapitalsModel,
    capitals_from,
    capitals_section,
    places,
)
from fergus.realize.learn_capitals import decision_for, learn_capitals, learn_letters, uncapitalised

from .tiny_texts import written

TREES = [
    written(line)
    for line in (
        "We saw it .", "He said , \" We saw it . \"", "She saw , he heard .", "She said , \" It is it . \"",
        "Dogs saw a man .", "A man saw dogs , she heard .", "WE SAW IT .", "IT IS A MAN .", "http://a.b is it .",
        "http://c.d saw it .", "( We heard . )",
    )
]  # fmt: skip
MODEL = learn_capitals(TREES, least=1, epochs=20)


@pytest.mark.parametrize("address", ["http://a.b", "www.a.b/c", "me@a.b", "fergus.org", "a.org:80/x_y", "notes.txt"])
def test_addresses_stay_as_they_are(address: str) -> None:
    assert capitalise([address, "SAW", "IT", "."], MODEL, always=True) == (address, "SAW", "IT", ".")
    assert capitalise(["(", address, "saw", ")"], MODEL, always=True)[1] == address


@pytest.mark.parametrize("word", ["e.g.", "p.25", "u.s.", "well...then", "p.ex.", "am"])
def test_what_has_a_full_stop_is_not_always_an_address(word: str) -> None:
    assert capitalise([word, "saw", "it"], MODEL, always=True)[0] == word[0].upper() + word[1:]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("she saw a man .", "She saw a man ."),
        ('he said , " we saw it . "', 'He said , " We saw it . "'),
        ("we heard , she saw .", "We heard , she saw ."),
        ("it IS A MAN .", "IT IS A MAN ."),
        ("http://c.d is it .", "http://c.d is it ."),
        ("iPhone saw it .", "iPhone saw it ."),  # the form has a capital: the input knows best
        ("( we saw . )", "( We saw . )"),
        ("5 dogs", "5 dogs"),
        ("", ""),
    ],
)
def test_learned_from_a_small_treebank(tokens: str, expected: str) -> None:
    assert " ".join(capitalise(tokens.split(), MODEL)) == expected


def test_places_are_first_words_and_those_after_marks() -> None:
    assert list(places(['"', "we", "saw", ",", "it", "-", "5", "'s"])) == [1, 4]
    assert list(places(["5", "dogs"])) == []
    assert list(places([])) == []


def test_turkish_letters_are_learned() -> None:
    words = [Node("İş", "iş"), Node("İlk", "ilk"), Node("İyi", "iyi"), Node("Biz", "biz"), Node("Biz", "biz")]
    letters = learn_letters(words)
    assert letters == {"i": "İ"}
    model = CapitalsModel({}, letters)
    assert uncapitalised(words[0], model) == "iş"
    assert model.written("iş", CAPITAL) == "İş"
    assert model.written("iki", CAPITALS) == "İKİ"
    assert decision_for("iş", "İş", model) == CAPITAL


def test_words_as_inside_a_sentence() -> None:
    model = CapitalsModel()
    assert uncapitalised(Node("The", "the"), model) == "the"
    assert uncapitalised(Node("THE", "the"), model) == "the"
    assert uncapitalised(Node("Paris", "Paris"), model) == "Paris"
    assert uncapitalised(Node("dog", "dog"), model) == "dog"
    assert uncapitalised(Node("The"), model, frozenset({"the"})) == "the"
    assert uncapitalised(Node("Paris"), model, frozenset({"the"})) == "Paris"
    assert decision_for("the", "tHe", model) is None
    assert [decision_for("the", x, model) for x in ("the", "The", "THE")] == [AS_IT_IS, CAPITAL, CAPITALS]


def test_without_lemmas_the_other_sentences_tell() -> None:
    bare = [OrderedTree(o.tree.bare(), o.order) for o in TREES]
    model = learn_capitals(bare, least=1, epochs=20)
    assert capitalise(["she", "saw", "it", "."], model)[0] == "She"


def test_a_word_written_in_no_such_way_is_passed_over() -> None:
    odd = [written("tHE man saw .")]
    odd[0] = OrderedTree(
        replace(odd[0].tree, nodes=(replace(odd[0].tree.nodes[0], form="ThE"), *odd[0].tree.nodes[1:])), odd[0].order
    )
    assert learn_capitals(odd).weights == {}


@given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=5), max_size=8))
def test_nothing_but_case_changes_and_capitals_stay(forms: list[str]) -> None:
    out = capitalise(forms, MODEL)
    assert len(out) == len(forms)
    for before, after in zip(forms, out, strict=True):
        assert after == before or (before == before.lower() and after.upper() == before.upper())


def test_the_section_gives_the_same_model() -> None:
    section = capitals_section(MODEL)
    again = capitals_section(capitals_from(section))
    assert again.settings == section.settings
    assert all(np.array_equal(again.arrays[name], array) for name, array in section.arrays.items())
    assert capitals_from(capitals_section(CapitalsModel())).weights == {}


def test_a_broken_section_is_refused() -> None:
    section = capitals_section(MODEL)
    with pytest.raises(ModelError, match="broken"):
        capitals_from(replace(section, arrays={**section.arrays, "weights": np.zeros((2, 2), np.int8)}))


def test_a_capital_at_the_start_in_any_case() -> None:
    careless = CapitalsModel({"first": (5.0, 0.0, 0.0)})
    assert capitalise(["we", "go"], careless) == ("we", "go")
    assert capitalise(["we", "go"], careless, always=True) == ("We", "go")
    assert capitalise(["iPhone", "users"], careless, always=True) == ("iPhone", "users")
    assert capitalise(["we"], CapitalsModel(), always=True) == ("we",)  # a treebank without capitals
    assert capitalise(["!"], careless, always=True) == ("!",)
