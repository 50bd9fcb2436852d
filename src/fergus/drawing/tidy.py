"""Where the nodes of a tree stand from left to right, so that nothing overlaps (Reingold and Tilford 1981).

    S            Every subtree is moved as near to its left neighbours as their outlines allow, and the mother
 ┌──┴──┐         stands over the middle of her daughters.
NP     VP
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def tidy(nodes: Sequence[int], daughters: Mapping[int, Sequence[int]], width: Mapping[int, float]) -> dict[int, float]:
    """The middle of every node; ``nodes`` has the root first and mothers before daughters."""
    offset: dict[int, float] = {}  # from the mother's middle
    outline: dict[int, list[tuple[float, float]]] = {}  # by depth below, the left and the right edge
    for node in reversed(nodes):
        half = width[node] / 2
        together: list[tuple[float, float]] = []
        starts: list[float] = []
        for daughter in daughters[node]:
            own = outline.pop(daughter)
            near = max((right - left for (_, right), (left, _) in zip(together, own, strict=False)), default=0.0)
            starts.append(near)
            moved = [(left + near, right + near) for left, right in own]
            merged = [(a[0], b[1]) for a, b in zip(together, moved, strict=False)]
            together = merged + together[len(merged) :] + moved[len(merged) :]
        centre = (starts[0] + starts[-1]) / 2 if starts else 0.0
        for daughter, start in zip(daughters[node], starts, strict=True):
            offset[daughter] = start - centre
        outline[node] = [(-half, half), *((left - centre, right - centre) for left, right in together)]
    middle = {nodes[0]: 0.0}
    for node in nodes:
        for daughter in daughters[node]:
            middle[daughter] = middle[node] + offset[daughter]
    return middle
