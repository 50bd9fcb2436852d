"""A language model by its name: of a shipped model, of a model file, or an ARPA file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fergus.lm.model import NgramModel
    from fergus.realize.model import ModelFile


def language_model_of(name: str) -> tuple[NgramModel, str]:
    """The language model of that name, with a name for signatures."""
    if ".arpa" in Path(name).suffixes:
        from fergus.lm.arpa import read_arpa

        return read_arpa(name), f"{Path(name).name}-{_digest(Path(name))}"
    from fergus.realize.model import ModelFile
    from fergus.realize.pipeline import find_model

    return language_model_in(ModelFile(find_model(name)))


def language_model_in(file: ModelFile) -> tuple[NgramModel, str]:
    """The language model of a model file, with a name for signatures."""
    from fergus.realize.sections import language_model_from

    return language_model_from(file.section("language-model")), f"{file.path.name}-{_digest(file.path)}"


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:8]
