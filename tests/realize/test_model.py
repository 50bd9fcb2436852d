from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fergus.errors import ModelError
from fergus.realize.model import FORMAT, VERSION, ModelFile, Section, words_from_array, words_to_array, write_model

SECTIONS = {
    "default": Section({"margin": 6.0, "name": "Ö"}, {"weights": np.arange(12, dtype=np.int8).reshape(3, 4)}),
    "empty": Section(),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.fergus"
    write_model(path, {"name": "tiny"}, SECTIONS)
    return path


def archive(path: Path, **members: str | bytes) -> Path:
    """A zip archive with these members (``__`` stands for a slash, ``_.`` for a dot)."""
    with zipfile.ZipFile(path, "w") as out:
        for name, content in members.items():
            out.writestr(name.replace("__", "/").replace("_json", ".json").replace("_npy", ".npy"), content)
    return path


HEADER = json.dumps({"format": FORMAT, "version": VERSION})


def test_round_trip(path: Path) -> None:
    model = ModelFile(path)
    assert model.header == {"format": FORMAT, "version": VERSION, "name": "tiny"}
    assert model.sections == ("default", "empty")
    section = model.section("default")
    assert section.settings == {"margin": 6.0, "name": "Ö"}
    assert list(section.arrays) == ["weights"]
    assert section.arrays["weights"].dtype == np.int8
    assert np.array_equal(section.arrays["weights"], SECTIONS["default"].arrays["weights"])
    assert model.section("empty") == Section()
    assert 0 < model.size_of("empty") < model.size_of("default") < path.stat().st_size


def test_the_same_model_has_the_same_bytes(path: Path, tmp_path: Path) -> None:
    again = tmp_path / "new" / "folder" / "again.fergus"
    write_model(again, {"name": "tiny"}, SECTIONS)
    assert again.read_bytes() == path.read_bytes()
    assert again.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    "bad",
    [
        {"default": Section({}, {"x": np.array([object()])})},
        {"default": Section({"x": object()})},
    ],
)
def test_a_writing_that_fails_leaves_the_old_file(path: Path, bad: dict[str, Section]) -> None:
    before = path.read_bytes()
    with pytest.raises((ValueError, TypeError)):
        write_model(path, {}, bad)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.fergus: there is no such model file"):
        ModelFile(tmp_path / "none.fergus")
    with pytest.raises(ModelError, match="not a Fergus model, or broken"):
        ModelFile(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK", b"sentence\n", b"PK\x03\x04" + bytes(60)])
def test_not_an_archive(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "m.fergus"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"m\.fergus: not a Fergus model, or broken .*; train or copy it again"):
        ModelFile(path)


def test_cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ModelError, match="not a Fergus model, or broken"):
        ModelFile(path)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"a": "b"}, r"not a Fergus model: it has no header\.json"),
        ({"header_json": "{}"}, "an archive, but not a Fergus model"),
        ({"header_json": '{"format": "other"}'}, "an archive, but not a Fergus model"),
        ({"header_json": "[]"}, r"header\.json is broken"),
        ({"header_json": "{"}, r"header\.json is broken"),
        (
            {"header_json": json.dumps({"format": FORMAT, "version": VERSION + 1})},
            rf"m\.fergus: a model of version {VERSION + 1}, newer than this Fergus reads \({VERSION}\); install a",
        ),
        ({"header_json": json.dumps({"format": FORMAT, "version": "x"})}, "version 'x' is no version of a model"),
    ],
)
def test_archives_that_are_no_models(tmp_path: Path, members: dict[str, str], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        ModelFile(archive(tmp_path / "m.fergus", **members))


def test_a_section_that_is_missing(path: Path) -> None:
    with pytest.raises(ModelError, match="the model has no section 'supertag'; it has default, empty"):
        ModelFile(path).section("supertag")


def test_what_a_section_lacks(path: Path) -> None:
    section = ModelFile(path).section("default")
    with pytest.raises(ModelError, match=r"m\.fergus: section 'default' has no array 'steps'; train or copy"):
        section.arrays["steps"]
    with pytest.raises(ModelError, match=r"m\.fergus: section 'default' has no setting 'step'; train or copy"):
        section.settings["step"]
    assert section.settings.get("step") is None


def saved(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        saved(np.array([{"a": "pickle"}])),
        saved(np.arange(100))[:-8],
        b"",
        b"not an array",
        b"\x93NUMPY\x01\x00\x04\x00{ab}",
    ],
)
def test_arrays_that_are_none(tmp_path: Path, content: bytes) -> None:
    path = archive(tmp_path / "m", header_json=HEADER, default__section_json="{}", default__w_npy=content)
    model = ModelFile(path)
    with pytest.raises(ModelError, match=r"default/w\.npy is broken .*; train or copy the model again"):
        model.section("default")


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=3), st.none() | st.integers(0, 10**6))
def test_any_damage_is_found_or_harmless(path: Path, changes: list[tuple[int, int]], cut: int | None) -> None:
    content = bytearray(path.read_bytes())
    for place, byte in changes:
        content[place % len(content)] = byte
    damaged = path.with_name("damaged")
    damaged.write_bytes(content if cut is None else content[: cut % len(content)])
    try:
        model = ModelFile(damaged)
        for name in model.sections:
            model.section(name)
    except ModelError as error:
        assert "damaged" in str(error)  # noqa: PT017


@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1)))
def test_lists_of_words(words: list[str]) -> None:
    assert words_from_array(words_to_array(words)) == words


def test_a_list_of_words_that_is_none() -> None:
    with pytest.raises(ModelError, match="a list of words in the model is broken"):
        words_from_array(np.array([0xFF, 0xFE], np.uint8))
