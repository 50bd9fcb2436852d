"""Where the items of one treelet may stand, and which item may come next (section 2's disjunctions)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fergus.realize.demands import TreeletDemands, some_order


@dataclass(frozen=True, slots=True)
class Places:
    """The spine and the free daughters of one treelet, in canonical node numbers; natural-log weights."""

    spine: tuple[tuple[tuple[int, float], ...], ...]
    """For every place of the spine who may take it, the likeliest first; the mother is alone in hers."""
    free: Mapping[int, tuple[tuple[int, float], ...]]
    """For every free daughter the boundaries she may stand at: b is just before place b of the spine."""

    def anchor(self, mother: int) -> int:
        """The mother's place in the spine."""
        return next(place for place, fillers in enumerate(self.spine) if fillers[0][0] == mother)


class State(NamedTuple):
    """How far an order of a treelet has come."""

    boundary: int
    """How many places of the spine are filled."""
    placed: int
    """Bit set of the items that have their place; the mother is the highest bit."""
    left: int
    """With ranks: how many daughters will stand left of the mother. -1 if that is not settled."""


class Step(NamedTuple):
    """An arc of a treelet's part of the lattice."""

    source: int
    target: int
    item: int
    weight: float


class Steps(NamedTuple):
    """The arcs of a treelet's part, by ascending source, and the number of its states."""

    steps: list[Step]
    states: int


@dataclass(frozen=True)
class TreeletRules:
    """Constraints and preferences of one treelet, as bit sets over its items."""

    mother: int
    begin: int
    size: int
    """How many items there are: the daughters and the mother."""
    required: Sequence[int]
    """For every item the items that must have been placed before it."""
    ranks: tuple[tuple[int, int], ...] = ()
    """(daughter's item, rank)."""
    preferences: Mapping[int, tuple[tuple[int, float], ...]] = field(default_factory=dict)
    """For every item the items before which it earns a bonus."""
    pairs: tuple[tuple[int, int], ...] = ()
    """``required`` as pairs of items."""

    @classmethod
    def of(
        cls,
        mother: int,
        begin: int,
        end: int,
        demands: TreeletDemands | None,
        twins: Sequence[tuple[int, int]],
    ) -> TreeletRules:
        """The rules for the daughters ``begin`` to ``end`` of ``mother``."""
        count = end - begin
        required = [0] * (count + 1)

        def item(node: int) -> int:
            return count if node == mother else node - begin

        pairs = [*twins, *(demands.before if demands else ())]
        for a, b in pairs:
            required[item(b)] |= 1 << item(a)
        preferences: dict[int, list[tuple[int, float]]] = {}
        for a, b, bonus in demands.preferences if demands else ():
            preferences.setdefault(item(b), []).append((1 << item(a), bonus))
        return cls(
            mother, begin, count + 1, required,
            tuple((item(d), rank) for d, rank in demands.ranks) if demands else (),
            {b: tuple(found) for b, found in preferences.items()},
            tuple((item(a), item(b)) for a, b in pairs),
        )  # fmt: skip

    def item(self, node: int) -> int:
        """The number of a node among the items."""
        return self.size - 1 if node == self.mother else node - self.begin

    def some_order(self) -> list[int] | None:
        """Nodes in some order that the rules allow."""
        order = some_order(self.size - 1, self.pairs, self.ranks)
        return order and [self.mother if item == self.size - 1 else item + self.begin for item in order]

    def allow(self, order: Sequence[int]) -> bool:
        """Whether nodes may stand in this order."""
        place = {self.item(node): i for i, node in enumerate(order)}
        left = place[self.size - 1]
        return all(place[a] < place[b] for a, b in self.pairs) and all(
            place[item] == left + rank for item, rank in self.ranks
        )

    def ranks_allow(self, item: int, position: int, left: int) -> bool:
        """Whether ``item`` may stand at ``position`` if ``left`` daughters come before the mother."""
        if (item == self.size - 1) != (position == left):
            return False
        return all((item == ranked) == (position == left + rank) for ranked, rank in self.ranks)


class Option(NamedTuple):
    """One item that may come next at some boundary."""

    item: int
    node: int
    weight: float
    reached: int
    """The boundary after it."""
    needed: int
    """The items that must have been placed."""


class Moves:
    """Which items may come next in a state of a treelet."""

    def __init__(self, places: Places, rules: TreeletRules) -> None:
        self.rules = rules
        self._options: list[list[Option]] = [[] for _ in range(len(places.spine) + 1)]
        closing = [0] * len(places.spine)
        for node, alternatives in places.free.items():
            item = rules.item(node)
            for place in range(max(boundary for boundary, _ in alternatives), len(closing)):
                closing[place] |= 1 << item
            for boundary, weight in alternatives:
                option = Option(item, node, weight, boundary, rules.required[item])
                self._options[boundary].append(option)
        for place, fillers in enumerate(places.spine):
            for node, weight in fillers:
                item = rules.item(node)
                needed = rules.required[item] | closing[place]
                self._options[place].append(Option(item, node, weight, place + 1, needed))

    def after(self, state: State) -> Iterator[tuple[State, int, float]]:
        """Where one more item leads: the state, the node placed and the weight."""
        placed, rules = state.placed, self.rules
        for item, node, weight, reached, needed in self._options[state.boundary]:
            if placed >> item & 1 or needed & ~placed:
                continue
            total = weight
            for bit, bonus in rules.preferences.get(item, ()):
                if placed & bit:
                    total += bonus
            if not rules.ranks:
                yield State(reached, placed | 1 << item, -1), node, total
                continue
            for left in range(rules.size) if state.left < 0 else (state.left,):
                if rules.ranks_allow(item, placed.bit_count(), left):
                    yield State(reached, placed | 1 << item, left), node, total


def steps_between(
    levels: Sequence[Mapping[State, None]], moves: Mapping[State, Mapping[tuple[State, int], float]]
) -> Steps:
    """Steps between the states from which the end can be reached, numbered level by level; none if it cannot."""
    alive = set(levels[-1])
    for level in reversed(levels[:-1]):
        alive.update(state for state in level if any(goal in alive for goal, _ in moves.get(state, ())))
    numbers: dict[State, int] = {}
    for level in levels[:-1]:
        for state in level:
            if state in alive:
                numbers[state] = len(numbers)
    final = len(numbers)
    numbers.update(dict.fromkeys(levels[-1], final))  # one end, whatever the number of left daughters
    steps = [
        Step(number, numbers[goal], node, weight)
        for state, number in numbers.items()
        if number != final
        for (goal, node), weight in moves[state].items()
        if goal in alive
    ]
    return Steps(steps, final + 1)
