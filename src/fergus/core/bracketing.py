"""Phrase-structure trees of a tree-adjoining grammar and the brackets they are written in (section 2).

(S_r NP_0:substp (VP V:headp NP_1:substp))                S_r
                                                      ┌────┴────┐
a node is ``CATEGORY_INDEX:role:constraint``; the   NP_0↓       VP
role is ``headp`` (anchor), ``substp`` (slot) or             ┌──┴──┐
``footp``; a leaf without a role is a word or ε              V◊  NP_1↓
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

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
