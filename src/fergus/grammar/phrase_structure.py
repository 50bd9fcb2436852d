"""What a phrase-structure tree says of its word: slots, foot and anchor (section 2).

(S_r NP_0:substp (VP V:headp NP_1:substp))        anchor V, slots NP_0 before and NP_1 after it, no foot
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fergus.core.bracketing import EPSILON, Phrase, children, to_bracketing
from fergus.core.supertag import ElementaryTree, Side, Slot


def main_anchor(phrase: Phrase) -> int:
    """The place of the anchor that names the tree: a verb if there is one, else the first; -1 if none."""
    anchors = [place for place, node in enumerate(phrase) if node.role == "headp"]
    verbs = [place for place in anchors if phrase[place].category == "V"]
    return (verbs or anchors or [-1])[0]


def foot_of(phrase: Phrase) -> int:
    """The place of the foot node, or -1."""
    return next((place for place, node in enumerate(phrase) if node.role == "footp"), -1)


def slots_by_side(phrase: Phrase, anchor: int, places: Sequence[int]) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """Slots named after the nodes at ``places``, left and right of the anchor (preorder is surface order)."""
    left = tuple(Slot(phrase[place].label) for place in places if place < anchor)
    right = tuple(Slot(phrase[place].label) for place in places if place > anchor)
    return left, right


def elementary_tree(name: str, phrase: Phrase, *, family: str = "") -> ElementaryTree:
    """The elementary tree of a phrase-structure tree; names that begin with ``beta`` are gamma trees."""
    anchor, foot = main_anchor(phrase), foot_of(phrase)
    left, right = slots_by_side(phrase, anchor, [p for p, node in enumerate(phrase) if node.role == "substp"])
    kind: Literal["alpha", "gamma"] = "gamma" if name.startswith("beta") else "alpha"
    side: Side | None = None
    if kind == "gamma" and foot >= 0 and anchor >= 0:
        side = "left" if anchor < foot else "right"
    return ElementaryTree(
        name=name,
        kind=kind,
        category=phrase[anchor].category if anchor >= 0 else phrase[0].category,
        left=left,
        right=right,
        root=phrase[0].label,
        foot=phrase[foot].category if foot >= 0 else "",
        side=side,
        family=family,
        co_anchors=tuple(n.category for p, n in enumerate(phrase) if n.role == "headp" and p != anchor),
        bracketing=to_bracketing(phrase),
    )


def dependency_slots(phrase: Phrase, anchor: int, foot: int) -> list[int]:
    """The places of the constituents that depend on the anchor in a dependency tree, in surface order.

    A daughter of a node on the way from root to anchor is one, whatever it is made of: a slot, a phrase
    with a fixed word or a co-anchor in it (*by* NP, the particle of *look up*), or, where the foot is the
    anchor's own complement (*think* S), the foot. Empty phrases are none, nor is ``foot``, which is the
    mother: pass -1 for trees whose foot is a complement.
    """
    spine = {anchor}
    place = anchor
    while place >= 0:
        spine.add(place)
        place = phrase[place].parent
    full = [bool(node.role) or (node.label.split("_")[0] not in (EPSILON, "PRO")) for node in phrase]
    below = children(phrase)
    for place in range(len(phrase) - 1, -1, -1):
        if below[place]:
            full[place] = any(full[daughter] for daughter in below[place])
    foot_line = set()
    place = foot
    while place >= 0 and place not in spine:
        foot_line.add(place)
        place = phrase[place].parent
    result = []
    for place, node in enumerate(phrase):
        if place in spine or node.parent not in spine or not full[place]:
            continue
        if place not in foot_line:
            result.append(place)
    return [inner for place in result for inner in dependents_inside(phrase, below, full, place)]


def dependents_inside(phrase: Phrase, below: list[list[int]], full: list[bool], place: int) -> list[int]:
    """A constituent itself, or what fills it if its own verb is empty: (VP_e (V_e ε) (PP P NP)) is the PP."""
    result, todo = [], [place]
    while todo:
        place = todo.pop()
        if any(phrase[d].category in ("V", "VP") and not full[d] for d in below[place]):
            todo.extend(daughter for daughter in reversed(below[place]) if full[daughter])
        else:
            result.append(place)
    return result
