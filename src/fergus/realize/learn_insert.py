"""Training insertion: AdaGrad on the log likelihood of every slot of every node, given the right decisions above."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.core.deep import DeepSentence
from fergus.errors import InputError
from fergus.realize.drop_features import drop_features
from fergus.realize.features import Ints, mix
from fergus.realize.insertion_features import DeepTreeView, fill_features, fill_scores
from fergus.realize.insertion_model import ENOUGH, MOST_FEATURES, InsertionModel, slot_keys
from fergus.realize.insertion_readings import SLOTS, Reading, readings_of
from fergus.realize.learn_spell_out import learn_spelled_out

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class InsertionSettings:
    """How the insertion model is trained; chosen on a held-out tenth of training parts."""

    bits: int = 22
    epochs: int = 8
    rate: float = 0.1
    drop: float = 0.5
    least: int = 2
    """A feature must have been seen this often with a reading, or it says nothing of it."""
    least_weight: float = 0.04
    """Smaller weights are dropped: they are many, and change hardly any choice."""
    rare: float = 0.01
    """A feature is stated by readings if at least this share of a category's nodes has another value in deep trees."""
    seed: int = 1


DEFAULT_INSERTION = InsertionSettings()


class Decisions(NamedTuple):
    """All decisions of a corpus in which there is something to choose."""

    rows: Ints
    slot: Ints
    bag_start: NDArray[np.int64]
    bag: Ints
    start: NDArray[np.int64]
    candidates: Ints
    gold: Ints
    """The place of the right reading among the candidates."""


def learn_insertion(
    pairs: Sequence[DeepSentence],
    *,
    settings: InsertionSettings = DEFAULT_INSERTION,
    progress: Progress = lambda *_: None,
) -> InsertionModel:
    """Train on deep trees that are aligned with the sentences they come from."""
    if not pairs:
        raise InputError("there is no deep tree to learn insertion from", remedy="give at least one sentence")
    open_names, deep_names = feature_names(pairs, settings.rare)
    readings, keys, gold = count_readings(pairs, open_names)
    model = InsertionModel(readings, keys, open_names, deep_names, np.zeros(1 << settings.bits, np.float32))
    decisions = encode(pairs, model, gold)
    counts = np.zeros(1 << settings.bits, np.uint8)
    count_features(decisions, model.templates, model.bag, model.codes, counts)
    # Weights that are not learned have their squares at infinity: their steps are 0.
    squares = np.where(counts >= settings.least, np.float32(0), np.float32(np.inf))
    random = np.random.default_rng(settings.seed)
    state = np.uint64(1234567 + settings.seed)
    for epoch in range(settings.epochs):
        rate = settings.rate if epoch < settings.epochs - 2 else settings.rate / 2
        order = random.permutation(len(decisions.slot))
        state = np.uint64(learn_epoch(
            decisions, order, model.templates, model.bag, model.codes, model.weights, squares, rate,
            np.uint64(int(settings.drop * 65536)), state,
        ))  # fmt: skip
        progress("function words", epoch + 1, settings.epochs)
    # Features were left out at random while learning: together they speak too loudly.
    weights = model.weights * np.float32(1.0 - settings.drop)
    weights[np.abs(weights) < settings.least_weight] = 0
    return replace(model, weights=weights, spelled_out=learn_spelled_out(pairs))


def feature_names(
    pairs: Sequence[DeepSentence], rare: float
) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """For every category the features that deep trees do not have as the sentences do, and those they have at all."""
    differs: dict[str, Counter[str]] = {}
    has: dict[str, Counter[str]] = {}
    deep: dict[str, set[str]] = {}
    for pair in pairs:
        for node, origin in zip(pair.deep.nodes, pair.sources, strict=True):
            if origin is None:
                continue
            upos = node.upos or "X"
            given, full = dict(node.feats or ()), dict(pair.source.tree.nodes[origin].feats or ())
            has.setdefault(upos, Counter()).update({*given, *full})
            differs.setdefault(upos, Counter()).update(n for n in {*given, *full} if given.get(n) != full.get(n))
            deep.setdefault(upos, set()).update(given)
    open_names = {
        upos: frozenset(name for name, count in counts.items() if count > rare * has[upos][name])
        for upos, counts in differs.items()
    }
    return open_names, {upos: frozenset(names) for upos, names in deep.items()}


def count_readings(
    pairs: Sequence[DeepSentence], open_names: Mapping[str, frozenset[str]]
) -> tuple[tuple[Reading, ...], dict[str, tuple[int, ...]], list[list[list[Reading] | None]]]:
    """All readings, those of every key that was seen often enough, and the right ones of every node."""
    gold: list[list[list[Reading] | None]] = []
    seen: dict[str, Counter[Reading]] = {}
    for pair in pairs:
        nodes = pair.source.tree.nodes
        rows: list[list[Reading] | None] = []
        for node, origin, absorbed in zip(pair.deep.nodes, pair.sources, pair.absorbed, strict=True):
            if origin is None:
                rows.append(None)
                continue
            names = open_names[node.upos or "X"]
            row = readings_of(nodes[origin], [nodes[word] for word in absorbed], names)
            rows.append(row)
            for slot, reading in enumerate(row):
                for key in slot_keys(slot, node):
                    seen.setdefault(key, Counter())[reading] += 1
        gold.append(rows)
    empty = Reading()
    readings = (empty, *sorted({r for counts in seen.values() for r in counts} - {empty}))
    number = {reading: i for i, reading in enumerate(readings)}
    keys = {
        key: tuple(number[r] for r in sorted(counts, key=lambda r: (-counts[r], r)))
        for key, counts in seen.items()
        if counts.total() >= ENOUGH or not key.partition("\t")[2]
    }
    return readings, keys, gold


def encode(
    pairs: Sequence[DeepSentence], model: InsertionModel, gold: Sequence[Sequence[Sequence[Reading] | None]]
) -> Decisions:
    """The decisions of all nodes; what was decided before is what is right."""
    number = {reading: i for i, reading in enumerate(model.readings)}
    numbers: dict[str, int] = {}
    rows, slots, bags, candidates, places = [], [], [], [], []
    for pair, right in zip(pairs, gold, strict=True):
        view = DeepTreeView(pair.deep, numbers)
        for index in reversed(pair.deep.bottom_up):
            own = right[index]
            if own is None:
                continue
            view.look_up(index)
            for slot in range(len(SLOTS)):
                possible = model.candidates(slot, pair.deep.nodes[index])
                wanted = number[own[slot]]
                if wanted not in possible:
                    possible = (*possible, wanted)
                if len(possible) > 1:
                    rows.append(view.rows[index].copy())
                    slots.append(slot)
                    bags.append(view.bags[index])
                    candidates.append(np.array(possible, np.int32))
                    places.append(possible.index(wanted))
                view.note(index, slot, own[slot])
    return Decisions(
        np.stack(rows) if rows else np.zeros((0, 1), np.int32),
        np.array(slots, np.int32),
        np.cumsum([0, *map(len, bags)]),
        np.concatenate(bags) if bags else np.zeros(0, np.int32),
        np.cumsum([0, *map(len, candidates)]),
        np.concatenate(candidates) if candidates else np.zeros(0, np.int32),
        np.array(places, np.int32),
    )


@compiled
def count_features(decisions, templates, bag_columns, codes, counts):
    """How often every feature stands with what the right reading has, by the place of its weight; at most 255."""
    features = np.empty(MOST_FEATURES, np.uint64)
    mask = np.uint64(counts.shape[0] - 1)
    for d in range(decisions.slot.shape[0]):
        bag = decisions.bag[decisions.bag_start[d] : decisions.bag_start[d + 1]]
        slot = decisions.slot[d]
        count = fill_features(decisions.rows[d], bag, templates[slot], bag_columns, slot, features)
        right = decisions.candidates[decisions.start[d] + decisions.gold[d]]
        for k in range(codes.shape[1]):
            if codes[right, k] != 0:
                for f in range(count):
                    place = mix(features[f], np.uint64(codes[right, k])) & mask
                    counts[place] += counts[place] < 255


@compiled
def learn_epoch(decisions, order, templates, bag_columns, codes, weights, squares, rate, threshold, state):
    """One AdaGrad step for every decision; returns the random state."""
    features = np.empty(MOST_FEATURES, np.uint64)
    mask = np.uint64(weights.shape[0] - 1)
    for d in order:
        bag = decisions.bag[decisions.bag_start[d] : decisions.bag_start[d + 1]]
        candidates = decisions.candidates[decisions.start[d] : decisions.start[d + 1]]
        slot = decisions.slot[d]
        count = fill_features(decisions.rows[d], bag, templates[slot], bag_columns, slot, features)
        kept, state = drop_features(features, count, threshold, state)
        scores = np.empty(candidates.shape[0])
        fill_scores(features, kept, candidates, codes, weights, scores)
        top, total = scores.max(), 0.0
        for c in range(scores.shape[0]):
            scores[c] = math.exp(scores[c] - top)
            total += scores[c]
        for c in range(scores.shape[0]):
            gradient = (1.0 if c == decisions.gold[d] else 0.0) - scores[c] / total
            if abs(gradient) < 1e-3:
                continue
            for k in range(codes.shape[1]):
                code = codes[candidates[c], k]
                if code == 0:
                    continue
                for f in range(kept):
                    place = mix(features[f], np.uint64(code)) & mask
                    squares[place] += gradient * gradient
                    weights[place] += rate * gradient / math.sqrt(squares[place] + 0.1)
    return state
