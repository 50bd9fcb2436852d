"""The Unraveler of ``default``: a lattice of the orders worth considering, weighted by the ordering model.

Bottom-up over the tree, each treelet becomes one part of the packed lattice: every step of an order whose best
completion is within ``margin`` of the best order of that treelet (exact max-marginals, see order_search).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.lattice import Lattice
from fergus.errors import ConstraintError
from fergus.realize.demands import NO_DEMANDS, OrderDemands, demands_by_mother, some_order
from fergus.realize.features import Ints, TreeArrays, copy_edges, node_attributes, treelet_attributes
from fergus.realize.order_scores import TreeletScores, room, score_treelet
from fergus.realize.order_search import EXACT, search_room
from fergus.realize.ranking import sort_by_key
from fergus.realize.templates import Templates
from fergus.realize.treelet_arcs import beam_arcs, exact_arcs, prefer

MOST_ARCS = 400
"""A treelet that would get more arcs than this is cut to half its margin, and again, until it has not."""


@dataclass(frozen=True)
class OrderingModel:
    """A log-linear model of the orders of a treelet: templates and the table of their weights."""

    templates: Templates
    weights: NDArray[np.float32]
    """A row a hashed feature and one more that is always zero; a column an outcome (order_scores)."""

    @property
    def mask(self) -> int:
        """The number of hashed rows is a power of two; this is one less."""
        return len(self.weights) - 2


class Unraveler:
    """Builds lattices; holds the working memory, so one object serves one thread."""

    def __init__(self, model: OrderingModel, *, margin: float) -> None:
        self.model, self.margin = model, margin
        self._search = search_room()
        self._room = self._grow(16)

    def _grow(self, capacity: int) -> TreeletScores:
        templates = self.model.templates
        return room(capacity, len(templates.daughter), len(templates.sisters))

    def unravel(self, tree: TreeArrays, demands: OrderDemands = NO_DEMANDS, *, margin: float | None = None) -> Lattice:
        """The lattice of ``tree``; labels are canonical node numbers; ``margin`` overrides the usual one."""
        largest = int(np.max(np.diff(tree.first_daughter))) if len(tree.head) > 1 else 0
        if largest > len(self._room.side):
            self._room = self._grow(2 * largest)
        while True:
            attributes = node_attributes(tree.base, tree.head, tree.first_daughter)
            treelets = treelet_attributes(attributes, tree.head, tree.first_daughter)
            part_arcs, part_states, source, target, label, weight, failed = unravel_tree(
                attributes,
                treelets,
                tree.head,
                tree.first_daughter,
                self.model.templates.daughter,
                self.model.templates.sisters,
                self.model.weights,
                self.model.mask,
                self.margin if margin is None else margin,
                demands,
                self._room,
                self._search,
                True if largest > EXACT else None,
            )
            if failed < 0:
                break
            demands = settled(demands, failed, tree.first_daughter)
        return Lattice(
            array("i", part_arcs.tobytes()),
            array("i", part_states.tobytes()),
            array("i", source.tobytes()),
            array("i", target.tobytes()),
            array("i", label.tobytes()),
            array("d", weight.tobytes()),
        )


def settled(demands: OrderDemands, mother: int, first_daughter: Ints) -> OrderDemands:
    """Replace the demands on a treelet whose search found no order by some whole order that meets them.

    A beam can lose every order that meets all demands, and ranks among very many daughters are not searched for.
    """
    begin, end = int(first_daughter[mother]), int(first_daughter[mother + 1])
    items = {node: item for item, node in enumerate([*range(begin, end), mother])}
    nodes = list(items)
    own = demands_by_mother(demands)[mother]
    pairs = [(items[a], items[b]) for a, b in own.before]
    order = some_order(end - begin, pairs, [(items[node], rank) for node, rank in own.ranks])
    if order is None:
        raise ConstraintError(f"the order constraints on the daughters of node {mother} contradict one another")
    steps = np.array([(mother, nodes[a], nodes[b]) for a, b in pairwise(order)], np.int32)
    return demands._replace(
        before=np.concatenate([demands.before[demands.before[:, 0] != mother], steps]),
        ranks=demands.ranks[demands.ranks[:, 0] != mother],
    )


@compiled
def unravel_tree(x, treelets, head, first, daughter, sisters, weights, mask, margin, demands, s, search, crowds):
    """All parts of the lattice, bottom-up; the last value is a node whose constraints contradict, or -1.

    ``crowds`` is None where no treelet has so many daughters that it needs the beam.
    """
    n = head.shape[0]
    n_parts = 0
    for i in range(n):
        n_parts += first[i] < first[i + 1]
    part_arcs, part_states = np.zeros(max(n_parts, 1) + 1, np.int32), np.zeros(max(n_parts, 1), np.int32)
    room_size = 64
    source, target = np.empty(room_size, np.int32), np.empty(room_size, np.int32)
    label, weight = np.empty(room_size, np.int32), np.empty(room_size)
    part_of = np.full(n, -1, np.int32)
    part, arcs = 0, 0
    largest = 0
    for i in range(n):
        largest = max(largest, first[i + 1] - first[i])
    size = max(MOST_ARCS, largest + 1)
    one_source, one_target = np.empty(size, np.int32), np.empty(size, np.int32)
    one_item, one_weight = np.empty(size, np.int32), np.empty(size)
    by_source = np.empty(size, np.int32)
    if n == 1:
        part_arcs[1], part_states[0] = 1, 2
        source[0], target[0], label[0], weight[0] = 0, 1, 0, 0.0
        return part_arcs, part_states, source[:1], target[:1], label[:1], weight[:1], -1
    for h in range(n - 1, -1, -1):
        begin, k = first[h], first[h + 1] - first[h]
        if k == 0:
            continue
        score_treelet(
            x,
            treelets[h],
            h,
            head[h],
            begin,
            k,
            daughter,
            sisters,
            weights,
            mask,
            s,
            np.uint64(0),
            np.uint64(1),
        )
        for d in range(demands.preferences.shape[0]):
            if demands.preferences[d, 0] == h:
                prefer(s, k, h, begin, demands.preferences[d, 1], demands.preferences[d, 2], demands.bonuses[d])
        if crowds is None or k <= EXACT:  # without crowds the beam is not even compiled
            count, states, first_item, last_item = exact_arcs(
                k, s, search, demands, h, begin, margin, one_source, one_target, one_item, one_weight
            )
        else:
            count, states, first_item, last_item = beam_arcs(
                k, s, demands, h, begin, one_source, one_target, one_item, one_weight
            )
        if count == 0:
            return part_arcs, part_states, source[:0], target[:0], label[:0], weight[:0], h
        copy_edges(x, h, h if first_item == k else begin + first_item, h if last_item == k else begin + last_item)
        if arcs + count > source.shape[0]:
            room_size = 2 * (arcs + count)
            source, target = enlarged(source, room_size), enlarged(target, room_size)
            label, weight = enlarged(label, room_size), enlarged(weight, room_size)
        for c in range(count):
            by_source[c] = c
        sort_by_key(by_source, 0, count, one_source)
        for c in range(count):
            o = by_source[c]
            source[arcs], target[arcs], weight[arcs] = one_source[o], one_target[o], one_weight[o]
            if one_item[o] == k:
                label[arcs] = h
            else:
                d = begin + one_item[o]
                label[arcs] = d if part_of[d] < 0 else -1 - part_of[d]
            arcs += 1
        part_of[h] = part
        part_states[part] = states
        part += 1
        part_arcs[part] = arcs
    return part_arcs, part_states, source[:arcs], target[:arcs], label[:arcs], weight[:arcs], -1


@compiled
def enlarged(array, size):
    """A copy with room for ``size`` entries."""
    bigger = np.empty(size, array.dtype)
    for i in range(array.shape[0]):
        bigger[i] = array[i]
    return bigger
