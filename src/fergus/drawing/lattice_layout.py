"""Where the states and words of a lattice stand on paper: columns from left to right, few crossings.

States and words take turns: each word has a column between its two states, so that no word is ever written
over another. An arc that spans several columns of states passes through bends.

    column   0          1          2          3          4
             o ───── the ───────── o ────── second ───── o
              ╰───── second ────── o ────── the ───────╯

Rows within a column are ordered by barycentres (Sugiyama, Tagawa and Toda 1981); then every column is moved
as near to its neighbours as the distances allow, which is an isotonic regression and solved exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fergus.core.lattice import Arc

_SWEEPS = 24
_SPINE_PULL = 10_000.0
"""How much harder the highlighted path is pulled to the middle line than others to their neighbours."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns and heights; the highlighted path runs near height 0."""

    columns: int
    state_column: tuple[int, ...]
    state_height: tuple[float, ...]
    routes: tuple[tuple[tuple[int, float], ...], ...]
    """For every arc its points between the two states, (column, height); its word stands at the first."""


def lay_out(arcs: Sequence[Arc], states: int, spine: Collection[int] = (), *, distance: float = 1.0) -> Layout:
    """Place the states and arcs; ``spine`` are the indices of arcs to be kept on a straight line."""
    column = [0] * states
    for arc in arcs:  # sorted by source, and sources are topologically numbered
        column[arc.target] = max(column[arc.target], column[arc.source] + 2)
    # Vertices: the states, then for every arc its word and its bends.
    vertex_column = list(column)
    chains: list[list[int]] = []
    for arc in arcs:
        chain = []
        for c in range(column[arc.source] + 1, column[arc.target]):
            chain.append(len(vertex_column))
            vertex_column.append(c)
        chains.append(chain)
    size = len(vertex_column)
    left: list[list[int]] = [[] for _ in range(size)]
    right: list[list[int]] = [[] for _ in range(size)]
    for arc, chain in zip(arcs, chains, strict=True):
        stops = [arc.source, *chain, arc.target]
        for a, b in pairwise(stops):
            right[a].append(b)
            left[b].append(a)
    on_spine = {v for i in spine for v in (arcs[i].source, *chains[i], arcs[i].target)}
    members: list[list[int]] = [[] for _ in range(max(vertex_column) + 1)]
    for vertex in _depth_first(right, on_spine):
        if vertex == 0 or left[vertex] or right[vertex]:  # a state without arcs takes no room
            members[vertex_column[vertex]].append(vertex)
    _order(members, left, right)
    heights = _heights(members, left, right, on_spine, distance)
    return Layout(
        len(members),
        tuple(column),
        tuple(heights[:states]),
        tuple(tuple((vertex_column[v], heights[v]) for v in chain) for chain in chains),
    )


def _depth_first(right: list[list[int]], on_spine: Collection[int]) -> list[int]:
    """All vertices in the order of a walk from state 0, the spine first; what is out of reach comes last."""
    seen = [False] * len(right)
    found = []
    for start in range(len(right)):
        stack = [start]
        while stack:
            vertex = stack.pop()
            if seen[vertex]:
                continue
            seen[vertex] = True
            found.append(vertex)
            stack.extend(sorted(right[vertex], key=lambda v: (v in on_spine, -v)))
    return found


def _order(members: list[list[int]], left: list[list[int]], right: list[list[int]]) -> None:
    """Sort every column by the mean rank of its neighbours, forwards and backwards; keep the best seen."""
    best, fewest = [list(column) for column in members], _crossings(members, right)
    for sweep in range(_SWEEPS):
        forwards = sweep % 2 == 0
        neighbours = left if forwards else right
        sequence = range(1, len(members)) if forwards else range(len(members) - 2, -1, -1)
        for c in sequence:
            rank = {v: i for i, v in enumerate(members[c - 1 if forwards else c + 1])}
            mine = {v: float(i) for i, v in enumerate(members[c])}
            for v in members[c]:
                if neighbours[v]:
                    mine[v] = sum(rank[n] for n in neighbours[v]) / len(neighbours[v])
            members[c].sort(key=mine.__getitem__)
        if (crossings := _crossings(members, right)) < fewest:
            best, fewest = [list(column) for column in members], crossings
        if fewest == 0:
            break
    members[:] = best


def _crossings(members: list[list[int]], right: list[list[int]]) -> int:
    """How many pairs of lines cross, by counting inversions with a Fenwick tree."""
    total = 0
    for here, there in pairwise(members):
        rank = {v: i for i, v in enumerate(there)}
        tree = [0] * (len(there) + 1)
        inserted = 0
        for vertex in here:
            ends = sorted(rank[n] for n in right[vertex])
            for end in ends:
                below, i = 0, end + 1
                while i:
                    below += tree[i]
                    i &= i - 1
                total += inserted - below
            for end in ends:
                i = end + 1
                while i <= len(there):
                    tree[i] += 1
                    i += i & -i
            inserted += len(ends)
    return total


def _heights(
    members: list[list[int]],
    left: list[list[int]],
    right: list[list[int]],
    on_spine: Collection[int],
    distance: float,
) -> list[float]:
    """Pull every column towards its neighbours on both sides, ``distance`` kept between its members."""
    heights = [0.0] * len(left)
    for column in members:
        for rank, vertex in enumerate(column):
            heights[vertex] = (rank - (len(column) - 1) / 2) * distance
    for sweep in range(_SWEEPS):
        for column in members if sweep % 2 == 0 else members[::-1]:
            wishes, weights = [], []
            for vertex in column:
                beside = left[vertex] + right[vertex]
                wish = sum(heights[n] for n in beside) / len(beside) if beside else 0.0
                wishes.append(0.0 if vertex in on_spine else wish)
                weights.append(_SPINE_PULL if vertex in on_spine else 1.0)
            for vertex, height in zip(column, spread(wishes, weights, distance), strict=True):
                heights[vertex] = height
    return heights


def spread(wishes: Sequence[float], weights: Sequence[float], distance: float) -> list[float]:
    """The heights nearest to the wishes (weighted squares) that ascend by at least ``distance``.

    With the distances subtracted this is isotonic regression: neighbours in the wrong order are pooled.
    """
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for i, (wish, weight) in enumerate(zip(wishes, weights, strict=True)):
        mean, total, count = wish - i * distance, weight, 1
        while pools and pools[-1][0] > mean:
            before, before_total, before_count = pools.pop()
            mean = (before * before_total + mean * total) / (before_total + total)
            total += before_total
            count += before_count
        pools.append((mean, total, count))
    flat = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + i * distance for i, mean in enumerate(flat)]
