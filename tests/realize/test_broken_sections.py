"""Settings and arrays of which nothing can be made; fuzz/model_parts.py tries many more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fergus.errors import ModelError
from fergus.realize.baselines import LeftRightModel
from fergus.realize.model import ModelFile, Section, reads_section, write_model
from fergus.realize.sections import default_from


def test_an_archive_may_not_be_larger_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_model(tmp_path / "m.fergus", {}, {"words": Section({}, {"zeros": np.zeros(200_000, np.uint8)})})
    assert len(ModelFile(tmp_path / "m.fergus").section("words").arrays["zeros"]) == 200_000
    monkeypatch.setattr("fergus.realize.model.LARGEST_ARRAY", 100_000)
    with pytest.raises(ModelError, match=r"m.fergus: words/zeros.npy is larger than 0 MB when it is unpacked; train"):
        ModelFile(tmp_path / "m.fergus").section("words")
    monkeypatch.setattr("fergus.realize.model.LARGEST_SETTINGS", 10)
    with pytest.raises(ModelError, match=r"header.json is larger"):
        ModelFile(tmp_path / "m.fergus")


@reads_section
def sum_from(section: Section) -> float:
    return float(section.arrays["weights"].sum() * section.settings["step"])


def test_a_good_section_is_read() -> None:
    assert sum_from(Section({"step": 0.5}, {"weights": np.array([1, 2])})) == 1.5
    assert sum_from.__name__ == "sum_from"


@pytest.mark.parametrize("step", ["x", None, [1], 10**400])
def test_a_broken_one_is_the_files_fault(step: object) -> None:
    with pytest.raises(ModelError, match=r"the section of sum is broken .*train or copy the model again"):
        sum_from(Section({"step": step}, {"weights": np.array([1.5, 2])}))


def test_faults_that_have_been_named_keep_their_names() -> None:
    @reads_section
    def named_from(section: Section) -> None:
        raise ModelError("the weights are broken")

    with pytest.raises(ModelError, match=r"^the weights are broken$"):
        named_from(Section())


@pytest.mark.parametrize("value", ["6", None, True, float("nan"), float("inf")])
@pytest.mark.parametrize("name", ["margin", "lm_weight_labels"])
def test_weights_of_the_default_preset_are_numbers(name: str, value: object) -> None:
    assert default_from(Section({name: 6, "trained_with_lemmas": True})) == {name: 6, "trained_with_lemmas": True}
    with pytest.raises(ModelError, match=f"the setting '{name}' of the default preset is no number"):
        default_from(Section({name: value}))


def test_arrays_without_a_dimension() -> None:
    arrays = {name: np.array(1) for name in ("words", "pairs", "daughters", "mothers", "strengths")}
    with pytest.raises(ModelError, match="left-right model: array missing or broken"):
        LeftRightModel.from_arrays(arrays)
