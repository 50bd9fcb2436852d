from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.realize.order_scores import BESIDE_RIGHT, FIRST, LEFT, RIGHT, TreeletScores
from fergus.realize.order_search import (
    NEVER,
    SearchRoom,
    beam_orders,
    best_backward,
    best_forward,
    crowd_order,
    search_room,
    sum_pairs,
)
from tests.realize.order_oracle import all_orders, left_daughters, obeys, order_score, problems, random_scores

ROOM = search_room()


def prepared(k: int, s: TreeletScores, before: list[tuple[int, int]], ranks: list[tuple[int, int]]) -> SearchRoom:
    ROOM.required[:] = 0
    ROOM.rank[:] = 0
    ROOM.cross[:] = 0.0
    for a, b in before:
        ROOM.required[b] |= 1 << a
    for d, rank in ranks:
        ROOM.rank[d] = rank
    sum_pairs(k, s, ROOM.sum_left, ROOM.sum_right)
    return ROOM


@given(st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_the_best_order_of_all(k: int, seed: int) -> None:
    s = random_scores(k, seed)
    room = prepared(k, s, [], [])
    assert best_forward(k, s, room, -1) == max(order_score(s, order) for order in all_orders(k))


@given(problems())
def test_the_best_order_that_meets_the_demands(problem) -> None:  # type: ignore[no-untyped-def]
    k, s, before, ranks, _ = problem
    room = prepared(k, s, before, ranks)
    for count in range(k + 1) if ranks else (-1,):
        scores = [
            order_score(s, order)
            for order in all_orders(k)
            if obeys(order, before, ranks) and count in (-1, left_daughters(order))
        ]
        found = best_forward(k, s, room, count)
        assert found == max(scores) if scores else found <= NEVER


@given(problems(most=4))
def test_every_state_knows_its_best_completion(problem) -> None:  # type: ignore[no-untyped-def]
    k, s, before, _, _ = problem
    room = prepared(k, s, before, [])
    best_forward(k, s, room, -1)
    best_backward(k, s, room, -1)
    marginals: dict[tuple[int, int], float] = {}
    for order in all_orders(k):
        if not obeys(order, before, []):
            continue
        state = 0
        for item in order:
            state |= 1 << item  # item k, the head, is the highest bit
            marginals[state, item] = max(marginals.get((state, item), NEVER), order_score(s, order))
    for (state, last), best in marginals.items():
        assert room.forward[state, last] + room.backward[state, last] == best


def beam(
    k: int,
    s: TreeletScores,
    width: int,
    *,
    before: list[tuple[int, int]] | None = None,
    ranks: list[tuple[int, int]] | None = None,
    left_count: int = -1,
    cross: np.ndarray | None = None,
) -> list[tuple[tuple[int, ...], float]]:
    must = np.zeros((k + 1, k + 1), np.bool_)
    for a, b in before or []:
        must[a, b] = True
    rank = np.zeros(k, np.int64)
    for d, r in ranks or []:
        rank[d] = r
    orders, scores = np.empty((width, k + 1), np.int64), np.zeros(width)
    count = beam_orders(k, s, must, np.zeros((k, k)) if cross is None else cross, left_count, rank, orders, scores)
    return [(tuple(orders[i].tolist()), float(scores[i])) for i in range(count)]


@given(problems(most=4))
def test_a_beam_that_is_wide_enough_holds_every_order(problem) -> None:  # type: ignore[no-untyped-def]
    k, s, before, ranks, _ = problem
    for count in range(k + 1) if ranks else (-1,):
        expected = {
            order: order_score(s, order)
            for order in all_orders(k)
            if obeys(order, before, ranks) and count in (-1, left_daughters(order))
        }
        found = beam(k, s, 200, before=before, ranks=ranks, left_count=count)
        assert {order: pytest.approx(score) for order, score in found} == expected
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_a_beam_adds_what_crosses_the_head() -> None:
    s = random_scores(3, 5)
    cross = np.array([[0, 1.5, 0], [0, 0, -2], [0.25, 0, 0]])
    for order, score in beam(3, s, 200, cross=cross):
        left, right = order[: order.index(3)], order[order.index(3) + 1 :]
        extra = sum(cross[a, b] for a in left for b in right)
        assert score == pytest.approx(order_score(s, order) + extra)


def test_a_narrow_beam_finds_the_order_of_many_that_know_their_neighbours() -> None:
    k = 40
    s = random_scores(k, 7)
    for table in s[1:5]:
        table[...] /= 40
    for d in range(k):  # each daughter knows her side and whom she follows
        s.side[d, LEFT], s.side[d, RIGHT] = (9, 0) if d % 2 else (0, 9)
        if d + 2 < k:
            s.next_left[d, d + 2] = s.next_right[d, d + 2] = 5
    s.side[1, FIRST] = s.side[0, BESIDE_RIGHT] = 5
    ((order, score), *_) = beam(k, s, 32)
    assert order == (*range(1, k, 2), k, *range(0, k, 2))
    assert score == pytest.approx(order_score(s, order))


def test_a_rank_does_not_lead_a_narrow_beam_astray() -> None:
    k = 12
    s = random_scores(k, 3)
    s.side[0, LEFT] = -1000.0  # the beam would rather not, but must
    ((order, _), *_) = beam(k, s, 4, before=[(0, k)], ranks=[(0, -3)], left_count=5)
    assert order.index(k) == 5
    assert order.index(0) == 2


def test_a_beam_without_any_order() -> None:
    assert beam(3, random_scores(3, 1), 8, before=[(0, 1), (1, 0)]) == []


def crowd(k: int, s: TreeletScores, pairs: list[tuple[int, int]]) -> list[int] | None:
    order = np.empty(k + 1, np.int64)
    return order.tolist() if crowd_order(k, s, np.array(pairs, np.int64).reshape(-1, 2), order) else None


def test_a_crowd_stands_where_each_daughter_wants() -> None:
    s = random_scores(5, 1, capacity=5)
    s.side[:, LEFT], s.side[:, RIGHT] = [1, 0, 2, 0, 0], [0, 1, 0, 2, 0]
    assert crowd(5, s, []) == [0, 2, 5, 1, 3, 4]


@given(problems())
def test_a_crowd_obeys(problem) -> None:  # type: ignore[no-untyped-def]
    k, s, before, _, _ = problem
    order = crowd(k, s, before)
    assert order is not None
    assert sorted(order) == list(range(k + 1))
    assert obeys(tuple(order), before, [])


def test_a_crowd_that_contradicts_itself() -> None:
    assert crowd(4, random_scores(4, 1), [(0, 1), (1, 4), (4, 0)]) is None


def test_a_crowd_of_five_thousand_in_a_given_order() -> None:
    k = 5_000
    s = random_scores(k, 2, capacity=k)
    backwards = [*range(k, -1, -1)]
    assert crowd(k, s, list(pairwise(backwards))) == backwards
