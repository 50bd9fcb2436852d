from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.tree import Before, Constraint, DependencyTree, Node, Place
from fergus.errors import ConstraintError
from fergus.realize.demands import NO_DEMANDS, OrderDemands, demands_by_mother, order_demands, some_order

# for(phase(the second)): mothers before daughters already, so canonical numbers are the node numbers.
FORMS = ("for", "phase", "the", "second")
HEADS = (-1, 0, 1, 1)


def demands(*constraints: Constraint) -> OrderDemands:
    nodes = tuple(Node(form, identifier=str(i)) for i, form in enumerate(FORMS, start=1))
    return order_demands(DependencyTree(nodes, HEADS, constraints), HEADS, range(4))


def rows(array: np.ndarray) -> list[list[int]]:
    return array.tolist()


def test_no_constraints_are_no_demands() -> None:
    assert demands() is NO_DEMANDS


def test_before_is_lifted_to_the_treelet_of_the_lowest_common_ancestor() -> None:
    assert rows(demands(Before(3, 2)).before) == [[1, 3, 2]]  # sisters
    assert rows(demands(Before(3, 1)).before) == [[1, 3, 1]]  # daughter before mother
    assert rows(demands(Before(0, 3)).before) == [[0, 0, 1]]  # *for* before the whole phrase of *second*


def test_places_are_sides_and_ranks() -> None:
    found = demands(Place(2, "left", 2), Place(1, "right"))
    assert rows(found.before) == [[1, 2, 1], [0, 0, 1]]
    assert rows(found.ranks) == [[1, 2, -2]]


def test_numbers_are_canonical() -> None:
    nodes = tuple(map(Node, ("the", "phase", "second")))
    tree = DependencyTree(nodes, (1, -1, 1), (Before(2, 0),))
    found = order_demands(tree, (-1, 0, 0), (1, 2, 0))
    assert rows(found.before) == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ((Before(2, 3), Before(3, 2)), "'the' .node 3., 'second' .node 4."),
        ((Place(2, "left"), Before(1, 3), Before(3, 2)), "no order of 'phase'"),
        ((Place(2, "left", 1), Place(3, "left", 1)), "no order"),
        ((Place(2, "left", 3),), "no order"),  # there are only two daughters
        ((Place(2, "left", 1), Place(2, "left", 2)), "no order"),
        ((Place(0, "left"),), "'for' .node 1. is the root"),
        ((Before(3, 3),), "before itself"),
    ],
)
def test_contradictions_name_the_nodes(constraints: tuple[Constraint, ...], message: str) -> None:
    with pytest.raises(ConstraintError, match=message):
        demands(*constraints)


def test_nodes_without_a_name_are_called_by_their_word() -> None:
    tree = DependencyTree((Node("a"), Node("b")), (-1, 0), (Before(0, 1), Before(1, 0)))
    with pytest.raises(ConstraintError, match="on 'a', 'b';"):
        order_demands(tree, (-1, 0), (0, 1))


ITEMS = st.integers(0, 4)


@given(
    before=st.lists(st.tuples(ITEMS, ITEMS).filter(lambda p: p[0] != p[1]), max_size=5),
    ranks=st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-4, -2, -1, 1, 2, 5])), max_size=3),
)
def test_some_order_finds_one_if_there_is_one(before: list[tuple[int, int]], ranks: list[tuple[int, int]]) -> None:
    """Oracle: all orders of four daughters and their mother (item 4)."""

    def meets(order: tuple[int, ...]) -> bool:
        place = {item: i for i, item in enumerate(order)}
        return all(place[a] < place[b] for a, b in before) and all(
            place[item] == place[4] + rank for item, rank in ranks
        )

    found = some_order(4, before, ranks)
    assert (found is None) == (not any(map(meets, permutations(range(5)))))
    assert found is None or meets(tuple(found))


def test_demands_by_mother() -> None:
    preferences = demands(Before(3, 2), Place(2, "left", 1))._replace(
        preferences=np.array([[0, 0, 1]], np.int32), bonuses=np.array([1.5])
    )
    found = demands_by_mother(preferences)
    assert found[1].before == [(3, 2), (2, 1)]
    assert found[1].ranks == [(2, -1)]
    assert found[0].preferences == [(0, 1, 1.5)]
