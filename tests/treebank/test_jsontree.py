from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Before, Choice, DependencyTree, Node, OrderedTree, Place
from fergus.errors import InputError
from fergus.treebank import parse_tree, read_json, to_json, tree_from_object, tree_to_object
from fergus.treebank.jsontree import parse_json
from tests.treebank.trees import FIGURE_2, canonical, texts, trees

NESTED = """
{"form": "saw", "upos": "VERB", "deprel": "root", "feats": {"Tense": "Past"},
 "daughters": [{"form": "I", "id": "i"}, {"form": "her", "id": 7, "daughters": null}],
 "constraints": [{"before": ["i", 7]}, {"node": 7, "side": "right", "rank": 1}],
 "metadata": {"sent_id": "s"}}
"""
FLAT = """
{"nodes": [{"id": "i", "form": "I", "head": 1}, {"id": 1, "form": "saw", "upos": "VERB", "deprel": "root",
 "feats": {"Tense": "Past"}, "head": null}, {"id": 7, "form": "her", "head": 1}],
 "constraints": [{"node": 7, "side": "right", "rank": 1}, {"before": ["i", 7]}]}
"""


def read(text: str) -> list[OrderedTree]:
    return list(read_json(io.StringIO(text), path="t"))


def test_nested_and_flat_are_the_same_tree() -> None:
    (nested,), (flat,) = read(NESTED), read(FLAT)
    assert canonical(nested.tree) == canonical(flat.tree)
    assert nested.tree.nodes[0] == Node("saw", upos="VERB", feats=(("Tense", "Past"),), deprel="root")
    assert nested.tree.constraints == (Before(1, 2), Place(2, "right", 1))
    assert nested.tree.metadata == (("sent_id", "s"),)
    assert (nested.tree.source, nested.order) == ("t:2", (0, 1, 2))


def test_lines_arrays_and_single_objects() -> None:
    line = json.dumps(json.loads(NESTED))
    assert len(read(f"{line}\n\n{line}\n")) == 2
    trees = read(f"[{NESTED},\n{NESTED}]\n")
    assert [t.tree.source for t in trees] == ["t:2", "t:8"]
    assert len(read(f"[{line}, {line}]")) == 2
    assert len(read(json.dumps(json.loads(NESTED), indent=2))) == 1


def test_one_bad_tree_leaves_the_others_alone() -> None:
    good = '{"form": "a"}'
    for text in (f'{good}\n{{"form": 1}}\n{{"form"\n{good}', f'[{good}, {{"form": 1}}, 7, {good}]'):
        results = list(parse_json(text.split("\n"), path="t"))
        kinds = [isinstance(r, OrderedTree) for r in results]
        assert kinds == [True, False, False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t:1: there is no tree in the input"),
        (" \n[]", "t:2: the array is empty"),
        ("[1", "t:1: a tree is a number; write an object"),
        ('[{"form": "a"}', "t:1: the array has no end"),
        ('{"form": "a"} x', 't:1: there is "x" after the tree'),
        ("{\n}\n{}", 't:1: "form" is missing; write a string'),
        ("x", "t:1: this is not JSON (Expecting value, column 1)"),
        ('{"form": "a",\n "b": }', "t:2: this is not JSON (Expecting value, column 7)"),
        (
            '{"form": "a", "daugthers": []}',
            't:1: "daugthers" is no key of this object; use alternatives, constraints, daugh',
        ),
        ('{"form": ""}', "t:1: the form '' is empty or has a line break in it"),
        ('{"form": "a\\nb"}', "t:1: the form"),
        ('{"form": "\\ud800"}', 't:1: "form" has half a surrogate pair in it'),
        ('{"form": true}', 't:1: "form" is a truth value; write a string'),
        ('{"form": "a", "upos": 1}', 't:1: "upos" is a number'),
        ('{"form": "a", "feats": []}', 't:1: "feats" is an array; write an object'),
        ('{"form": "a", "metadata": ""}', 't:1: "metadata" is a string; write an object'),
        ('{"form": "a", "feats": [1]}', 't:1: "feats" is an array; write an object'),
        ('{"form": "a", "feats": {"a": null}}', 't:1: feature "a" is missing'),
        ('{"form": "a", "daughters": {}}', 't:1: "daughters" is an object; write an array'),
        ('{"form": "a", "daughters": ["b"]}', "t:1: a node is a string; write an object"),
        ('{"form": "a", "daughters": [{"form": "b", "metadata": {}}]}', 't:1: "metadata" is no key'),
        ('{"form": "a", "id": "1", "daughters": [{"form": "b", "id": 1}]}', 't:1: two nodes have the id "1"'),
        ('{"nodes": []}', "t:1: the tree has no nodes"),
        ('{"nodes": [{"id": 1, "form": "a", "head": 1}]}', 't:1: node "1": the node is its own ancestor'),
        ('{"nodes": [{"form": "a"}, {"form": "b"}]}', 't:1: node "b": the tree has two roots'),
        ('{"nodes": [{"form": "a", "head": 2}]}', 't:1: node "a": the head "2" is not the id of a node'),
        ('{"form": "a", "constraints": [{"before": ["x", "y"]}]}', 't:1: "before" names no two nodes'),
        (
            '{"form": "a", "id": 1, "constraints": [{"before": [1, 2]}]}',
            "t:1: the constraint before=2 names no",
        ),
        ('{"form": "a", "constraints": [{"node": "x"}]}', 't:1: the constraint names no node: "x"'),
        ('{"form": "a", "id": 1, "constraints": [{"node": 1, "side": "left"}]}', "t:1: the root has no head"),
        ('{"form": "a", "metadata": {"a": 1}}', 't:1: "a" is a number'),
        ('{"form": ' + "9" * 5000 + "}", "t:1: this is not JSON (Exceeds the limit"),
    ],
)
def test_errors(text: str, message: str) -> None:
    results = list(parse_json(io.StringIO(text), path="t"))
    assert str(next(r for r in results if isinstance(r, InputError))).startswith(message)


def test_deep_nesting_is_refused_and_the_flat_form_is_not() -> None:
    deep = '{"form": "a", "daughters": [' * 100_000 + "]}" * 100_000
    with pytest.raises(InputError, match="nested too deeply; write deep trees in the flat form"):
        read(deep[: 1 << 19])
    with pytest.raises(InputError, match="nested too deeply"):
        read('{"form": "b"}\n' + deep[: 1 << 19])
    chain = DependencyTree(tuple(Node("w") for _ in range(10_000)), tuple(range(-1, 9_999)))
    (again,) = read(to_json(chain))
    assert again.tree.heads == chain.heads


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.treebank.jsontree.DOCUMENT_LIMIT", 20)
    (error,) = parse_json(io.StringIO('{\n"form":\n"a' + "a" * 20), path="t")
    assert str(error) == "t:3: the document is longer than 20 characters; write one tree a line"


def test_bad_bytes_and_broken_streams() -> None:
    lines = list(parse_json(io.BytesIO(b'{"form": "\xff"}\n{"form": "a"}\n'), path="t"))
    assert str(lines[0]).startswith("t:1: byte 11 of the line (0xff)")
    assert isinstance(lines[1], OrderedTree)
    (bad,) = parse_json(io.BytesIO(b'[\n{"form": "\xff"}]\n'), path="t")
    assert str(bad).startswith("t:2: byte 11 of the line (0xff)")

    class Broken(io.RawIOBase):
        def read1(self, size: int) -> bytes:
            raise OSError("gone")

    assert isinstance(next(parse_json(Broken())), InputError)


def test_written_trees() -> None:
    tree = parse_tree("a/X(b#b c[before=b,side=left])")
    assert tree_to_object(tree) == {
        "id": "1",
        "form": "a",
        "upos": "X",
        "daughters": [{"id": "2", "form": "b"}, {"id": "3", "form": "c"}],
        "constraints": [{"before": ["3", "2"]}, {"node": "3", "side": "left"}],
    }
    with_comment = tree_from_object({"form": "a", "metadata": {"text": "A."}})
    assert to_json(with_comment) == '{"form": "a", "metadata": {"text": "A."}}'
    assert to_json(parse_tree("a(é)")) == '{"form": "a", "daughters": [{"form": "é"}]}'
    assert canonical(tree_from_object(tree_to_object(parse_tree(FIGURE_2)))) == canonical(parse_tree(FIGURE_2))


def test_words_to_choose_from() -> None:
    record = {"alternatives": ["buy", {"word": "purchase", "weight": 2}], "upos": "VERB"}
    tree = tree_from_object(record)
    assert tree.nodes == (Node("", upos="VERB", alternatives=(Choice("buy"), Choice("purchase", 2))),)
    assert tree_to_object(tree) == record
    assert tree_from_object({"form": "a", "alternatives": None}).nodes == (Node("a"),)
    flat = {"nodes": [{"alternatives": ["a", "b"], "head": 7}]}
    with pytest.raises(InputError, match='node "a": the head "7" is not the id of a node'):
        tree_from_object(flat)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"alternatives": []}, '"alternatives" is empty'),
        ({"alternatives": ["a"], "form": 0}, 'a node has "alternatives" and a "form"'),
        ({"alternatives": {}}, '"alternatives" is an object'),
        ({"alternatives": [1]}, "an alternative is a number"),
        ({"alternatives": [""]}, "an alternative is empty"),
        ({"alternatives": ["a", "a"]}, 'the alternative "a" is given twice'),
        ({"alternatives": [{"weight": 1}]}, '"word" is missing'),
        ({"alternatives": [{"word": "a", "x": 1}]}, '"x" is no key of this object'),
        ({"alternatives": [{"word": "a", "weight": "1"}]}, '"weight" is a string'),
        ({"alternatives": [{"word": "a", "weight": True}]}, '"weight" is a truth value'),
        ({"alternatives": [{"word": "a", "weight": 10**400}]}, '"weight" is a number that will not do'),
        ({"alternatives": [{"word": "a", "weight": -1}]}, 'the weight of "a" is no number above 0'),
        ({"alternatives": [{"word": "a", "weight": float("nan")}]}, 'the weight of "a" is no number above 0'),
        ({"alternatives": ["a"], "form": "b"}, 'a node has "alternatives" and a "form" or a "lemma"'),
        ({"alternatives": ["a"], "lemma": "b"}, 'a node has "alternatives" and a "form" or a "lemma"'),
    ],
)
def test_bad_words_to_choose_from(record: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        tree_from_object(record)


@given(trees(words=texts(), ids=True) | trees(words=texts()), st.booleans())
def test_round_trip(tree: DependencyTree, flat: bool) -> None:
    (again,) = read(to_json(tree, flat=flat))
    assert canonical(again.tree) == canonical(tree)


def json_values() -> st.SearchStrategy[Any]:
    names = "form nodes daughters id head feats constraints before node side rank alternatives word weight lemma"
    keys = st.sampled_from(names.split(" "))
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
    return st.recursive(leaves, lambda v: st.lists(v, max_size=3) | st.dictionaries(keys, v, max_size=4))


@given(json_values().map(json.dumps) | st.text() | st.text('{}[]":, \n1a'))
def test_any_text_is_trees_or_input_errors(text: str) -> None:
    for result in parse_json(io.StringIO(text)):
        assert isinstance(result, OrderedTree | InputError)
