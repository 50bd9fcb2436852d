"""Learning a table of feature weights for labels: AdaGrad on the log likelihood of single instances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.realize.drop_features import next_random
from fergus.realize.features import Ints
from fergus.realize.gap_features import find_slot
from fergus.realize.punctuation_model import LabelTable, label_table
from fergus.realize.punctuation_scores import MOST_KEYS, softmax


@dataclass(frozen=True)
class TableSettings:
    """How one table is learned."""

    epochs: int
    rate: float
    slow: float
    """What sums of squared gradients begin with: the more, the less a rare feature learns at once."""
    drop: float
    """The share of features left out at random."""
    most: int
    """Features kept, the heaviest."""
    least: int = 2
    """Features seen less often are not used."""


@dataclass(frozen=True)
class Instances:
    """Features as keys, one instance after the other; right labels (-1: not learned from) and groups of labels."""

    keys: NDArray[np.uint32]
    start: NDArray[np.int64]
    gold: Ints
    group: Ints


def gathered(
    parts: Sequence[tuple[NDArray[np.uint32], NDArray[np.int64]]], gold: Sequence[int], group: Sequence[int]
) -> Instances:
    """The instances of many sentences as one."""
    if not parts:  # a treebank too small to have any
        return Instances(np.zeros(0, np.uint32), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
    counts = np.concatenate([np.diff(start) for _, start in parts])
    start = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=start[1:])
    keys = np.concatenate([keys for keys, _ in parts])
    return Instances(keys, start, np.array(gold, np.int32), np.array(group, np.int32))


def learn_table(
    labels: Sequence[str],
    allowed: NDArray[np.uint8],
    instances: Instances,
    *,
    settings: TableSettings,
    seed: int,
    given: NDArray[np.float32] | None = None,
) -> LabelTable:
    """The weights of the heaviest features, averaged over the later epochs.

    ``given`` are logarithms of probabilities, a row an instance, that the weights only have to mend.
    """
    keys, slots = index_keys(instances.keys, least=settings.least)
    weights = np.zeros((len(keys), len(labels)), np.float32)
    squares, total = np.full_like(weights, settings.slow), np.zeros_like(weights)
    random = np.random.default_rng(seed)
    state = np.uint64(1234567 + seed)
    taught = np.flatnonzero(instances.gold >= 0)
    drop = np.uint64(int(settings.drop * 65536))
    # Were it left to the features to learn how frequent a label is, each would carry a share of it and drown the few
    # that know better.
    counts = np.bincount(instances.gold[taught], minlength=len(labels))
    prior = np.log((counts + 0.5) / (counts.sum() + 0.5 * len(labels))).astype(np.float32)
    begin_with = prior[None] if given is None else given
    for epoch in range(settings.epochs):
        order = taught[random.permutation(len(taught))]
        rate = settings.rate if epoch < settings.epochs - 1 else settings.rate / 2
        state = np.uint64(learn_epoch(
            slots, instances.start, instances.gold, instances.group, allowed, begin_with, order, weights, squares, rate,
            drop, state,
        ))  # fmt: skip
        if epoch >= settings.epochs // 2:
            total += weights
    # Features were left out at random while learning: together they speak too loudly.
    total *= (1.0 - settings.drop) / (settings.epochs - settings.epochs // 2)
    strength = np.abs(total).max(axis=1)
    strength[0] = 0.0
    used = np.argsort(-strength, kind="stable")[: settings.most]
    used = used[(strength[used] > 0) & (keys[used] > 0)]
    return label_table(labels, allowed, prior, keys[used], total[used])


def index_keys(keys: NDArray[np.uint32], *, least: int) -> tuple[NDArray[np.uint32], Ints]:
    """A hash table of the features that are frequent enough, and where each stands in it, 0 for none."""
    counts = np.zeros(1 << 24, np.uint8)
    slots = np.zeros(len(keys), np.int32)
    count_keys(keys, counts)
    size = 3 * int(np.count_nonzero(counts >= least)) + 16
    table = np.zeros(1 << size.bit_length(), np.uint32)
    table[0] = 1  # slot 0 is taken: it stands for no feature
    place_keys(keys, counts, least, table, slots)
    return table, slots


@compiled
def count_keys(keys, counts):
    """Count features, up to 255, by part of their key."""
    mask = np.uint32(counts.shape[0] - 1)
    for k in range(keys.shape[0]):
        c = (keys[k] >> np.uint32(1)) & mask
        if counts[c] < 255:
            counts[c] += 1


@compiled
def place_keys(keys, counts, least, table, slots):
    """Put the features that are frequent enough into the table and note where."""
    mask = np.uint32(counts.shape[0] - 1)
    for k in range(keys.shape[0]):
        if counts[(keys[k] >> np.uint32(1)) & mask] >= least:
            slot = find_slot(table, keys[k])
            table[slot] = keys[k]
            slots[k] = slot


@compiled
def learn_epoch(slots, start, gold, group, allowed, prior, order, weights, squares, rate, drop, state):
    """One AdaGrad step on every instance; returns the random state."""
    labels = weights.shape[1]
    score = np.zeros(labels)
    shown = np.empty(MOST_KEYS, np.int32)
    for i in order:
        score[:] = prior[min(i, prior.shape[0] - 1)]
        count = 0
        for k in range(start[i], start[i + 1]):
            state = next_random(state)
            if slots[k] == 0 or (state & np.uint64(65535)) < drop:
                continue
            shown[count] = slots[k]
            count += 1
            for y in range(labels):
                score[y] += weights[slots[k], y]
        softmax(score, allowed[group[i]])
        for y in range(labels):
            gradient = (1.0 if y == gold[i] else 0.0) - score[y]
            if abs(gradient) > 1e-3:
                square = gradient * gradient
                for t in range(count):
                    s = shown[t]
                    squares[s, y] += square
                    weights[s, y] += rate * gradient / math.sqrt(squares[s, y])
    return state
