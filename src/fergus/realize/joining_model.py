"""The learned model of the gaps between words: a space, nothing, or a contraction; its search and its storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.compiled import compiled
from fergus.errors import ModelError
from fergus.realize.contractions import NO_CONTRACTION, Contractions
from fergus.realize.features import Ints
from fergus.realize.gap_features import (
    CONTRACTION,
    DECISION,
    VALUES,
    GapTemplates,
    fill_sentence_columns,
    find_slot,
    gather_gap,
    hash_gap,
    is_plain,
    parse_gap_templates,
)
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array
from fergus.realize.written_form import CONTRACTED, SPACE, UNDECIDED

GAP_SALT, DECISION_SALT = np.int64(1000), np.int64(50_000_000)


@dataclass(frozen=True)
class JoiningModel:
    """Templates, a hash table of features with their weights, and the contractions.

    Weights have a column for NOTHING and one for CONTRACTED; SPACE has none. A feature that is not in the table
    says nothing.
    """

    templates: GapTemplates
    keys: NDArray[np.uint32]
    """Open addressing: a power of two, 0 where a slot is free, never full."""
    weights: NDArray[np.float32]
    plain: NDArray[np.uint32]
    """A hash table of words that stand apart from other words: form and side, as ``is_plain`` asks for them."""
    contractions: Contractions


def hash_table(features: NDArray[np.uint32], weights: NDArray[Any]) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Features and their weights as a hash table that is at most half full."""
    size = 4
    while size < 2 * len(features):
        size *= 2
    keys, table = np.zeros(size, np.uint32), np.zeros((size, weights.shape[1]), np.float32)
    weights = np.ascontiguousarray(weights, np.float32)  # one layout: compiled once
    fill_table(features, weights, keys, table)
    return keys, table


def plain_table(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Words and sides as a hash table."""
    return hash_table(words, np.zeros((len(words), 2)))[0]


def _as_bytes(keys: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Keys in ascending order as differences, bytes of one rank together: so they compress."""
    differences = np.diff(np.sort(keys[keys != 0]), prepend=np.uint32(0)).astype("<u4")
    return np.ascontiguousarray(differences.view(np.uint8).reshape(-1, 4).T)


def _from_bytes(stored: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The keys of ``_as_bytes``."""
    if stored.ndim != 2 or len(stored) != 4 or stored.dtype != np.uint8:
        raise ModelError("the features of the joining model are broken; train or copy the model again")
    keys = np.cumsum(np.ascontiguousarray(stored.T).view("<u4").reshape(-1), dtype=np.uint32)
    if not keys.all():  # 0 marks a free slot
        raise ModelError("the features of the joining model are broken; train or copy the model again")
    return keys


def joining_section(model: JoiningModel) -> Section:
    """The model as it is stored: features by number, as differences, their weights in 127 steps each way."""
    step = float(np.abs(model.weights).max()) / 127 or 1.0
    steps = np.rint(model.weights / step).astype(np.int8)
    used = np.flatnonzero((model.keys != 0) & steps.any(axis=1))
    used = used[np.argsort(model.keys[used])]
    contractions = model.contractions
    return Section(
        {
            "templates": model.templates.text,
            "step": step,
            "extends": contractions.extends,
            "repeats": contractions.repeats,
        },
        {
            "features": _as_bytes(model.keys[used]),
            "weights": np.ascontiguousarray(steps[used].T),
            "plain": _as_bytes(model.plain),
            "contractions": words_to_array(["\t".join([*words, text]) for words, text in contractions.table.items()]),
        },
    )


@reads_section
def joining_from(section: Section) -> JoiningModel:
    """The model of a section."""
    steps, settings = section.arrays["weights"], section.settings
    features, plain = _from_bytes(section.arrays["features"]), _from_bytes(section.arrays["plain"])
    if steps.shape != (2, len(features)):
        raise ModelError("the weights of the joining model are broken; train or copy the model again")
    table: dict[tuple[str, ...], str] = {}
    for line in words_from_array(section.arrays["contractions"]):
        *words, text = line.split("\t")
        if len(words) < 2:
            raise ModelError(f"the contraction {line!r} of the joining model is broken; train or copy it again")
        table[tuple(words)] = text
    keys, weights = hash_table(features, steps.T * np.float32(settings["step"]))
    contractions = Contractions(table, extends=bool(settings["extends"]), repeats=bool(settings["repeats"]))
    return JoiningModel(parse_gap_templates(settings["templates"]), keys, weights, plain_table(plain), contractions)


def decide(model: JoiningModel, forms: Sequence[str], rows: Ints, stated: Sequence[int] | None) -> list[int]:
    """What stands in the gaps between encoded words; ``stated`` has UNDECIDED where the model is to decide."""
    given = np.full(max(len(forms) - 1, 0), UNDECIDED, np.int32) if stated is None else np.array(stated, np.int32)
    templates, known = model.templates, known_contractions(model.contractions, forms)
    decided: list[int] = decide_gaps(
        rows, known, given, model.plain, templates.gap, templates.decision, model.keys, model.weights
    ).tolist()
    return decided


def known_contractions(contractions: Contractions, words: Sequence[str]) -> Ints:
    """What is known of contractions in each gap, as an array."""
    if not contractions:
        return np.full(max(len(words) - 1, 0), NO_CONTRACTION, np.int32)
    return np.array(contractions.known(words), np.int32)


@compiled
def fill_table(features, weights, keys, table):
    """Put features into an empty hash table."""
    for f in range(features.shape[0]):
        slot = find_slot(keys, features[f])
        keys[slot] = features[f]
        for c in range(table.shape[1]):
            table[slot, c] = weights[f, c]


@compiled
def decide_gaps(rows, known, stated, plain, gap, decision, keys, weights):
    """The best decisions for all gaps together (Viterbi); what is ``stated`` stands."""
    gaps = max(rows.shape[0] - 1, 0)
    own, links = np.zeros((gaps, 2)), np.zeros((gaps, 3, 2))
    fixed = stated.copy()
    values = np.empty(VALUES, np.int32)
    sentence = np.empty(3, np.int32)
    hashes, link_hashes = np.empty(gap.shape[0], np.uint32), np.empty(decision.shape[0], np.uint32)
    fill_sentence_columns(rows, sentence)
    for i in range(gaps):
        if stated[i] != UNDECIDED:
            continue
        if known[i] == NO_CONTRACTION and is_plain(rows, i, plain):
            fixed[i] = SPACE
            continue
        gather_gap(rows, sentence, i, values)
        values[CONTRACTION] = known[i]
        hash_gap(values, gap, GAP_SALT, hashes)
        add_weights(hashes, keys, weights, own[i])
        for p in range(3):
            if not is_possible(i, p, known, fixed):
                continue
            values[DECISION] = 1 + p if i > 0 else 4
            hash_gap(values, decision, DECISION_SALT, link_hashes)
            add_weights(link_hashes, keys, weights, links[i, p])
    return best_path(own, links, known, fixed)


@compiled
def is_possible(i, p, known, stated):
    """Whether ``p`` may be the decision at the gap before gap ``i``; before the first one stands SPACE."""
    if i == 0:
        return p == SPACE
    if stated[i - 1] != UNDECIDED:
        return stated[i - 1] == p
    return p != CONTRACTED or known[i - 1] != NO_CONTRACTION


@compiled
def add_weights(hashes, keys, weights, total):
    """Add up the weights of some features."""
    for t in range(hashes.shape[0]):
        if hashes[t] != 0:
            slot = find_slot(keys, hashes[t])
            total[0] += weights[slot, 0]
            total[1] += weights[slot, 1]


@compiled
def best_path(own, links, known, stated):
    """Viterbi over the decisions; of equals the one with more spaces."""
    gaps = own.shape[0]
    out = np.empty(gaps, np.int32)
    score, came = np.full((gaps + 1, 3), -np.inf), np.zeros((gaps + 1, 3), np.int32)
    score[0, SPACE] = 0.0
    for i in range(gaps):
        for p in range(3):
            if score[i, p] == -np.inf:
                continue
            for d in range(3):
                if stated[i] != UNDECIDED and stated[i] != d:
                    continue
                if d == CONTRACTED and known[i] == NO_CONTRACTION and stated[i] != CONTRACTED:
                    continue
                total = score[i, p] + (own[i, d - 1] + links[i, p, d - 1] if d > 0 else 0.0)
                if total > score[i + 1, d]:
                    score[i + 1, d], came[i + 1, d] = total, p
    best = 0
    for d in range(3):
        if score[gaps, d] > score[gaps, best]:
            best = d
    for i in range(gaps, 0, -1):
        out[i - 1] = best
        best = came[i, best]
    return out
