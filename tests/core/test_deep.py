from __future__ import annotations

import pytest

from fergus.core.deep import DeepSentence, clause_type, end_of, is_dropped, surface_tree, without_clause_type
from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree

# "The dogs have barked ." with the deep tree bark(dog _), written in another order.
SOURCE = OrderedTree(
    DependencyTree(
        (
            Node("barked", "bark", "VERB", feats=(("VerbForm", "Part"),), deprel="root"),
            Node("dogs", "dog", "NOUN", feats=(("Number", "Plur"),), deprel="nsubj"),
            Node("The", "the", "DET", deprel="det"),
            Node("have", "have", "AUX", deprel="aux"),
            Node(".", ".", "PUNCT", deprel="punct"),
        ),
        (-1, 0, 1, 0, 0),
    ),
    (2, 1, 3, 0, 4),
)
DEEP = DependencyTree(
    (
        Node("", "_", "PRON", deprel="A1"),
        Node("", "dog", "NOUN", deprel="A1"),
        Node("", "bark", "VERB", deprel="ROOT"),
    ),
    (2, 2, -1),
)


def test_the_surface_tree_has_deep_relations_and_the_words_that_were_absorbed() -> None:
    tree = surface_tree(DeepSentence(DEEP, SOURCE, (None, 1, 0), ((), (2,), (3,))))
    assert tree.forms == ("The", "dogs", "have", "barked")
    assert [(n.form, n.deprel) for n in tree.tree.nodes] == [
        ("dogs", "A1"),
        ("barked", "ROOT"),
        ("The", "det"),
        ("have", "aux"),
    ]
    assert tree.tree.heads == (1, -1, 0, 1)
    assert tree.tree.nodes[0].feats == (("Number", "Plur"),)


def test_only_a_pronoun_without_a_lemma_is_dropped() -> None:
    assert [is_dropped(node) for node in DEEP.nodes] == [True, False, False]
    assert not is_dropped(Node("_", "_", "PUNCT"))


def test_every_deep_node_has_a_source() -> None:
    with pytest.raises(ValueError, match="3 deep nodes, but 1 sources"):
        DeepSentence(DEEP, SOURCE, (0,), ((), (), ()))


def test_the_root_says_the_type_of_its_clause() -> None:
    nodes = (
        Node("go", "go", "VERB", feats=(("ClauseType", "Int"), ("Tense", "Past")), deprel="ROOT"),
        Node("she", "she", "PRON", feats=(("ClauseType", "Dec"),), deprel="A1"),
    )
    tree = DependencyTree(nodes, (ROOT, 0))
    assert clause_type(tree) == "Int"
    plain = without_clause_type(tree)
    assert plain.nodes[0].feats == (("Tense", "Past"),)
    assert plain.nodes[1] == nodes[1]
    assert clause_type(plain) == ""
    alone = DependencyTree((Node("go", feats=(("ClauseType", "Exc"),)),), (ROOT,))
    assert without_clause_type(alone).nodes[0].feats is None


@pytest.mark.parametrize(
    ("mark", "end"),
    [
        (".", "."), ("?", "?"), ("!", "!"), ("...", "."), ("?!", "?"), ("…", "."), (":", ":"),
        ("", ""), (",", ""), (")", ""), (".)", ""),
    ],
)  # fmt: skip
def test_marks_that_end_sentences(mark: str, end: str) -> None:
    assert end_of([mark]) == end
