"""Neighbours under one head, and what turning them round costs."""

from __future__ import annotations

from fergus.core.realization import Candidate, Realization, Scores
from fergus.core.tree import OrderedTree
from fergus.realize.explain import Explanation, Placement, Position
from fergus.treebank.notation import parse_tree
from fergus.web.workbench.treelets import Treelet, Turn, treelets

TREE = parse_tree("saw(I her)")
ORDER = (1, 0, 2)


def explanation(*placements: Placement) -> Explanation:
    best = Candidate(ORDER, Scores(0.0, 0.0, 0.0), OrderedTree(TREE, ORDER))
    return Explanation(Realization(TREE, (best,)), (), placements, (), "")


def test_neighbours_have_the_cost_of_the_order_in_which_they_are_turned_round() -> None:
    """Of “saw I her” the cost is 1.5 + 0.5; “I her saw” is no order of the lattice, and “her” and “saw” have none."""
    first = Placement(1, 0, (Position(ORDER, 0.0, 0.0), Position((0, 1, 2), 1.5, 0.5)))
    second = Placement(2, 0, (Position(ORDER, 0.0, 0.0), Position((1, 2, 0), None, 3.0)))
    assert treelets(explanation(first, second), ("saw", "I", "her"), 3) == [
        Treelet(
            "saw", ("I", "saw", "her"), (Turn("I", "saw", 2.0, "before:0:1"), Turn("saw", "her", None, "before:2:0"))
        )
    ]


def test_words_put_in_cannot_be_turned_round() -> None:
    found = treelets(explanation(Placement(1, 0, (Position(ORDER, 0.0, 0.0),))), ("saw", "I", "her"), 2)
    assert [turn.change for turn in found[0].turns] == ["before:0:1"]
