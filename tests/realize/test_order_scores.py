from __future__ import annotations

import numpy as np

from fergus.core.tree import DependencyTree, Node
from fergus.realize.features import Encoder, node_attributes, treelet_attributes
from fergus.realize.order_scores import (
    DAUGHTER_SALT,
    OUTCOMES,
    PAIRED,
    SISTER_SALT,
    drop_out,
    oriented,
    room,
    score_treelet,
)
from fergus.realize.templates import WIDTH, gather, hash_rows, parse_templates

BITS = 10
MASK = (1 << BITS) - 1
TEMPLATES = parse_templates("[daughter]\na.form\na.form h.form\n[sisters]\na.form b.form\na.deprel b.deprel t.count\n")


def test_scores_are_sums_of_the_weights_of_the_features() -> None:
    tree = DependencyTree(tuple(Node(w, deprel=w) for w in "hxyz"), (-1, 0, 0, 0))
    arrays = Encoder().encode(tree)
    x = node_attributes(arrays.base, arrays.head, arrays.first_daughter)
    treelet = treelet_attributes(x, arrays.head, arrays.first_daughter)[0]
    weights = np.random.default_rng(1).normal(size=(MASK + 2, OUTCOMES)).astype(np.float32)
    weights[-1] = 0
    s = room(4, 2, 2)
    score_treelet(
        *(x, treelet, 0, -1, 1, 3, TEMPLATES.daughter, TEMPLATES.sisters, weights, MASK, s),
        *(np.uint64(0), np.uint64(1)),
    )

    def summed(a: int, b: int, templates: np.ndarray, salt: int) -> np.ndarray:
        values, rows = np.zeros(4 * WIDTH + 16, np.int64), np.zeros(len(templates), np.int64)
        gather(x, treelet, a, b, 0, -1, values)
        hash_rows(values, templates, salt, MASK, rows)
        return weights[rows].astype(float).sum(0)

    for i in range(3):
        assert np.allclose(s.side[i], summed(1 + i, -1, TEMPLATES.daughter, DAUGHTER_SALT)[:6])
    for i in range(3):
        for j in range(3):
            if i == j:
                continue
            first, second = (i, j) if oriented(x, 1 + i, 1 + j) else (j, i)
            outcomes = summed(1 + first, 1 + second, TEMPLATES.sisters, SISTER_SALT)
            swapped = int(first != i)  # outcomes come in pairs: ab, ba
            for table, place in ((s.before_left, 0), (s.before_right, 2), (s.next_left, 4), (s.next_right, 6)):
                assert np.isclose(table[i, j], outcomes[place + swapped])


def test_a_pair_is_looked_at_one_way_round_whatever_its_order() -> None:
    tree = DependencyTree(tuple(map(Node, "habb")), (-1, 0, 0, 0))
    arrays = Encoder().encode(tree)
    x = node_attributes(arrays.base, arrays.head, arrays.first_daughter)
    for a in range(1, 4):
        for b in range(a + 1, 4):
            assert oriented(x, a, b) != oriented(x, b, a)


def test_sisters_are_not_compared_where_there_are_too_many() -> None:
    size = PAIRED + 1
    arrays = Encoder().encode(DependencyTree(tuple(map(Node, "x" * (size + 1))), (-1, *[0] * size)))
    x = node_attributes(arrays.base, arrays.head, arrays.first_daughter)
    weights = np.ones((MASK + 2, OUTCOMES), np.float32)
    s = room(size, 2, 2)
    assert s.before_left.shape == (PAIRED, PAIRED)
    treelet = treelet_attributes(x, arrays.head, arrays.first_daughter)[0]
    score_treelet(
        *(x, treelet, 0, -1, 1, size, TEMPLATES.daughter, TEMPLATES.sisters, weights, MASK, s),
        *(np.uint64(0), np.uint64(1)),
    )
    assert (s.side == 2.0).all()
    assert not s.before_left.any()


def test_drop_out_points_a_share_of_rows_at_the_dummy() -> None:
    rows = np.zeros(10_000, np.int64)
    state = drop_out(rows, len(rows), np.uint64(65536 // 4), np.uint64(7), 99)
    assert set(rows.tolist()) == {0, 99}
    assert 0.22 < (rows == 99).mean() < 0.28
    again = np.zeros(10_000, np.int64)
    assert drop_out(again, len(again), np.uint64(65536 // 4), np.uint64(7), 99) == state
    assert np.array_equal(rows, again)
