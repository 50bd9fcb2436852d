"""The features of a step of the transducer, and their weights: compiled."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fergus.compiled import compiled
from fergus.realize.edit_actions import COPY, DELETE, EMIT, STOP
from fergus.realize.features import mix

ZONES = 5
"""Steps with 0, 1, 2, 3, and 4 or more letters of the lemma left have actions of their own."""
MOST_FEATS = 18
"""Features of a word that are looked at."""
MOST_FEATURES = 40 + 10 * MOST_FEATS + MOST_FEATS * (MOST_FEATS - 1)
MOST_WRITTEN = 24
"""Letters written that are not the lemma's."""
MOST_ACTIONS = 4096
VOWEL = 1
# A state: letters of the lemma read, length of the form, letters written and deleted since the last copy, all written.
READ, LENGTH, TAIL, DELETED, WRITTEN = range(5)
STATE = 5
_MASK = (1 << 64) - 1


def stretch_hash(stretch: str, numbers: Mapping[str, int]) -> int:
    """The hash by which ``express`` knows an exponent: its letters from the last to the first, vowels as one."""
    h = 5
    for letter in reversed(stretch):
        other = VOWEL if letter == "V" else numbers.get(letter, 0) + 2
        h = ((h ^ ((other + 0x9E3779B97F4A7C15) & _MASK)) * 0xBF58476D1CE4E5B9) & _MASK  # as features.mix
        h ^= h >> 29
        h = h * 0x94D049BB133111EB & _MASK
    return h


@compiled
def kind(letter, is_vowel):
    """A letter's number, the same for all vowels."""
    return np.uint64(VOWEL) if is_vowel[letter] else np.uint64(letter + 2)


@compiled
def express(out, length, tail, is_vowel, exponents, owners, done):
    """The labels expressed so far with those whose exponent has just been completed."""
    h = np.uint64(5)
    for back in range(1, min(tail, 4) + 1):
        h = mix(h, kind(out[length - back], is_vowel))
        for x in range(exponents.shape[0]):
            if exponents[x] == h:
                done |= np.uint64(1) << np.uint64(owners[x])
    return done


@compiled
def allowed_actions(left, category, written, start, actions, out):
    """The actions that may be taken with so many letters of the lemma left; returns how many."""
    row = category * ZONES + min(left, ZONES - 1)
    count = 0
    for x in range(start[row], min(start[row + 1], start[row] + MOST_ACTIONS)):
        action = actions[x]
        if (
            (action == STOP and left > 0)
            or ((action in (COPY, DELETE)) and left == 0)
            or (action >= EMIT and written >= MOST_WRITTEN)
        ):
            continue
        out[count] = action
        count += 1
    return count


@compiled
def known(letters, place, last):
    """A letter as a feature: 1 outside the word, one number for all letters that training has not seen."""
    if place < 0 or place >= letters.shape[0]:
        return np.uint64(1)
    return np.uint64(min(letters[place], last + 1) + 2)


@compiled
def both(a, b, c):
    """A hash of three numbers."""
    return mix(mix(np.uint64(a), np.uint64(b)), np.uint64(c))


@compiled
def step_features(lemma, at, out, is_vowel, last, labels, plain, lemma_hash, open_labels, into):
    """Hashes of all that is seen in state ``at`` with ``out`` written; returns how many."""
    i, length, tail, deleted = at[READ], at[LENGTH], at[TAIL], at[DELETED]
    left = lemma.shape[0] - i
    n = lemma.shape[0]
    now = known(lemma, i, last)
    written = out[:length]
    o1, o2, o3 = known(written, length - 1, last), known(written, length - 2, last), known(written, length - 3, last)
    # What was deleted and written since the last letter copied; the last two, three and five letters. Vowels are one.
    whole, two, three, five = np.uint64(7), np.uint64(8), np.uint64(8), np.uint64(8)
    for x in range(i - deleted, i):
        whole = both(whole, 9, known(lemma, x, last))
    for x in range(length - tail, length):
        whole = mix(whole, kind(out[x], is_vowel))
    for x in range(max(0, length - 5), length):
        k = kind(out[x], is_vowel)
        five = mix(five, k)
        if x >= length - 3:
            three = mix(three, k)
        if x >= length - 2:
            two = mix(two, k)
    vowel = np.uint64(0)
    for x in range(length - 1, -1, -1):
        if is_vowel[out[x]]:
            vowel = np.uint64(out[x] + 2)
            break
    place = mix(np.uint64(min(left, 5)), now)
    end = mix(np.uint64(min(left, 5)), whole)
    end2 = both(3, known(lemma, n - 1, last), known(lemma, n - 2, last))
    end3 = mix(end2, known(lemma, n - 3, last))
    end4 = mix(end3, known(lemma, n - 4, last))
    shape = np.uint64(11)
    for x in range(max(0, n - 4), n):
        shape = mix(shape, np.uint64(2 if is_vowel[lemma[x]] else 3))
    shape1 = mix(shape, known(lemma, n - 1, last))
    at_whole, at_two, at_three = mix(place, whole), mix(place, two), mix(place, three)
    before = both(place, o1, o2)
    after_vowel = both(place, o1, vowel)
    into[0] = both(101, o1, vowel)
    into[1] = both(102, o1, mix(o2, o3))
    into[2] = both(103, o1, o2)
    into[3] = both(104, now, o1)
    into[4] = both(105, end, lemma_hash)
    into[5] = both(106, whole, vowel)
    into[6] = both(107, end, end3)
    into[7] = both(108, place, o1)
    count = 8
    for g in range(labels.shape[0]):
        label = labels[g]
        into[count] = both(label, 1, at_whole)
        into[count + 1] = both(label, 2, before)
        into[count + 2] = both(label, 3, at_three)
        count += 3
        if g < 2:
            into[count] = both(label, 4, mix(at_whole, vowel))
            into[count + 1] = both(label, 5, mix(end, end2))
            into[count + 2] = both(label, 6, mix(place, five))
            into[count + 3] = both(label, 7, mix(before, o3))
            into[count + 4] = both(label, 8, mix(end, end4))
            around = both(known(lemma, i + 1, last), known(lemma, i - 1, last), known(lemma, i - 2, last))
            into[count + 5] = both(label, 9, mix(at_whole, around))
            count += 6
    for g in range(plain.shape[0]):
        into[count] = both(plain[g], 22, mix(end, end2))
        into[count + 1] = both(plain[g], 23, mix(end, shape))
        into[count + 2] = both(plain[g], 24, mix(at_whole, shape1))
        count += 3
    into[count] = both(labels[1], 10, mix(end, lemma_hash))
    into[count + 1] = both(labels[1], 11, mix(end, end3))
    count += 2
    remaining = mix(labels[1], np.uint64(77))
    for g in range(2, labels.shape[0]):
        if (open_labels >> np.uint64(g)) & np.uint64(1):
            remaining = mix(remaining, labels[g])
            into[count] = both(labels[g], 12, at_two)
            into[count + 1] = both(labels[g], 13, at_three)
            into[count + 2] = both(labels[g], 14, after_vowel)
            count += 3
    into[count] = both(remaining, 15, at_two)
    into[count + 1] = both(remaining, 16, at_three)
    into[count + 2] = both(remaining, 17, after_vowel)
    into[count + 3] = both(remaining, 18, mix(at_two, vowel))
    count += 4
    for g in range(2, labels.shape[0]):
        for other in range(g + 1, labels.shape[0]):
            pair = both(19, labels[g], labels[other])
            into[count] = both(pair, 20, at_whole)
            into[count + 1] = both(pair, 21, at_three)
            count += 2
    return count


@compiled
def score_actions(features, count, weights, actions, action_count, scores):
    """The score of every action; the weights of a feature's actions are neighbours, which is what makes it fast."""
    mask = np.uint64(weights.shape[0] - 1)
    for a in range(action_count):
        scores[a] = 0.0
    for f in range(count):
        for a in range(action_count):
            scores[a] += weights[np.int64((features[f] + np.uint64(actions[a])) & mask)]
