"""Heads with their daughters for the page Realize, and what it costs to turn two neighbours round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fergus.realize.explain import Explanation


@dataclass(frozen=True)
class Turn:
    """Two neighbours under one head, and what it costs to have them the other way round."""

    first: str
    second: str
    cost: float | None
    change: str


@dataclass(frozen=True)
class Treelet:
    """A head and its daughters in the order found."""

    head: str
    items: tuple[str, ...]
    turns: tuple[Turn, ...]


def treelets(explanation: Explanation, forms: Sequence[str], given: int) -> list[Treelet]:
    """Every head with its daughters, and what turning two neighbours round would cost."""
    costs: dict[tuple[int, ...], float | None] = {}
    orders: dict[int, tuple[int, ...]] = {}
    for placement in explanation.placements:
        orders[placement.mother] = placement.positions[0].items
        costs |= {position.items: position.cost for position in placement.positions}
    found = []
    for mother, items in orders.items():
        turns = []
        for place in range(len(items) - 1):
            first, second = items[place : place + 2]
            if first < given and second < given:
                other = (*items[:place], second, first, *items[place + 2 :])
                turns.append(Turn(forms[first], forms[second], costs.get(other), f"before:{second}:{first}"))
        found.append(Treelet(forms[mother], tuple(forms[item] for item in items), tuple(turns)))
    return found
