"""Language models by name: files of other tools, and those within model files."""

from __future__ import annotations

from pathlib import Path

import pytest

from fergus.errors import ModelError
from fergus.realize.named_language_model import language_model_of

TINY = Path(__file__).parent.parent / "lm" / "tiny.arpa"


def test_an_arpa_file_is_named_with_its_digest(tmp_path: Path) -> None:
    model, name = language_model_of(str(TINY))
    assert name.startswith("tiny.arpa-")
    assert len(name) == len("tiny.arpa-") + 8
    other = tmp_path / "tiny.arpa"
    other.write_bytes(TINY.read_bytes() + b"\n")
    assert language_model_of(str(other))[1] != name
    assert model.order == language_model_of(str(other))[0].order


def test_a_model_that_there_is_not() -> None:
    with pytest.raises(ModelError, match="nowhere"):
        language_model_of("nowhere")
