from __future__ import annotations

import json
from pathlib import Path
from shutil import copy

import pytest

from .conftest import Run


def test_info(run: Run, model: str) -> None:
    shown = run("model", "info", model).stdout.splitlines()
    assert shown[0].split() == ["model", "small"]
    assert shown[1].split() == ["language", "en"]
    assert any(line.startswith("section") and "language-model" in line for line in shown)
    record = json.loads(run("model", "info", model, "--json").stdout)
    assert record["format"] == "fergus-model"
    assert record["bytes"] == Path(model).stat().st_size
    assert set(record["sections"]) >= {"default", "labels", "language-model"}


def test_facts_of_later_versions_are_shown(run: Run, tmp_path: Path) -> None:
    from fergus.realize.model import write_model

    write_model(tmp_path / "m.fergus", {"colour": {"red": 1}, "seed": 7}, {})
    shown = run("model", "info", "m.fergus").stdout
    assert 'colour      {"red": 1}\n' in shown
    assert "seed        7\n" in shown


def test_list(run: Run, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.cli.model.SHIPPED", tmp_path)
    nothing = run("model", "list")
    assert nothing.stdout == ""
    assert "no models come with this installation" in nothing.stderr
    copy(model, tmp_path / "xy.fergus")
    assert run("model", "list").stdout.startswith("xy\ten\t0.")


def test_the_shipped_model_is_listed(run: Run) -> None:
    from fergus.cli.model import SHIPPED

    if not (SHIPPED / "en.fergus").exists():
        pytest.skip("there is no shipped model")
    assert run("model", "list").stdout.startswith("en\ten\t")
    assert "rebuild" in run("model", "info").stdout


def test_mistakes(run: Run, tmp_path: Path) -> None:
    result = run("model", "info", "none")
    assert result.exit_code == 2
    assert "none: no such model" in result.stderr
    (tmp_path / "m.fergus").write_text("not a model")
    assert "not a Fergus model" in run("model", "info", "m.fergus").stderr
