"""One pass over the sentences in learning how words are joined: likelihoods forward and backward, and the steps."""

from __future__ import annotations

import math

import numpy as np

from fergus.compiled import compiled
from fergus.realize.contractions import NO_CONTRACTION
from fergus.realize.drop_features import next_random
from fergus.realize.written_form import CONTRACTED, SPACE

SMALLEST_GRADIENT = 1e-3
"""What is as good as right already is not stepped towards."""


@compiled
def learn_epoch(corpus, slots, links, gap_asks, link_asks, order, hidden, drops, weights, squares, rate, state):
    """One AdaGrad step on the log likelihood of every sentence (forward-backward); returns the random state."""
    for s in order:
        begin, n = corpus.start[s], corpus.start[s + 1] - corpus.start[s] - 1
        if n <= 0:
            continue
        right, may, place = corpus.gold[begin : begin + n], corpus.known[begin : begin + n], corpus.place[begin:]
        shown, link_shown = np.zeros((n, slots.shape[1]), np.int32), np.zeros((n, 3, links.shape[2]), np.int32)
        scores = np.full((n, 3, 3), -np.inf)
        for i in range(n):
            if place[i] >= 0:
                shown[i], link_shown[i] = slots[place[i]], links[place[i]]
                state = leave_out(shown[i], link_shown[i], gap_asks, link_asks, hidden[s], drops[s], state)
            for p in range(3):
                if (i == 0 and p > 0) or (i > 0 and p == CONTRACTED and may[i - 1] == NO_CONTRACTION):
                    continue
                if i > 0 and p > 0 and place[i - 1] < 0:
                    continue
                scores[i, p, SPACE] = 0.0
                if place[i] >= 0:
                    for d in range(1, 3 if may[i] != NO_CONTRACTION else 2):
                        scores[i, p, d] = weight_of(shown[i], weights, d - 1) + weight_of(
                            link_shown[i, p], weights, d - 1
                        )
        share = marginals(scores)
        for i in range(n):
            if place[i] < 0:
                continue
            before = right[i - 1] if i > 0 else 0
            for d in range(1, 3):
                gradient = -share[i, 0, d] - share[i, 1, d] - share[i, 2, d]
                if right[i] == d:
                    gradient += 1.0
                step_up(weights, squares, shown[i], d - 1, gradient, rate)
                for p in range(3):
                    gradient = -share[i, p, d]
                    if right[i] == d and before == p:
                        gradient += 1.0
                    step_up(weights, squares, link_shown[i, p], d - 1, gradient, rate)
    return state


@compiled
def leave_out(shown, link_shown, gap_asks, link_asks, hidden, drop, state):
    """Leave features of a gap out, at random and if they ask for a hidden label; a link for all decisions at once."""
    for t in range(shown.shape[0]):
        state = next_random(state)
        if gap_asks[t] & hidden or (state & np.uint64(65535)) < drop:
            shown[t] = 0
    for t in range(link_shown.shape[1]):
        state = next_random(state)
        if link_asks[t] & hidden or (state & np.uint64(65535)) < drop:
            link_shown[:, t] = 0
    return state


@compiled
def weight_of(slots, weights, column):
    """The weights of some features, added up; the one of slot 0 is 0."""
    total = 0.0
    for slot in slots:
        total += weights[slot, column]
    return total


@compiled
def marginals(scores):
    """The probability of every decision together with the one before it."""
    n = scores.shape[0]
    forward, backward = np.full((n + 1, 3), -np.inf), np.zeros((n + 1, 3))
    forward[0, SPACE] = 0.0
    for i in range(n):
        for d in range(3):
            forward[i + 1, d] = log_sum(
                forward[i, 0] + scores[i, 0, d], forward[i, 1] + scores[i, 1, d], forward[i, 2] + scores[i, 2, d]
            )
    total = log_sum(forward[n, 0], forward[n, 1], forward[n, 2])
    out = np.zeros((n, 3, 3))
    for i in range(n - 1, -1, -1):
        for p in range(3):
            for d in range(3):
                x = forward[i, p] + scores[i, p, d] + backward[i + 1, d]
                if x > -np.inf:
                    out[i, p, d] = math.exp(x - total)
            backward[i, p] = log_sum(
                scores[i, p, 0] + backward[i + 1, 0],
                scores[i, p, 1] + backward[i + 1, 1],
                scores[i, p, 2] + backward[i + 1, 2],
            )
    return out


@compiled
def log_sum(a, b, c):
    """The logarithm of a sum of three numbers given by theirs."""
    top = max(a, b, c)
    if top == -np.inf:
        return top
    return top + math.log(math.exp(a - top) + math.exp(b - top) + math.exp(c - top))


@compiled
def step_up(weights, squares, slots, column, gradient, rate):
    """One AdaGrad step on the weights of some features; slot 0 stands for no feature."""
    if abs(gradient) <= SMALLEST_GRADIENT:
        return
    for slot in slots:
        if slot > 0:
            squares[slot, column] += gradient * gradient
            weights[slot, column] += rate * gradient / math.sqrt(squares[slot, column] + 0.1)
