"""What speaks for a form between its neighbours: the letters that meet, the words beside it, the whole sentence.

A hashed feature joins something of the context with the candidate form and its lemma, or, so that it holds for all
words of a category, with the form's first (last) letter and vowel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.tree import Node
from fergus.realize.features import hashed, mix, word_shape
from fergus.realize.inflection_lexicon import Feats
from fergus.realize.openings import Openings
from fergus.realize.word_case import lowered

MOST_FORMS = 5
"""Candidates of a word that are looked at."""
MOST_FEATURES = 256
_MOST_LEMMAS = 100
# Columns of a form's row and of a word's row.
FORM, LAST1, LAST2, LAST3, LAST_VOWEL, FIRST1, FIRST2, FIRST3, FIRST_VOWEL, FIRST_SHAPE, MARK = range(11)
LEMMA, UPOS, WORD, DEPREL, TWO_BEFORE, TWO_AFTER, BUNDLE = range(7)


@dataclass(frozen=True)
class SandhiModel:
    """The vowels of the language, the weights of the hashed features, and forms by the openings of next words."""

    vowels: frozenset[str]
    weights: NDArray[np.float32]
    openings: Openings = field(default_factory=dict)


class ChainArrays(NamedTuple):
    """A sentence with its candidates, for compiled code."""

    words: NDArray[np.int64]
    forms: NDArray[np.int64]
    start: NDArray[np.int64]
    """Candidates of word i are rows start[i] : start[i + 1] of ``forms``."""
    base: NDArray[np.float64]
    """Natural-log probabilities of the candidates on their own."""
    sentence: NDArray[np.int64]
    """Hashes of all lemmas, of the length and of the last word: a style, as far as one sentence has any."""


class SandhiEncoder:
    """Turns sentences into arrays; remembers the rows of forms it has seen."""

    def __init__(self, vowels: frozenset[str]) -> None:
        self._vowels = vowels
        self._row = lru_cache(maxsize=1 << 16)(self._form_row)
        self._word = lru_cache(maxsize=1 << 16)(_word_hashes)
        self._hashed = lru_cache(maxsize=1 << 16)(hashed)

    def encode(self, nodes: Sequence[Node], candidates: Sequence[Sequence[tuple[str, float]]]) -> ChainArrays:
        """The arrays of words in their order; of each the candidate forms with natural-log probabilities."""
        known = [self._word(node.lemma, "" if node.lemma else node.form, node.upos, node.feats) for node in nodes]
        lemmas = [own[0] for own in known]
        outside = [hashed("<"), hashed("<"), *lemmas, hashed(">"), hashed(">")]
        words = [
            (lemma, upos, word, self._hashed(node.deprel or ""), outside[i], outside[i + 4], bundle)
            for i, (node, (lemma, upos, word, bundle)) in enumerate(zip(nodes, known, strict=True))
        ]
        forms = [self._row(form) for own in candidates for form, _ in own[:MOST_FORMS]]
        base = [score for own in candidates for _, score in own[:MOST_FORMS]]
        start = np.cumsum([0, *(min(len(own), MOST_FORMS) for own in candidates)])
        style = {hashed(f"length {min(6, len(nodes) // 5)}"), *([hashed(f"last {nodes[-1].form}")] if nodes else [])}
        sentence = sorted({*lemmas, *style})[:_MOST_LEMMAS]
        return ChainArrays(
            np.array(words, np.int64).reshape(-1, 7), np.array(forms, np.int64).reshape(-1, 11), start.astype(np.int64),
            np.array(base, np.float64), np.array(sentence, np.int64),
        )  # fmt: skip

    def _form_row(self, form: str) -> tuple[int, ...]:
        small = lowered(form)
        found = [letter for letter in small if letter in self._vowels]
        # Letters of an acronym are read one by one (an NGO); an apostrophe is what contracted forms have in common.
        parts = [
            *(small, small[-1:], small[-2:], small[-3:], found[-1] if found else ""),
            *(small[:1], small[:2], small[:3], found[0] if found else ""),
            *(f"{small[:1]} {word_shape(form)}", "plain" if form.isalnum() else "mark"),
        ]
        return tuple(map(hashed, parts))


def _word_hashes(lemma: str | None, form: str, upos: str | None, feats: Feats | None) -> tuple[int, int, int, int]:
    """What is known of a word whatever its place: lemma, category, all of it, category and features."""
    return (
        hashed(lowered(lemma or form)), hashed(upos or ""), hashed(f"{lemma} {upos} {feats}"), hashed(f"{upos} {feats}")
    )  # fmt: skip


@compiled
def feature(tag, one, other):
    """The hash of a feature of two parts."""
    return mix(mix(np.uint64(tag), np.uint64(one)), np.uint64(other))


@compiled
def word_features(words, i, form, sentence, into):
    """What speaks for a form whatever its neighbours' forms are; returns how many."""
    word = words[i]
    own = feature(word[LEMMA], word[UPOS], form[FORM])
    into[0] = feature(41, own, 0)
    into[1] = feature(42, own, word[DEPREL])
    into[2] = feature(43, own, word[WORD])
    into[3] = feature(44, word[UPOS], form[FORM])
    into[4] = feature(45, own, word[TWO_BEFORE])
    into[5] = feature(46, own, word[TWO_AFTER])
    marked = feature(1, word[UPOS], form[MARK])
    into[6] = feature(48, marked, word[DEPREL])
    into[7] = feature(49, marked, word[TWO_BEFORE])
    into[8] = feature(50, marked, word[TWO_AFTER])
    before, after = i > 0, i + 1 < words.shape[0]
    left = words[i - 1, LEMMA] if before else 1
    right = words[i + 1, LEMMA] if after else 2
    left_upos, right_upos = words[i - 1, UPOS] if before else 1, words[i + 1, UPOS] if after else 2
    left_deprel, right_deprel = words[i - 1, DEPREL] if before else 1, words[i + 1, DEPREL] if after else 2
    right_word = words[i + 1, WORD] if after else 2
    far_left = words[i - 2, UPOS] if i > 1 else 1
    far_right = words[i + 2, UPOS] if i + 2 < words.shape[0] else 2
    place = min(i, 3) * 4 + min(words.shape[0] - 1 - i, 3)
    into[9] = feature(60, own, mix(left, right))
    into[10] = feature(61, own, mix(word[TWO_BEFORE], left))
    into[11] = feature(62, own, mix(right, word[TWO_AFTER]))
    into[12] = feature(63, own, mix(left_upos, right_upos))
    into[13] = feature(64, own, mix(far_left, left_upos))
    into[14] = feature(65, own, mix(right_upos, far_right))
    into[15] = feature(66, own, mix(left_deprel, word[DEPREL]))
    into[16] = feature(67, own, mix(right_deprel, word[DEPREL]))
    into[17] = feature(68, own, mix(left, word[DEPREL]))
    into[18] = feature(69, own, mix(left, right_upos))
    into[19] = feature(70, own, mix(mix(left, right_upos), far_right))
    into[20] = feature(71, own, right_word)
    into[21] = feature(72, own, mix(np.uint64(place), left_upos))
    into[22] = feature(73, marked, mix(left, right_upos))
    into[23] = feature(74, marked, mix(left_upos, right_upos))
    into[24] = feature(75, marked, mix(left_deprel, word[DEPREL]))
    into[25] = feature(76, marked, np.uint64(place))
    into[26] = feature(77, own, mix(mix(word[TWO_BEFORE], left), right_upos))
    into[27] = feature(78, own, mix(mix(left_deprel, right_deprel), word[DEPREL]))
    for s in range(sentence.shape[0]):
        into[28 + 2 * s] = feature(47, own, sentence[s])
        into[29 + 2 * s] = feature(51, form[MARK], sentence[s])
    return 28 + 2 * sentence.shape[0]


@compiled
def pair_features(left, left_form, left_open, right, right_form, right_open, into):
    """What speaks for two forms side by side, of which one or both have alternatives; returns how many."""
    count = 0
    if right_open:
        own, word = feature(right[LEMMA], right[UPOS], right_form[FORM]), feature(1, right[WORD], right_form[FORM])
        sound = feature(1, left_form[LAST_VOWEL], left_form[LAST1])
        begin = feature(1, right_form[FIRST1], right_form[FIRST_VOWEL])
        into[0] = feature(1, own, left_form[FORM])
        into[1] = feature(2, own, left_form[LAST1])
        into[2] = feature(3, own, left_form[LAST2])
        into[3] = feature(4, own, left_form[LAST3])
        into[4] = feature(5, own, left_form[LAST_VOWEL])
        into[5] = feature(6, own, sound)
        for t in range(2):  # for all words of the category, and of the lemma
            any_word = right[UPOS] if t == 0 else right[LEMMA]
            into[6 + 3 * t] = feature(7 + 3 * t, mix(any_word, right_form[FIRST_VOWEL]), left_form[LAST_VOWEL])
            into[7 + 3 * t] = feature(8 + 3 * t, mix(any_word, right_form[FIRST1]), left_form[LAST1])
            into[8 + 3 * t] = feature(9 + 3 * t, mix(any_word, begin), sound)
        into[12] = feature(13, word, sound)
        into[13] = feature(14, own, left[LEMMA])
        into[14] = feature(15, own, left[UPOS])
        into[15] = feature(16, word, left_form[FORM])
        marked = feature(1, right[UPOS], right_form[MARK])
        into[16] = feature(17, marked, left_form[FORM])
        into[17] = feature(18, marked, left[UPOS])
        into[18] = feature(19, own, left[BUNDLE])
        into[19] = feature(20, own, mix(left[BUNDLE], left_form[LAST1]))
        count = 20
    if left_open:
        own, word = feature(left[LEMMA], left[UPOS], left_form[FORM]), feature(1, left[WORD], left_form[FORM])
        into[count] = feature(21, own, right_form[FORM])
        into[count + 1] = feature(22, own, right_form[FIRST1])
        into[count + 2] = feature(23, own, right_form[FIRST2])
        into[count + 3] = feature(24, own, right_form[FIRST3])
        into[count + 4] = feature(25, mix(left[UPOS], left_form[LAST1]), right_form[FIRST1])
        into[count + 5] = feature(26, mix(left[LEMMA], left_form[LAST1]), right_form[FIRST1])
        into[count + 6] = feature(27, own, right[LEMMA])
        into[count + 7] = feature(28, own, right[UPOS])
        into[count + 8] = feature(29, word, right_form[FIRST1])
        into[count + 9] = feature(30, mix(left_form[LAST2], left[UPOS]), right_form[FIRST1])
        into[count + 10] = feature(31, own, right_form[FIRST_SHAPE])
        into[count + 11] = feature(32, feature(1, left[UPOS], left_form[MARK]), right[UPOS])
        into[count + 12] = feature(33, feature(1, left[UPOS], left_form[MARK]), right_form[FORM])
        into[count + 13] = feature(34, own, right[BUNDLE])
        count += 14
    return count


@compiled
def is_kept(hash_value, threshold, salt):
    """Whether a feature is in this time: while learning some are left out at random."""
    return threshold == 0 or (mix(hash_value, salt) >> np.uint64(40)) & np.uint64(65535) >= threshold


@compiled
def chain_scores(words, forms, start, base, sentence, weights, threshold, salt, own, pair):
    """Fill in the scores of every candidate and of every two neighbouring candidates."""
    mask = np.uint64(weights.shape[0] - 1)
    into = np.empty(MOST_FEATURES, np.uint64)
    for i in range(words.shape[0]):
        first, end = start[i], start[i + 1]
        for x in range(first, end):
            own[i, x - first] = base[x]
            if end - first > 1:
                for f in range(word_features(words, i, forms[x], sentence, into)):
                    if is_kept(into[f], threshold, salt):
                        own[i, x - first] += weights[np.int64(into[f] & mask)]
        if i + 1 == words.shape[0] or (end - first < 2 and start[i + 2] - end < 2):
            continue
        for x in range(first, end):
            for y in range(end, start[i + 2]):
                count = pair_features(
                    words[i], forms[x], end - first > 1, words[i + 1], forms[y], start[i + 2] - end > 1, into
                )
                for f in range(count):
                    if is_kept(into[f], threshold, salt):
                        pair[i, x - first, y - end] += weights[np.int64(into[f] & mask)]
