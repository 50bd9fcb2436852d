"""Packed lattices from disjunctions: the places each daughter may take beside her mother (section 2).

A treelet has a *spine*, items in a fixed order (the mother and the fillers of her tree's slots), and *free*
daughters, each with the boundaries of the spine at which it may stand. Free daughters at one boundary are
unordered among themselves: the lattice has all their permutations.

    spine        she    sees    her            *often* may stand at 0 or 1, *today* at 0 or 3
    boundary   0      1       2     3          states: (boundary, who has been placed)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from fergus.core.lattice import Lattice
from fergus.errors import ConstraintError
from fergus.realize.crowded import BEAM, Adjacency, crowded_steps
from fergus.realize.demands import NO_DEMANDS, OrderDemands, TreeletDemands, demands_by_mother
from fergus.realize.places import Moves, Places, State, Steps, TreeletRules, steps_between

MOST_STATES = 300
"""A treelet with more states than this (from eight daughters that may all stand on either side) gets a beam."""
STATES_A_TREE = 12_000
"""In a tree of more than 40 nodes the treelets share this many states; beams are narrowed in proportion."""
LOOSE = -10.0
"""The weight of standing on a side of the mother on which the model sees no place (constraints only)."""


@dataclass(frozen=True)
class Treelets:
    """A tree in canonical numbers as the builder needs it."""

    first_daughter: Sequence[int]
    """Daughters of node i are first_daughter[i] : first_daughter[i + 1]."""
    words: Sequence[Hashable]
    """What a node prints: leaves that print the same and may stand at the same places are interchangeable."""


def unravel_places(
    tree: Treelets,
    places_of: Callable[[int], Places],
    *,
    demands: OrderDemands = NO_DEMANDS,
    adjacency: Adjacency | None = None,
) -> Lattice:
    """The lattice of all orders that ``places_of`` each mother allows; labels are canonical node numbers."""
    first = tree.first_daughter
    count = len(first) - 1
    part_of = [-1] * count
    part_arcs, part_states = array("i", [0]), array("i")
    source, target, label, weight = array("i"), array("i"), array("i"), array("d")
    wanted = demands_by_mother(demands)
    most = min(MOST_STATES, max(6, STATES_A_TREE // count))
    for mother in range(count - 1, -1, -1):
        if first[mother] == first[mother + 1] and count > 1:
            continue
        places = places_of(mother) if count > 1 else Places((((mother, 0.0),),), {})
        steps = treelet_steps(tree, mother, places, wanted.get(mother), adjacency, most=most)
        for step in steps.steps:
            part = part_of[step.item] if step.item != mother else -1
            source.append(step.source)
            target.append(step.target)
            label.append(step.item if part < 0 else -1 - part)
            weight.append(step.weight)
        part_of[mother] = len(part_states)
        part_states.append(steps.states)
        part_arcs.append(len(source))
    return Lattice(part_arcs, part_states, source, target, label, weight)


def treelet_steps(
    tree: Treelets,
    mother: int,
    places: Places,
    demands: TreeletDemands | None,
    adjacency: Adjacency | None,
    *,
    most: int = MOST_STATES,
) -> Steps:
    """The arcs of one treelet; demands that the places cannot meet loosen the places."""
    begin, end = tree.first_daughter[mother], tree.first_daughter[mother + 1]
    rules = TreeletRules.of(mother, begin, end, demands, twins(tree, begin, end, places, demands))
    beam = max(1, BEAM * most // MOST_STATES)
    steps = exact_steps(places, rules, most) or crowded_steps(places, rules, adjacency, beam)
    if not steps.steps:
        places = loosened(places, mother, begin, end)
        steps = exact_steps(places, rules, most) or crowded_steps(places, rules, adjacency, beam)
    if not steps.steps:
        raise ConstraintError(f"the order constraints on the daughters of node {mother} contradict one another")
    return steps


def twins(
    tree: Treelets, begin: int, end: int, places: Places, demands: TreeletDemands | None
) -> list[tuple[int, int]]:
    """Pairs of interchangeable leaves, the lower number first: one order of the two is enough."""
    if end - begin < 2 or demands is not None:
        return []
    last: dict[Hashable, int] = {}
    pairs = []
    for daughter in range(begin, end):
        free = places.free.get(daughter)
        if free is None or tree.first_daughter[daughter] != tree.first_daughter[daughter + 1]:
            continue
        key = (tree.words[daughter], free)
        if key in last:
            pairs.append((last[key], daughter))
        last[key] = daughter
    return pairs


def exact_steps(places: Places, rules: TreeletRules, most: int = MOST_STATES) -> Steps | None:
    """Every order; None if that takes more than ``most`` states."""
    options = Moves(places, rules)
    levels: list[dict[State, None]] = [{State(0, 0, -1): None}]
    moves: dict[State, dict[tuple[State, int], float]] = {}
    number = 1
    for _ in range(rules.size):
        following: dict[State, None] = {}
        for state in levels[-1]:
            found = moves[state] = {}
            for goal, node, weight in options.after(state):
                found[goal, node] = weight
                following[goal] = None
                if number + len(following) > most:
                    return None
        number += len(following)
        levels.append(following)
    return steps_between(levels, moves)


def loosened(places: Places, mother: int, begin: int, end: int) -> Places:
    """Every daughter left or right of the mother, at the weight of the best of her places on that side."""
    anchor = places.anchor(mother)
    sides: dict[int, list[float]] = {daughter: [LOOSE, LOOSE] for daughter in range(begin, end)}
    for daughter, options in places.free.items():
        for boundary, weight in options:
            side = int(boundary > anchor)
            sides[daughter][side] = max(sides[daughter][side], weight)
    for boundary, fillers in enumerate(places.spine):
        for item, weight in fillers:
            if item != mother:
                side = int(boundary > anchor)
                sides[item][side] = max(sides[item][side], weight)
    return Places((((mother, 0.0),),), {d: ((0, left), (1, right)) for d, (left, right) in sides.items()})
