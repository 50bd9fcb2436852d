"""Every command of the tutorial, the how-tos and the explanations works, and prints what they show."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from fergus.realize.training_settings import Settings

from .console_blocks import blocks, check_page, commands

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SHIPPED = ROOT / "src" / "fergus" / "models" / "en.fergus"
# These pages have tests of their own, with a cluster and a notebook.
ELSEWHERE = {DOCS / "how-to" / "run-on-a-cluster.md", DOCS / "how-to" / "notebooks.md"}
PAGES = sorted(
    {DOCS / "tutorial.md", *(DOCS / "how-to").glob("*.md"), *(DOCS / "explanation").glob("*.md")} - ELSEWHERE
)

# Coverage need not follow what is shown: everything has tests of its own, and it takes twice as long.
pytestmark = [
    pytest.mark.skipif(not SHIPPED.exists(), reason="the shipped model is not there"),
    pytest.mark.no_cover,
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the examples, in which commands run."""
    for example in (ROOT / "examples").iterdir():
        if example.is_file():
            shutil.copy(example, tmp_path / example.name)
    for part in ("my-train.conllu", "my-dev.conllu"):
        shutil.copy(ROOT / "tests" / "fixtures" / "small.conllu", tmp_path / part)
    monkeypatch.chdir(tmp_path)
    # Forty sentences need no large tables of weights.
    monkeypatch.setattr("fergus.realize.training_settings.Settings", lambda seed: Settings(seed=seed, bits=14))
    # Readers who wait for the compiler are told so; no page shows that.
    monkeypatch.setattr("fergus.cli.progress.PATIENCE_SECONDS", 3600.0)
    # What is piped has eighty columns.
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(blocks(page))], ids=lambda page: str(page.relative_to(DOCS))
)
def test_pages_do_what_they_show(page: Path, folder: Path, request: pytest.FixtureRequest) -> None:
    if "--xtag xtag" in page.read_text(encoding="utf-8"):
        (folder / "xtag").symlink_to(request.getfixturevalue("data_dir") / "xtag")
    shown = sum(len(list(commands(block))) for language, block in blocks(page) if language == "console")
    assert check_page(page) == shown


def test_figures_of_the_model_are_those_that_were_measured() -> None:
    page = (DOCS / "explanation" / "model.md").read_text(encoding="utf-8")
    results = json.loads((ROOT / "benchmarks" / "results" / "realize-2026-11-15.json").read_text())["results"]
    rows = re.findall(r"^\| (with labels|bare|either) \| `?([\w -]+?)`? \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 7
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for given, system, cells in rows:
        if system == "default":  # with the model shipped since the record was made
            name = "with labels" if given == "with labels" else "bare lexemes"
            assert f"| EWT dev, {name}, `default` | {cells} | " in readme
        if (given, system) == ("with labels", "default"):
            continue
        test_set = "ewt-bare" if given == "bare" else "ewt-labels"
        (measured,) = [row for row in results if (row["test_set"], row["system"]) == (test_set, system)]
        accuracies = [
            f"{measured[f'{kind}_{of}_accuracy']:.3f}"[1:]
            for of in ("string", "tree")
            for kind in ("simple", "generation")
        ]
        assert cells.split(" | ") == [*accuracies, f"{measured['bleu']:.1f}", f"{measured['exact_match']:.0%}"]


def test_what_is_printed_otherwise_is_found(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("```console\n$ fergus --version\nfergus 99\n```\n")
    with pytest.raises(AssertionError, match="fergus --version"):
        check_page(page)


def test_a_command_that_fails_is_found(folder: Path) -> None:
    page = folder / "page.md"
    page.write_text("```console\n$ fergus realize nowhere.txt\n```\n")
    with pytest.raises(AssertionError, match=r"nowhere\.txt"):
        check_page(page)
