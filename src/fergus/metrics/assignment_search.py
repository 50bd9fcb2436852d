"""The compiled search for the assignment of equal words to nodes that leaves the fewest tree errors (section 3.2)."""

from __future__ import annotations

from typing import Final

import numpy as np

from fergus.compiled import compiled
from fergus.metrics.edit_kernel import Ints, Space, count_pair
from fergus.metrics.treelet_kernel import daughters_of, gather

Treelets = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""What the cost of an assignment is counted from: the heads whose treelets an assignment affects, and the number
of every node among them (-1: not affected); the heads of all nodes; where the daughters of every node start, and
the daughters; where each affected treelet starts, and its words in the order of the reference; the word that every
node has in the hypothesis; room for keys, and for a treelet."""

TRIED: Final = 120
"""How many assignments of a sentence are tried one by one; where there are more, exchanges are tried."""
BUDGET: Final = 1 << 22
"""How many cells of treelets' alignments the exchanges of a sentence may cost, about a tenth of a second: a sentence
of EWT needs a thousandth of it, a line of thousands of tokens keeps what was found till then."""
OVERHEAD: Final = 32
"""Cells that the count of any treelet is taken to cost beyond its own."""
NO_LIMIT: Final = 1 << 62
SIMPLE: Final = 1 << 32
"""The cost of a simple error; a generation error costs 1, so that it decides only where those are equal."""


@compiled
def treelets_of(heads: Ints, reference: Ints, hypothesis: Ints, own: Ints, nodes: Ints) -> Treelets:
    """The treelets that ``nodes`` belong to."""
    n = len(heads)
    starts, daughters = daughters_of(heads)
    number = np.full(n, -1, np.int64)
    for node in nodes:
        if heads[node] >= 0:
            number[heads[node]] = 0
        if starts[node + 1] > starts[node]:
            number[node] = 0
    affected = np.flatnonzero(number == 0)
    position = np.arange(n)
    keys, found = np.empty(n, np.int64), np.empty(n, np.int64)
    bounds = np.zeros(len(affected) + 1, np.int64)
    for k, node in enumerate(affected):
        number[node] = k
        bounds[k + 1] = bounds[k] + starts[node + 1] - starts[node] + 1
    expected = np.empty(bounds[-1], np.int64)
    for k in range(len(affected)):
        node = int(affected[k])
        gather(node, starts, daughters, position, position, reference, keys, expected[bounds[k] : bounds[k + 1]])
    realized = reference.copy()
    for place in range(n):
        if own[place] >= 0:
            realized[place] = hypothesis[own[place]]
    return affected, number, heads, starts, daughters, bounds, expected, realized, keys, found


@compiled
def treelet_cost(treelets: Treelets, k: int, own: Ints, want_moves: bool, space: Space, counts: Ints) -> int:
    """The errors of one affected treelet; without moves, which take the time, simple errors alone."""
    affected, _, _, starts, daughters, bounds, expected, realized, keys, found = treelets
    length = gather(affected[k], starts, daughters, own, own, realized, keys, found)
    counts[:] = 0
    count_pair(expected[bounds[k] : bounds[k + 1]], found[:length], True, want_moves, space, counts)
    errors = counts[0] + counts[1] + counts[2]
    return int(errors * SIMPLE + (errors - counts[3] if want_moves else 0))


@compiled
def cost_of(treelets: Treelets, chosen: Ints, own: Ints, enough: int, space: Space, counts: Ints) -> int:
    """The errors of the chosen ones of the affected treelets; stops counting when there are ``enough``."""
    simple = 0
    for k in chosen:
        simple += treelet_cost(treelets, k, own, False, space, counts)
        if simple >= enough:
            return simple
    cost = 0
    for k in chosen:
        cost += treelet_cost(treelets, k, own, True, space, counts)
        if cost >= enough:
            break
    return cost


@compiled
def groups_of(treelets: Treelets, nodes: Ints, node_starts: Ints) -> tuple[Ints, Ints]:
    """The group of every pool, and of every affected treelet: pools that share a treelet are in one group.

    What one group does to its treelets is nothing to the others, so that each can be searched by itself.
    """
    number, heads = treelets[1], treelets[2]
    group = np.arange(len(node_starts) - 1)
    group_of_treelet = np.full(len(treelets[0]), -1, np.int64)
    for pool in range(len(group)):
        for node in nodes[node_starts[pool] : node_starts[pool + 1]]:
            for place in (node, heads[node]):
                k = number[place] if place >= 0 else -1
                if k < 0:
                    continue
                if group_of_treelet[k] < 0:
                    group_of_treelet[k] = group[pool]
                elif group_of_treelet[k] != group[pool]:
                    old, new = group[pool], group_of_treelet[k]
                    for other in range(len(group)):
                        if group[other] == old:
                            group[other] = new
                    for other in range(len(group_of_treelet)):
                        if group_of_treelet[other] == old:
                            group_of_treelet[other] = new
    return group, group_of_treelet


@compiled
def improve(heads: Ints, reference: Ints, hypothesis: Ints, is_substituted: Ints, own: Ints, space: Space) -> None:
    """Change which of several equal words stands for which node, so that the fewest tree errors are left."""
    n, m = len(reference), len(hypothesis)
    is_free = np.ones(m, np.int8)
    for place in range(n):
        if is_substituted[place] and own[place] >= 0:
            is_free[own[place]] = 0
    # A pool is the nodes and the tokens of one word, where there is a choice among them.
    nodes, tokens = np.empty(n, np.int64), np.empty(m, np.int64)
    node_starts, token_starts = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    pools = 0
    for place in range(n):
        word = reference[place]
        if is_substituted[place]:
            continue
        is_first = True
        for earlier in range(place):
            is_first = is_first and (reference[earlier] != word or is_substituted[earlier] == 1)
        if not is_first:
            continue
        a, b = node_starts[pools], token_starts[pools]
        for later in range(place, n):
            if reference[later] == word and not is_substituted[later]:
                nodes[a] = later
                a += 1
        for token in range(m):
            if hypothesis[token] == word and is_free[token]:
                tokens[b] = token
                b += 1
        few, many = a - node_starts[pools], b - token_starts[pools]
        if few > many:
            few, many = many, few
        if few == 0 or many == 1:
            continue
        pools += 1
        node_starts[pools], token_starts[pools] = a, b
    if pools == 0:
        return
    node_starts = node_starts[: pools + 1]
    treelets = treelets_of(heads, reference, hypothesis, own, nodes[: node_starts[pools]])
    group, group_of_treelet = groups_of(treelets, nodes, node_starts)
    for number in range(pools):
        mine = np.flatnonzero(group == number)
        if len(mine):
            chosen = np.flatnonzero(group_of_treelet == number)
            search_group(mine, chosen, nodes, node_starts, tokens, token_starts, treelets, own, m, space)


@compiled
def search_group(
    pools: Ints,
    chosen: Ints,
    nodes: Ints,
    node_starts: Ints,
    tokens: Ints,
    token_starts: Ints,
    treelets: Treelets,
    own: Ints,
    size: int,
    space: Space,
) -> None:
    """The best arrangement of the pools of a group, whose treelets are ``chosen``: all are tried, or exchanges."""
    counts = np.zeros(5, np.int64)
    best = cost_of(treelets, chosen, own, NO_LIMIT, space, counts)
    if best == 0:
        return
    total, cells = 1, 0
    for pool in pools:
        few = min(node_starts[pool + 1] - node_starts[pool], token_starts[pool + 1] - token_starts[pool])
        many = max(node_starts[pool + 1] - node_starts[pool], token_starts[pool + 1] - token_starts[pool])
        for k in range(few):
            total = min(total * (many - k), TRIED + 1)
    for k in chosen:
        cells += (treelets[5][k + 1] - treelets[5][k]) ** 2 + OVERHEAD
    if total > TRIED or total * cells > BUDGET:
        exchange(pools, nodes, node_starts, tokens, token_starts, treelets, own, size, space, counts)
        return
    trial, best_own = own.copy(), own.copy()
    for number in range(total):
        rest = number
        for pool in pools:
            rest = arrange(
                nodes[node_starts[pool] : node_starts[pool + 1]],
                tokens[token_starts[pool] : token_starts[pool + 1]],
                rest,
                trial,
            )
        cost = cost_of(treelets, chosen, trial, best, space, counts)
        if cost < best:
            best = cost
            best_own[:] = trial
    own[:] = best_own


@compiled
def arrange(nodes: Ints, tokens: Ints, number: int, own: Ints) -> int:
    """Give the nodes of a pool their tokens by the arrangement of that number; returns what is left of it."""
    few, many = min(len(nodes), len(tokens)), max(len(nodes), len(tokens))
    left = np.arange(many)
    for node in nodes:
        own[node] = -1
    for k in range(few):
        choice = number % (many - k)
        number //= many - k
        other = left[choice]
        left[choice : many - k - 1] = left[choice + 1 : many - k].copy()
        if len(nodes) <= len(tokens):
            own[nodes[k]] = tokens[other]
        else:
            own[nodes[other]] = tokens[k]
    return number


@compiled
def lowers(treelets: Treelets, costs: Ints, one: int, other: int, own: Ints, space: Space, counts: Ints) -> int:
    """Whether ``own``, changed at two nodes, costs less than ``costs`` say, which are then brought up to date.

    Returns the cells it took, negative if it does not cost less.
    """
    number, heads, bounds = treelets[1], treelets[2], treelets[5]
    touched = np.empty(4, np.int64)
    size = 0
    for node in (one, other):
        for place in (node, heads[node]):
            k = number[place] if place >= 0 else -1
            if k >= 0 and not (touched[:size] == k).any():
                touched[size] = k
                size += 1
    before, after, cells = 0, 0, 0
    fresh = np.zeros(4, np.int64)
    for t in range(size):
        k = touched[t]
        before += costs[k]
        after += treelet_cost(treelets, k, own, False, space, counts)
        cells += (bounds[k + 1] - bounds[k]) ** 2 + OVERHEAD
    if after >= before:
        return -cells
    after = 0
    for t in range(size):
        fresh[t] = treelet_cost(treelets, touched[t], own, True, space, counts)
        after += fresh[t]
    if after >= before:
        return -cells
    for t in range(size):
        costs[touched[t]] = fresh[t]
    return cells


@compiled
def exchange(
    pools: Ints,
    nodes: Ints,
    node_starts: Ints,
    tokens: Ints,
    token_starts: Ints,
    treelets: Treelets,
    own: Ints,
    size: int,
    space: Space,
    counts: Ints,
) -> None:
    """Exchange the tokens of two nodes, or take a token that is left, for as long as that lowers the cost.

    ``size`` is the number of tokens of the hypothesis.
    """
    is_taken = np.zeros(size, np.int8)
    for token in own:
        if token >= 0:
            is_taken[token] = 1
    costs = np.zeros(len(treelets[0]), np.int64)
    for k in range(len(costs)):
        costs[k] = treelet_cost(treelets, k, own, True, space, counts)
    spent, is_better = 0, True
    while is_better:
        is_better = False
        for pool in pools:
            for a in range(node_starts[pool], node_starts[pool + 1]):
                one = nodes[a]
                for b in range(a + 1, node_starts[pool + 1]):
                    other = nodes[b]
                    own[one], own[other] = own[other], own[one]
                    cells = lowers(treelets, costs, one, other, own, space, counts)
                    if cells > 0:
                        is_better = True
                    else:
                        own[one], own[other] = own[other], own[one]
                    spent += abs(cells)
                    if spent > BUDGET:
                        return
                for token in tokens[token_starts[pool] : token_starts[pool + 1]]:
                    before = own[one]
                    if is_taken[token] or before < 0:
                        continue
                    own[one] = token
                    cells = lowers(treelets, costs, one, one, own, space, counts)
                    if cells > 0:
                        is_better = True
                        is_taken[before], is_taken[token] = 0, 1
                    else:
                        own[one] = before
                    spent += abs(cells)
                    if spent > BUDGET:
                        return
