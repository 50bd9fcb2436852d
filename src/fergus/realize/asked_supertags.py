"""Supertags that the input asks for by hand: ``Supertag=a.VERB(nsubj * obj)`` among the other things (MISC) of a node.

The Tree Chooser gives such a node no other supertag (preset ``supertag``). The default preset, which orders by labels,
takes from it what a supertag says of order: the category and the relation where the node has none, and on which side
of the anchor the slots stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from fergus.core.supertag import ElementaryTree
from fergus.core.tree import DependencyTree, Node
from fergus.errors import InputError
from fergus.grammar.names import parse_supertag
from fergus.realize.demands import OrderDemands, item_of, some_order
from fergus.realize.supertagged import SupertaggedTree

KEY = "Supertag="


def asked_supertag(node: Node) -> str | None:
    """The supertag that a node asks for.

    >>> asked_supertag(Node("saw", misc="SpaceAfter=No|Supertag=a.VERB(nsubj *)"))
    'a.VERB(nsubj *)'
    """
    if node.misc is None or KEY not in node.misc:
        return None
    return next((item.removeprefix(KEY) for item in node.misc.split("|") if item.startswith(KEY)), None)


def with_supertag(node: Node, name: str | None) -> Node:
    """The node that asks for this supertag, or for none."""
    kept = [item for item in (node.misc or "").split("|") if item and not item.startswith(KEY)]
    return replace(node, misc="|".join([*kept, *([f"{KEY}{name}"] if name else [])]) or None)


def known_supertag(node: Node, trees: Mapping[str, ElementaryTree]) -> str | None:
    """The supertag that a node asks for; InputError if the grammar has no such tree."""
    asked = asked_supertag(node)
    if asked is not None and asked not in trees:
        remedy = "take one that `fergus explain` shows, or `fergus grammar search` finds"
        raise InputError(f"the node {node.form!r} asks for the supertag {asked[:60]!r}, which is none", remedy=remedy)
    return asked


def asks(tree: DependencyTree) -> bool:
    """Whether any node asks for a supertag."""
    return any(asked_supertag(node) is not None for node in tree.nodes)


def with_their_labels(tree: DependencyTree) -> DependencyTree:
    """The tree with the categories and relations of the supertags that are asked for, where it has none."""
    nodes = list(tree.nodes)
    for i, node in enumerate(nodes):
        if (asked := asked_supertag(node)) is None or (elementary := parse_supertag(asked)) is None:
            continue
        relation = asked.partition("(")[0].partition("/")[2] or None
        nodes[i] = replace(node, upos=node.upos or elementary.category, deprel=node.deprel or relation)
    return tree.with_nodes(nodes)


def with_their_slots(
    demands: OrderDemands, tagged: SupertaggedTree, trees: Mapping[str, ElementaryTree]
) -> OrderDemands:
    """The demands, and that arguments stand where the supertags that are asked for have their slots.

    What contradicts the demands gives way: they are what the input says of order itself.
    """
    before = [tuple(row) for row in demands.before.tolist()]
    for mother, node in enumerate(tagged.tree.nodes):
        asked, daughters = asked_supertag(node), tagged.tree.daughters(mother)
        if asked is None or not daughters:
            continue
        begin, count = daughters.start, len(daughters)
        filler = {slot: daughter for daughter in daughters if (slot := tagged.slots[daughter]) is not None}
        anchor = len(trees[asked].left)
        left = [filler[slot] for slot in range(anchor) if slot in filler]
        right = [filler[slot] for slot in range(anchor, len(trees[asked].slots)) if slot in filler]
        # Sides first: they hold on even where the order on a side has to give way.
        sides = [*((one, mother) for one in left), *((mother, one) for one in right)]
        pairs = [
            (item_of(a, mother, begin, count), item_of(b, mother, begin, count)) for m, a, b in before if m == mother
        ]
        ranks = [(d - begin, rank) for m, d, rank in demands.ranks.tolist() if m == mother]
        for first, second in [*sides, *pairwise(left), *pairwise(right)]:
            pair = (item_of(first, mother, begin, count), item_of(second, mother, begin, count))
            if pair not in pairs and some_order(count, [*pairs, pair], ranks) is not None:
                pairs.append(pair)
                before.append((mother, first, second))
    return demands._replace(before=np.array(before, np.int32).reshape(-1, 3))
