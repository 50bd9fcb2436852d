from __future__ import annotations

import math
from itertools import product

import pytest

from fergus.core.supertag import ElementaryTree, Slot
from fergus.errors import ModelError
from fergus.grammar.extract import extract
from fergus.grammar.inventory import Grammar
from fergus.realize import tree_model
from fergus.realize.tree_model import AT_ROOT, MODIFIER, TreeModel, role_of, word_class
from tests.realize.tiny_treebank import treebank


@pytest.fixture(scope="module")
def model() -> TreeModel:
    return TreeModel.train(extract(treebank()))


def test_roles() -> None:
    slots = tuple(map(Slot, ("NP", "NP", "S")))
    tree = ElementaryTree("t", "alpha", "V", left=(Slot("NP"),), right=slots)
    assert [role_of(tree, i) for i in range(4)] == ["NP<", "NP>", "NP>1", "S>"]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("walking", ("1", "1-ing")),
        ("Vinken", ("2", "2-ken")),
        ("1989", ("6", "6-0")),
        ("--", ("punctuation", "punctuation")),
        ("a", ("1", "1-a")),
    ],
)
def test_word_classes(form: str, expected: tuple[str, str]) -> None:
    assert word_class(form) == expected


def test_supertags_sum_to_one_in_every_context(model: TreeModel) -> None:
    tags = list(model.grammar.trees)
    for mother, role in (("a.VERB(nsubj * obj)", "nsubj<"), ("a.VERB(nsubj *)", MODIFIER), ("", AT_ROOT)):
        plain = [model._tag_probability(mother, role, tag) for tag in tags]
        assert sum(plain) == pytest.approx(1.0)
        counts = model.tables["tag_given_word"]
        mixed = [counts.mixed(("sees", mother, role), tag, p) for tag, p in zip(tags, plain, strict=True)]
        assert sum(mixed) == pytest.approx(1.0)


def test_the_root_by_hand(model: TreeModel) -> None:
    """Seven roots, three of a.VERB(nsubj * obj) [sees], three of a.VERB(nsubj *), one ditransitive: 3 types.

    Levels role, category and tag have the same counts: each is (3 + 3 * lower) / (7 + 3), from 1 / trees.
    The lexeme: the classes of rare words first. *sees*, seen three times, is one: all three words of this
    tree are of shape 1 and class 1-ees, its only one: (3 + lower) / (3 + 1).
    """
    lower = 1 / len(model.grammar.trees)
    for _ in range(3):
        lower = (3 + 3 * lower) / 10
    shape = (3 + 0.05) / 4
    # The rare words in lower case (*the* is not rare): sees he sleeps 3 each, him gives 1 each, seven others 2 each.
    total, types = 3 * 3 + 2 * 1 + 7 * 2, 3 + 2 + 7
    in_shape = (3 + types * 0.01) / (total + types)
    unknown = (3 + shape * in_shape) / 4 / tree_model.UNSEEN
    word = (3 + unknown) / 4  # s_d: three of three
    word = (3 + word) / 4  # s_d, category, role: the same three
    assert model.root("sees", "a.VERB(nsubj * obj)") == pytest.approx(math.log(lower * word), rel=1e-12)
    assert model.unknown_word("sees", "a.VERB(nsubj * obj)") == pytest.approx(unknown, rel=1e-12)


def test_more_evidence_more_probability(model: TreeModel) -> None:
    pronoun, verb = "a.PRON", "a.VERB(nsubj * obj)"
    assert model.daughter("she", pronoun, "sees", verb, "nsubj<") > model.daughter(
        "him", pronoun, "sees", verb, "nsubj<"
    )
    assert model.daughter("him", pronoun, "sees", verb, "obj>") > model.daughter("she", pronoun, "sees", verb, "obj>")
    # the lexeme of the mother counts: *sees* has had *him*, *eats* has not
    assert model.daughter("him", pronoun, "sees", verb, "obj>") > model.daughter("him", pronoun, "eats", verb, "obj>")


def test_number_of_modifiers(model: TreeModel) -> None:
    row = [model.modifiers("a.VERB(nsubj *)", n) for n in range(tree_model.MOST_MODIFIERS + 1)]
    assert sum(map(math.exp, row)) == pytest.approx(1.0)
    assert model.modifiers("a.VERB(nsubj *)", 99) == row[-1]


def test_labels(model: TreeModel) -> None:
    assert model.labels("a.PRON", "obj>", None, None) == 0.0
    assert model.labels("a.PRON", "obj>", "PRON", "obj") > model.labels("a.PRON", "obj>", "PRON", "nsubj")
    assert model.labels("g.ADV", MODIFIER, None, "advmod") > model.labels("g.ADV", MODIFIER, None, "punct")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_model, "MEMORY", 3)
    model = TreeModel.train(extract(treebank()))
    for form, role in product(("she", "he", "dog", "x"), ("nsubj<", "obj>", MODIFIER)):
        model.daughter(form, "a.PRON", "sees", "a.VERB(nsubj * obj)", role)
    assert len(model._word) <= 3


def test_arrays_round_trip(model: TreeModel) -> None:
    arrays = model.to_arrays()
    assert all(array.dtype.kind in "iu" for array in arrays.values())
    again = TreeModel.from_arrays(arrays, model.grammar)
    assert again.tables == model.tables
    assert again.root("she", "a.PRON") == model.root("she", "a.PRON")
    with pytest.raises(ModelError, match="no tree of the grammar"):
        TreeModel.from_arrays(arrays, Grammar({}))


def test_rare_lexical_events_can_be_left_out(model: TreeModel) -> None:
    small = TreeModel.train(extract(treebank()), least=2)
    assert len(small.tables["word_given_word"].rows) < len(model.tables["word_given_word"].rows)
    assert small.tables["word_given_tag"] == model.tables["word_given_tag"]
