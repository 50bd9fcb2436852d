"""Training the transducer: AdaGrad on the log likelihood of the edit actions, features left out at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.drop_features import drop_features
from fergus.realize.edit_actions import COPY, DELETE, EMIT, edit_actions, vowels
from fergus.realize.exponents import learn_exponents
from fergus.realize.transduce import LONGEST_LEMMA, Feats, Transducer
from fergus.realize.transducer_search import take
from fergus.realize.transducer_state import (
    LENGTH,
    MOST_ACTIONS,
    MOST_FEATURES,
    MOST_WRITTEN,
    READ,
    STATE,
    TAIL,
    WRITTEN,
    ZONES,
    allowed_actions,
    express,
    score_actions,
    step_features,
)

MOST_LETTERS = 2000


class Pair(NamedTuple):
    """One thing to learn: this lemma with these features has this form, in this share of cases; all lower case."""

    lemma: str
    upos: str
    feats: Feats
    form: str
    share: float = 1.0


def learn_transducer(
    pairs: Sequence[Pair],
    *,
    bits: int,
    epochs: int,
    rate: float,
    drop: float,
    seed: int,
    progress: Callable[[int], None] = lambda _: None,
) -> Transducer:
    """Train on pairs; those that are too long to be words are passed over."""
    scripts = [(pair, edit_actions(pair.lemma, pair.form)) for pair in pairs if 0 < len(pair.lemma) <= LONGEST_LEMMA]
    scripts = [(pair, script) for pair, script in scripts if sum(isinstance(a, str) for a in script) <= MOST_WRITTEN]
    counts: dict[str, int] = {}
    for pair, _ in scripts:
        for letter in pair.lemma + pair.form:
            counts[letter] = counts.get(letter, 0) + 1
    letters = "".join(sorted(counts, key=lambda letter: (-counts[letter], letter))[:MOST_LETTERS])
    vowel_letters = vowels(pair.form for pair, _ in scripts)
    categories = tuple(sorted({pair.upos for pair, _ in scripts}))
    numbers = {letter: EMIT + place for place, letter in enumerate(letters)}
    numbered = [
        (pair, [numbers[a] if isinstance(a, str) else a for a in script])
        for pair, script in scripts
        if all(letter in numbers for letter in pair.form)
    ]
    model = Transducer(
        letters,
        vowel_letters,
        categories,
        _seen_actions(numbered, categories),
        learn_exponents((pair[:4] for pair, _ in numbered), vowel_letters),
        np.zeros(1 << bits, np.float32),
    )
    if numbered:
        _fit(model, numbered, epochs=epochs, rate=rate, drop=drop, seed=seed, progress=progress)
    return model


def _seen_actions(
    numbered: Sequence[tuple[Pair, list[int]]], categories: tuple[str, ...]
) -> tuple[tuple[int, ...], ...]:
    rows: list[set[int]] = [({0} if zone == 0 else {COPY}) for _ in categories for zone in range(ZONES)]
    places = {upos: place for place, upos in enumerate(categories)}
    for pair, script in numbered:
        left = len(pair.lemma)
        for action in script:
            rows[places[pair.upos] * ZONES + min(left, ZONES - 1)].add(action)
            left -= action in (COPY, DELETE)
    return tuple(tuple(sorted(row)) for row in rows)


def _fit(
    model: Transducer,
    numbered: Sequence[tuple[Pair, list[int]]],
    *,
    epochs: int,
    rate: float,
    drop: float,
    seed: int,
    progress: Callable[[int], None],
) -> None:
    words = [model.conditions(pair.lemma, pair.upos, pair.feats) for pair, _ in numbered]
    start, actions = model.action_table
    arrays = (
        *_joined([word.lemma for word in words], np.int32),
        *_joined([np.array(script) for _, script in numbered], np.int32),
        *_joined([word.labels for word in words], np.uint64),
        *_joined([word.plain for word in words], np.uint64),
        *_joined([word.exponents for word in words], np.uint64),
        _joined([word.exponent_labels for word in words], np.int32)[0],
        np.array([word.lemma_hash for word in words], np.uint64),
        np.array([word.category for word in words], np.int32),
        np.array([word.expressed for word in words], np.uint64),
        np.array([pair.share for pair, _ in numbered]),
    )
    squares = np.zeros_like(model.weights)
    random = np.random.default_rng(seed)
    state = np.uint64(88172645463325252 + seed)
    for epoch in range(epochs):
        # The last two rounds settle what the others have found.
        step = rate if epoch < epochs - 2 else rate / 2
        state = np.uint64(learn_words(
            random.permutation(len(words)), *arrays, start, actions, model.vowel_flags, len(model.letters),
            model.weights, squares, step, np.uint64(int(drop * 65536)), state,
        ))  # fmt: skip
        progress(len(words))
    # Features were left out at random while learning: together they speak too loudly.
    model.weights[:] *= np.float32(1.0 - drop)


def _joined(rows: Sequence[NDArray[np.generic]], dtype: type) -> tuple[NDArray[np.generic], NDArray[np.int64]]:
    return np.concatenate(rows).astype(dtype), np.cumsum([0, *map(len, rows)]).astype(np.int64)


@compiled
def learn_words(
    order, lemmas, lemma_at, scripts, script_at, labels, label_at, plain, plain_at, exponents, exponent_at,
    owners, lemma_hash, category, expressed, share, start, actions, is_vowel, last, weights, squares, rate,
    threshold, state,
):  # fmt: skip
    """One step for each action of each word, in the given order; returns the state of the random numbers."""
    mask = np.uint64(weights.shape[0] - 1)
    features = np.empty(MOST_FEATURES, np.uint64)
    scores, allowed = np.empty(MOST_ACTIONS), np.empty(MOST_ACTIONS, np.int32)
    for w in order:
        lemma = lemmas[lemma_at[w] : lemma_at[w + 1]]
        own_labels = labels[label_at[w] : label_at[w + 1]]
        own_exponents = exponents[exponent_at[w] : exponent_at[w + 1]]
        own_owners = owners[exponent_at[w] : exponent_at[w + 1]]
        out, at, done = np.zeros(lemma.shape[0] + MOST_WRITTEN + 1, np.int32), np.zeros(STATE, np.int32), np.uint64(0)
        for x in range(script_at[w], script_at[w + 1]):
            gold = scripts[x]
            count = allowed_actions(lemma.shape[0] - at[READ], category[w], at[WRITTEN], start, actions, allowed)
            if count > 1:
                seen = step_features(
                    lemma, at, out, is_vowel, last, own_labels,
                    plain[plain_at[w] : plain_at[w + 1]], lemma_hash[w],
                    expressed[w] & ~done, features,
                )  # fmt: skip
                kept, state = drop_features(features, seen, threshold, state)
                score_actions(features, kept, weights, allowed, count, scores)
                top = scores[:count].max()
                total = 0.0
                for a in range(count):
                    scores[a] = math.exp(scores[a] - top)
                    total += scores[a]
                for a in range(count):
                    gradient = ((1.0 if allowed[a] == gold else 0.0) - scores[a] / total) * share[w]
                    if abs(gradient) > 1e-3:
                        for f in range(kept):
                            slot = np.int64((features[f] + np.uint64(allowed[a])) & mask)
                            squares[slot] += gradient * gradient
                            weights[slot] += rate * gradient / math.sqrt(squares[slot] + 0.1)
            take(gold, lemma, at, out)
            if gold >= EMIT:
                done = express(out, at[LENGTH], at[TAIL], is_vowel, own_exponents, own_owners, done)
    return state
