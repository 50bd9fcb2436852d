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
