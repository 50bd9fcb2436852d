from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.lattice import Arc, Lattice, build
from fergus.realize.demands import OrderDemands
from fergus.realize.order_scores import PAIRED, TreeletScores
from fergus.realize.order_search import EXACT, search_room
from fergus.realize.treelet_arcs import ALTERNATIVES, beam_arcs, exact_arcs, prefer
from tests.realize.order_oracle import (
    all_orders,
    demands_of,
    left_daughters,
    obeys,
    order_score,
    problems,
    random_scores,
)

ROOM = search_room()
EVERYTHING = 1e6


def arcs_of(
    k: int, s: TreeletScores, demands: OrderDemands, *, margin: float | None = None, most: int = 4000
) -> tuple[Lattice | None, tuple[int, int]]:
    """The lattice of a treelet, exactly if a margin is given, and the first and last item of its best order."""
    source, target, item = (np.zeros(most, np.int32) for _ in range(3))
    weight = np.zeros(most)
    if margin is None:
        count, states, first, last = beam_arcs(k, s, demands, 0, 1, source, target, item, weight)
    else:
        count, states, first, last = exact_arcs(k, s, ROOM, demands, 0, 1, margin, source, target, item, weight)
    if count == 0:
        return None, (first, last)
    assert count <= most
    rows = zip(*(column[:count] for column in (source, target, item, weight)), strict=True)
    lattice = build([[Arc(*map(int, row[:3]), row[3]) for row in rows]])
    assert lattice.part_states[0] == states
    return lattice, (first, last)


def steps(order: tuple[int, ...]) -> set[tuple[frozenset[int], int, int]]:
    """What an order's arcs stand for: who is placed already, who was last, who comes now."""
    return {(frozenset(order[:p]), order[p - 1] if p else -1, order[p]) for p in range(len(order))}


@settings(max_examples=60)
@given(problems(most=4), st.integers(0, 12))
def test_the_arcs_are_those_of_the_orders_within_the_margin(problem, margin: int) -> None:  # type: ignore[no-untyped-def]
    k, s, before, ranks, _ = problem
    scores = {o: order_score(s, o) for o in all_orders(k) if obeys(o, before, ranks)}
    lattice, (first, last) = arcs_of(k, s, demands_of(k, before=before, ranks=ranks), margin=margin + 0.1)
    assert lattice is not None
    paths = dict(lattice.paths())
    # With ranks one number of left daughters is taken, that of the best order.
    counts = {left_daughters(o) for o in paths}
    if ranks:
        assert len(counts) == 1
        scores = {o: score for o, score in scores.items() if left_daughters(o) in counts}
    best = max(scores.values())
    wanted = {o for o, score in scores.items() if score >= best - margin - 0.1}
    assert wanted <= set(paths)
    assert {o: pytest.approx(paths[o]) for o in paths} == {o: scores[o] for o in paths}
    assert len(list(lattice.arcs(0))) == len(set().union(*map(steps, wanted)))
    assert set().union(*map(steps, paths)) == set().union(*map(steps, wanted))
    assert max(paths.values()) == pytest.approx(best)
    assert first in {o[0] for o, score in scores.items() if score == best}
    assert last in {o[-1] for o, score in scores.items() if score == best}


@settings(max_examples=60)
@given(problems(most=4))
def test_preferences_are_paid_wherever_the_two_stand(problem) -> None:  # type: ignore[no-untyped-def]
    k, s, before, ranks, preferences = problem
    scores = {o: order_score(s, o, preferences=preferences) for o in all_orders(k) if obeys(o, before, ranks)}
    demands = demands_of(k, before=before, ranks=ranks, preferences=preferences)
    for row, bonus in zip(demands.preferences, demands.bonuses, strict=True):
        prefer(s, k, 0, 1, row[1], row[2], bonus)
    lattice, _ = arcs_of(k, s, demands, margin=EVERYTHING)
    assert lattice is not None
    paths = dict(lattice.paths())
    assert max(paths.values()) == pytest.approx(max(scores.values()))
    assert {o: pytest.approx(score) for o, score in paths.items()} == {o: scores[o] for o in paths}
    if not ranks:
        assert len(paths) == len(scores)
    wide, _ = arcs_of(k, s, demands)
    assert wide is not None
    assert all(scores[o] == pytest.approx(weight) for o, weight in wide.paths())


@settings(max_examples=60)
@given(problems(most=5))
def test_a_few_orders_of_the_beam(problem) -> None:  # type: ignore[no-untyped-def]
    k, s, before, ranks, _ = problem
    scores = {o: order_score(s, o) for o in all_orders(k) if obeys(o, before, ranks)}
    lattice, ends = arcs_of(k, s, demands_of(k, before=before, ranks=ranks))
    assert lattice is not None
    paths = list(lattice.paths())
    assert len(paths) <= ALTERNATIVES
    assert {o: pytest.approx(weight) for o, weight in paths} == {o: scores[o] for o, _ in paths}
    best = max(paths, key=lambda path: path[1])
    assert (best[0][0], best[0][-1]) == ends or best[1] == pytest.approx(paths[1][1])


@pytest.mark.parametrize("margin", [0.0, 6.0])
def test_too_many_equally_good_orders_give_one(margin: float) -> None:
    s = random_scores(EXACT, 0)
    for table in s[:5]:
        table[...] = 0.0
    lattice, _ = arcs_of(EXACT, s, demands_of(EXACT), margin=margin, most=400)
    assert lattice is not None
    # all orders are equal: the lowest items come first, the head last
    assert list(lattice.paths()) == [(tuple(range(EXACT + 1)), 0.0)]


def test_the_one_of_many_obeys_too() -> None:
    k = EXACT
    s = random_scores(k, 0)
    for table in s[:5]:
        table[...] = 0.0
    s.side[2, 5] = 1.0  # better last
    lattice, ends = arcs_of(k, s, demands_of(k, before=[(8, 0)], ranks=[(5, -2)]), margin=1.0, most=400)
    assert lattice is not None
    ((order, weight),) = lattice.paths()
    assert obeys(order, [(8, 0)], [(5, -2)])
    assert (order[-1], weight) == (2, 1.0)
    assert ends[1] == 2


def test_a_smaller_margin_where_there_is_no_room() -> None:
    s = random_scores(6, 4)
    free, _ = arcs_of(6, s, demands_of(6), margin=EVERYTHING)
    tight, _ = arcs_of(6, s, demands_of(6), margin=EVERYTHING, most=50)
    assert free is not None
    assert tight is not None
    assert len(tight.source) <= 50 < len(free.source)
    best = max(order_score(s, o) for o in all_orders(6))
    assert max(weight for _, weight in tight.paths()) == pytest.approx(best)


def test_demands_that_no_order_meets() -> None:
    for k in (3, EXACT):
        impossible = demands_of(k, before=[(0, 1), (1, 0)])
        ranks = demands_of(k, ranks=[(0, k + 1)])
        for demands in (impossible, ranks):
            assert arcs_of(k, random_scores(k, 1), demands, margin=6.0)[0] is None
            assert arcs_of(k, random_scores(k, 1), demands)[0] is None


def test_demands_on_other_treelets_do_not_matter() -> None:
    s = random_scores(3, 1)
    demands = demands_of(3, before=[(0, 1)], ranks=[(0, -1)], preferences=[(0, 1, 9.0)])
    for table in (demands.before, demands.ranks, demands.preferences):
        table[:, 0] = 7
    for margin in (EVERYTHING, None):
        lattice, _ = arcs_of(3, s, demands, margin=margin)
        free, _ = arcs_of(3, s, demands_of(3), margin=margin)
        assert lattice == free


@pytest.mark.parametrize("k", [60, PAIRED, 200, 5_000])
def test_very_many_daughters(k: int) -> None:
    s = random_scores(k, 11, capacity=k)
    chain = [(a, b) for a, b in pairwise(range(0, k, 7))] + [(0, k)]
    lattice, _ = arcs_of(k, s, demands_of(k, before=chain), most=max(400, k + 1))
    assert lattice is not None
    arcs = {arc.source: arc for arc in lattice.arcs(0)}
    state, order = 0, []
    while state in arcs:
        order.append(arcs[state].label)
        state = arcs[state].target
    assert sorted(order) == list(range(k + 1))
    assert obeys(tuple(order), chain, [])
    # no scores to choose by: the caller has to settle ranks among very many
    ranked, _ = arcs_of(k, s, demands_of(k, ranks=[(3, 1)]), most=max(400, k + 1))
    assert (ranked is None) == (k > PAIRED)
