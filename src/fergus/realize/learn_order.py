"""Training the ordering model: a conditional random field over the orders of each treelet.

The probability of an order is exp(score) over the sum of all orders of that treelet, computed exactly by the
forward-backward algorithm over the states of order_search. AdaGrad on the log likelihood; a share of the
features is left out at random each time (drop-out), which keeps rare words from explaining everything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.features import (
    Ints,
    TreeArrays,
    copy_edges,
    node_attributes,
    treelet_attributes,
)
from fergus.realize.order_scores import (
    BESIDE_LEFT,
    BESIDE_RIGHT,
    FIRST,
    LAST,
    LEFT,
    OUTCOMES,
    RIGHT,
    oriented,
    room,
    score_treelet,
)
from fergus.realize.order_search import EXACT, NEVER, search_room, step_score, sum_pairs
from fergus.realize.templates import Templates

LEARNED = 8
"""Treelets with more daughters than this are not learned from: they are few, and mostly lists."""


class OrderingCorpus(NamedTuple):
    """All treelets of many trees with the order of their words, in one set of arrays."""

    x: Ints
    treelets: Ints
    head: Ints
    first: Ints
    position: Ints


def ordering_corpus(trees: Sequence[tuple[TreeArrays, NDArray[np.int32]]]) -> OrderingCorpus:
    """Join trees (arrays and the sentence position of every original node) into one corpus."""
    xs, ts, heads, firsts, positions = [], [], [], [], []
    offset = 0
    for arrays, position in trees:
        x = node_attributes(arrays.base, arrays.head, arrays.first_daughter)
        place = position[arrays.original]
        set_gold_edges(x, arrays.head, arrays.first_daughter, place)
        xs.append(x)
        ts.append(treelet_attributes(x, arrays.head, arrays.first_daughter))
        heads.append(np.where(arrays.head < 0, -1, arrays.head + offset))
        firsts.append(arrays.first_daughter[:-1] + offset)
        positions.append(place)
        offset += len(x)
    firsts.append(np.array([offset], np.int32))
    join = np.concatenate
    return OrderingCorpus(
        join(xs), join(ts), join(heads).astype(np.int32), join(firsts).astype(np.int32), join(positions)
    )


def learnable(corpus: OrderingCorpus) -> NDArray[np.int64]:
    """The mothers of at most LEARNED daughters."""
    degree = np.diff(corpus.first)
    mothers: NDArray[np.int64] = np.flatnonzero((degree > 0) & (degree <= LEARNED))
    # Daughters follow one another across trees: what comes after a tree's last leaf is the root of the next.
    own: NDArray[np.bool_] = corpus.head[corpus.first[mothers]] == mothers
    return mothers[own]


def learn_order(
    corpus: OrderingCorpus,
    templates: Templates,
    *,
    bits: int,
    epochs: int,
    rate: float,
    drop: float,
    seed: int,
    progress: Callable[[int], None] = lambda _: None,
) -> NDArray[np.float32]:
    """Weights of the ordering model; ``progress`` is told the number of treelets done."""
    rows = 1 << bits
    weights = np.zeros((rows + 1, OUTCOMES), np.float32)
    squares = np.zeros((rows + 1, OUTCOMES), np.float32)
    mothers = learnable(corpus)
    random = np.random.default_rng(seed)
    scores, gradients = (room(LEARNED + 1, len(templates.daughter), len(templates.sisters)) for _ in range(2))
    search = search_room()
    state = np.uint64(88172645463325252 + seed)
    for epoch in range(epochs):
        shuffled = random.permutation(mothers)
        step = rate * (1.0 if 3 * epoch < 2 * epochs else 0.5)
        for chunk in np.array_split(shuffled, max(1, len(shuffled) // 20_000)):
            state = np.uint64(learn_treelets(
                corpus, chunk, templates.daughter, templates.sisters, weights, squares, rows - 1, step,
                np.uint64(int(drop * 65536)), state, scores, gradients, search,
            ))  # fmt: skip
            progress(len(chunk))
    # Features were left out at random while learning: together they speak too loudly.
    weights *= np.float32(1.0 - drop)
    return weights


@compiled
def set_gold_edges(x, head, first, position):
    """First and last word of every phrase in the treebank's order."""
    for h in range(x.shape[0] - 1, -1, -1):
        if first[h] == first[h + 1]:
            continue
        earliest, latest = h, h
        for d in range(first[h], first[h + 1]):
            if position[d] < position[earliest]:
                earliest = d
            if position[d] > position[latest]:
                latest = d
        copy_edges(x, h, earliest, latest)


@compiled
def log_add(a, b):
    """log(exp(a) + exp(b))."""
    if a < b:
        a, b = b, a
    return a if b <= NEVER else a + math.log1p(math.exp(b - a))


@compiled
def all_forward(k, s, search):
    """Log sums of the scores of all ways to each state; returns that of all orders."""
    half, forward = 1 << k, search.forward
    for state in range(2 * half):
        for last in range(k + 1):
            forward[state, last] = NEVER
    for j in range(k):
        forward[1 << j, j] = s.side[j, LEFT] + s.side[j, FIRST]
    forward[half, k] = 0.0
    for state in range(1, 2 * half):
        head_in, placed = state // half, state % half
        for last in range(k + 1):
            so_far = forward[state, last]
            if so_far <= NEVER:
                continue
            for j in range(k + 1 - head_in):
                if j < k and (placed >> j) & 1:
                    continue
                goal = state + half if j == k else state | (1 << j)
                step = step_score(k, placed, head_in, last, j, s, search.sum_left, search.sum_right, search.cross)
                forward[goal, j] = log_add(forward[goal, j], so_far + step)
    total = NEVER
    for last in range(k + 1):
        total = log_add(total, forward[2 * half - 1, last] + (s.side[last, LAST] if last < k else 0.0))
    return total


@compiled
def all_backward(k, s, search):
    """Log sums of the scores of all ways from each state to the end."""
    half, backward = 1 << k, search.backward
    for last in range(k + 1):
        backward[2 * half - 1, last] = s.side[last, LAST] if last < k else 0.0
    for state in range(2 * half - 2, 0, -1):
        head_in, placed = state // half, state % half
        for last in range(k + 1):
            if search.forward[state, last] <= NEVER:
                continue
            total = NEVER
            for j in range(k + 1 - head_in):
                if j < k and (placed >> j) & 1:
                    continue
                goal = state + half if j == k else state | (1 << j)
                step = step_score(k, placed, head_in, last, j, s, search.sum_left, search.sum_right, search.cross)
                total = log_add(total, step + backward[goal, j])
            backward[state, last] = total


@compiled
def subtract_expected(k, s, search, total, g):
    """Subtract from ``g`` how often each score is expected to be used under the model."""
    half = 1 << k
    for j in range(k):
        p = math.exp(search.forward[1 << j, j] + search.backward[1 << j, j] - total)
        g.side[j, LEFT] -= p
        g.side[j, FIRST] -= p
    for state in range(1, 2 * half):
        head_in, placed = state // half, state % half
        for j in range(k):
            if (placed >> j) & 1:
                continue
            goal = state | (1 << j)
            here = 0.0
            for last in range(k + 1):
                if search.forward[state, last] <= NEVER:
                    continue
                step = step_score(k, placed, head_in, last, j, s, search.sum_left, search.sum_right, search.cross)
                p = math.exp(search.forward[state, last] + step + search.backward[goal, j] - total)
                here += p
                if head_in == 0:
                    g.next_left[last, j] -= p
                elif last == k:
                    g.side[j, BESIDE_RIGHT] -= p
                else:
                    g.next_right[last, j] -= p
            if here < 1e-7:
                continue
            if head_in == 0:
                g.side[j, LEFT] -= here
                for a in range(k):
                    if (placed >> a) & 1:
                        g.before_left[a, j] -= here
            else:
                g.side[j, RIGHT] -= here
                for r in range(k):
                    if r != j and not (placed >> r) & 1:
                        g.before_right[j, r] -= here
        if head_in == 0:
            for last in range(k):
                if search.forward[state, last] > NEVER:
                    g.side[last, BESIDE_LEFT] -= math.exp(
                        search.forward[state, last]
                        + s.side[last, BESIDE_LEFT]
                        + search.backward[state + half, k]
                        - total
                    )
    for last in range(k):
        g.side[last, LAST] -= math.exp(search.forward[2 * half - 1, last] + s.side[last, LAST] - total)


@compiled
def add_observed(k, order, g):
    """Add to ``g`` the scores that the treebank's order uses."""
    middle = 0
    for p in range(k + 1):
        if order[p] == k:
            middle = p
    for p in range(k + 1):
        j = order[p]
        if j == k:
            continue
        g.side[j, LEFT if p < middle else RIGHT] += 1.0
        if p == 0:
            g.side[j, FIRST] += 1.0
        if p == k:
            g.side[j, LAST] += 1.0
        if p + 1 == middle:
            g.side[j, BESIDE_LEFT] += 1.0
        if p == middle + 1:
            g.side[j, BESIDE_RIGHT] += 1.0
        for q in range(p + 1, k + 1):
            i = order[q]
            if i == k:
                break
            if p < middle:
                g.before_left[j, i] += 1.0
                if q == p + 1:
                    g.next_left[j, i] += 1.0
            else:
                g.before_right[j, i] += 1.0
                if q == p + 1:
                    g.next_right[j, i] += 1.0


@compiled
def adagrad(weights, squares, row, outcome, gradient, rate):
    """One step uphill."""
    if abs(gradient) > 1e-4:
        squares[row, outcome] += gradient * gradient
        weights[row, outcome] += rate * gradient / math.sqrt(squares[row, outcome] + 0.1)


@compiled
def learn_treelets(corpus, mothers, daughter, sisters, weights, squares, mask, rate, threshold, state, s, g, search):
    """One pass over ``mothers``; returns the state of the drop-out generator."""
    order = np.zeros(EXACT + 1, np.int64)
    for m in range(mothers.shape[0]):
        h = mothers[m]
        begin, k = corpus.first[h], corpus.first[h + 1] - corpus.first[h]
        state = score_treelet(
            corpus.x, corpus.treelets[h], h, corpus.head[h], begin, k, daughter, sisters, weights, mask, s,
            threshold, state,
        )  # fmt: skip
        sum_pairs(k, s, search.sum_left, search.sum_right)
        for i in range(k + 1):
            order[i] = i
        for i in range(1, k + 1):  # insertion sort by position in the sentence
            j, item = i - 1, order[i]
            here = corpus.position[h if item == k else begin + item]
            while j >= 0 and corpus.position[h if order[j] == k else begin + order[j]] > here:
                order[j + 1] = order[j]
                j -= 1
            order[j + 1] = item
        for i in range(k):
            for o in range(6):
                g.side[i, o] = 0.0
            for j in range(k):
                g.before_left[i, j], g.before_right[i, j] = 0.0, 0.0
                g.next_left[i, j], g.next_right[i, j] = 0.0, 0.0
        add_observed(k, order, g)
        total = all_forward(k, s, search)
        all_backward(k, s, search)
        subtract_expected(k, s, search, total, g)
        for i in range(k):
            for t in range(daughter.shape[0]):
                row = s.daughter_rows[i, t]
                if row <= mask:
                    for o in range(6):
                        adagrad(weights, squares, row, o, g.side[i, o], rate)
            for j in range(i):
                a, b = (i, j) if oriented(corpus.x, begin + i, begin + j) else (j, i)
                pair = i * (i - 1) // 2 + j
                for t in range(sisters.shape[0]):
                    row = s.sister_rows[pair, t]
                    if row > mask:
                        continue
                    adagrad(weights, squares, row, 0, g.before_left[a, b], rate)
                    adagrad(weights, squares, row, 1, g.before_left[b, a], rate)
                    adagrad(weights, squares, row, 2, g.before_right[a, b], rate)
                    adagrad(weights, squares, row, 3, g.before_right[b, a], rate)
                    adagrad(weights, squares, row, 4, g.next_left[a, b], rate)
                    adagrad(weights, squares, row, 5, g.next_left[b, a], rate)
                    adagrad(weights, squares, row, 6, g.next_right[a, b], rate)
                    adagrad(weights, squares, row, 7, g.next_right[b, a], rate)
    return state
