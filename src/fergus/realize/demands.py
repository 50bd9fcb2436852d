"""Order constraints of the input, turned into demands on single treelets in canonical node numbers.

Words of a subtree stand together, so *a before b* is a demand on the treelet of the lowest node above both:

    for(phase(the second))        "second before phase"    treelet of phase: second before phase
                                  "for before second"      treelet of for: for before phase
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import Before, DependencyTree, Node
from fergus.errors import ConstraintError
from fergus.grammar.rules import HEAD, RuleSet


class OrderDemands(NamedTuple):
    """Constraints and hand-written preferences, in canonical node numbers; an item is a node of the treelet."""

    before: NDArray[np.int32]
    """Rows (mother, item, item): the first comes before the second; the mother herself may be an item."""
    ranks: NDArray[np.int32]
    """Rows (mother, daughter, rank): -2 is second to the left of the mother, 1 first to the right."""
    preferences: NDArray[np.int32]
    """Rows (mother, item, item) whose order earns a bonus."""
    bonuses: NDArray[np.float64]


NO_DEMANDS = OrderDemands(
    np.empty((0, 3), np.int32), np.empty((0, 3), np.int32), np.empty((0, 3), np.int32), np.empty(0)
)


def order_demands(
    tree: DependencyTree, head: Sequence[int] | NDArray[np.int32], original: Sequence[int] | NDArray[np.int32]
) -> OrderDemands:
    """The tree's constraints; ConstraintError if no order of some treelet meets all of hers.

    ``head`` and ``original`` are those of the tree in canonical order (mothers before daughters).
    """
    if not tree.constraints:
        return NO_DEMANDS
    heads = [int(h) for h in head]
    canonical = {int(old): new for new, old in enumerate(original)}
    before: dict[tuple[int, int, int], None] = {}
    ranks: dict[tuple[int, int, int], None] = {}
    for constraint in tree.constraints:
        if isinstance(constraint, Before):
            mother, first, second = lifted(canonical[constraint.first], canonical[constraint.second], heads)
            if first == second:
                raise ConstraintError(f"{named(tree, constraint.first)} cannot come before itself; name another node")
            before[mother, first, second] = None
            continue
        node = canonical[constraint.node]
        mother = heads[node]
        if mother < 0:
            raise ConstraintError(
                f"{named(tree, constraint.node)} is the root and has no head to stand beside; "
                "put the constraint on another node"
            )
        left = constraint.side == "left"
        before[(mother, node, mother) if left else (mother, mother, node)] = None
        if constraint.rank is not None:
            ranks[mother, node, -constraint.rank if left else constraint.rank] = None
    daughters: dict[int, list[int]] = {mother: [] for mother, _, _ in before}
    for node, mother in enumerate(heads):
        if mother in daughters:
            daughters[mother].append(node)
    for mother, nodes in daughters.items():
        items = {node: place for place, node in enumerate([*nodes, mother])}
        pairs = [(items[a], items[b]) for m, a, b in before if m == mother]
        places = [(items[d], rank) for m, d, rank in ranks if m == mother]
        if some_order(len(nodes), pairs, places) is None:
            at_fault = sorted({node for m, a, b in before if m == mother for node in (a, b)})
            names = ", ".join(named(tree, int(original[node])) for node in at_fault)
            raise ConstraintError(
                f"no order of {named(tree, int(original[mother]))} and its daughters meets the constraints on {names}; "
                "drop or change one of them"
            )
    return OrderDemands(
        np.array(list(before), np.int32).reshape(-1, 3),
        np.array(list(ranks), np.int32).reshape(-1, 3),
        NO_DEMANDS.preferences,
        NO_DEMANDS.bonuses,
    )


def with_rules(
    demands: OrderDemands, rules: RuleSet, nodes: Sequence[Node], first_daughter: NDArray[np.int32]
) -> OrderDemands:
    """The demands with those of a hand-written grammar; what contradicts the input's own constraints gives way.

    ``nodes`` are the canonical nodes with whatever labels are known, given or filled in.
    """
    before = [tuple(row) for row in demands.before.tolist()]
    ranks = [tuple(row) for row in demands.ranks.tolist()]
    preferences: list[tuple[int, int, int]] = []
    bonuses: list[float] = []
    for mother in range(len(nodes)):
        begin, end = int(first_daughter[mother]), int(first_daughter[mother + 1])
        if begin == end:
            continue
        daughters = nodes[begin:end]
        count = end - begin
        pairs = [
            (item_of(a, mother, begin, count), item_of(b, mother, begin, count)) for m, a, b in before if m == mother
        ]
        places = [(d - begin, rank) for m, d, rank in ranks if m == mother]
        for i, j in rules.precedences(nodes[mother], daughters):
            pair = (count if i == HEAD else i, count if j == HEAD else j)
            if pair not in pairs and some_order(count, [*pairs, pair], places) is not None:
                pairs.append(pair)
                before.append((mother, *(mother if x == count else begin + x for x in pair)))
        for daughter, side, rank in rules.places(nodes[mother], daughters):
            place = (daughter, -rank if side == "left" else rank)
            if all(d != daughter for d, _ in places) and some_order(count, pairs, [*places, place]) is not None:
                places.append(place)
                ranks.append((mother, begin + daughter, place[1]))
        for (i, j), bonus in rules.weights(nodes[mother], daughters).items():
            first, second = (mother if x == HEAD else begin + x for x in (i, j))
            preferences.append((mother, first, second))
            bonuses.append(bonus)
    return OrderDemands(
        np.array(before, np.int32).reshape(-1, 3),
        np.array(ranks, np.int32).reshape(-1, 3),
        np.array(preferences, np.int32).reshape(-1, 3),
        np.array(bonuses, np.float64),
    )


def item_of(node: int, mother: int, begin: int, count: int) -> int:
    """The place of a node among the items of a treelet: daughters first, then the mother."""
    return count if node == mother else node - begin


def named(tree: DependencyTree, node: int) -> str:
    """A node as messages call it."""
    form, identifier = tree.nodes[node].form, tree.nodes[node].identifier
    return f"{form!r} (node {identifier})" if identifier else repr(form)


def lifted(first: int, second: int, heads: Sequence[int]) -> tuple[int, int, int]:
    """The lowest node above both, and the two items of her treelet (herself or a daughter) they belong to."""
    a, b, item_a, item_b = first, second, first, second
    while a != b:  # mothers have smaller numbers, so the larger of the two is not above the other
        if a > b:
            a, item_a = heads[a], a
        else:
            b, item_b = heads[b], b
    return a, item_a, item_b


def some_order(
    count: int, before: Sequence[tuple[int, int]], ranks: Sequence[tuple[int, int]] = ()
) -> list[int] | None:
    """Some order of ``count`` daughters and their mother (item ``count``) that meets the demands, or None.

    With ranks each number of left daughters is tried: every item then has an earliest and a latest place, and
    taking the most urgent item first finds an order if there is one (Jackson's rule for unit tasks). Among
    equally urgent items the lower number comes first.
    """
    after: list[list[int]] = [[] for _ in range(count + 1)]
    for a, b in before:
        after[a].append(b)
    topological = topological_order(after)
    if topological is None:
        return None
    if not ranks:
        return scheduled([0] * (count + 1), [count] * (count + 1), after, topological)
    for left in range(count + 1):
        fixed = {count: left}
        for item, rank in ranks:
            if fixed.setdefault(item, left + rank) != left + rank:
                return None  # two ranks for one daughter
        if len(set(fixed.values())) < len(fixed):
            return None  # one rank for two
        if min(fixed.values()) < 0 or max(fixed.values()) > count:
            continue
        earliest = [fixed.get(item, 0) for item in range(count + 1)]
        latest = [fixed.get(item, count) for item in range(count + 1)]
        if order := scheduled(earliest, latest, after, topological):
            return order
    return None


def topological_order(after: Sequence[Sequence[int]]) -> list[int] | None:
    """Items such that each stands before those it must precede; None if there is a cycle."""
    waiting = [0] * len(after)
    for followers in after:
        for item in followers:
            waiting[item] += 1
    order = [item for item, number in enumerate(waiting) if not number]
    for item in order:
        for follower in after[item]:
            waiting[follower] -= 1
            if not waiting[follower]:
                order.append(follower)
    return order if len(order) == len(after) else None


def scheduled(
    earliest: list[int], latest: list[int], after: Sequence[Sequence[int]], topological: Sequence[int]
) -> list[int] | None:
    """The items, each between its earliest and latest place and before its followers; None if impossible."""
    for item in topological:
        for follower in after[item]:
            earliest[follower] = max(earliest[follower], earliest[item] + 1)
    for item in reversed(topological):
        for follower in after[item]:
            latest[item] = min(latest[item], latest[follower] - 1)
    by_start = sorted(range(len(after)), key=earliest.__getitem__)
    urgent: list[tuple[int, int]] = []
    order: list[int] = []
    coming = 0
    for place in range(len(after)):
        while coming < len(by_start) and earliest[by_start[coming]] <= place:
            heappush(urgent, (latest[by_start[coming]], by_start[coming]))
            coming += 1
        if not urgent or urgent[0][0] < place:
            return None
        order.append(heappop(urgent)[1])
    return order


class TreeletDemands(NamedTuple):
    """The demands on one treelet, in canonical node numbers."""

    before: list[tuple[int, int]]
    ranks: list[tuple[int, int]]
    preferences: list[tuple[int, int, float]]


def demands_by_mother(demands: OrderDemands) -> dict[int, TreeletDemands]:
    """The demands sorted by treelet; treelets without any are missing."""
    found: dict[int, TreeletDemands] = {}

    def of(mother: int) -> TreeletDemands:
        return found.setdefault(mother, TreeletDemands([], [], []))

    for mother, a, b in demands.before.tolist():
        of(mother).before.append((a, b))
    for mother, daughter, rank in demands.ranks.tolist():
        of(mother).ranks.append((daughter, rank))
    for (mother, a, b), bonus in zip(demands.preferences.tolist(), demands.bonuses.tolist(), strict=True):
        of(mother).preferences.append((a, b, bonus))
    return found
