"""Packed word lattices: every order the supertags allow, each treelet's orders once (section 2).

A lattice is a list of *parts*, one for each treelet, daughters before mothers; the last part is the
whole sentence. An arc carries either a word or an earlier part, which stands for all paths through it,
so that a phrase is stored once however many places it can take. ``expanded`` gives the flat lattice.

    part 0 (phase):  0 --the--> 1 --second--> 2 --phase--> 3
    part 1 (for):    0 --for--> 1 --[part 0]--> 2
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fergus.core.notebook import shown


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc of one part, for reading; the lattice itself keeps arrays."""

    source: int
    target: int
    label: int
    weight: float


@dataclass(frozen=True, slots=True)
class Lattice:
    """Arcs of all parts one after the other, sorted by part and source state, as parallel arrays.

    States are numbered from 0 in every part, topologically: 0 is the initial state, the last the only
    final one, and every arc goes to a higher state.
    """

    part_arcs: array[int]
    """Where the arcs of each part begin, with the end of the last: one longer than there are parts."""
    part_states: array[int]
    """The number of states of each part."""
    source: array[int]
    target: array[int]
    label: array[int]
    """A node index, or ``-1 - part`` for an arc that stands for an earlier part."""
    weight: array[float]
    """The score of taking the arc, higher is better, in natural-log units."""

    def __len__(self) -> int:
        return len(self.part_states)

    def arcs(self, part: int) -> Iterator[Arc]:
        """The arcs of one part, by ascending source state."""
        for i in range(self.part_arcs[part], self.part_arcs[part + 1]):
            yield Arc(self.source[i], self.target[i], self.label[i], self.weight[i])

    def paths(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Every order with its weight, duplicates and all: exponential, for tests and tiny lattices."""

        def walk(part: int, state: int) -> Iterator[tuple[tuple[int, ...], float]]:
            if state == self.part_states[part] - 1:
                yield (), 0.0
                return
            for arc in self.arcs(part):
                if arc.source != state:
                    continue
                heads = [((arc.label,), 0.0)] if arc.label >= 0 else walk(-1 - arc.label, 0)
                for words, inner in heads:
                    for rest, outer in walk(part, arc.target):
                        yield words + rest, inner + arc.weight + outer

        yield from walk(len(self) - 1, 0)

    def _repr_svg_(self) -> str:
        return shown("lattice_svg", self)


def build(parts: Sequence[Sequence[Arc]]) -> Lattice:
    """A lattice from the arcs of its parts; arcs may come in any order within a part."""
    part_arcs, part_states = array("i", [0]), array("i")
    source, target, label, weight = array("i"), array("i"), array("i"), array("d")
    for number, arcs in enumerate(parts):
        for arc in sorted(arcs, key=lambda a: (a.source, a.target, a.label)):
            if not 0 <= arc.source < arc.target:
                raise ValueError(f"part {number}: arc {arc.source}->{arc.target} does not go forward")
            if arc.label < -number:
                raise ValueError(f"part {number}: an arc may only stand for an earlier part")
            source.append(arc.source)
            target.append(arc.target)
            label.append(arc.label)
            weight.append(arc.weight)
        part_arcs.append(len(source))
        part_states.append(1 + max((arc.target for arc in arcs), default=0))
    return Lattice(part_arcs, part_states, source, target, label, weight)


def expanded(lattice: Lattice, *, limit: int = 1_000_000) -> Lattice:
    """The same paths in a lattice of one part: inner parts are copied to every place they are used.

    A copy of a part shares its first and its last state with the arc it replaces, and the weight of that
    arc goes to the arcs that leave the copy's first state. A packed lattice of a few thousand arcs can
    stand for more than any memory holds; beyond ``limit`` arcs a ValueError says so before the work begins.
    """
    if not len(lattice):
        raise ValueError("a lattice without parts cannot be expanded")
    arcs, inner, offsets = _flat_sizes(lattice, limit)
    top = len(lattice) - 1
    if arcs[top] > limit:
        raise ValueError(
            f"the expanded lattice would have more than {limit:,} arcs (packed: {len(lattice.source):,}); "
            "raise the limit, or use the packed lattice"
        )
    flat: list[Arc] = []
    # A stack instead of recursion: (part, its first state, its last, where the others begin, weight to add).
    waiting = [(top, 0, inner[top] + 1, 1, 0.0)]
    while waiting:
        part, first, last, base, extra = waiting.pop()
        final = lattice.part_states[part] - 1
        used = 0  # states that go to the copies on the arcs of the present source state
        previous = 0
        for arc in lattice.arcs(part):
            if arc.source != previous:
                used, previous = 0, arc.source
            begin = base + offsets[part][arc.source]
            source = first if arc.source == 0 else begin - 1
            target = last if arc.target == final else base + offsets[part][arc.target] - 1
            weight = arc.weight + extra if arc.source == 0 else arc.weight
            if arc.label >= 0:
                flat.append(Arc(source, target, arc.label, weight))
                continue
            sub = -1 - arc.label
            if lattice.part_states[sub] < 2:
                raise ValueError(f"part {part}: an arc stands for part {sub}, which has no arcs")
            waiting.append((sub, source, target, begin + used, weight))
            used += inner[sub]
    return build([flat])


def _flat_sizes(lattice: Lattice, limit: int) -> tuple[list[int], list[int], list[list[int]]]:
    """For each part, expanded: its arcs, its states between first and last, and where each state is put.

    The states that stand for the insides of the arcs leaving a state are numbered right after it, hence
    before any of those arcs' targets. Sizes stop growing just above ``limit``: they could have thousands of
    digits.
    """
    arcs: list[int] = []
    inner: list[int] = []
    offsets: list[list[int]] = []
    for part in range(len(lattice)):
        count = 0
        after = [0] * lattice.part_states[part]
        for arc in lattice.arcs(part):
            sub = -1 - arc.label
            count += 1 if arc.label >= 0 else arcs[sub]
            after[arc.source] += 0 if arc.label >= 0 else inner[sub]
        # Where the insides behind each state begin; a state between first and last stands just before.
        place, where = 0, []
        for state, size in enumerate(after):
            place += 0 if state == 0 else 1
            where.append(place)
            place += size
        arcs.append(min(count, limit + 1))
        inner.append(min(max(place - 1, 0), limit + 1))
        offsets.append(where)
    return arcs, inner, offsets
