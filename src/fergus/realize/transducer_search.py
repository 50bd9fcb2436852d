"""The best forms that the transducer can write, by a beam of unfinished forms that grow in step: compiled."""

from __future__ import annotations

import math

import numpy as np

from fergus.compiled import compiled
from fergus.realize.edit_actions import COPY, DELETE, EMIT, STOP
from fergus.realize.ranking import best_first
from fergus.realize.transducer_state import (
    DELETED,
    LENGTH,
    MOST_ACTIONS,
    MOST_FEATURES,
    MOST_WRITTEN,
    READ,
    STATE,
    TAIL,
    WRITTEN,
    allowed_actions,
    express,
    score_actions,
    step_features,
)

HOPELESS = 9.0
"""An unfinished form whose log probability is below the best finished one's by this is dropped."""


@compiled
def search_forms(
    lemma,
    labels,
    plain,
    lemma_hash,
    category,
    exponents,
    owners,
    expressed,
    start,
    actions,
    is_vowel,
    last,
    weights,
    beam,
):
    """The ``beam`` most probable forms: their letters, their lengths, their log probabilities, best first."""
    n = lemma.shape[0]
    room = n + MOST_WRITTEN + 1
    features = np.empty(MOST_FEATURES, np.uint64)
    scores, allowed = np.empty(MOST_ACTIONS), np.empty(MOST_ACTIONS, np.int32)
    state, out = np.zeros((beam, STATE), np.int32), np.zeros((beam, room), np.int32)
    done, total = np.zeros(beam, np.uint64), np.zeros(beam)
    live = 1
    finished, finished_length = np.zeros((beam + 1, room), np.int32), np.zeros(beam + 1, np.int32)
    finished_total, finished_count = np.full(beam + 1, -1e30), 0
    reached = np.empty(beam * MOST_ACTIONS)
    origin, taken = np.empty(beam * MOST_ACTIONS, np.int32), np.empty(beam * MOST_ACTIONS, np.int32)
    while live > 0:
        count = 0
        for b in range(live):
            action_count = allowed_actions(n - state[b, READ], category, state[b, WRITTEN], start, actions, allowed)
            if action_count == 0:
                continue
            feature_count = step_features(
                lemma,
                state[b],
                out[b],
                is_vowel,
                last,
                labels,
                plain,
                lemma_hash,
                expressed & ~done[b],
                features,
            )
            score_actions(features, feature_count, weights, allowed, action_count, scores)
            top = scores[:action_count].max()
            normal = 0.0
            for a in range(action_count):
                normal += math.exp(scores[a] - top)
            normal = top + math.log(normal)
            for a in range(action_count):
                score = total[b] + scores[a] - normal
                if allowed[a] == STOP:
                    finished_count = finish(
                        out[b], state[b, LENGTH], score, finished, finished_length, finished_total, finished_count, beam
                    )
                elif score > finished_total[0] - HOPELESS:
                    reached[count], origin[count], taken[count] = score, b, allowed[a]
                    count += 1
        keep = min(count, beam)
        ranked = best_first(reached, count, keep)
        new_state, new_out = np.zeros((beam, STATE), np.int32), np.zeros((beam, room), np.int32)
        new_done, new_total = np.zeros(beam, np.uint64), np.zeros(beam)
        live = 0
        for r in range(keep):
            b, action, score = origin[ranked[r]], taken[ranked[r]], reached[ranked[r]]
            if score < finished_total[beam - 1] or score < finished_total[0] - HOPELESS:
                continue
            new_out[live] = out[b]
            new_state[live], new_done[live], new_total[live] = state[b], done[b], score
            take(action, lemma, new_state[live], new_out[live])
            if action >= EMIT:
                new_done[live] = express(
                    new_out[live], new_state[live, LENGTH], new_state[live, TAIL], is_vowel, exponents, owners, done[b]
                )
            live += 1
        state, out, done, total = new_state, new_out, new_done, new_total
    return finished[:finished_count], finished_length[:finished_count], finished_total[:finished_count]


@compiled
def take(action, lemma, state, out):
    """Take an action: change the state and what is written."""
    if action == COPY:
        out[state[LENGTH]] = lemma[state[READ]]
        state[READ] += 1
        state[LENGTH] += 1
        state[TAIL] = 0
        state[DELETED] = 0
    elif action == DELETE:
        state[READ] += 1
        state[DELETED] += 1
    elif action >= EMIT:
        out[state[LENGTH]] = action - EMIT + 1
        state[LENGTH] += 1
        state[TAIL] += 1
        state[WRITTEN] += 1


@compiled
def finish(out, length, score, finished, lengths, totals, count, beam):
    """Put a finished form in its place among the best, joined with an equal one; returns how many there are."""
    place = count
    for f in range(count):
        if lengths[f] == length and np.all(finished[f, :length] == out[:length]):
            place = f
            top = max(totals[f], score)
            score = top + math.log(math.exp(totals[f] - top) + math.exp(score - top))
    if place == count:
        if count == beam:
            if totals[beam - 1] >= score:
                return count
            place = beam - 1
        else:
            count += 1
    while place > 0 and totals[place - 1] < score:
        finished[place], lengths[place], totals[place] = finished[place - 1], lengths[place - 1], totals[place - 1]
        place -= 1
    finished[place], lengths[place], totals[place] = out, length, score
    return count
