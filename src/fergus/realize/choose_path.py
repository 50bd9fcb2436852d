"""The LP Chooser: the best paths through the lattice under an n-gram language model (paper, section 2).

The packed lattice is composed with the language model on the fly. A part of the lattice is searched once for
each pair of words that can stand before it; the result (which last two words it can end with, at what score)
is kept, so the search is exact and each phrase's inside is looked at only as often as it must be. With n > 1
each state keeps its n best different word strings, so the n best sentences are exact and free of duplicates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.lattice import Lattice
from fergus.errors import ModelError
from fergus.lm.kernels import lm_logprob10
from fergus.lm.model import NgramModel
from fergus.lm.vocabulary import BEGIN, END
from fergus.realize.ranking import best_first

LN10 = 2.302585092994046
NOTHING = -2
"""In the place of a language model's id: the alternative is no word at all (an optional word left out)."""
STATE_BEAM = 256
"""At most this many histories are kept in a state; ordinary sentences stay far below, so they are exact."""
MOST_HYPOTHESES = 1_000_000
"""Beyond this many hypotheses in all, the beam is cut to a quarter and the search begins anew.

Sentences of EWT need 30,000 at most with ``default``; trees of thousands of nodes more than any memory holds. From
the second attempt on a part is searched for no more pairs of words before it than the beam is wide, so that with a
beam of one the work grows with the size of the lattice and no faster.
"""


class PathChooser:
    """Lattice weights plus ``lm_weight`` times the language model's natural log probability."""

    def __init__(self, language_model: NgramModel, lm_weight: float, *, beam: int = STATE_BEAM) -> None:
        if language_model.order > 3:
            raise ModelError(
                f"a language model of order {language_model.order}, but the search looks two words back; "
                "train with order 3"
            )
        self.language_model, self.lm_weight, self.beam = language_model, lm_weight, beam

    def choose(
        self,
        lattice: Lattice,
        words: NDArray[np.int32],
        keys: NDArray[np.int64],
        *,
        n: int = 1,
        length: int | None = None,
    ) -> list[tuple[NDArray[np.int32], float]]:
        """The n best orders of node indices.

        ``words`` are the language model's ids of the nodes, ``keys`` what two nodes share if they print the same.
        Where nodes have alternatives, both are of the alternatives, and ``length`` says how many nodes there are;
        an alternative whose id is NOTHING is in the result and not in the sentence.
        """
        if n < 1:
            raise ValueError(f"1 or more best orders, not {n}")
        length = len(words) if length is None else length
        part_arcs, part_states, source, target, label = (
            np.frombuffer(a, np.int32)
            for a in (lattice.part_arcs, lattice.part_states, lattice.source, lattice.target, lattice.label)
        )
        weight, lm, scale = np.frombuffer(lattice.weight), self.language_model.tables, self.lm_weight * LN10
        beam, contexts = max(self.beam, 4 * n), MOST_HYPOTHESES
        while True:
            orders, scores = best_paths(
                part_arcs, part_states, source, target, label, weight, words, keys, length, lm, scale, n, contexts, beam
            )
            if orders.shape[0]:
                return [(orders[i], float(scores[i])) for i in range(orders.shape[0])]
            if beam == 1:
                raise ValueError("the lattice has no path")
            beam = contexts = max(1, beam // 4)


@compiled
def grown(array, needed):
    """The array, or a copy of at least twice its length that holds ``needed`` entries."""
    if needed <= array.shape[0]:
        return array
    bigger = np.empty(max(needed, 2 * array.shape[0]), array.dtype)
    for i in range(array.shape[0]):
        bigger[i] = array[i]
    return bigger


@compiled
def string_hash(before, word):
    """The hash of a word string, a word longer: sequences that read the same have the same hash."""
    return before * np.uint64(0x9E3779B97F4A7C15) + (np.uint64(word) + np.uint64(0x632BE59BD9B4E019)) * np.uint64(
        0xBF58476D1CE4E5B9
    )


@compiled
def best_paths(
    part_arcs, part_states, source, target, label, weight, words, keys, length, lm, lm_scale, n, contexts, beam
):
    """The n best orders and scores; nothing at all if MOST_HYPOTHESES was not enough for this beam.

    A part that was searched for as many ``contexts`` (pairs of words before it) takes one of those results, if it
    can one whose last word agrees; the orders found so are scored again in the end.
    """
    parts = part_states.shape[0]
    # Hypotheses: two last words, score, hash of the string and its multiplier, how it came about.
    room = 256
    h_w1, h_w2 = np.empty(room, np.int32), np.empty(room, np.int32)
    h_score, h_hash = np.empty(room), np.empty(room, np.uint64)
    h_shift = np.empty(room, np.uint64)
    h_previous, h_arc, h_inner, h_next = (
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )
    hyps = 0
    # What is known: for each part a chain of entries (two words before it) -> list of final hypotheses.
    known, n_known, approximate = np.full(parts, -1, np.int32), np.zeros(parts, np.int32), False
    e_w1, e_w2 = np.empty(64, np.int32), np.empty(64, np.int32)
    e_result, e_next = np.empty(64, np.int32), np.empty(64, np.int32)
    entries = 0
    # Frames: a part being searched for one pair of words before it.
    f_part, f_entry = np.empty(16, np.int32), np.empty(16, np.int32)
    f_states, f_arc, f_hyp = np.empty(16, np.int32), np.empty(16, np.int32), np.empty(16, np.int32)
    frames = 0
    lists = np.empty(256, np.int32)  # for every state of every open frame: its first hypothesis
    lists_used = 0
    call_part, call_w1, call_w2 = parts - 1, -1, BEGIN
    while True:
        if call_part >= 0:  # open a frame
            e_w1, e_w2 = grown(e_w1, entries + 1), grown(e_w2, entries + 1)
            e_result, e_next = grown(e_result, entries + 1), grown(e_next, entries + 1)
            e_w1[entries], e_w2[entries], e_result[entries] = call_w1, call_w2, -2
            e_next[entries] = known[call_part]
            known[call_part] = entries
            n_known[call_part] += 1
            f_part, f_entry, f_states = (
                grown(f_part, frames + 1),
                grown(f_entry, frames + 1),
                grown(f_states, frames + 1),
            )
            f_arc, f_hyp = grown(f_arc, frames + 1), grown(f_hyp, frames + 1)
            states = part_states[call_part]
            lists = grown(lists, lists_used + states)
            for i in range(states):
                lists[lists_used + i] = -1
            if hyps + 1 > h_w1.shape[0]:
                h_w1, h_w2, h_score = grown(h_w1, hyps + 1), grown(h_w2, hyps + 1), grown(h_score, hyps + 1)
                h_hash, h_shift = grown(h_hash, hyps + 1), grown(h_shift, hyps + 1)
                h_previous, h_arc = grown(h_previous, hyps + 1), grown(h_arc, hyps + 1)
                h_inner, h_next = grown(h_inner, hyps + 1), grown(h_next, hyps + 1)
            h_w1[hyps], h_w2[hyps], h_score[hyps], h_hash[hyps] = call_w1, call_w2, 0.0, np.uint64(1)
            h_shift[hyps] = np.uint64(1)
            h_previous[hyps], h_arc[hyps], h_inner[hyps], h_next[hyps] = -1, -1, -1, -1
            lists[lists_used] = hyps
            f_part[frames], f_entry[frames], f_states[frames] = call_part, entries, lists_used
            f_arc[frames], f_hyp[frames] = part_arcs[call_part], -2
            lists_used += states
            hyps += 1
            entries += 1
            frames += 1
            call_part = -1
        frame = frames - 1
        part, base = f_part[frame], f_states[frame]
        arc, hyp = f_arc[frame], f_hyp[frame]
        while arc < part_arcs[part + 1]:
            state = source[arc]
            if hyp == -2:  # a fresh arc: begin with the state's first hypothesis
                if arc == part_arcs[part] or source[arc - 1] != state:
                    lists[base + state] = best_of_list(lists[base + state], h_score, h_next, beam)
                hyp = lists[base + state]
            while hyp >= 0:
                inner = -1
                if label[arc] < 0:
                    sub = -1 - label[arc]
                    entry = known[sub]
                    while entry >= 0 and not (e_w1[entry] == h_w1[hyp] and e_w2[entry] == h_w2[hyp]):
                        entry = e_next[entry]
                    if entry < 0 and n_known[sub] >= contexts:
                        approximate, entry = True, known[sub]
                        while e_next[entry] >= 0 and e_w2[entry] != h_w2[hyp]:
                            entry = e_next[entry]
                    if entry < 0:
                        call_part, call_w1, call_w2 = sub, h_w1[hyp], h_w2[hyp]
                        break
                    inner = e_result[entry]
                while True:
                    if label[arc] < 0:
                        w1, w2 = h_w1[inner], h_w2[inner]
                        score = h_score[hyp] + weight[arc] + h_score[inner]
                        shift = h_shift[hyp] * h_shift[inner]
                        # hash of a concatenation: the inner hash begins from 1
                        text = (h_hash[hyp] - np.uint64(1)) * h_shift[inner] + h_hash[inner]
                    elif words[label[arc]] == NOTHING:
                        w1, w2 = h_w1[hyp], h_w2[hyp]
                        score, text, shift = h_score[hyp] + weight[arc], h_hash[hyp], h_shift[hyp]
                    else:
                        w1, w2 = h_w2[hyp], words[label[arc]]
                        score = h_score[hyp] + weight[arc]
                        if lm_scale != 0.0:
                            score += lm_scale * lm_logprob10(lm, h_w1[hyp], h_w2[hyp], w2)
                        text = string_hash(h_hash[hyp], keys[label[arc]])
                        shift = h_shift[hyp] * np.uint64(0x9E3779B97F4A7C15)
                    # Is there a place for it in the target state?
                    place = base + target[arc]
                    same, worst, rivals = -1, -1, 0
                    other = lists[place]
                    while other >= 0:
                        if h_w1[other] == w1 and h_w2[other] == w2:
                            if h_hash[other] == text:
                                same = other
                            if worst < 0 or h_score[other] < h_score[worst]:
                                worst = other
                            rivals += 1
                        other = h_next[other]
                    slot = -1
                    if same >= 0:
                        if score > h_score[same]:
                            slot = same
                    elif rivals < n:
                        slot = hyps
                    elif score > h_score[worst]:
                        slot = worst
                    if slot >= 0:
                        if slot == hyps:
                            if hyps >= MOST_HYPOTHESES and beam > 1:
                                return np.empty((0, 0), np.int32), np.empty(0)
                            if hyps + 1 > h_w1.shape[0]:
                                h_w1, h_w2 = grown(h_w1, hyps + 1), grown(h_w2, hyps + 1)
                                h_score, h_hash = grown(h_score, hyps + 1), grown(h_hash, hyps + 1)
                                h_shift = grown(h_shift, hyps + 1)
                                h_previous, h_arc = grown(h_previous, hyps + 1), grown(h_arc, hyps + 1)
                                h_inner, h_next = grown(h_inner, hyps + 1), grown(h_next, hyps + 1)
                            h_next[hyps] = lists[place]
                            lists[place] = hyps
                            hyps += 1
                        h_w1[slot], h_w2[slot], h_score[slot] = w1, w2, score
                        h_hash[slot], h_shift[slot] = text, shift
                        h_previous[slot], h_arc[slot], h_inner[slot] = hyp, arc, inner
                    if label[arc] >= 0:
                        break
                    inner = h_next[inner]
                    if inner < 0:
                        break
                hyp = h_next[hyp]
            if call_part >= 0:
                break
            arc += 1
            hyp = -2
        f_arc[frame], f_hyp[frame] = arc, hyp
        if call_part >= 0:
            continue
        # The frame is finished: its final state's list is the result.
        final = base + part_states[part] - 1
        lists[final] = best_of_list(lists[final], h_score, h_next, beam)
        e_result[f_entry[frame]] = lists[final]
        lists_used = base
        frames -= 1
        if frames == 0:
            break
    # End of sentence, then the n best of the final hypotheses.
    count = 0
    hyp = e_result[0]
    while hyp >= 0:
        count += 1
        hyp = h_next[hyp]
    finals, totals = np.empty(count, np.int32), np.empty(count)
    hyp = e_result[0]
    for i in range(count):
        finals[i] = hyp
        totals[i] = h_score[hyp]
        if lm_scale != 0.0:
            totals[i] += lm_scale * lm_logprob10(lm, h_w1[hyp], h_w2[hyp], np.int32(END))
        hyp = h_next[hyp]
    ranked = best_first(totals, count, count)
    orders, scores = np.empty((min(n, count), length), np.int32), np.empty(min(n, count))
    kept = 0
    seen = np.empty(min(n, count), np.uint64)
    stack = np.empty(length + 2, np.int32)
    for i in range(count):
        final = finals[ranked[i]]
        duplicate = False
        for j in range(kept):
            duplicate |= seen[j] == h_hash[final]
        if duplicate:
            continue
        seen[kept], scores[kept] = h_hash[final], totals[ranked[i]]
        place, lattice_score = length, 0.0
        stack[0] = final
        depth = 1
        while depth > 0:
            hyp = stack[depth - 1]
            if h_arc[hyp] < 0:
                depth -= 1
                continue
            stack[depth - 1] = h_previous[hyp]
            lattice_score += weight[h_arc[hyp]]
            if h_inner[hyp] >= 0:
                stack[depth] = h_inner[hyp]
                depth += 1
            else:
                place -= 1
                orders[kept, place] = label[h_arc[hyp]]
        if approximate:
            scores[kept] = lattice_score + lm_scale * sentence_logprob10(lm, words, orders[kept])
        kept += 1
        if kept == n:
            break
    if approximate:
        ranked = best_first(scores, kept, kept)
        return orders[ranked], scores[ranked]
    return orders[:kept], scores[:kept]


@compiled
def sentence_logprob10(lm, words, order):
    """The language model's log10 probability of the words in this order and of the end after them."""
    total, w1, w2 = 0.0, np.int32(-1), np.int32(BEGIN)
    for i in range(order.shape[0]):
        if words[order[i]] != NOTHING:
            total += lm_logprob10(lm, w1, w2, words[order[i]])
            w1, w2 = w2, words[order[i]]
    return total + lm_logprob10(lm, w1, w2, np.int32(END))


@compiled
def best_of_list(first, h_score, h_next, beam):
    """Cut a chain of hypotheses to the ``beam`` best; a chain that is short enough stays as it is."""
    count = 0
    hyp = first
    while hyp >= 0:
        count += 1
        hyp = h_next[hyp]
    if count <= beam:
        return first
    members, scores = np.empty(count, np.int32), np.empty(count)
    hyp = first
    for i in range(count):
        members[i], scores[i] = hyp, h_score[hyp]
        hyp = h_next[hyp]
    ranked = best_first(scores, count, beam)
    for i in range(beam):
        h_next[members[ranked[i]]] = members[ranked[i + 1]] if i + 1 < beam else -1
    return members[ranked[0]]
