"""The compiled search for the assignment of tokens to nodes that leaves the fewest tree errors (section 3.2)."""

from __future__ import annotations

from typing import Final

import numpy as np

from fergus.compiled import compiled
from fergus.metrics.edit_kernel import (
    CELL_LIMIT,
    DELETION,
    INSERTION,
    MATCH,
    SUBSTITUTION,
    Ints,
    Space,
    common_ends,
    count_pair,
    fill,
    is_best,
    workspace,
)
from fergus.metrics.treelet_kernel import daughters_of, gather

Treelets = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""What the cost of an assignment is counted from: the heads whose treelets an assignment affects; where the
daughters of every node start, and the daughters; where each affected treelet starts, and its words in the order
of the reference; the word that every node has in the hypothesis; room for keys, and for a treelet."""

TRIED: Final = 120
"""How many assignments of a sentence are tried one by one; where there are more, exchanges are tried."""
NO_LIMIT: Final = 1 << 62
SIMPLE: Final = 1 << 32
"""The cost of a simple error; a generation error costs 1, so that it decides only where those are equal."""


@compiled
def match_words(reference: Ints, hypothesis: Ints, own: Ints, token_of_word: Ints) -> bool:
    """Assign when no word stands twice in the reference and the hypothesis is made of its words.

    ``token_of_word`` is room for a number a word of the vocabulary, and is left as it was, all -1.
    """
    if len(reference) != len(hypothesis):
        return False
    is_plain = True
    for token, word in enumerate(hypothesis):
        is_plain = is_plain and token_of_word[word] < 0
        token_of_word[word] = token
    for place, word in enumerate(reference):
        own[place] = token_of_word[word]
        is_plain = is_plain and own[place] >= 0
        token_of_word[word] = -1
    for word in hypothesis:
        token_of_word[word] = -1
    return is_plain


@compiled
def assign_by_alignment(reference: Ints, hypothesis: Ints, own: Ints) -> tuple[Ints, bool]:
    """Write the token of every node into ``own``; returns which nodes are substituted, and whether it could.

    Matches of the first alignment of least cost; equal words that are left, the first with the first;
    substitutions of that alignment between what is left then.
    """
    start, end = common_ends(reference, hypothesis)
    n, m = len(reference), len(hypothesis)
    own[:] = -1
    is_substituted = np.zeros(n, np.int64)
    taken = np.zeros(m, np.int8)
    middle, other = reference[start : n - end], hypothesis[start : m - end]
    if len(middle) * len(other) > CELL_LIMIT:
        return is_substituted, False
    table = np.empty((len(middle) + 1) * (len(other) + 1), np.int64)
    fill(middle, other, True, table)
    for place in range(start):
        own[place] = place
        taken[place] = 1
    for k in range(end):
        own[n - 1 - k] = m - 1 - k
        taken[m - 1 - k] = 1
    instead = np.full(n, -1, np.int64)
    i = j = 0
    while i < len(middle) or j < len(other):
        operation = MATCH
        while not is_best(middle, other, table, i, j, operation):
            operation += 1
        if operation == MATCH:
            own[start + i] = start + j
            taken[start + j] = 1
        elif operation == SUBSTITUTION:
            instead[start + i] = start + j
        i += operation != INSERTION
        j += operation != DELETION
    for place in range(n):
        if own[place] < 0:
            for token in range(m):
                if taken[token] == 0 and hypothesis[token] == reference[place]:
                    own[place] = token
                    taken[token] = 1
                    break
    for place in range(n):
        token = instead[place]
        if own[place] < 0 and token >= 0 and taken[token] == 0:
            own[place] = token
            is_substituted[place] = 1
    return is_substituted, True


@compiled
def expected_treelets(affected: Ints, starts: Ints, daughters: Ints, reference: Ints) -> tuple[Ints, Ints]:
    """The affected treelets in the order of the reference, one after the other, and where each starts."""
    position = np.arange(len(reference))
    keys = np.empty(len(reference), np.int64)
    bounds = np.zeros(len(affected) + 1, np.int64)
    for k, node in enumerate(affected):
        bounds[k + 1] = bounds[k] + starts[node + 1] - starts[node] + 1
    expected = np.empty(bounds[-1], np.int64)
    for k, node in enumerate(affected):
        gather(node, starts, daughters, position, position, reference, keys, expected[bounds[k] : bounds[k + 1]])
    return bounds, expected


@compiled
def cost_of(treelets: Treelets, own: Ints, enough: int, space: Space) -> int:
    """The errors of the affected treelets; stops counting when there are ``enough``."""
    affected, starts, daughters, bounds, expected, realized, keys, found = treelets
    counts = np.zeros(5, np.int64)
    cost = 0
    for k, node in enumerate(affected):
        length = gather(node, starts, daughters, own, own, realized, keys, found)
        counts[:] = 0
        count_pair(expected[bounds[k] : bounds[k + 1]], found[:length], True, True, space, counts)
        errors = counts[0] + counts[1] + counts[2]
        cost += errors * SIMPLE + errors - counts[3]
        if cost >= enough:
            break
    return cost


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
    pools, total = 0, 1
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
        for k in range(few):
            total = min(total * (many - k), TRIED + 1)
        pools += 1
        node_starts[pools], token_starts[pools] = a, b
    if pools == 0:
        return
    starts, daughters = daughters_of(heads)
    is_affected = np.zeros(n, np.int8)
    for node in nodes[: node_starts[pools]]:
        if heads[node] >= 0:
            is_affected[heads[node]] = 1
        if starts[node + 1] > starts[node]:
            is_affected[node] = 1
    affected = np.flatnonzero(is_affected)
    bounds, expected = expected_treelets(affected, starts, daughters, reference)
    realized = reference.copy()
    for place in range(n):
        if own[place] >= 0:
            realized[place] = hypothesis[own[place]]
    keys, found = np.empty(n, np.int64), np.empty(n, np.int64)
    treelets = (affected, starts, daughters, bounds, expected, realized, keys, found)
    best = cost_of(treelets, own, NO_LIMIT, space)
    if best == 0:
        return
    if total <= TRIED:
        trial, best_own = own.copy(), own.copy()
        for number in range(total):
            rest = number
            for pool in range(pools):
                rest = arrange(
                    nodes[node_starts[pool] : node_starts[pool + 1]],
                    tokens[token_starts[pool] : token_starts[pool + 1]],
                    rest,
                    trial,
                )
            cost = cost_of(treelets, trial, best, space)
            if cost < best:
                best = cost
                best_own[:] = trial
        own[:] = best_own
        return
    exchange(nodes, node_starts[: pools + 1], tokens, token_starts, treelets, own, best, m, space)


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
def exchange(
    nodes: Ints,
    node_starts: Ints,
    tokens: Ints,
    token_starts: Ints,
    treelets: Treelets,
    own: Ints,
    best: int,
    size: int,
    space: Space,
) -> None:
    """Exchange the tokens of two nodes, or take a token that is left, for as long as that lowers the cost.

    ``size`` is the number of tokens of the hypothesis.
    """
    is_taken = np.zeros(size, np.int8)
    for token in own:
        if token >= 0:
            is_taken[token] = 1
    is_better = True
    while is_better:
        is_better = False
        for pool in range(len(node_starts) - 1):
            for a in range(node_starts[pool], node_starts[pool + 1]):
                one = nodes[a]
                for b in range(a + 1, node_starts[pool + 1]):
                    other = nodes[b]
                    own[one], own[other] = own[other], own[one]
                    cost = cost_of(treelets, own, best, space)
                    if cost < best:
                        best, is_better = cost, True
                    else:
                        own[one], own[other] = own[other], own[one]
                for token in tokens[token_starts[pool] : token_starts[pool + 1]]:
                    before = own[one]
                    if is_taken[token] or before < 0:
                        continue
                    own[one] = token
                    cost = cost_of(treelets, own, best, space)
                    if cost < best:
                        best, is_better = cost, True
                        is_taken[before], is_taken[token] = 0, 1
                    else:
                        own[one] = before


@compiled
def assign_sentences(
    heads: Ints,
    references: Ints,
    starts: Ints,
    hypotheses: Ints,
    hypothesis_starts: Ints,
    vocabulary: int,
    is_wanted: Ints,
    places: Ints,
) -> int:
    """Write into ``places`` the node of every token of the wanted sentences, by its place in the reference, or -1.

    Returns the first sentence that is too long, or -1.
    """
    space = workspace(vocabulary)
    token_of_word = np.full(vocabulary, -1, np.int64)
    for sentence in range(len(starts) - 1):
        if not is_wanted[sentence]:
            continue
        first, last = starts[sentence], starts[sentence + 1]
        begin, end = hypothesis_starts[sentence], hypothesis_starts[sentence + 1]
        reference, hypothesis = references[first:last], hypotheses[begin:end]
        own = np.empty(last - first, np.int64)
        if not match_words(reference, hypothesis, own, token_of_word):
            is_substituted, could = assign_by_alignment(reference, hypothesis, own)
            if not could:
                return sentence
            if len(reference) != len(hypothesis) or not np.array_equal(reference, hypothesis):
                improve(heads[first:last], reference, hypothesis, is_substituted, own, space)
        places[begin:end] = -1
        for place in range(last - first):
            if own[place] >= 0:
                places[begin + own[place]] = place
    return -1
