from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.lattice import Lattice
from fergus.core.tree import Before, Constraint, DependencyTree, Node, Place
from fergus.errors import ConstraintError
from fergus.realize.demands import NO_DEMANDS, OrderDemands, order_demands
from fergus.realize.features import Encoder, TreeArrays, copy_edges, node_attributes, treelet_attributes
from fergus.realize.order_scores import OUTCOMES, PAIRED, room, score_treelet
from fergus.realize.templates import parse_templates
from fergus.realize.unravel import OrderingModel, Unraveler
from tests.realize.order_oracle import all_orders, obeys, order_score
from tests.realize.random_trees import trees

TEMPLATES = parse_templates(
    "[daughter]\na.form h.form\na.first_form a.last_form\na.deprel\n"
    "[sisters]\na.form b.form h.form\na.last_form b.first_form\na.deprel b.deprel\n"
)
WEIGHTS = np.random.default_rng(5).normal(size=(1025, OUTCOMES)).astype(np.float32)
WEIGHTS[-1] = 0
MODEL = OrderingModel(TEMPLATES, WEIGHTS)
EVERYTHING = 1e6


def random_model() -> Unraveler:
    return Unraveler(MODEL, margin=EVERYTHING)


def best_treelets(tree: TreeArrays) -> dict[int, dict[tuple[int, ...], float]]:
    """All orders of each treelet with their scores; phrases have the edges of their best orders, as defined."""
    x = node_attributes(tree.base, tree.head, tree.first_daughter)
    treelets = treelet_attributes(x, tree.head, tree.first_daughter)
    found = {}
    for h in range(len(tree.head) - 1, -1, -1):
        begin, k = int(tree.first_daughter[h]), int(tree.first_daughter[h + 1] - tree.first_daughter[h])
        if not k:
            continue
        s = room(k, len(TEMPLATES.daughter), len(TEMPLATES.sisters))
        score_treelet(
            *(x, treelets[h], h, tree.head[h], begin, k, TEMPLATES.daughter, TEMPLATES.sisters, WEIGHTS, MODEL.mask, s),
            *(np.uint64(0), np.uint64(1)),
        )
        scores = {order: order_score(s, order) for order in all_orders(k)}
        best = max(scores, key=scores.__getitem__)
        first, last = (h if item == k else begin + item for item in (best[0], best[-1]))
        copy_edges(x, h, first, last)
        found[h] = {tuple(h if item == k else begin + item for item in o): score for o, score in scores.items()}
    return found


def whole(treelets: dict[int, dict[tuple[int, ...], float]], node: int) -> list[tuple[tuple[int, ...], float]]:
    """All orders of the phrase of ``node`` with their scores."""
    if node not in treelets:
        return [((node,), 0.0)]
    out = []
    for order, score in treelets[node].items():
        pieces = [[((node,), 0.0)] if item == node else whole(treelets, item) for item in order]
        for choice in product(*pieces):
            words = tuple(w for words, _ in choice for w in words)
            out.append((words, score + sum(inner for _, inner in choice)))
    return out


@settings(max_examples=50)
@given(trees(most=5))
def test_the_paths_are_all_orders_with_their_scores(tree: DependencyTree) -> None:
    arrays = Encoder().encode(tree)
    lattice = random_model().unravel(arrays)
    expected = dict(whole(best_treelets(arrays), 0))
    found = list(lattice.paths())
    assert len(found) == len(expected)
    assert dict(found) == {order: pytest.approx(score, abs=1e-5) for order, score in expected.items()}


@settings(max_examples=50)
@given(trees(most=6))
def test_without_margin_only_the_best_order_of_each_treelet_is_left(tree: DependencyTree) -> None:
    arrays = Encoder().encode(tree)
    lattice = Unraveler(MODEL, margin=0.0).unravel(arrays)
    best = max(score for _, score in whole(best_treelets(arrays), 0))
    assert all(weight == pytest.approx(best, abs=1e-5) for _, weight in lattice.paths())
    wide = Unraveler(MODEL, margin=0.0).unravel(arrays, margin=EVERYTHING)
    assert len(wide.source) >= len(lattice.source)


def test_a_single_node() -> None:
    lattice = random_model().unravel(Encoder().encode(DependencyTree((Node("Go"),), (-1,))))
    assert list(lattice.paths()) == [((0,), 0.0)]


def some_path(lattice: Lattice) -> list[int]:
    """The first path found, without recursion."""
    leaving: list[dict[int, tuple[int, int]]] = []
    for part in range(len(lattice)):
        leaving.append({arc.source: (arc.label, arc.target) for arc in lattice.arcs(part)})
    order, waiting = [], [(len(lattice) - 1, 0)]
    while waiting:
        part, state = waiting.pop()
        if state == lattice.part_states[part] - 1:
            continue
        label, target = leaving[part][state]
        waiting.append((part, target))
        if label < 0:
            waiting.append((-1 - label, 0))
        else:
            order.append(label)
    return order


@pytest.mark.parametrize(
    ("heads", "seconds"),
    [
        (range(-1, 9_999), 5.0),  # a chain
        ([-1, *[0] * 2_000], 5.0),  # a star
        ([-1, *[0] * 60], 5.0),
        ([-1, *[0] * 5_000], 5.0),
        ([-1, *[(i - 1) // 9 for i in range(1, 500)]], 5.0),  # nine daughters everywhere: all exact
    ],
)
def test_large_trees(heads: list[int], seconds: float) -> None:
    random = np.random.default_rng(1)
    nodes = tuple(Node(str(random.integers(50))) for _ in heads)
    arrays = Encoder().encode(DependencyTree(nodes, tuple(heads)))
    unraveler = Unraveler(MODEL, margin=6.0)
    unraveler.unravel(arrays)  # the first call may compile
    started = time.perf_counter()
    lattice = unraveler.unravel(arrays)
    assert time.perf_counter() - started < 10 * seconds  # a busy machine is no fault of ours
    assert sorted(some_path(lattice)) == list(range(len(nodes)))


def star(size: int, *constraints: Constraint) -> tuple[TreeArrays, OrderDemands]:
    tree = DependencyTree(tuple(Node(f"w{i}") for i in range(size + 1)), (-1, *[0] * size), constraints)
    arrays = Encoder().encode(tree)
    return arrays, order_demands(tree, arrays.head, arrays.original)


@pytest.mark.parametrize("size", [5, 12, PAIRED + 2])
def test_constraints_are_met(size: int) -> None:
    constraints = (Place(1, "left", 2), Before(3, 1), Place(2, "right", 1), Before(4, 3))
    arrays, demands = star(size, *constraints)
    order = [int(arrays.original[i]) for i in some_path(random_model().unravel(arrays, demands))]
    assert sorted(order) == list(range(size + 1))
    place = {node: i for i, node in enumerate(order)}
    assert place[1] == place[0] - 2
    assert place[2] == place[0] + 1
    assert place[4] < place[3] < place[1]


@settings(max_examples=30)
@given(st.permutations(range(13)), st.data())
def test_whatever_can_be_met_is_met_where_a_beam_must_do(some: list[int], data: st.DataObject) -> None:
    # Demands on ten and more daughters that at least one order meets; a beam alone can run into a dead end.
    k = 12
    pairs = data.draw(st.lists(st.tuples(st.integers(0, k), st.integers(0, k)), max_size=8))
    before = [(some[min(p)], some[max(p)]) for p in pairs if p[0] != p[1]]
    ranked = data.draw(st.lists(st.sampled_from(some), max_size=5, unique=True))
    ranks = [(d, some.index(d) - some.index(k)) for d in ranked if d != k]
    arrays = Encoder().encode(DependencyTree(tuple(Node(f"w{i}") for i in range(k + 1)), (-1, *[0] * k)))
    node = [*range(1, k + 1), 0]  # item k is the mother, node 0
    demands = NO_DEMANDS._replace(
        before=np.array([(0, node[a], node[b]) for a, b in before], np.int32).reshape(-1, 3),
        ranks=np.array([(0, node[d], rank) for d, rank in ranks], np.int32).reshape(-1, 3),
    )
    lattice = Unraveler(MODEL, margin=6.0).unravel(arrays, demands)
    for path, _ in lattice.paths():
        assert obeys(tuple(node.index(n) for n in path), before, ranks)


@pytest.mark.parametrize("size", [3, 12, PAIRED + 2])
def test_constraints_that_contradict_one_another(size: int) -> None:
    arrays, _ = star(size)
    cycle = NO_DEMANDS._replace(before=np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1)], np.int32))
    with pytest.raises(ConstraintError, match="contradict one another"):
        random_model().unravel(arrays, cycle)
    shared = NO_DEMANDS._replace(ranks=np.array([(0, 1, 1), (0, 2, 1)], np.int32))
    with pytest.raises(ConstraintError, match="contradict one another"):
        random_model().unravel(arrays, shared)
