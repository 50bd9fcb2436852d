from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fergus.core.deep import DeepSentence
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.errors import InputError, ModelError
from fergus.realize.insert import Inserter
from fergus.realize.insertion_features import (
    COLUMNS,
    DeepTreeView,
    shipped_insertion_templates,
    template_arrays,
)
from fergus.realize.insertion_model import insertion_from, insertion_section, slot_keys
from fergus.realize.insertion_readings import SLOTS, Reading, Word, readings_of
from fergus.realize.learn_insert import InsertionSettings, learn_insertion
from fergus.realize.model import ModelFile, Section, write_model
from fergus.realize.spell_out import SpelledOut
from fergus.treebank import parse_tree
from fergus.treebank.deep_conversion import deepened
from fergus.treebank.deep_relations import as_deep
from tests.realize.deep_sentences import model, pairs


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.fergus"
    write_model(path, {}, {"insertion": insertion_section(model())})
    back = insertion_from(ModelFile(path).section("insertion"))
    assert back.readings == model().readings
    assert back.keys == model().keys
    assert back.open_names == model().open_names
    assert np.abs(back.weights - model().weights).max() <= 0.0126  # half a step
    tree = pairs()[5].deep
    assert Inserter(back).insert(tree).tree == Inserter(model()).insert(tree).tree


def broken(**changes: Any) -> Section:
    section = insertion_section(model())
    settings = {**section.settings, **{k: v for k, v in changes.items() if k in section.settings}}
    return Section(settings, {**section.arrays, **{k: v for k, v in changes.items() if k in section.arrays}})


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"size": 12}, "weights"),
        ({"templates": "lemma\n" * 400}, "templates"),
        ({"size": 4}, "weights"),
        ({"values": np.zeros(1, np.int8)}, "weights"),
        ({"open_names": [1]}, "readings"),
        ({"readings": np.frombuffer(b"[1", np.uint8)}, "readings"),
        ({"numbers": np.full(3, 10**6, np.int32)}, "keys"),
        ({"keys": np.frombuffer(b"a\nb", np.uint8), "counts": np.array([0, 1]), "numbers": np.array([0])}, "keys"),
    ],
)
def test_a_broken_section_is_said_to_be(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(ModelError, match=f"the {what} of the insertion model are broken"):
        insertion_from(broken(**changes))


def test_nothing_to_learn_from() -> None:
    with pytest.raises(InputError, match="there is no deep tree"):
        learn_insertion([])


def test_training_again_gives_the_same_weights_and_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    settings = InsertionSettings(bits=14, epochs=2)
    first = learn_insertion(pairs()[:20], settings=settings, progress=lambda *x: told.append(x))
    second = learn_insertion(pairs()[:20], settings=settings)
    assert np.array_equal(first.weights, second.weights)
    assert told == [("function words", 1, 2), ("function words", 2, 2)]


def test_dropped_subjects_and_rare_readings_are_no_trouble() -> None:
    pair = pairs()[1]
    subject = Node("", "_", "PRON", deprel="A1")
    dropped = DependencyTree((*pair.deep.nodes, subject), (*pair.deep.heads, 2))
    other = DeepSentence(dropped, pair.source, (*pair.sources, None), (*pair.absorbed, ()))
    learned = learn_insertion([*pairs()[:8], other], settings=InsertionSettings(bits=12, epochs=1))
    assert Inserter(learned).insert(dropped).options[3][0].node is None


def test_one_word_leaves_nothing_to_choose() -> None:
    tree = OrderedTree(DependencyTree((Node("Yes", "yes", "INTJ", deprel="root"),), (-1,)), (0,))
    single = learn_insertion([deepened(tree)], settings=InsertionSettings(bits=10, epochs=1))
    assert not single.weights.any()
    assert [node.lemma for node in Inserter(single).insert(deepened(tree).deep).tree.nodes] == ["yes"]


def test_agreement_is_with_the_mother() -> None:
    noun = Node("maisons", "maison", "NOUN", feats=(("Gender", "Fem"), ("Number", "Plur")))
    article = Node("les", "le", "DET", feats=(("Definite", "Def"), ("Number", "Plur")), deprel="det")
    reading = readings_of(noun, [article], frozenset())[SLOTS.index("determiner")]
    assert reading == Reading((Word("le", "DET", "det", (("Definite", "Def"), ("Number", "*"))),))
    assert reading.words[0].node({"Number": "Sing"}).feats == (("Definite", "Def"), ("Number", "Sing"))
    assert reading.words[0].node({}).feats == (("Definite", "Def"),)


def test_keys_go_from_the_special_to_the_general() -> None:
    node = Node("", "this", "DET", deprel="A1INV")
    for slot in range(len(SLOTS)):
        keys = list(slot_keys(slot, node))
        assert keys[-1] == f"{slot}\t"
        assert len(set(keys)) == len(keys)


def test_every_template_is_there_once() -> None:
    for templates in template_arrays(shipped_insertion_templates()):
        assert templates.max() < len(COLUMNS)
        assert len(np.unique(np.sort(templates, axis=1), axis=0)) == len(templates)


def test_templates_of_nothing() -> None:
    with pytest.raises(ModelError, match="insertion templates: 'nonsense' is no attribute"):
        insertion_from(broken(templates="lemma nonsense"))


def value(tree: str, column: str, node: int = 0) -> str:
    numbers: dict[str, int] = {}
    deep, _ = SpelledOut().apply(as_deep(parse_tree(tree)))  # as the inserter sees it: relations without subtypes
    view = DeepTreeView(deep, numbers)
    names = {number: text for text, number in numbers.items()}
    return names.get(int(view.rows[node, COLUMNS.index(column)]), "")


@pytest.mark.parametrize(
    ("tree", "column", "expected"),
    [
        ("go/VERB:root(dog/NOUN:nsubj[Number=Sing])", "subject_number", "Sing"),
        ("go/VERB:root(dog/NOUN:nsubj[Number=Sing](cat/NOUN:conj))", "subject_number", "joined"),
        ("see/VERB:root(dog/NOUN:obj[Number=Plur])", "subject_number", "A2 Plur"),
        ("see/VERB:root(go/VERB:xcomp)", "subject", "none"),
        ("go/VERB:root(not/PART:advmod)", "negated", "not"),
        ("go/VERB:root(who/PRON:nsubj[PronType=Int])", "wh", "wh"),
        ("go/VERB:root(dog/NOUN:nsubj(which/DET:det[PronType=Int]))", "wh", "wh"),
        ("go/VERB:root(to/PART:mark)", "marker", "to"),
    ],
)
def test_what_is_seen_of_a_clause(tree: str, column: str, expected: str) -> None:
    assert value(tree, column) == expected


def test_a_relative_clause_agrees_with_its_noun() -> None:
    tree = "dog/NOUN:root[Number=Plur](bark/VERB:A1INV)"
    tree = "dog/NOUN:root[Number=Plur](see/VERB:A2INV(cat/NOUN:A2[Number=Sing]))"
    assert value(tree, "subject_number", 1) == "A2 Sing"
