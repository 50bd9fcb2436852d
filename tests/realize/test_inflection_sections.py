from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.errors import ModelError
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.inflection_model import InflectionModel
from fergus.realize.inflection_sections import inflection_from, inflection_section
from fergus.realize.learn_inflection import InflectionSettings, learn_inflection
from fergus.realize.model import ModelFile, Section, write_model
from fergus.realize.sandhi_scores import SandhiModel
from fergus.realize.transduce import Transducer
from fergus.realize.weight_steps import STEP
from tests.realize.inflection_treebank import PLURAL, model, treebank


def test_the_model_comes_back_from_the_file(tmp_path: Path) -> None:
    write_model(tmp_path / "m.fergus", {}, {"inflection": inflection_section(model())})
    back = inflection_from(ModelFile(tmp_path / "m.fergus").section("inflection"))
    assert back.lexicon == model().lexicon
    assert np.array_equal(back.sandhi.weights, model().sandhi.weights)
    for name in ("letters", "vowels", "categories", "actions", "exponents"):
        assert getattr(back.transducer, name) == getattr(model().transducer, name)
    assert np.array_equal(back.transducer.weights, model().transducer.weights)
    for lemma in ("cat", "beauty", "zoo"):
        assert Inflector(back).candidates(lemma, "NOUN", PLURAL) == Inflector(model()).candidates(lemma, "NOUN", PLURAL)


def test_openings_come_back_and_older_files_have_none() -> None:
    openings = {("a", "DET"): {"u": "an", "uni": "a"}, ("de", "ADP"): {"é": "d'"}}
    section = inflection_section(replace(model(), sandhi=replace(model().sandhi, openings=openings)))
    assert inflection_from(section).sandhi.openings == openings
    older = {name: value for name, value in section.settings.items() if name != "openings"}
    assert inflection_from(Section(older, section.arrays)).sandhi.openings == {}


words = st.text(st.characters(exclude_characters="\n\r", exclude_categories=("Cs",)), max_size=4)
labels = st.sampled_from(["A", "B"])


@given(
    st.dictionaries(
        st.tuples(words, labels, st.sampled_from([(), PLURAL])),
        st.dictionaries(words.filter(bool), st.integers(1, 9), min_size=1, max_size=2),
        max_size=5,
    ),
    st.dictionaries(st.integers(0, 4095), st.integers(-127, 127), max_size=9),
)
def test_any_lexicon_and_weights_come_back(
    entries: dict[tuple[str, str, tuple[tuple[str, str], ...]], dict[str, int]], weights: dict[int, int]
) -> None:
    table = np.zeros(4096, np.float32)
    for place, steps in weights.items():
        table[place] = np.float32(steps) * np.float32(STEP)
    empty = Transducer("", frozenset(), (), (), {}, table)
    back = inflection_from(
        inflection_section(InflectionModel(InflectionLexicon(entries), empty, SandhiModel(frozenset(), table)))
    )
    assert back.lexicon.entries == entries
    assert np.array_equal(back.transducer.weights, table)


def test_the_same_training_gives_the_same_model_and_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int]] = []
    settings = InflectionSettings(bits=14, sandhi_bits=12, epochs=3, sandhi_epochs=3)
    one = learn_inflection(treebank(), settings, progress=lambda *what: told.append(what))
    two = learn_inflection(treebank(), settings)
    assert np.array_equal(one.transducer.weights, two.transducer.weights)
    assert np.array_equal(one.sandhi.weights, two.sandhi.weights)
    assert {job for job, _, _ in told} == {"inflection", "neighbouring forms"}
    assert all(done <= total for _, done, total in told)


def test_a_treebank_without_words_gives_a_model_that_copies() -> None:
    empty = learn_inflection([], InflectionSettings(bits=10, sandhi_bits=10))
    assert Inflector(empty).candidates("cat", "NOUN", PLURAL)[0].form == "cat"


@pytest.mark.parametrize(
    ("array", "value"),
    [
        ("actions", np.array([9999], np.int16)),
        ("action_counts", np.array([1], np.int16)),
        ("weights_size", np.array([1000], np.int64)),
        ("weights_gaps", np.array([1, 1], np.uint8)),
        ("sandhi_size", np.array([2], np.int64)),
        ("cells", np.array([60000], np.uint16)),
        ("counts", np.array([1], np.int32)),
    ],
)
def test_a_broken_file_is_told(array: str, value: np.ndarray) -> None:
    section = inflection_section(model())
    with pytest.raises(ModelError, match="broken"):
        inflection_from(Section(section.settings, {**section.arrays, array: value}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("step", "x"),
        ("exponents", [["a"]]),
        ("categories", 3),
        ("openings", 3),
        ("openings", [["a", "DET"]]),
        ("openings", [["a", "DET", "an"]]),
    ],
)
def test_broken_settings_are_told(name: str, value: object) -> None:
    section = inflection_section(model())
    with pytest.raises(ModelError, match="settings of the inflection model"):
        inflection_from(Section({**section.settings, name: value}, section.arrays))
