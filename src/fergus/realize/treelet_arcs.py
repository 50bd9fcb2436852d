"""The orders of one treelet as arcs of the lattice: all within a margin of the best, or a few from a beam."""

from __future__ import annotations

from typing import Any

import numpy as np

from fergus.compiled import compiled
from fergus.realize.order_scores import LAST, LEFT, PAIRED, RIGHT
from fergus.realize.order_search import (
    BEAM,
    NEVER,
    allowed,
    beam_orders,
    best_backward,
    best_forward,
    crowd_order,
    step_score,
    sum_pairs,
)

ALTERNATIVES = 4
"""How many of the beam's orders a treelet with too many daughters for exact search contributes."""


@compiled
def prefer(s, k, h, begin, a, b, bonus):
    """Add a hand-written preference to the scores; what crosses the head is added by the search."""
    if a == h:
        s.side[b - begin, RIGHT] += bonus
    elif b == h:
        s.side[a - begin, LEFT] += bonus
    elif k <= PAIRED:
        s.before_left[a - begin, b - begin] += bonus
        s.before_right[a - begin, b - begin] += bonus


@compiled
def exact_arcs(k, s, search, demands, h, begin, margin, source, target, item, weight):
    """Arcs of one treelet by exact search: how many there are, and the first and last item of the best order."""
    half = 1 << k
    for i in range(k + 1):
        search.required[i] = 0
    for i in range(k):
        search.rank[i] = 0
    for d in range(demands.before.shape[0]):
        if demands.before[d, 0] == h:
            a = k if demands.before[d, 1] == h else demands.before[d, 1] - begin
            b = k if demands.before[d, 2] == h else demands.before[d, 2] - begin
            search.required[b] |= 1 << a
    ranked = False
    for d in range(demands.ranks.shape[0]):
        if demands.ranks[d, 0] == h:
            search.rank[demands.ranks[d, 1] - begin] = demands.ranks[d, 2]
            ranked = True
    sum_pairs(k, s, search.sum_left, search.sum_right)
    for placed in range(half):
        search.cross[placed] = 0.0
    for d in range(demands.preferences.shape[0]):
        if demands.preferences[d, 0] == h and demands.preferences[d, 1] != h and demands.preferences[d, 2] != h:
            a, b = demands.preferences[d, 1] - begin, demands.preferences[d, 2] - begin
            for placed in range(half):
                if (placed >> a) & 1 and not (placed >> b) & 1:
                    search.cross[placed] += demands.bonuses[d]
    left_count: Any = np.int64(-1)
    if ranked:  # ranks speak of distance from the head: try every number of left daughters, keep the best
        top = NEVER
        for count in range(k + 1):
            score = best_forward(k, s, search, count)
            if score > top:
                top, left_count = score, count
        if left_count < 0:
            return 0, 0, 0, 0
    best = best_forward(k, s, search, left_count)
    if best <= NEVER:
        return 0, 0, 0, 0
    best_backward(k, s, search, left_count)
    while True:
        # Number the surviving states in order of how many items are placed: a topological order.
        floor = best - margin - 1e-9
        states, arcs = 1, 0
        for placed_count in range(1, k + 2):
            for state in range(1, 2 * half):
                size = state // half
                for i in range(k):
                    size += (state >> i) & 1
                if size != placed_count:
                    continue
                for last in range(k + 1):
                    search.number[state, last] = -1
                    if search.forward[state, last] > NEVER and (
                        search.forward[state, last] + search.backward[state, last] >= floor
                    ):
                        if placed_count == k + 1:
                            search.number[state, last] = states
                        else:
                            search.number[state, last] = states
                            states += 1
        for state in range(2 * half - 1):
            head_in, placed = state // half, state % half
            for last in range(-1 if state == 0 else 0, k + 1 if state else 0):
                if state and search.number[state, last] < 0:
                    continue
                for j in range(k + 1):
                    if (j < k and (placed >> j) & 1) or (j == k and head_in):
                        continue
                    goal = state + half if j == k else state | (1 << j)
                    if search.forward[goal, j] <= NEVER or search.number[goal, j] < 0:
                        continue
                    if not allowed(k, placed, head_in, j, search.required, search.rank, left_count):
                        continue
                    step = step_score(k, placed, head_in, last, j, s, search.sum_left, search.sum_right, search.cross)
                    before = search.forward[state, last] if state else 0.0
                    if before + step + search.backward[goal, j] < floor:
                        continue
                    if arcs < source.shape[0]:
                        source[arcs] = search.number[state, last] if state else 0
                        target[arcs] = search.number[goal, j]
                        item[arcs] = j
                        weight[arcs] = step
                        if goal == 2 * half - 1 and j < k:
                            weight[arcs] += s.side[j, LAST]
                    arcs += 1
        if arcs <= source.shape[0]:
            break
        if margin == 0.0:  # very many orders are equally good: any one of them will do
            arcs, states = single_order(k, s, search, left_count, source, target, item, weight)
            break
        margin = margin / 2.0 if margin > 1e-6 else 0.0
    first_item, last_item = best_ends(k, s, search, best, half)
    return arcs, states + 1, first_item, last_item


@compiled
def single_order(k, s, search, left_count, source, target, item, weight):
    """Arcs of one best order alone, lower items first among equals; how many arcs, and states but the last."""
    half = 1 << k
    state: Any = np.int64(0)
    last: Any = np.int64(-1)
    for place in range(k + 1):
        head_in, placed = state // half, state % half
        pick, pick_step, top = -1, 0.0, NEVER
        for j in range(k + 1):
            if (j < k and (placed >> j) & 1) or (j == k and head_in):
                continue
            if not allowed(k, placed, head_in, j, search.required, search.rank, left_count):
                continue
            goal = state + half if j == k else state | (1 << j)
            step = step_score(k, placed, head_in, last, j, s, search.sum_left, search.sum_right, search.cross)
            if step + search.backward[goal, j] > top:
                pick, pick_step, top = j, step, step + search.backward[goal, j]
        source[place], target[place], item[place] = place, place + 1, pick
        weight[place] = pick_step + (s.side[pick, LAST] if place == k and pick < k else 0.0)
        state, last = state + half if pick == k else state | (1 << pick), pick
    return k + 1, k + 1


@compiled
def best_ends(k, s, search, best, half):
    """The first and the last item of the best order."""
    first_item, first_score = k, NEVER
    for j in range(k + 1):
        state = half if j == k else 1 << j
        if search.forward[state, j] > NEVER:
            score = search.forward[state, j] + search.backward[state, j]
            if score > first_score:
                first_item, first_score = j, score
    last_item, last_score = k, NEVER
    for j in range(k + 1):
        score = search.forward[2 * half - 1, j] + (s.side[j, LAST] if j < k else 0.0)
        if score > last_score:
            last_item, last_score = j, score
    return first_item, last_item


@compiled
def beam_arcs(k, s, demands, h, begin, source, target, item, weight):
    """Arcs of a treelet with many daughters: a few whole orders side by side; none if the demands are met by none."""
    n_pairs = 0
    for d in range(demands.before.shape[0]):
        n_pairs += demands.before[d, 0] == h
    pairs = np.empty((n_pairs, 2), np.int64)
    filled = 0
    for d in range(demands.before.shape[0]):
        if demands.before[d, 0] == h:
            pairs[filled, 0] = k if demands.before[d, 1] == h else demands.before[d, 1] - begin
            pairs[filled, 1] = k if demands.before[d, 2] == h else demands.before[d, 2] - begin
            filled += 1
    ranked = False
    for d in range(demands.ranks.shape[0]):
        ranked |= demands.ranks[d, 0] == h
    if ranked and k > PAIRED:  # no scores to choose the number of left daughters by: the caller settles it
        return 0, 0, 0, 0
    orders, scores = np.empty((BEAM, k + 1), np.int64), np.zeros(BEAM)
    if k > PAIRED:
        kept = 1 if crowd_order(k, s, pairs, orders[0]) else 0
    else:
        must = np.zeros((k + 1, k + 1), np.bool_)
        for p in range(n_pairs):
            must[pairs[p, 0], pairs[p, 1]] = True
        cross = np.zeros((k, k))
        for d in range(demands.preferences.shape[0]):
            if demands.preferences[d, 0] == h and demands.preferences[d, 1] != h and demands.preferences[d, 2] != h:
                cross[demands.preferences[d, 1] - begin, demands.preferences[d, 2] - begin] += demands.bonuses[d]
        rank = np.zeros(k, np.int64)
        kept = beam_orders(k, s, must, cross, np.int64(-1), rank, orders, scores)
        if ranked and kept > 0:  # as many left daughters as without ranks, or the nearest number that is possible
            wish = 0
            while orders[0, wish] != k:
                wish += 1
            for d in range(demands.ranks.shape[0]):
                if demands.ranks[d, 0] == h:
                    rank[demands.ranks[d, 1] - begin] = demands.ranks[d, 2]
            kept = 0
            for distance in range(2 * k + 1):
                left_count = wish + (distance + 1) // 2 * (1 if distance % 2 else -1)
                if 0 <= left_count <= k:
                    kept = beam_orders(k, s, must, cross, left_count, rank, orders, scores)
                    if kept > 0:
                        break
    if kept == 0:
        return 0, 0, 0, 0
    kept = min(kept, ALTERNATIVES if (k + 1) * ALTERNATIVES <= source.shape[0] else 1)
    final = kept * k + 1
    for c in range(kept):
        for place in range(k + 1):
            arc = c * (k + 1) + place
            source[arc] = 0 if place == 0 else c * k + place
            target[arc] = final if place == k else c * k + place + 1
            item[arc] = orders[c, place]
            weight[arc] = scores[c] if place == 0 else 0.0
    return kept * (k + 1), final + 1, orders[0, 0], orders[0, k]
