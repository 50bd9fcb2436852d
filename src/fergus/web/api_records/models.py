"""The models and parsers that a server has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fergus.web.api_records.names import PRESETS
from fergus.web.schema import Said


@dataclass(frozen=True)
class ModelDescription:
    """A model that can be asked for."""

    name: Annotated[str, Said("What requests call it.", example="en")]
    language: Annotated[str | None, Said("Its language.", example="en")] = None
    treebanks: Annotated[tuple[str, ...] | None, Said("What it was trained on.", example=["en_ewt-train.conllu"])] = (
        None
    )
    attribution: Annotated[str | None, Said("Whose work it is, and under which licence.", example="CC BY-SA 4.0")] = (
        None
    )
    presets: Annotated[tuple[str, ...] | None, Said("The presets that it has.", example=list(PRESETS))] = None
    error: Annotated[str | None, Said("Why its file cannot be read; then there is nothing else.")] = None


@dataclass(frozen=True)
class ModelsResponse:
    """What the server has; the first model is used where a request names none."""

    models: Annotated[tuple[ModelDescription, ...], Said("The models.")]
    parsers: Annotated[tuple[str, ...], Said("The parsers.", example=["en"])]
