"""What a tree says of a mark between words: how far its head is, and whether an arc joins the words beside it.

animal  rights  -  related        an arc from one side of the dash to the other: written without spaces
he  came  -  she  left            none, or only those of whole clauses: written with them
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fergus.compiled import compiled
from fergus.core.tree import DependencyTree
from fergus.realize.features import Ints
from fergus.realize.gap_features import BRIDGE, KIND, LETTERS, LINK, REACH

NO_ARC, TO_RIGHT, TO_LEFT, SAME_HEAD, APART = 2, 3, 4, 5, 6
"""How two words hang together: not, the left one on the right one, the reverse, on the same word; over a mark, not."""
_MIDDLE, _NEAR, _FAR = 10, 3, 6
_MOST_SPANS = 3


def fill_arcs(rows: Ints, heads: Sequence[int]) -> None:
    """Fill in the columns of the tree; ``heads`` has the places of the words' heads, -1 where there is none."""
    fill_arc_columns(rows, np.array(heads, np.int32))


def head_places(tree: DependencyTree, units: Sequence[Sequence[int]]) -> list[int]:
    """For words, or several written as one, the place of the head; -1 if it is not among them."""
    place = {node: i for i, unit in enumerate(units) for node in unit}
    found = []
    for i, unit in enumerate(units):
        outside = (p for node in unit if (p := place.get(tree.heads[node], -1)) != i)
        found.append(next(outside, -1))
    return found


@compiled
def fill_arc_columns(rows, heads):
    """REACH: direction and distance of the head; LINK: with the word before; BRIDGE: of a mark's neighbours."""
    n = rows.shape[0]
    for i in range(n):
        far = heads[i] - i if heads[i] >= 0 else 0
        size = abs(far) if abs(far) < _NEAR else _NEAR if abs(far) < _FAR else _NEAR + 1
        rows[i, REACH] = _MIDDLE + (size if far >= 0 else -size)
        rows[i, LINK] = arc_between(heads, i - 1, i) if i > 0 else NO_ARC
        rows[i, BRIDGE] = NO_ARC
        if 0 < i < n - 1 and rows[i, KIND] >= LETTERS:
            arc = arc_between(heads, i - 1, i + 1)
            rows[i, BRIDGE] = arc if arc != NO_ARC else arcs_above(heads, i)


@compiled
def arc_between(heads, left, right):
    """How two words hang together."""
    if heads[left] == right:
        return TO_RIGHT
    if heads[right] == left:
        return TO_LEFT
    return SAME_HEAD if heads[left] == heads[right] else NO_ARC


@compiled
def arcs_above(heads, i):
    """How many arcs pass over a word, and whether those of its neighbours lead away from it."""
    spans = 0
    for j in range(heads.shape[0]):
        if heads[j] >= 0 and (j < i < heads[j] or heads[j] < i < j):
            spans += 1
    away_left, away_right = 0 <= heads[i - 1] < i - 1, heads[i + 1] > i + 1
    return APART + min(spans, _MOST_SPANS) + (_MOST_SPANS + 1) * (away_left + 2 * away_right)
