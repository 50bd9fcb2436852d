"""How the parts of ``default`` are stored in the model file: ordering models, labels, language model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fergus.lm.model import NgramModel
from fergus.realize.fill_labels import LabelModel
from fergus.realize.label_scores import Candidates
from fergus.realize.model import Section, words_from_array, words_to_array
from fergus.realize.templates import parse_templates
from fergus.realize.unravel import OrderingModel

STEP = 0.025
"""Weights are stored in steps of this size (natural-log units), from -127 to 127 steps."""


def rounded(weights: NDArray[np.float32]) -> NDArray[np.int8]:
    """Weights in steps, as they are stored."""
    steps: NDArray[np.int8] = np.clip(np.rint(weights / STEP), -127, 127).astype(np.int8)
    return steps


def ordering_section(model: OrderingModel) -> Section:
    """Stored by outcome, since neighbouring rows have nothing in common and columns have their zeros together."""
    return Section(
        {"templates": model.templates.text, "step": STEP},
        {"weights": np.ascontiguousarray(rounded(model.weights).T)},
    )


def ordering_from(section: Section) -> OrderingModel:
    """The ordering model of a section."""
    weights = np.ascontiguousarray(section.arrays["weights"].T.astype(np.float32))
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


def labels_from(section: Section) -> LabelModel:
    """The label model of a section."""
    arrays = section.arrays
    pairs = [line.split("\t") for line in words_from_array(arrays["labels"])]
    candidates = Candidates(
        arrays["candidate_keys"], arrays["candidate_start"], arrays["candidate_labels"].astype(np.int32)
    )
    weights = arrays["weights"].astype(np.float32) * np.float32(section.settings["step"])
    return LabelModel(tuple((upos, deprel) for upos, deprel in pairs), candidates, weights)


def language_model_section(model: NgramModel) -> Section:
    """The language model as it stores itself."""
    return Section({"order": model.order}, model.to_arrays())


def language_model_from(section: Section) -> NgramModel:
    """The language model of a section."""
    return NgramModel.from_arrays(dict(section.arrays))
