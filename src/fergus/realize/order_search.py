"""Exact search over the orders of one treelet, and a beam where it has too many daughters.

A state is (which daughters are placed, whether the head is, which item was last). Left of the head a new
daughter is compared with those already placed; right of it with those still to come: both are on her side.

    {} --was--> {was} --estimate--> {was, head} --for--> {was, head, for}
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.order_scores import BESIDE_LEFT, BESIDE_RIGHT, FIRST, LAST, LEFT, RIGHT
from fergus.realize.ranking import best_first

EXACT = 9
"""Up to this many daughters the search is exact; beyond it a beam of BEAM orders is kept."""
BEAM = 32
NEVER = -1e30


class SearchRoom(NamedTuple):
    """Tables of the exact search: a row a state (head placed, set of daughters), a column the last item."""

    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    sum_left: NDArray[np.float64]
    sum_right: NDArray[np.float64]
    cross: NDArray[np.float64]
    number: NDArray[np.int32]
    required: NDArray[np.int64]
    """For every item (the head is item k) the set of items that must come before it."""
    rank: NDArray[np.int64]
    """For every daughter 0, or her place beside the head: -2 is second to the left, 1 first to the right."""


def search_room() -> SearchRoom:
    """Allocate the tables once; every treelet uses them again."""
    states = 2 << EXACT
    return SearchRoom(
        np.zeros((states, EXACT + 1)),
        np.zeros((states, EXACT + 1)),
        np.zeros((1 << EXACT, EXACT)),
        np.zeros((1 << EXACT, EXACT)),
        np.zeros(1 << EXACT),
        np.zeros((states, EXACT + 1), np.int32),
        np.zeros(EXACT + 1, np.int64),
        np.zeros(EXACT, np.int64),
    )


@compiled
def sum_pairs(k, s, sum_left, sum_right):
    """For every set of daughters and every other one: her score against the whole set."""
    for j in range(k):
        sum_left[0, j] = 0.0
        sum_right[0, j] = 0.0
    for placed in range(1, 1 << k):
        low = 0
        while not (placed >> low) & 1:
            low += 1
        rest = placed & (placed - 1)
        for j in range(k):
            if j == low:
                sum_left[placed, j] = sum_left[rest, j]
                sum_right[placed, j] = sum_right[rest, j]
            else:
                sum_left[placed, j] = sum_left[rest, j] + s.before_left[low, j]
                sum_right[placed, j] = sum_right[rest, j] + s.before_right[j, low]


@compiled
def step_score(k, placed, head_in, last, j, s, sum_left, sum_right, cross):
    """The score of placing item ``j`` (k is the head) after ``last`` (-1 at the beginning)."""
    if j == k:
        return cross[placed] + (s.side[last, BESIDE_LEFT] if last >= 0 else 0.0)
    if head_in == 0:
        score = s.side[j, LEFT] + sum_left[placed, j]
        return score + (s.next_left[last, j] if last >= 0 else s.side[j, FIRST])
    to_come = ((1 << k) - 1) & ~placed & ~(1 << j)
    score = s.side[j, RIGHT] + sum_right[to_come, j]
    return score + (s.side[j, BESIDE_RIGHT] if last == k else s.next_right[last, j])


@compiled
def allowed(k, placed, head_in, j, required, rank, left_count):
    """Whether the hard constraints let ``j`` come now; ``left_count`` is set only where ranks are given."""
    have = placed | (head_in << k)
    if required[j] & ~have:
        return False
    if left_count < 0:
        return True
    count = 0
    for i in range(k):
        count += (placed >> i) & 1
    if j == k:
        return count == left_count
    if head_in == 0:
        return count < left_count and (rank[j] == 0 or rank[j] == count - left_count)
    return rank[j] == 0 or rank[j] == count - left_count + 1


@compiled
def best_forward(k, s, room, left_count):
    """Fill ``room.forward`` with the best score of reaching each state; returns the best of a whole order."""
    half = 1 << k
    nobody, nothing = np.int64(-1), np.int64(0)
    forward = room.forward
    for state in range(2 * half):
        for last in range(k + 1):
            forward[state, last] = NEVER
    for j in range(k + 1):
        if allowed(k, nothing, nothing, j, room.required, room.rank, left_count):
            target = half if j == k else 1 << j
            forward[target, j] = step_score(
                k, nothing, nothing, nobody, j, s, room.sum_left, room.sum_right, room.cross
            )
    for state in range(1, 2 * half):
        head_in, placed = state // half, state % half
        for last in range(k + 1):
            so_far = forward[state, last]
            if so_far <= NEVER:
                continue
            for j in range(k + 1):
                if (j < k and (placed >> j) & 1) or (j == k and head_in):
                    continue
                if not allowed(k, placed, head_in, j, room.required, room.rank, left_count):
                    continue
                score = so_far + step_score(k, placed, head_in, last, j, s, room.sum_left, room.sum_right, room.cross)
                target = state + half if j == k else state | (1 << j)
                forward[target, j] = max(forward[target, j], score)
    best = NEVER
    for last in range(k + 1):
        score = forward[2 * half - 1, last] + (s.side[last, LAST] if last < k else 0.0)
        best = max(best, score)
    return best


@compiled
def best_backward(k, s, room, left_count):
    """Fill ``room.backward`` with the best score of finishing from each state."""
    half = 1 << k
    backward = room.backward
    for last in range(k + 1):
        backward[2 * half - 1, last] = s.side[last, LAST] if last < k else 0.0
    for state in range(2 * half - 2, -1, -1):
        head_in, placed = state // half, state % half
        for last in range(k + 1):
            backward[state, last] = NEVER
            if room.forward[state, last] <= NEVER:
                continue
            best = NEVER
            for j in range(k + 1):
                if (j < k and (placed >> j) & 1) or (j == k and head_in):
                    continue
                if not allowed(k, placed, head_in, j, room.required, room.rank, left_count):
                    continue
                target = state + half if j == k else state | (1 << j)
                score = backward[target, j] + step_score(
                    k, placed, head_in, last, j, s, room.sum_left, room.sum_right, room.cross
                )
                best = max(best, score)
            backward[state, last] = best


@compiled
def beam_orders(k, s, must, cross, left_count, rank, orders, scores):
    """The best orders of many daughters by beam search; returns how many complete orders were kept.

    ``must[a, b]``: a has to come before b (index k is the head). ``cross[a, b]``: score of a left, b right.
    """
    beam = orders.shape[0]
    placed = np.zeros((beam, k + 1), np.bool_)
    sum_left, sum_right = np.zeros((beam, k)), np.zeros((beam, k))
    for j in range(k):
        for r in range(k):
            if r != j:
                sum_right[0, j] += s.before_right[j, r]
    count = 1
    scores[0] = 0.0
    size = beam * (k + 1)
    candidate_score, candidate = np.empty(size), np.empty(size, np.int64)
    for place in range(k + 1):
        found = 0
        due = -1  # the daughter whose rank is this place, if there is one
        for i in range(k if left_count >= 0 else 0):
            if rank[i] != 0 and rank[i] == place - left_count:
                due = i
        for b in range(count):
            last = orders[b, place - 1] if place > 0 else -1
            head_in = placed[b, k]
            for j in range(k + 1):
                if placed[b, j] or (due >= 0 and j != due):
                    continue
                free = True
                for i in range(k + 1):
                    if must[i, j] and not placed[b, i]:
                        free = False
                        break
                if left_count >= 0 and free:
                    if j == k:
                        free = place == left_count
                    elif not head_in:
                        free = place < left_count and (rank[j] == 0 or rank[j] == place - left_count)
                    else:
                        free = rank[j] == 0 or rank[j] == place - left_count
                if not free:
                    continue
                if j == k:
                    score = s.side[last, BESIDE_LEFT] if last >= 0 else 0.0
                    for a in range(k):
                        if placed[b, a]:
                            for r in range(k):
                                if not placed[b, r]:
                                    score += cross[a, r]
                elif not head_in:
                    score = s.side[j, LEFT] + sum_left[b, j]
                    score += s.next_left[last, j] if last >= 0 else s.side[j, FIRST]
                else:
                    score = s.side[j, RIGHT] + sum_right[b, j]
                    score += s.side[j, BESIDE_RIGHT] if last == k else s.next_right[last, j]
                if place == k and j < k:
                    score += s.side[j, LAST]
                candidate_score[found] = scores[b] + score
                candidate[found] = b * (k + 1) + j
                found += 1
        if found == 0:
            return 0
        keep = min(found, beam)
        ranked = best_first(candidate_score, found, keep)
        new_orders, new_scores = np.empty((keep, k + 1), np.int64), np.empty(keep)
        new_placed = np.empty((keep, k + 1), np.bool_)
        new_left, new_right = np.empty((keep, k)), np.empty((keep, k))
        for c in range(keep):
            b, j = candidate[ranked[c]] // (k + 1), candidate[ranked[c]] % (k + 1)
            new_scores[c] = candidate_score[ranked[c]]
            for i in range(place):
                new_orders[c, i] = orders[b, i]
            new_orders[c, place] = j
            for i in range(k + 1):
                new_placed[c, i] = placed[b, i] or i == j
            for i in range(k):
                new_left[c, i] = sum_left[b, i] + (s.before_left[j, i] if j < k and i != j else 0.0)
                new_right[c, i] = sum_right[b, i] - (s.before_right[i, j] if j < k and i != j else 0.0)
        count = keep
        for c in range(count):
            scores[c] = new_scores[c]
            for i in range(place + 1):
                orders[c, i] = new_orders[c, i]
            for i in range(k + 1):
                placed[c, i] = new_placed[c, i]
            for i in range(k):
                sum_left[c, i], sum_right[c, i] = new_left[c, i], new_right[c, i]
    return count


@compiled
def crowd_order(k, s, pairs, order):
    """The order of more than PAIRED daughters: sides by their scores, then as listed, constraints kept.

    ``pairs`` holds rows (before, after) of items. Returns False if they contradict one another.
    """
    waiting = np.zeros(k + 1, np.int64)
    for p in range(pairs.shape[0]):
        waiting[pairs[p, 1]] += 1
    wanted = np.empty(k + 1, np.int64)
    filled = 0
    for want_left in (True, False):
        for j in range(k):
            if (s.side[j, LEFT] > s.side[j, RIGHT]) == want_left:
                wanted[filled] = j
                filled += 1
        if want_left:
            wanted[filled] = k
            filled += 1
    done = np.zeros(k + 1, np.bool_)
    filled = 0
    while filled <= k:
        progress = False
        for w in range(k + 1):
            j = wanted[w]
            if done[j] or waiting[j] > 0:
                continue
            done[j] = True
            order[filled] = j
            filled += 1
            progress = True
            for p in range(pairs.shape[0]):
                if pairs[p, 0] == j:
                    waiting[pairs[p, 1]] -= 1
        if not progress:
            return False
    return True
