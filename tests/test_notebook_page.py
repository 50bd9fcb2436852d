"""The cells of docs/how-to/notebooks.md run one after the other, and what they end with can be shown."""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "notebooks.md"
NEEDED = {"import conllu": "conllu", "import spacy": "spacy", "huggingface": "evaluate", "import evaluate": "evaluate"}

# Coverage need not follow what is shown: everything has tests of its own, and it takes twice as long.
pytestmark = pytest.mark.no_cover


def run_cell(code: str, names: dict[str, Any]) -> Any:
    """What a cell ends with, if it ends with an expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(PAGE), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(PAGE), "eval"), names) if isinstance(last, ast.Expr) else None


def test_the_cells_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    names: dict[str, Any] = {}
    ended: list[Any] = []
    for code in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        libraries = {library for mark, library in NEEDED.items() if mark in code}
        if all(find_spec(library) for library in libraries):
            ended.append(run_cell(code, names))
    shown = [value for value in ended if hasattr(value, "_repr_svg_") or hasattr(value, "_repr_html_")]
    assert [type(value).__name__ for value in shown] == ["DependencyTree", "Realization", "Evaluation", "Alignment"]
    for value in shown:
        drawn = value._repr_svg_() if hasattr(value, "_repr_svg_") else value._repr_html_()
        assert "</" in drawn
    for name in ("tree.svg", "lattice.svg"):
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")
