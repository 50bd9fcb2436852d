"""Tests of fergus.compiled."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from fergus.compiled import is_compiled


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    """A module of its own, as compiled code is kept beside the source."""
    path = tmp_path / "twice.py"
    path.write_text("from fergus.compiled import compiled\n\n\n@compiled\ndef twice(x):\n    return x + x\n")
    made = ModuleType("twice")
    exec(compile(path.read_text(), str(path), "exec"), made.__dict__)
    return made


def test_what_was_called_is_kept_compiled(module: ModuleType) -> None:
    assert not is_compiled(module.twice)
    assert module.twice(2) == 4
    assert is_compiled(module.twice)


def test_code_of_another_version_is_not_meant(module: ModuleType, tmp_path: Path) -> None:
    module.twice(2)
    (index,) = tmp_path.rglob("*.nbi")
    index.rename(index.with_name(index.name.replace("py3", "py2")))
    assert not is_compiled(module.twice)


def test_without_a_compiler_there_is_nothing_to_compile(module: ModuleType) -> None:
    assert is_compiled(module.twice.py_func)
