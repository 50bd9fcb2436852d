"""How the models of the stages are stored in the model file."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from fergus.errors import ModelError
from fergus.grammar.storage import lines_of, parse_grammar
from fergus.lm.model import NgramModel
from fergus.realize.fill_labels import LabelModel
from fergus.realize.label_scores import Candidates
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array
from fergus.realize.order_scores import OUTCOMES
from fergus.realize.templates import parse_templates
from fergus.realize.tree_model import TreeModel
from fergus.realize.unravel import OrderingModel
from fergus.realize.weight_steps import STEP, rounded


def ordering_section(model: OrderingModel) -> Section:
    """Stored by outcome, since neighbouring rows have nothing in common and columns have their zeros together."""
    return Section(
        {"templates": model.templates.text, "step": STEP},
        {"weights": np.ascontiguousarray(rounded(model.weights).T)},
    )


@reads_section
def ordering_from(section: Section) -> OrderingModel:
    """The ordering model of a section."""
    steps = section.arrays["weights"]
    _check(steps.ndim == 2 and len(steps) == OUTCOMES and _is_power_of_two(steps.shape[1] - 1), "weights", "ordering")
    weights = np.ascontiguousarray(steps.T.astype(np.float32))
    weights *= np.float32(section.settings["step"])
    return OrderingModel(parse_templates(section.settings["templates"]), weights)


def labels_section(model: LabelModel) -> Section:
    """The labels, their candidates and rounded weights."""
    return Section(
        {"step": STEP},
        {
            "labels": words_to_array([f"{upos}\t{deprel}" for upos, deprel in model.labels]),
            "candidate_keys": model.candidates.keys,
            "candidate_start": model.candidates.start,
            "candidate_labels": model.candidates.labels.astype(np.int16),
            "weights": rounded(model.weights),
        },
    )


@reads_section
def labels_from(section: Section) -> LabelModel:
    """The label model of a section."""
    arrays = section.arrays
    pairs = [line.split("\t") for line in words_from_array(arrays["labels"])]
    _check(len(pairs) > 0 and all(len(pair) == 2 for pair in pairs), "labels", "label")
    keys, start, numbers = (arrays[f"candidate_{name}"] for name in ("keys", "start", "labels"))
    # Each key has at least the mark at the end of its labels.
    ranges = start.ndim == 1 and len(start) == len(keys) + 1 and start[0] == 0 and start[-1] == len(numbers)
    _check(keys.ndim == 1 and ranges and bool(np.all(np.diff(start) > 0)), "ranges of candidates", "label")
    _check(bool(np.all((numbers >= -2) & (numbers < len(pairs)))), "candidates", "label")
    _check(arrays["weights"].ndim == 1 and _is_power_of_two(len(arrays["weights"])), "weights", "label")
    candidates = Candidates(keys, start, numbers.astype(np.int32))
    weights = arrays["weights"].astype(np.float32) * np.float32(section.settings["step"])
    return LabelModel(tuple((upos, deprel) for upos, deprel in pairs), candidates, weights)


def language_model_section(model: NgramModel) -> Section:
    """The language model as it stores itself."""
    return Section({"order": model.order}, model.to_arrays())


@reads_section
def language_model_from(section: Section) -> NgramModel:
    """The language model of a section."""
    return NgramModel.from_arrays(dict(section.arrays))


@reads_section
def default_from(section: Section) -> Mapping[str, Any]:
    """The settings of preset ``default``; its margin and its weights are numbers."""
    for name, value in section.settings.items():
        is_number = not isinstance(value, bool) and isinstance(value, int | float) and isfinite(value)
        if name.startswith(("margin", "lm_weight_")) and not is_number:
            problem = f"the setting {name!r} of the default preset is no number"
            raise ModelError(f"{problem}; train or copy the model again")
    return section.settings


def _check(sound: bool, what: str, model: str) -> None:
    # Compiled code does not look whether an index lies within its array, so what a file brings is looked at here.
    if not sound:
        raise ModelError(f"the {what} of the {model} model are broken; train or copy the model again")


def _is_power_of_two(size: int) -> bool:
    return size > 0 and size & (size - 1) == 0


def tree_model_section(model: TreeModel) -> Section:
    """The supertag tree model with its grammar in the readable form of ``fergus.grammar.storage``."""
    text = "\n".join(lines_of(model.grammar))
    return Section({}, {**model.to_arrays(), "grammar": np.frombuffer(text.encode(), np.uint8)})


@reads_section
def tree_model_from(section: Section) -> TreeModel:
    """The tree model of a section."""
    grammar = parse_grammar(section.arrays["grammar"].tobytes().decode())
    return TreeModel.from_arrays({k: v for k, v in section.arrays.items() if k != "grammar"}, grammar)
