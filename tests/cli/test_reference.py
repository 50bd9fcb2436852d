"""What the reference shows is what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from .conftest import EXAMPLES, Run

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reference"
SESSION = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def sessions(page: Path) -> list[tuple[str, str]]:
    """Commands and what they print; ``...`` in it stands for anything."""
    found = []
    for block in SESSION.findall(page.read_text(encoding="utf-8")):
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = entry.partition("\n")
            found.append((command, expected))
    return found


@pytest.mark.no_cover  # everything that is shown has tests of its own
@pytest.mark.parametrize("name", sorted(page.name for page in PAGES.glob("*.md") if sessions(page)))
def test_commands_print_what_is_shown(
    name: str, run: Run, model: str, small_treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fergus.realize import pipeline
    from fergus.realize.training_settings import Settings

    find_model = pipeline.find_model
    monkeypatch.setattr(pipeline, "find_model", lambda given: find_model(model if given == "en" else given))
    monkeypatch.setattr("fergus.realize.training_settings.Settings", lambda seed: Settings(seed=seed, bits=14))
    copy(small_treebank, tmp_path / "trees.conllu")
    copy(small_treebank, tmp_path / "train.conllu")
    for example in ("mine.txt", "theirs.txt", "references.conllu", "forms.tsv", "synonyms.tsv", "judgements.csv"):
        copy(EXAMPLES / example, tmp_path / example)
    for command, expected in sessions(PAGES / name):
        words, stdin = shlex.split(command), ""
        if words[0] == "echo":
            assert words[2] == "|"
            words, stdin = words[3:], words[1] + "\n"
        assert words[0] == "fergus"
        result = run(*words[1:], stdin=stdin)
        pattern = re.escape(expected).replace(r"\.\.\.", ".*?")
        assert re.fullmatch(pattern, result.stdout + result.stderr, flags=re.DOTALL), (
            f"{command}\n{result.stdout}{result.stderr}"
        )


def test_python_of_the_metrics_page() -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", (PAGES / "metrics.md").read_text(), re.MULTILINE | re.DOTALL):
        exec(block, names)
    assert names["wanted"] != names["built"]


def test_python_examples_run(
    model: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fergus.realize import pipeline

    find_model = pipeline.find_model
    monkeypatch.setattr(pipeline, "find_model", lambda given: find_model(model if given == "en" else given))
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", (PAGES / "python.md").read_text(), re.MULTILINE | re.DOTALL):
        exec(block, names)
    assert names["score"].score == pytest.approx(1 / 3)
    assert names["corpus"].mean_interval is not None
    assert names["found"].comparisons
    assert names["result"].tokens[:4] == ("there", "was", "no", "cost")
    assert 2 <= capsys.readouterr().out.count("\n") <= 3
