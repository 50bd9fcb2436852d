"""The insides of a model: one member of a model file is another than it should be, its section is read.

An input is the name of a member (``joining/section.json``), a line feed, and the bytes that are put in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from zipfile import ZipFile

from fergus.realize.agreement_model import agreement_from
from fergus.realize.baselines import LeftRightModel
from fergus.realize.capitals_model import capitals_from
from fergus.realize.inflection_sections import inflection_from
from fergus.realize.insertion_model import insertion_from
from fergus.realize.joining_model import joining_from
from fergus.realize.model import ModelFile, Section
from fergus.realize.presets import DefaultPreset
from fergus.realize.punctuation_model import punctuation_from
from fergus.realize.reordering_model import reordering_from
from fergus.realize.sections import labels_from, language_model_from, ordering_from, tree_model_from
from fergus.realize.word_model import words_from
from fuzz.good_files import trained_model
from fuzz.targets import folder

LARGEST = 4000
"""Bytes of a member that is worth changing: in longer ones a change is mostly one of a weight."""
READERS: dict[str, Callable[[Section], object]] = {
    "labels": labels_from,
    "ordering-labels": ordering_from,
    "reordering": reordering_from,
    "language-model": language_model_from,
    "supertag": tree_model_from,
    "treebank-lr": lambda section: LeftRightModel.from_arrays(section.arrays),
    "joining": joining_from,
    "capitals": capitals_from,
    "words": words_from,
    "inflection": inflection_from,
    "punctuation": punctuation_from,
    "insertion": insertion_from,
    "agreement": agreement_from,
}


class ChangedModel(ModelFile):
    """A small model with one member changed."""

    def __init__(self, member: str, content: bytes) -> None:
        self.member, self.content = member, content
        super().__init__(small_model())

    def _bytes(self, member: str) -> bytes:
        return self.content if member == self.member else super()._bytes(member)


@cache
def small_model() -> Path:
    """The model as it is, in a file."""
    path = folder("model-parts") / "m.fergus"
    path.write_bytes(trained_model())
    return path


def read(data: bytes) -> None:
    """The section whose member is changed."""
    name, _, content = data.partition(b"\n")
    member = name.decode("utf-8", "replace")
    section = member.partition("/")[0]
    if section == "default":
        DefaultPreset(ChangedModel(member, content))
    elif section in READERS:
        READERS[section](ChangedModel(member, content).section(section))


def seeds() -> Iterator[bytes]:
    """Every member that is small enough."""
    with ZipFile(small_model()) as archive:
        for member in archive.infolist():
            if member.filename.partition("/")[0] in ("default", *READERS) and member.file_size <= LARGEST:
                yield f"{member.filename}\n".encode() + archive.read(member)
