from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.lattice import Lattice
from fergus.errors import ConstraintError
from fergus.realize import disjunctions
from fergus.realize.demands import NO_DEMANDS, OrderDemands, some_order
from fergus.realize.disjunctions import Treelets, unravel_places
from fergus.realize.places import Places


def star(count: int, words: str = "") -> Treelets:
    """A mother 0 with ``count`` daughters."""
    return Treelets([1, *[count + 1] * (count + 1)], list(words) or list(range(count + 1)))


def demands(
    before: Sequence[tuple[int, int]] = (),
    ranks: Sequence[tuple[int, int]] = (),
    preferences: Sequence[tuple[int, int, float]] = (),
) -> OrderDemands:
    def table(pairs: Sequence[tuple[int, int]]) -> np.ndarray:
        return np.array([(0, a, b) for a, b in pairs], np.int32).reshape(-1, 3)

    return OrderDemands(
        table(before), table(ranks), table([(a, b) for a, b, _ in preferences]), np.array([c for *_, c in preferences])
    )


def orders(lattice: Lattice) -> dict[tuple[int, ...], float]:
    found: dict[tuple[int, ...], float] = {}
    for order, weight in lattice.paths():
        assert order not in found, "the same order twice"
        found[order] = weight
    return found


def brute_force(places: Places, wanted: OrderDemands) -> dict[tuple[int, ...], float]:
    """Every order by definition: a place for everyone, then everything sorted, ties in all permutations."""
    result: dict[tuple[int, ...], float] = {}
    for fillers in product(*places.spine):
        if len({node for node, _ in fillers}) < len(fillers):
            continue
        for chosen in product(*places.free.values()):
            for rows in permutations(zip(places.free, chosen, strict=True)):
                if [where for _, (where, _) in rows] != sorted(where for _, (where, _) in rows):
                    continue
                line = [(2 * where, node) for node, (where, _) in rows]
                line += [(2 * i + 1, node) for i, (node, _) in enumerate(fillers)]
                order = tuple(node for _, node in sorted(line, key=lambda item: item[0]))
                place = {node: i for i, node in enumerate(order)}
                if any(place[a] > place[b] for _, a, b in wanted.before.tolist()):
                    continue
                if any(place[d] != place[0] + rank for _, d, rank in wanted.ranks.tolist()):
                    continue
                weight = sum(w for _, w in fillers) + sum(w for _, w in chosen)
                for (_, a, b), bonus in zip(wanted.preferences.tolist(), wanted.bonuses.tolist(), strict=True):
                    weight += bonus * (place[a] < place[b])
                result[order] = weight
    return result


WEIGHTS = st.integers(-4, 0).map(float)


@st.composite
def treelets(draw: st.DrawFn) -> tuple[int, Places]:
    """Up to four daughters: some fill slots (two of them may be exchanged), the others are free."""
    fixed, free = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    anchor = draw(st.integers(0, fixed))
    slots: list[tuple[tuple[int, float], ...]] = [((d, draw(WEIGHTS)),) for d in range(1, fixed + 1)]
    if fixed == 2 and draw(st.booleans()):
        slots = [(slots[0][0], (2, -1.0)), (slots[1][0], (1, -2.0))]
    spine = (*slots[:anchor], ((0, 0.0),), *slots[anchor:])
    where = st.lists(st.integers(0, fixed + 1), min_size=1, unique=True)
    places = {fixed + 1 + i: tuple((b, draw(WEIGHTS)) for b in sorted(draw(where))) for i in range(free)}
    return fixed + free, Places(spine, places)


def drawn_demands(count: int) -> st.SearchStrategy[OrderDemands]:
    node = st.integers(0, count)
    pairs = st.tuples(node, node).filter(lambda p: p[0] != p[1])
    ranks = st.tuples(st.integers(1, count), st.sampled_from([-1, 1, 2]))
    return st.builds(
        demands,
        st.lists(pairs, max_size=2),
        st.lists(ranks, max_size=1),
        st.lists(st.tuples(node, node, WEIGHTS).filter(lambda p: p[0] != p[1]), max_size=2),
    )


@settings(max_examples=200)
@given(treelets())
def test_the_lattice_has_every_order_once_with_its_weight(treelet: tuple[int, Places]) -> None:
    count, places = treelet
    lattice = unravel_places(star(count), lambda _: places)
    assert orders(lattice) == pytest.approx(brute_force(places, NO_DEMANDS))


@settings(max_examples=200)
@given(treelets().filter(lambda t: t[0] > 0).flatmap(lambda t: st.tuples(st.just(t), drawn_demands(t[0]))))
def test_demands_are_met(drawn: tuple[tuple[int, Places], OrderDemands]) -> None:
    (count, places), wanted = drawn
    before = [((a - 1) % (count + 1), (b - 1) % (count + 1)) for _, a, b in wanted.before.tolist()]
    ranks = [(d - 1, rank) for _, d, rank in wanted.ranks.tolist()]
    if some_order(count, before, ranks) is None:  # item ``count`` is the mother there
        with pytest.raises(ConstraintError, match="node 0 contradict"):
            unravel_places(star(count), lambda _: places, demands=wanted)
        return
    found = orders(unravel_places(star(count), lambda _: places, demands=wanted))
    expected = brute_force(places, wanted)
    if expected:
        assert found == pytest.approx(expected)
    else:  # the places cannot meet the demands: they give way
        sides = disjunctions.loosened(places, 0, 1, count + 1)
        assert found == pytest.approx(brute_force(sides, wanted))


def test_parts_are_nested() -> None:
    # 0 has daughters 1 and 2, 2 has daughter 3; everybody may stand on either side
    tree = Treelets([1, 3, 3, 4, 4], list("abcd"))

    def places_of(mother: int) -> Places:
        daughters = (1, 2) if mother == 0 else (3,)
        return Places((((mother, 0.0),),), dict.fromkeys(daughters, ((0, -1.0), (1, -2.0))))

    found = orders(unravel_places(tree, places_of))
    assert len(found) == 6 * 2  # orders of {0, 1, 2} times orders of {2, 3}
    assert all(abs(order.index(2) - order.index(3)) == 1 for order in found)


def test_a_single_word_is_a_lattice() -> None:
    assert orders(unravel_places(star(0), lambda _: Places((), {}))) == {(0,): 0.0}


def test_equal_leaves_are_not_permuted() -> None:
    places = Places((((0, 0.0),),), {1: ((0, -1.0),), 2: ((0, -1.0),), 3: ((0, -1.0),)})
    assert len(orders(unravel_places(star(3, "m,,x"), lambda _: places))) == 3  # not 6
    lattice = unravel_places(star(3, "m,,x"), lambda _: places, demands=demands([(2, 1)]))
    assert len(orders(lattice)) == 3  # 2 before 1 is what was demanded


class Ascending:
    """Likes each node best right after the one numbered one lower."""

    def score(self, left: int, right: int) -> float:
        return 0.0 if right == left + 1 else -5.0


def sides(count: int) -> Places:
    return Places((((0, 0.0),),), dict.fromkeys(range(1, count + 1), ((0, -2.0), (1, -0.1))))


def one_path(lattice: Lattice) -> Iterator[int]:
    """The order along the first arc of every state."""
    state = 0
    for arc in lattice.arcs(0):
        if arc.source == state:
            state = arc.target
            yield arc.label


def test_beyond_the_limit_a_beam_looks_at_neighbours() -> None:
    lattice = unravel_places(star(12), lambda _: sides(12), adjacency=Ascending())
    found = orders(lattice) if len(lattice.label) < 60 else None
    assert sum(lattice.part_states) < 48 * 13
    best = tuple(range(13))
    # along the states of the beam the best order is among those left
    state = {0}
    for node in best:
        state = {arc.target for arc in lattice.arcs(0) if arc.source in state and arc.label == node}
    assert state == {lattice.part_states[0] - 1}
    assert found is None or best in found


@pytest.mark.parametrize("wanted", [NO_DEMANDS, demands([(20, 3), (0, 7)], [(5, -2)]), demands([(60, 1), (1, 0)])])
@pytest.mark.parametrize("adjacency", [None, Ascending()])
def test_sixty_daughters(wanted: OrderDemands, adjacency: Ascending | None) -> None:
    started = time.perf_counter()
    lattice = unravel_places(star(60), lambda _: sides(60), demands=wanted, adjacency=adjacency)
    assert time.perf_counter() - started < 60
    order = tuple(one_path(lattice))
    assert sorted(order) == list(range(61))
    assert all(order.index(a) < order.index(b) for _, a, b in wanted.before.tolist())
    assert all(order.index(d) == order.index(0) + rank for _, d, rank in wanted.ranks.tolist())


def test_thousands_of_daughters_stand_at_their_best_places() -> None:
    places = Places((((0, 0.0),),), {d: ((0, -0.1 * (d % 2)), (1, -0.05)) for d in range(1, 3001)})
    lattice = unravel_places(star(3000), lambda _: places)
    evens, odds = list(range(2, 3001, 2)), list(range(1, 3001, 2))
    assert list(one_path(lattice)) == [*evens, 0, *odds]
    lattice = unravel_places(Treelets(star(3000).first_daughter, ["same"] * 3001), lambda _: places)
    assert list(one_path(lattice)) == [*evens, 0, *odds]
    lattice = unravel_places(star(3000), lambda _: places, demands=demands([(1, 2)]))
    order = list(one_path(lattice))
    assert order.index(1) < order.index(2)


def test_crowded_treelets_whose_places_cannot_meet_the_demands() -> None:
    places = Places((((0, 0.0),),), dict.fromkeys(range(1, 15), ((1, 0.0),)))
    lattice = unravel_places(star(14), lambda _: places, demands=demands([(3, 0)]))
    order = list(one_path(lattice))
    assert order.index(3) < order.index(0)


def test_contradictions_in_a_crowd() -> None:
    for count in (14, 1200):
        with pytest.raises(ConstraintError):
            unravel_places(star(count), lambda _, c=count: sides(c), demands=demands([(1, 2), (2, 1)]))
        wanted = demands([(1, 2), (2, 1)], [(3, 1)])
        with pytest.raises(ConstraintError):
            unravel_places(star(count), lambda _, c=count: sides(c), demands=wanted)


def test_a_large_tree_is_bounded() -> None:
    """A complete tree of 2,000 nodes with four daughters each: 12,000 / 2,000 = 6 states a treelet at most."""
    count = 2000
    first = [min(1 + 4 * i, count) for i in range(count + 1)]
    tree = Treelets(first, list(range(count)))

    def places_of(mother: int) -> Places:
        free = dict.fromkeys(range(first[mother], first[mother + 1]), ((0, 0.0), (1, 0.0)))
        return Places((((mother, 0.0),),), free)

    lattice = unravel_places(tree, places_of)
    assert max(lattice.part_states) <= 6
