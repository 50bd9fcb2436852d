"""The score of one order of a treelet, written out from its definition, and the best of all orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

import numpy as np
from hypothesis import strategies as st

from fergus.realize.demands import OrderDemands
from fergus.realize.order_scores import BESIDE_LEFT, BESIDE_RIGHT, FIRST, LAST, LEFT, RIGHT, TreeletScores, room

Order = tuple[int, ...]


def order_score(s: TreeletScores, order: Order, *, preferences: Iterable[tuple[int, int, float]] = ()) -> float:
    """The score of ``order``, in which the highest number is the head (see the docstring of order_scores)."""
    k = len(order) - 1
    middle = order.index(k)
    left, right = order[:middle], order[middle + 1 :]
    score = 0.0
    for d in left:
        score += s.side[d, LEFT]
    for d in right:
        score += s.side[d, RIGHT]
    if left:
        score += s.side[left[-1], BESIDE_LEFT]
    if right:
        score += s.side[right[0], BESIDE_RIGHT]
    if order[0] != k:
        score += s.side[order[0], FIRST]
    if order[-1] != k:
        score += s.side[order[-1], LAST]
    for before, after, side in ((s.before_left, s.next_left, left), (s.before_right, s.next_right, right)):
        for p, a in enumerate(side):
            for q, b in enumerate(side[p + 1 :], p + 1):
                score += before[a, b] + (after[a, b] if q == p + 1 else 0.0)
    for a, b, bonus in preferences:  # a anywhere before b
        score += bonus if order.index(a) < order.index(b) else 0.0
    return float(score)


def all_orders(k: int) -> Iterator[Order]:
    """The orders of k daughters and their head, which is number k."""
    return permutations(range(k + 1))


def obeys(order: Order, before: Iterable[tuple[int, int]], ranks: Iterable[tuple[int, int]]) -> bool:
    """Whether an order meets demands (item before item) and (daughter, rank: -1 is next to the head, left)."""
    middle = order.index(len(order) - 1)
    return all(order.index(a) < order.index(b) for a, b in before) and all(
        order.index(d) - middle == rank for d, rank in ranks
    )


def left_daughters(order: Order) -> int:
    """How many daughters stand before the head."""
    return order.index(len(order) - 1)


def random_scores(k: int, seed: int, *, capacity: int | None = None) -> TreeletScores:
    """Scores in steps of 1/4, so that ties are frequent and sums exact."""
    random = np.random.default_rng(seed)
    s = room(capacity or max(k, 1), 1, 1)
    for table in s[:5]:
        table[...] = random.integers(-8, 9, table.shape) / 4
    return s


def demands_of(
    k: int,
    *,
    before: Iterable[tuple[int, int]] = (),
    ranks: Iterable[tuple[int, int]] = (),
    preferences: Iterable[tuple[int, int, float]] = (),
) -> OrderDemands:
    """Demands on the treelet of node 0, whose daughters are 1 to k; the arguments count items (k is the head)."""

    def node(item: int) -> int:
        return 0 if item == k else item + 1

    listed = list(preferences)
    return OrderDemands(
        np.array([(0, node(a), node(b)) for a, b in before], np.int32).reshape(-1, 3),
        np.array([(0, node(d), rank) for d, rank in ranks], np.int32).reshape(-1, 3),
        np.array([(0, node(a), node(b)) for a, b, _ in listed], np.int32).reshape(-1, 3),
        np.array([bonus for _, _, bonus in listed], np.float64),
    )


@st.composite
def problems(
    draw: st.DrawFn, *, most: int = 5
) -> tuple[int, TreeletScores, list[tuple[int, int]], list[tuple[int, int]], list[tuple[int, int, float]]]:
    """A treelet's scores, demands that some order meets, and preferences."""
    k = draw(st.integers(1, most))
    scores = random_scores(k, draw(st.integers(0, 2**32 - 1)))
    some = draw(st.permutations(range(k + 1)))
    places = st.integers(0, k)
    pairs = draw(st.lists(st.tuples(places, places).filter(lambda p: p[0] < p[1]), max_size=3))
    before = [(some[p], some[q]) for p, q in pairs]
    ranked = [some[p] for p in draw(st.lists(places, max_size=2, unique=True))]
    ranks = [(d, some.index(d) - some.index(k)) for d in ranked if d != k]
    preferences = [
        (a, b, bonus / 4)
        for a, b, bonus in draw(st.lists(st.tuples(places, places, st.integers(-8, 8)), max_size=3))
        if a != b
    ]
    return k, scores, before, ranks, preferences
