"""The learned model of punctuation: tables of weights with their labels; its search and its storage."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.core.deep import end_of
from fergus.errors import ModelError
from fergus.realize.features import Ints
from fergus.realize.joining_model import hash_table
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array
from fergus.realize.punctuation_context import second_instances
from fergus.realize.punctuation_features import PunctuationTemplates, parse_punctuation_templates
from fergus.realize.punctuation_marks import CLOSING, OPENING, Pair, Stretch
from fergus.realize.punctuation_scores import gap_instances, probabilities, stretch_instances

MOST_STEPS = 31
"""Weights are stored in so many steps each way: the finer, the larger the file."""
EMPTY_PATTERNS = ("", CLOSING, OPENING, f"{CLOSING} {OPENING}")
"""No mark but those of pairs; one for each group of places, the first labels of gaps and ends."""
MOST_PAIRS = 12
"""Pairs put into one sentence, the likeliest."""


@dataclass(frozen=True)
class LabelTable:
    """Labels, which of them each group of places allows, and a hash table of features with a weight for each label."""

    labels: tuple[str, ...]
    allowed: NDArray[np.uint8]
    prior: NDArray[np.float32]
    """The natural logarithm of each label's frequency."""
    keys: NDArray[np.uint32]
    """Open addressing: a power of two, 0 where a slot is free, never full."""
    weights: NDArray[np.float32]


@dataclass(frozen=True)
class PunctuationModel:
    """What encloses stretches, what stands in gaps, what ends sentences."""

    templates: PunctuationTemplates
    pairs: tuple[Pair, ...]
    stretch: LabelTable
    """Labels: nothing, then the pairs."""
    gap: LabelTable
    """Labels: patterns, by group: 1 if a pair closes there, 2 if one opens, 3 if both."""
    final: LabelTable
    second: LabelTable | None
    """What mends the probabilities within a sentence, given those of its other gaps; None if nothing does."""
    threshold: float
    """A stretch is enclosed if that is as likely as this."""
    caution: float = 1.0
    """What the probability of no mark within a sentence is multiplied by: below 1, more marks are put."""


def groups_of(labels: Sequence[str]) -> NDArray[np.uint8]:
    """Which patterns are allowed where no pair begins or ends, where one closes, where one opens, where both do."""
    allowed = np.zeros((4, len(labels)), np.uint8)
    for number, label in enumerate(labels):
        marks = label.split()
        allowed[(CLOSING in marks) + 2 * (OPENING in marks), number] = 1
    return allowed


def label_table(
    labels: Sequence[str],
    allowed: NDArray[np.uint8],
    prior: NDArray[np.float32],
    features: NDArray[np.uint32],
    weights: NDArray[Any],
) -> LabelTable:
    """The labels with a hash table of features and their weights, a column a label."""
    return LabelTable(tuple(labels), allowed, prior, *hash_table(features, weights))


def find_marks(
    model: PunctuationModel, rows: Ints, head: Ints, *, kinds: Collection[str] | None = None
) -> list[list[str]]:
    """The marks in every gap of a sentence, the one before its first and after its last word included.

    ``kinds``: the likeliest end is taken from those of these kinds (see ``end_of``), if the model knows any.
    """
    n = len(rows)
    chosen = find_stretches(model, rows, head)
    begins, ends = np.array([s.begin for s in chosen], np.int32), np.array([s.end for s in chosen], np.int32)
    numbers = np.array([1 + model.pairs.index(s.pair) for s in chosen], np.int32)
    templates = model.templates
    keys, start = gap_instances(rows, head, begins, ends, numbers, templates.gap, templates.final)
    group = np.zeros(n + 1, np.int32)
    group[ends] |= 1
    group[begins] |= 2
    inside, end = model.gap, model.final
    chances = chances_of(inside, keys, start[: n + 1], group[:n])
    if model.second is not None:
        keys_again, start_again = second_instances(rows, head, begins, ends, numbers, chances, templates.second)
        chances = chances_of(model.second, keys_again, start_again, group[:n], given=logarithms(chances))
    chances[:, : len(EMPTY_PATTERNS)] *= model.caution
    best = chances.argmax(axis=1)
    finals = chances_of(end, keys, start[n:], group[n:])
    if kinds is not None:
        # Every likelihood above 1 is that of an end that is asked for.
        finals += np.array([end_of(label.split()) in kinds for label in end.labels]) * (finals > 0)
    last = finals.argmax(axis=1)
    patterns = [inside.labels[y] for y in best.tolist()] + [end.labels[int(last[0])]]
    return [_spelled_out(pattern, place, chosen) if pattern else [] for place, pattern in enumerate(patterns)]


def chances_of(
    table: LabelTable,
    keys: NDArray[np.uint32],
    start: NDArray[np.int64],
    group: Ints,
    *,
    given: NDArray[np.float32] | None = None,
) -> NDArray[np.float64]:
    """For each instance a row of the labels' probabilities; ``given``: logarithms that the table mends."""
    prior = table.prior[None] if given is None else given
    chances: NDArray[np.float64] = probabilities(keys, start, group, table.allowed, prior, table.keys, table.weights)
    return chances


def logarithms(chances: NDArray[np.float64]) -> NDArray[np.float32]:
    """Natural logarithms of probabilities, none of them endless."""
    return np.log(chances + 1e-6).astype(np.float32)


def find_stretches(model: PunctuationModel, rows: Ints, head: Ints) -> list[Stretch]:
    """The stretches that a pair encloses: the likeliest first, none that crosses one before it."""
    if not model.pairs:
        return []
    places, keys, start = stretch_instances(rows, head, model.templates.pair)
    chances = chances_of(model.stretch, keys, start, np.zeros(len(places), np.int32))
    likely = np.flatnonzero(chances[:, 0] < 1.0 - model.threshold)
    chosen: list[Stretch] = []
    for k in sorted(likely.tolist(), key=lambda k: (chances[k, 0], k)):
        begin, end = places[k, :2].tolist()
        if len(chosen) == MOST_PAIRS:
            break
        if all(_nested(begin, end, other) for other in chosen):
            chosen.append(Stretch(begin, end, model.pairs[int(chances[k, 1:].argmax())]))
    return chosen


def _nested(begin: int, end: int, other: Stretch) -> bool:
    """Whether a stretch lies beside another one, within it or around it."""
    if (begin, end) == (other.begin, other.end):
        return False
    within = other.begin <= begin and end <= other.end
    around = begin <= other.begin and other.end <= end
    return within or around or end <= other.begin or begin >= other.end


def _spelled_out(pattern: str, place: int, stretches: Sequence[Stretch]) -> list[str]:
    """The marks of a pattern; of several pairs that close the innermost first, of those that open the outermost."""
    marks: list[str] = []
    for mark in pattern.split():
        if mark == CLOSING:
            closing = sorted((s for s in stretches if s.end == place), key=lambda s: -s.begin)
            marks += [s.pair[1] for s in closing]
        elif mark == OPENING:
            opening = sorted((s for s in stretches if s.begin == place), key=lambda s: -s.end)
            marks += [s.pair[0] for s in opening]
        else:
            marks.append(mark)
    return marks


def punctuation_section(model: PunctuationModel) -> Section:
    """The model as it is stored: features by number, as differences; of the weights, in steps, those that are not 0."""
    settings: dict[str, Any] = {
        "templates": model.templates.text,
        "threshold": model.threshold,
        "caution": model.caution,
    }
    arrays: dict[str, NDArray[Any]] = {"pairs": words_to_array(["\t".join(pair) for pair in model.pairs])}
    for name, table in _tables(model).items():
        step = float(np.abs(table.weights).max(initial=0.0)) / MOST_STEPS or 1.0
        steps = np.rint(table.weights / step).astype(np.int8)
        used = np.flatnonzero((table.keys != 0) & steps.any(axis=1))
        used = used[np.argsort(table.keys[used])]
        differences = np.diff(table.keys[used], prepend=np.uint32(0)).astype("<u4")
        settings[f"{name}_step"] = step
        arrays[f"{name}_prior"] = table.prior
        arrays[f"{name}_labels"] = words_to_array([f"={label}" for label in table.labels])
        # Bytes of one rank together, weights of one label together: so they compress.
        arrays[f"{name}_features"] = np.ascontiguousarray(differences.view(np.uint8).reshape(-1, 4).T)
        arrays[f"{name}_weights"] = np.ascontiguousarray(steps[used].T)
    return Section(settings, arrays)


@reads_section
def punctuation_from(section: Section) -> PunctuationModel:
    """The model of a section."""
    settings, arrays = section.settings, section.arrays
    lines = words_from_array(arrays["pairs"])
    pairs = tuple((opener, closer) for opener, _, closer in (line.partition("\t") for line in lines))
    _check(all(opener and closer for opener, closer in pairs), "pairs")
    tables = {name: _table(name, section) for name in ("stretch", "gap", "final")}
    second = _table("second", section) if "second_features" in arrays else None
    _check(second is None or second.labels == tables["gap"].labels, "labels")
    _check(len(tables["stretch"].labels) == 1 + len(pairs), "pairs")
    templates = parse_punctuation_templates(settings["templates"])
    threshold, caution = float(settings["threshold"]), float(settings["caution"])
    return PunctuationModel(templates, pairs, **tables, second=second, threshold=threshold, caution=caution)


def _tables(model: PunctuationModel) -> dict[str, LabelTable]:
    tables = {"stretch": model.stretch, "gap": model.gap, "final": model.final}
    return tables if model.second is None else {**tables, "second": model.second}


def _table(name: str, section: Section) -> LabelTable:
    stored, steps = section.arrays[f"{name}_features"], section.arrays[f"{name}_weights"]
    labels = tuple(line[1:] for line in words_from_array(section.arrays[f"{name}_labels"]))
    _check(stored.ndim == 2 and len(stored) == 4 and stored.dtype == np.uint8, "features")
    keys = np.cumsum(np.ascontiguousarray(stored.T).view("<u4").reshape(-1), dtype=np.uint32)
    _check(bool(keys.all()), "features")  # 0 marks a free slot
    _check(steps.shape == (len(labels), len(keys)) and len(labels) > 0, "weights")
    allowed = np.ones((1, len(labels)), np.uint8) if name == "stretch" else groups_of(labels)
    _check(name == "stretch" or labels[: len(EMPTY_PATTERNS)] == EMPTY_PATTERNS, "labels")
    prior = section.arrays[f"{name}_prior"].astype(np.float32)
    _check(prior.shape == (len(labels),), "frequencies")
    return label_table(labels, allowed, prior, keys, steps.T * np.float32(section.settings[f"{name}_step"]))


def _check(sound: bool, what: str) -> None:
    # Compiled code does not look whether an index lies within its array, so what a file brings is looked at here.
    if not sound:
        raise ModelError(f"the {what} of the punctuation model are broken; train or copy the model again")
