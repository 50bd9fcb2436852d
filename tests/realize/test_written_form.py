from __future__ import annotations

from dataclasses import replace

from fergus.core.tree import OrderedTree
from fergus.realize.written_form import (
    CONTRACTED,
    NOTHING,
    SPACE,
    UNDECIDED,
    Unit,
    stated_units,
    written_sentence,
)

from .tiny_texts import written


def test_silence_is_a_space_in_a_tree_that_speaks_of_spaces() -> None:
    tree = written("we left~ .").tree
    assert stated_units(tree, [0, 1, 2]) == [Unit("we", (0,), SPACE), Unit("left", (1,), NOTHING), Unit(".", (2,))]


def test_a_tree_without_any_such_word_says_nothing() -> None:
    assert [unit.gap for unit in stated_units(written("we left").tree, [0, 1])] == [UNDECIDED, UNDECIDED]


def test_nothing_is_said_of_words_that_are_no_longer_neighbours() -> None:
    tree = written("we left~ .").tree
    assert [unit.gap for unit in stated_units(tree, [1, 0, 2])] == [UNDECIDED] * 3


def test_a_multiword_token_is_one_unit_while_its_words_are_together() -> None:
    tree = written("près [de le=du]~ lac").tree
    assert stated_units(tree, [0, 1, 2, 3]) == [
        Unit("près", (0,), SPACE),
        Unit("du", (1, 2), NOTHING),
        Unit("lac", (3,)),
    ]
    assert [unit.form for unit in stated_units(tree, [1, 0, 2, 3])] == ["de", "près", "le", "lac"]


def test_gaps_of_a_treebank() -> None:
    found = written_sentence(written("They [do n't=don't] speak [de le=du]~ ."))
    assert found is not None
    #                   they  do       n't    speak  de          le
    assert found.gaps == (SPACE, NOTHING, SPACE, SPACE, CONTRACTED, NOTHING)
    assert found.multiword == ((("do", "n't"), "don't"), (("de", "le"), "du"))


def test_a_missing_space_that_the_treebank_calls_a_mistake_is_a_space() -> None:
    ordered = written("a~ lot~ .")
    nodes = list(ordered.tree.nodes)
    nodes[0] = replace(nodes[0], misc="CorrectSpaceAfter=Yes|SpaceAfter=No")
    found = written_sentence(OrderedTree(replace(ordered.tree, nodes=tuple(nodes)), ordered.order))
    assert found is not None
    assert found.gaps == (SPACE, NOTHING)


def test_a_sentence_that_does_not_tell_is_passed_over() -> None:
    silent = written("we left .")
    assert written_sentence(silent) is None
    with_text = replace(silent.tree, metadata=(("text", "we left ."),))
    found = written_sentence(OrderedTree(with_text, silent.order))
    assert found is not None
    assert found.gaps == (SPACE, SPACE)


def test_a_multiword_token_of_words_that_are_not_there_is_no_sentence() -> None:
    ordered = written("we left~ .")
    for key in ("multiword 2-9", "multiword 3-2"):
        tree = replace(ordered.tree, metadata=((key, "x"),))
        assert written_sentence(OrderedTree(tree, ordered.order)) is None
