"""Phrase-structure trees of a tree-adjoining grammar: bracketing in, slots, foot and anchor out (section 2).

(S_r NP_0:substp (VP V:headp NP_1:substp))                S_r
                                                      ┌────┴────┐
a node is ``CATEGORY_INDEX:role:constraint``; the   NP_0↓       VP
role is ``headp`` (anchor), ``substp`` (slot) or             ┌──┴──┐
``footp``; a leaf without a role is a word or ε              V◊  NP_1↓
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fergus.core.supertag import ElementaryTree, Side, Slot

Role = Literal["", "headp", "substp", "footp"]
ROLES: tuple[Role, ...] = ("headp", "substp", "footp")
EPSILON = "ε"
"""An empty leaf: a trace, or the verb position that a small clause leaves to its copula."""

TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class PhraseNode:
    """One node; a tree is a tuple of them in preorder, so that no reader of it needs recursion."""

    label: str
    """Category and index, ``NP_0``; a word or ``ε`` for a leaf without a role."""
    parent: int
    """The place of the mother in the tuple, -1 for the root."""
    role: Role = ""
    constraint: str = ""
    """``NA`` where nothing may adjoin."""

    @property
    def category(self) -> str:
        """The label without its index."""
        return self.label.split("_")[0]

    @property
    def index(self) -> str:
        """What stands behind the first underscore of the label, or nothing."""
        return self.label.partition("_")[2]

    def __str__(self) -> str:
        return ":".join(filter(None, (self.label, self.role, self.constraint)))


Phrase = tuple[PhraseNode, ...]


class BracketingError(ValueError):
    """A bracketing that is no tree; the readers add file and line."""


def parse_bracketing(text: str) -> Phrase:
    """The tree written in ``text``."""
    nodes: list[PhraseNode] = []
    stack: list[int] = []
    expect_label = False
    for match in TOKEN.finditer(text):
        token = match.group()
        if token == ")":
            if expect_label or not stack:
                raise BracketingError("a bracket closes that was not opened, or that holds nothing")
            stack.pop()
            continue
        if nodes and not stack:
            raise BracketingError(f"text after the end of the tree: {token!r}")
        if token == "(":
            if expect_label:
                raise BracketingError("a bracket opens where a label should stand")
            expect_label = True
            # The node itself is appended with its label; remember only that it will have daughters.
            continue
        node = parse_node(token, stack[-1] if stack else -1)
        nodes.append(node)
        if expect_label:
            stack.append(len(nodes) - 1)
            expect_label = False
        elif len(nodes) == 1 and text.strip() != token:
            raise BracketingError(f"text after the end of the tree: {text.strip()[len(token) :].strip()!r}")
    if stack or expect_label:
        raise BracketingError(f"{len(stack) + expect_label} bracket(s) not closed")
    if not nodes:
        raise BracketingError("no tree")
    return tuple(nodes)


def parse_node(token: str, parent: int) -> PhraseNode:
    """The node written as ``LABEL:role:constraint``."""
    label, *marks = token.split(":")
    if not label:  # the word ":" or "::"
        return PhraseNode(token, parent)
    role: Role = ""
    constraint = ""
    for mark in marks:
        found = next((known for known in ROLES if known == mark), None)
        if found:
            role = found
        else:
            constraint = mark
    return PhraseNode(label, parent, role, constraint)


def children(phrase: Phrase) -> list[list[int]]:
    """For every node the places of its daughters, from left to right."""
    lists: list[list[int]] = [[] for _ in phrase]
    for place, node in enumerate(phrase):
        if node.parent >= 0:
            lists[node.parent].append(place)
    return lists


def to_bracketing(phrase: Phrase) -> str:
    """The tree in brackets, as ``parse_bracketing`` reads it."""
    below = children(phrase)
    parts: list[str] = []
    todo: list[int | str] = [0]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
        elif below[item]:
            parts.append(("" if item == 0 else " ") + f"({phrase[item]}")
            todo.append(")")
            todo.extend(reversed(below[item]))
        else:
            parts.append(("" if item == 0 else " ") + str(phrase[item]))
    return "".join(parts)


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
