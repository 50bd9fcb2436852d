"""A big lattice cut down to what the eye can take: the orders nearest to the best one, and the winning path.

Every arc is worth as much as the best order it is part of (the sum of the weights on the way; inside, outside and
the arc itself, by Viterbi). The arcs worth at least so much are exactly those of the orders worth at least so much,
so that what is left never has an arc that leads nowhere. A packed lattice may stand for more orders than could ever
be listed: such a one is cut down before it is expanded, and again after.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

from fergus.core.lattice import Arc, Lattice, build, expanded

_EXPANDED = 1_000
"""Arcs up to which a lattice is expanded before it is cut down for the eye: in the packed one an arc is kept at all
the places where its part is used, or at none."""
_COUNTED = 1_000_000


@dataclass(frozen=True, slots=True)
class CutLattice:
    """What is left, expanded, and the sentence that says so; empty where everything is."""

    lattice: Lattice
    note: str


def cut_down(lattice: Lattice, order: Sequence[int] | None, *, limit: int) -> CutLattice:
    """The lattice, expanded, with at most ``limit`` arcs, or as many as the best order or the winner needs."""
    if not len(lattice):
        return CutLattice(lattice, "")
    if expanded_size(lattice, range(len(lattice.source)), limit) <= limit:
        return CutLattice(expanded(lattice), "")
    winner = _winning_arcs(lattice, order) if order is not None else frozenset()
    near = _only(lattice, _nearest(lattice, winner, _EXPANDED)[0])
    flat = expanded(near)
    winner = frozenset(best_path(flat, order)) if order is not None else frozenset()
    kept, distance = _nearest(flat, winner, limit)
    what = f"the orders within {distance:.2f} of the best by these weights" if distance else "the best order"
    if winner:
        what = f"{what} and the winning path" if set(kept) != winner else "the winning path"
    size = expanded_size(lattice, range(len(lattice.source)), _COUNTED)
    many = f"{size:,}" if size <= _COUNTED else "more than a million"
    note = f"The lattice has {many} arcs, too many to be drawn; shown here: {what}."
    return CutLattice(_renumbered(_only(flat, kept)), note)


def _nearest(lattice: Lattice, winner: frozenset[int], limit: int) -> tuple[Collection[int], float]:
    """The arcs of the orders nearest to the best one, and of the winner; and how far the farthest of them is."""
    everything = range(len(lattice.source))
    own, ahead = _ahead(lattice)
    worth = _worth(lattice, own, ahead)
    levels = sorted({w for w in worth if w > -inf}, reverse=True)
    if expanded_size(lattice, everything, limit) <= limit:
        return everything, levels[0] - levels[-1]
    # The most levels of worth whose arcs are few enough: expanded sizes grow with every level.
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high + 1) // 2
        if expanded_size(lattice, _kept(worth, levels[middle - 1], winner), limit) <= limit:
            low = middle
        else:
            high = middle - 1
    if low:
        kept = _kept(worth, levels[low - 1], winner)
        return kept, max((levels[0] - worth[i] for i in kept if i not in winner), default=0.0)
    # Too many orders are the best: one of them, unless there is no room for it beside the winner.
    one = _one_best(lattice, own, ahead)
    both = sorted(one | winner)
    fits = not winner or expanded_size(lattice, both, limit) <= limit
    return (both if fits else sorted(winner)), 0.0


def expanded_size(lattice: Lattice, kept: Collection[int], limit: int) -> int:
    """How many arcs the expanded lattice of some arcs would have; counting stops just above ``limit``."""
    inside = kept if isinstance(kept, range) else frozenset(kept)
    sizes: list[int] = []
    for part in range(len(lattice)):
        count = 0
        for i in range(lattice.part_arcs[part], lattice.part_arcs[part + 1]):
            if i in inside:
                count += 1 if lattice.label[i] >= 0 else sizes[-1 - lattice.label[i]]
        sizes.append(min(count, limit + 1))
    return sizes[-1]


def best_path(lattice: Lattice, order: Sequence[int]) -> tuple[int, ...]:
    """The indices of the arcs of the best path through a flat lattice that spells ``order``."""
    leaving: dict[int, list[int]] = {}
    for i, source in enumerate(lattice.source):
        leaving.setdefault(source, []).append(i)
    reached: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for label in order:
        following: dict[int, tuple[float, tuple[int, ...]]] = {}
        for state, (score, path) in reached.items():
            for i in leaving.get(state, ()):
                target, found = lattice.target[i], (score + lattice.weight[i], (*path, i))
                if lattice.label[i] == label and (target not in following or found[0] > following[target][0]):
                    following[target] = found
        reached = following
    final = lattice.part_states[0] - 1
    if final not in reached:
        raise ValueError("no path of the lattice has this order")
    return reached[final][1]


def _kept(worth: Sequence[float], least: float, winner: frozenset[int]) -> list[int]:
    return [i for i, w in enumerate(worth) if w >= least or i in winner]


def _ahead(lattice: Lattice) -> tuple[list[float], list[list[float]]]:
    """The weight of every arc with the best way through what it stands for; from every state the best way on."""
    own = [0.0] * len(lattice.source)
    ahead: list[list[float]] = []
    for part in range(len(lattice)):
        best = [-inf] * lattice.part_states[part]
        best[-1] = 0.0
        for i in range(lattice.part_arcs[part + 1] - 1, lattice.part_arcs[part] - 1, -1):
            label = lattice.label[i]
            own[i] = lattice.weight[i] + (0.0 if label >= 0 else ahead[-1 - label][0])
            best[lattice.source[i]] = max(best[lattice.source[i]], own[i] + best[lattice.target[i]])
        ahead.append(best)
    return own, ahead


def _worth(lattice: Lattice, own: list[float], ahead: list[list[float]]) -> list[float]:
    """For every arc the weight of the best order it is part of; minus infinity if there is none."""
    outside = [-inf] * len(lattice)
    outside[-1] = 0.0
    worth = [-inf] * len(lattice.source)
    for part in range(len(lattice) - 1, -1, -1):
        behind = [-inf] * lattice.part_states[part]
        behind[0] = outside[part]
        for i in range(lattice.part_arcs[part], lattice.part_arcs[part + 1]):
            source, target, label = lattice.source[i], lattice.target[i], lattice.label[i]
            behind[target] = max(behind[target], behind[source] + own[i])
            # Rounded, so that the arcs of one order, added up in different sequences, are worth the same.
            worth[i] = round(behind[source] + own[i] + ahead[part][target], 9)
            if label < 0:
                rest = behind[source] + lattice.weight[i] + ahead[part][target]
                outside[-1 - label] = max(outside[-1 - label], rest)
    return worth


def _one_best(lattice: Lattice, own: list[float], ahead: list[list[float]]) -> frozenset[int]:
    """The arcs of one best order; of equals, the first in the lattice."""
    found: set[int] = set()
    todo = [len(lattice) - 1]
    while todo:
        part = todo.pop()
        state = 0
        for i in range(lattice.part_arcs[part], lattice.part_arcs[part + 1]):
            # Arcs come by ascending source: the first that continues the best way leads to a later state.
            if lattice.source[i] == state and own[i] + ahead[part][lattice.target[i]] == ahead[part][state]:
                found.add(i)
                state = lattice.target[i]
                if lattice.label[i] < 0:
                    todo.append(-1 - lattice.label[i])
    return frozenset(found)


def _winning_arcs(lattice: Lattice, order: Sequence[int]) -> frozenset[int]:
    """The arcs, in all parts, of the best path that spells ``order``; bottom-up, so that depth is no limit."""
    # For every part and every place where it may begin: by the place where it ends, its weight and its arcs.
    spelled: list[dict[int, dict[int, tuple[float, tuple[tuple[int, int], ...]]]]] = []
    words: list[set[int]] = []
    for part in range(len(lattice)):
        span = range(lattice.part_arcs[part], lattice.part_arcs[part + 1])
        mine: set[int] = set()
        for i in span:
            mine |= {lattice.label[i]} if lattice.label[i] >= 0 else words[-1 - lattice.label[i]]
        words.append(mine)
        begins = [p for p, label in enumerate(order) if label in mine] if part < len(lattice) - 1 else [0]
        spelled.append({p: _spell(lattice, span, spelled, order, p, lattice.part_states[part] - 1) for p in begins})
    whole = spelled[-1].get(0, {}).get(len(order))
    if whole is None:
        raise ValueError("no path of the lattice has this order")
    found: set[int] = set()
    todo = list(zip(whole[1], (*whole[1][1:], (-1, len(order))), strict=True))
    while todo:
        (arc, begin), (_, end) = todo.pop()
        found.add(arc)
        if lattice.label[arc] < 0:
            inner = spelled[-1 - lattice.label[arc]][begin][end][1]
            todo += zip(inner, (*inner[1:], (-1, end)), strict=True)
    return frozenset(found)


def _spell(
    lattice: Lattice,
    span: range,
    spelled: list[dict[int, dict[int, tuple[float, tuple[tuple[int, int], ...]]]]],
    order: Sequence[int],
    begin: int,
    final: int,
) -> dict[int, tuple[float, tuple[tuple[int, int], ...]]]:
    """The ways through one part from the word at ``begin``: by their ends, weight and (arc, where it begins)."""
    reached: dict[tuple[int, int], tuple[float, tuple[tuple[int, int], ...]]] = {(0, begin): (0.0, ())}
    by_state: dict[int, list[int]] = {0: [begin]}
    for i in span:  # by ascending source, so that a state's ways are complete before they are gone on with
        for place in by_state.get(lattice.source[i], ()):
            score, path = reached[lattice.source[i], place]
            label = lattice.label[i]
            if label >= 0:
                ends = {place + 1: 0.0} if place < len(order) and order[place] == label else {}
            else:
                ends = {end: weight for end, (weight, _) in spelled[-1 - label].get(place, {}).items()}
            for end, inner in ends.items():
                key, new = (lattice.target[i], end), score + lattice.weight[i] + inner
                if key not in reached:
                    by_state.setdefault(key[0], []).append(end)
                if key not in reached or new > reached[key][0]:
                    reached[key] = (new, (*path, (i, place)))
    return {place: reached[final, place] for place in by_state.get(final, ()) if final > 0}


def _only(lattice: Lattice, kept: Collection[int]) -> Lattice:
    """The lattice of some arcs; states keep their numbers, parts of which nothing is left have no arcs."""
    inside = frozenset(kept)
    parts = [
        [
            Arc(lattice.source[i], lattice.target[i], lattice.label[i], lattice.weight[i])
            for i in range(lattice.part_arcs[part], lattice.part_arcs[part + 1])
            if i in inside
        ]
        for part in range(len(lattice))
    ]
    return build(parts)


def _renumbered(flat: Lattice) -> Lattice:
    """The same arcs without the states that none of them touches: the layout looks at every state."""
    used = {state: number for number, state in enumerate(sorted({0, *flat.source, *flat.target}))}
    return build([[Arc(used[arc.source], used[arc.target], arc.label, arc.weight) for arc in flat.arcs(0)]])
