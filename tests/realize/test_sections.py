from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fergus.errors import ModelError
from fergus.lm.count import count_ngrams
from fergus.lm.smooth import kneser_ney
from fergus.realize.fill_labels import LabelModel
from fergus.realize.label_scores import Candidates
from fergus.realize.model import Section
from fergus.realize.order_scores import OUTCOMES
from fergus.realize.sections import (
    labels_from,
    labels_section,
    language_model_from,
    language_model_section,
    ordering_from,
    ordering_section,
)
from fergus.realize.templates import parse_templates
from fergus.realize.unravel import OrderingModel
from fergus.realize.weight_steps import STEP, rounded


def ordering() -> Section:
    weights = np.random.default_rng(1).normal(size=(17, OUTCOMES)).astype(np.float32)
    return ordering_section(OrderingModel(parse_templates("[daughter]\na.form # why\n"), weights))


def labels() -> Section:
    candidates = Candidates(
        np.array([3, 9], np.int64), np.array([0, 3, 5], np.int32), np.array([0, 1, -2, 1, -1], np.int32)
    )
    weights = np.linspace(-1, 1, 8).astype(np.float32)
    return labels_section(LabelModel((("NOUN", "nsubj"), ("VERB", "root")), candidates, weights))


def test_weights_are_rounded_to_steps() -> None:
    # 0.03 is nearest to one step of 0.025; a byte ends at 127 steps
    assert rounded(np.array([0.0, 0.03, -0.03, 99, -99], np.float32)).tolist() == [0, 1, -1, 127, -127]


def test_ordering_models() -> None:
    section = ordering()
    model = ordering_from(section)
    assert model.templates.text == "[daughter]\na.form # why\n"
    assert model.weights.shape == (17, OUTCOMES)
    assert model.weights.flags.c_contiguous
    assert model.mask == 15
    again = ordering_section(model)
    assert np.array_equal(again.arrays["weights"], section.arrays["weights"])
    assert np.allclose(model.weights.T, section.arrays["weights"] * STEP)


def test_label_models() -> None:
    section = labels()
    model = labels_from(section)
    assert model.labels == (("NOUN", "nsubj"), ("VERB", "root"))
    again = labels_section(model)
    for name, array in section.arrays.items():
        assert np.array_equal(again.arrays[name], array), name


def test_language_models() -> None:
    model = kneser_ney(count_ngrams([["the", "dog"], ["a", "dog"]], order=2))
    again = language_model_from(language_model_section(model))
    assert again.score(["the", "dog"]) == pytest.approx(model.score(["the", "dog"]))


def changed(section: Section, **arrays: np.ndarray) -> Section:
    return replace(section, arrays={**section.arrays, **arrays})


@pytest.mark.parametrize(
    ("load", "section", "message"),
    [
        (ordering_from, changed(ordering(), weights=np.zeros((6, 17), np.int8)), "weights of the ordering model"),
        (ordering_from, changed(ordering(), weights=np.zeros((8, 16), np.int8)), "weights of the ordering model"),
        (ordering_from, changed(ordering(), weights=np.zeros(8, np.int8)), "weights of the ordering model"),
        (labels_from, changed(labels(), weights=np.zeros(6, np.int8)), "weights of the label model"),
        (labels_from, changed(labels(), labels=np.frombuffer(b"NOUN", np.uint8)), "labels of the label model"),
        (labels_from, changed(labels(), labels=np.empty(0, np.uint8)), "labels of the label model"),
        (labels_from, changed(labels(), candidate_start=np.array([0, 3, 99])), "ranges of candidates"),
        (labels_from, changed(labels(), candidate_start=np.array([0, 5])), "ranges of candidates"),
        (labels_from, changed(labels(), candidate_start=np.array([0, 0, 5])), "ranges of candidates"),
        (labels_from, changed(labels(), candidate_labels=np.array([0, 2, -2, 1, -1])), "candidates of the label model"),
    ],
)
def test_arrays_that_would_lead_compiled_code_astray(
    load: Callable[[Section], object], section: Section, message: str
) -> None:
    with pytest.raises(ModelError, match=f"{message}.* are broken; train or copy the model again"):
        load(section)
