from __future__ import annotations

from fergus.core.tree import DependencyTree, Node
from fergus.realize.features import Ints
from fergus.realize.gap_arcs import APART, NO_ARC, SAME_HEAD, TO_LEFT, TO_RIGHT, fill_arcs, head_places
from fergus.realize.gap_features import BRIDGE, LABELS, LINK, REACH, WordEncoder


def columns(words: str, heads: list[int]) -> Ints:
    rows = WordEncoder().encode([Node(word) for word in words.split()])
    assert not rows[:, LABELS:].any()  # unknown until the tree is known
    fill_arcs(rows, heads)
    return rows


def test_an_arc_over_a_mark_is_seen() -> None:
    rows = columns("rights - related books", [2, 2, 3, -1])
    assert rows[1, BRIDGE] == TO_RIGHT
    assert rows[:, BRIDGE].tolist() == [NO_ARC, TO_RIGHT, NO_ARC, NO_ARC]  # of marks only
    assert rows[:, LINK].tolist() == [NO_ARC, SAME_HEAD, TO_RIGHT, TO_RIGHT]
    assert rows[:, REACH].tolist() == [12, 11, 11, 10]


def test_clauses_beside_a_mark_are_apart() -> None:
    # "came" is the root, "left" hangs on it: one arc passes over the dash, that of "she" leads away from it.
    rows = columns("he came - she left", [1, -1, 4, 4, 1])
    assert rows[2, BRIDGE] == APART + 1 + 4 * 2
    assert rows[1, LINK] == TO_RIGHT
    assert columns("a / b", [-1, 0, 0])[1, BRIDGE] == TO_LEFT


def test_far_heads_are_far() -> None:
    rows = columns("a b c d e f g h", [-1, 0, 0, 0, 0, 0, 0, 0])
    assert rows[:, REACH].tolist() == [10, 9, 8, 7, 7, 7, 6, 6]


def test_heads_of_words_written_as_one() -> None:
    tree = DependencyTree(tuple(map(Node, ("va", "à", "le", "lac"))), (-1, 3, 3, 0))
    assert head_places(tree, [[0], [1], [2], [3]]) == [-1, 3, 3, 0]
    assert head_places(tree, [[0], [1, 2], [3]]) == [-1, 2, 0]
    assert head_places(tree, [[2, 3], [1]]) == [-1, 0]  # the head is not among them
