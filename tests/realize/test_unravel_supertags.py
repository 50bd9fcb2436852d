from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from fergus.core.realization import SupertagChoice
from fergus.core.tree import DependencyTree, Node
from fergus.grammar.extract import extract
from fergus.realize.choose_trees import ProbableTrees
from fergus.realize.demands import OrderDemands
from fergus.realize.features import Encoder
from fergus.realize.supertagged import CanonicalTree, SupertaggedTree
from fergus.realize.tree_model import TreeModel
from fergus.realize.unravel_supertags import Settings, SupertagUnraveler
from tests.realize.tiny_treebank import treebank

MODEL = TreeModel.train(extract(treebank()))
CHOSEN_ONLY = Settings(places=1.0, rivals=2.0, exchange=-1.0, minimum=0.0)


def tagged(words: str, tags: str, slots: list[int | None]) -> SupertaggedTree:
    """A treelet, mother first, in canonical order already."""
    forms = words.split()
    first = [1, *[len(forms)] * len(forms)]
    tree = CanonicalTree([Node(form) for form in forms], [-1] + [0] * (len(forms) - 1), first)
    return SupertaggedTree(tree, [SupertagChoice(tag, 0.9) for tag in tags.split(";")], slots, 0.0)


SEES = tagged("sees she him today", "a.VERB(nsubj * obj);a.PRON;a.PRON;g.ADV", [None, 0, 1, None])


def strings(tree: SupertaggedTree, settings: Settings = CHOSEN_ONLY, **options: OrderDemands) -> dict[str, float]:
    lattice = SupertagUnraveler(MODEL, settings=settings).unravel(tree, **options)
    return {" ".join(tree.tree.nodes[i].form for i in order): weight for order, weight in lattice.paths()}


def test_arguments_at_their_slots_modifiers_at_every_place() -> None:
    found = strings(SEES)
    assert set(found) == {
        "today she sees him",
        "she today sees him",
        "she sees today him",
        "she sees him today",
    }
    # The weights are the places' probabilities: the adjunction table and this word's own places, mixed.
    assert sum(map(math.exp, found.values())) == pytest.approx(1.0)
    table = SupertagUnraveler(MODEL).table("today", "g.ADV", "a.VERB(nsubj * obj)")
    assert found["she sees him today"] == pytest.approx(math.log(table["right", 1]))


def test_the_word_has_habits_of_its_own() -> None:
    """The table's P(right 1) of g.ADV, then Witten-Bell with *today* under verbs: left 1 once, right 1 once."""
    tree = "a.VERB(nsubj * obj)"
    plain = {(p.side, p.gap): p.probability for p in MODEL.grammar.positions("g.ADV", tree)}
    mixed = SupertagUnraveler(MODEL).table("today", "g.ADV", tree)
    assert mixed["right", 1] == pytest.approx((1 + 2 * plain["right", 1]) / 4)


def test_improbable_places_are_left_out_and_weights_scaled() -> None:
    table = SupertagUnraveler(MODEL).table("today", "g.ADV", "a.VERB(nsubj * obj)")
    least = sorted(table.values())[-2]  # the two best places stay
    found = strings(SEES, CHOSEN_ONLY._replace(places=2.0, minimum=least))
    assert set(found) == {"today she sees him", "she sees him today"}
    # what is left sums to 1 again, and the logarithms are doubled
    assert sum(math.exp(weight / 2) for weight in found.values()) == pytest.approx(1.0)


def test_arguments_may_be_exchanged_at_a_cost() -> None:
    found = strings(SEES, CHOSEN_ONLY._replace(exchange=100.0))
    assert "him sees she today" in found
    assert found["him sees she today"] < found["she sees him today"]
    role = ("sees", "a.VERB(nsubj * obj)")
    loss = sum(
        MODEL.daughter(form, "a.PRON", *role, own) - MODEL.daughter(form, "a.PRON", *role, other)
        for form, own, other in (("she", "nsubj<", "obj>"), ("him", "obj>", "nsubj<"))
    )
    assert found["him sees she today"] == pytest.approx(found["she sees him today"] - loss)


def test_modifiers_of_one_gap_are_unordered() -> None:
    tree = tagged("cat the old", "a.NOUN;g.DET;g.ADJ", [None, None, None])
    assert {"the old cat", "old the cat"} <= set(strings(tree))


def test_a_rival_tree_lends_its_places() -> None:
    """PUNCT never stands left in this treebank, DET never right: with both, each place has its share."""
    tree = tagged("cat the", "a.NOUN;g.DET", [None, None])
    rival = SupertagChoice("g.DET", 0.6, (("g.PUNCT", 0.4), ("a.PRON", 0.3)))
    both = SupertaggedTree(tree.tree, [tree.choices[0], rival], tree.slots, 0.0)
    alone, mixed = strings(tree), strings(both, CHOSEN_ONLY._replace(rivals=0.1))
    assert mixed["cat the"] > alone["cat the"]
    unraveler = SupertagUnraveler(MODEL)
    left = 0.6 * unraveler.table("the", "g.DET", "a.NOUN")["left", 0]
    left += 0.4 * unraveler.table("the", "g.PUNCT", "a.NOUN")["left", 0]
    assert mixed["the cat"] == pytest.approx(math.log(left))


def test_an_empty_slot_leaves_no_gap() -> None:
    tree = tagged("sees she today", "a.VERB(nsubj * obj);a.PRON;g.ADV", [None, 0, None])
    found = strings(tree)
    assert set(found) == {"today she sees", "she today sees", "she sees today"}
    # beside the empty slot there is one place where there would be two: their probabilities are added
    assert sum(map(math.exp, found.values())) == pytest.approx(1.0)


def test_demands_win_over_the_trees() -> None:
    wanted = OrderDemands(
        np.array([[0, 2, 0]], np.int32), np.empty((0, 3), np.int32), np.empty((0, 3), np.int32), np.empty(0)
    )
    found = strings(SEES, demands=wanted)
    assert found
    assert all(text.split().index("him") < text.split().index("sees") for text in found)


def test_the_whole_way_does_not_depend_on_the_order_of_the_nodes() -> None:
    tree = DependencyTree(tuple(map(Node, ("sees", "cat", "the", "she", "today"))), (-1, 0, 1, 0, 0))
    expected: dict[str, float] | None = None
    for permutation in list(permutations(range(5)))[::17]:
        given = tree.permuted(permutation)
        chosen = ProbableTrees(MODEL).choose(CanonicalTree.of(given, Encoder().encode(given)))
        found = strings(chosen, Settings())
        assert expected is None or found == pytest.approx(expected)
        expected = found
    assert expected is not None
    assert max(expected, key=lambda text: expected[text]).startswith("she sees the cat")
