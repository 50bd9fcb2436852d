from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import DependencyTree, Node, OrderedTree, structural_fault
from fergus.errors import ModelError
from fergus.realize.baselines import (
    LeftRightModel,
    LeftRightUnraveler,
    random_order,
    random_pairs,
    random_projective_order,
    random_tree,
    treebank_pairs,
)
from tests.realize.tiny_treebank import ordered, treebank

FIRST = [1, 3, 3, 5, 5, 5]  # 0 has daughters 1 and 2, 2 has daughters 3 and 4


def test_random_order_is_a_permutation_and_repeats_with_its_seed() -> None:
    order = random_order(20, random.Random(1))
    assert sorted(order) == list(range(20))
    assert order == random_order(20, random.Random(1)) != random_order(20, random.Random(2))


def test_random_projective_order_draws_every_projective_order() -> None:
    generator = random.Random(1)
    found = Counter(tuple(random_projective_order(FIRST, generator)) for _ in range(2000))
    assert len(found) == 6 * 6  # orders of {0, 1, 2} times those of {2, 3, 4}
    assert min(found.values()) > 20  # 2000 / 36 = 56 each


def test_random_projective_order_of_a_long_chain() -> None:
    order = random_projective_order([*range(1, 10_001), 10_000], random.Random(1))
    assert sorted(order) == list(range(10_000))


@given(st.integers(1, 30), st.integers(0, 5))
def test_random_trees_are_projective_trees(length: int, seed: int) -> None:
    heads = random_tree(length, random.Random(seed))
    assert structural_fault(heads) is None
    tree = DependencyTree(tuple(Node(str(i)) for i in range(length)), tuple(heads))
    assert OrderedTree(tree, tuple(range(length))).is_projective


def test_random_trees_have_every_shape() -> None:
    generator = random.Random(3)
    found = {tuple(random_tree(3, generator)) for _ in range(300)}
    # Over three words there are 7 projective trees: 3 with the root in the middle or both below it, 2 + 2 chains.
    assert len(found) == 7


def test_pairs_of_the_treebank() -> None:
    sentence = ordered("She/PRON:nsubj:2 sees/VERB:root:0 him/PRON:obj:2")
    assert list(treebank_pairs([sentence])) == [("She", "sees", True), ("him", "sees", False)]


def test_random_pairs_repeat_with_their_seed() -> None:
    sentences = [["a", "b", "c"], [], ["d"]]
    pairs = list(random_pairs(sentences, random.Random(1)))
    assert len(pairs) == 2
    assert all((a < b) == left for a, b, left in pairs)
    assert pairs == list(random_pairs(sentences, random.Random(1)))


def model(**options: int) -> LeftRightModel:
    pairs = [("A", "m", True)] * 3 + [("a", "M", False)] + [("b", "m", False)] * 2 + [("b", "n", False)]
    return LeftRightModel.train(pairs, **options)


def test_the_back_off_by_hand() -> None:
    """3 of 7 stood left, so the overall rate is (3 + 1) / (7 + 2) = 4/9, odds 4/5.

    a: (3 + 2 * 4/9) / (4 + 2) = 35/54, odds 35/19. m: 3 of 6: (3 + 8/9) / 8 = 35/72, odds 35/37.
    Together: odds 35/19 * 35/37 * 5/4 = 6125/2812, a rate of 6125/8937.
    The pair: (3 + 6125/8937) / (4 + 1).
    """
    assert model().left("a", "m") == pytest.approx((3 + 6125 / 8937) / 5)
    # An unknown mother says nothing: the daughter's rate is left.
    assert model().left("a", "unseen") == pytest.approx(35 / 54)
    assert model().left("unseen", "unseen") == pytest.approx(4 / 9)


def test_rare_pairs_can_be_left_out() -> None:
    assert ("b", "n") in model().pairs
    assert set(model(least=2).pairs) == {("a", "m"), ("b", "m")}
    assert model(least=2).daughters == model().daughters


def test_no_side_is_impossible() -> None:
    crowd = LeftRightModel.train([("a", "m", True)] * 100_000 + [("b", "n", False)] * 100_000)
    strict = LeftRightModel(crowd.pairs, crowd.daughters, crowd.mothers, 1e-9, 1e-9)
    for daughter, mother in (("a", "m"), ("b", "n"), ("a", "n")):
        assert 0.0 < strict.left(daughter, mother) < 1.0


def test_arrays_round_trip() -> None:
    arrays = model().to_arrays()
    assert all(array.dtype != object for array in arrays.values())
    assert LeftRightModel.from_arrays(arrays) == model()
    empty = LeftRightModel.train([])
    assert LeftRightModel.from_arrays(empty.to_arrays()).left("a", "b") == 0.5
    with pytest.raises(ModelError, match="left-right model"):
        LeftRightModel.from_arrays({key: arrays[key] for key in arrays if key != "pairs"})
    with pytest.raises(ModelError, match="left-right model"):
        LeftRightModel.from_arrays({**arrays, "daughters": np.zeros((2, 1), np.int32)})


def test_the_lattice_has_both_sides_weighted() -> None:
    unraveler = LeftRightUnraveler(model(), weight=2.0, minimum=0.0)
    found = dict(unraveler.unravel([1, 2, 2], ["M", "A"]).paths())
    left = model().left("a", "m")
    assert found == pytest.approx({(1, 0): 2 * math.log(left), (0, 1): 2 * math.log(1 - left)})


def test_improbable_sides_are_left_out() -> None:
    sure = LeftRightModel.train([("a", "m", True)] * 1000)
    lattice = LeftRightUnraveler(sure, minimum=0.02).unravel([1, 2, 2], ["m", "a"])
    assert [order for order, _ in lattice.paths()] == [(1, 0)]


def test_sisters_of_one_side_are_unordered() -> None:
    trained = LeftRightModel.train(treebank_pairs(treebank()))
    lattice = LeftRightUnraveler(trained, minimum=0.5).unravel([1, 3, 3, 3], ["cat", "the", "old"])
    assert {order for order, _ in lattice.paths()} == {(1, 2, 0), (2, 1, 0)}
