"""Records say their version; one of a newer Fergus is refused, and one is written whole."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

import page
import results
from record_format import FORMAT, VERSION


def test_a_record_says_its_version_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    record = results.heading("words", [])
    assert (record["format"], record["version"]) == (FORMAT, VERSION)
    results.write(tmp_path / "new" / "a.json", record)
    assert json.loads((tmp_path / "new" / "a.json").read_text("utf-8")) == record
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.json"]


def test_a_record_of_a_newer_fergus_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"version": VERSION + 1, "benchmark": "words", "date": "2026-01-01"}))
    with pytest.raises(click.ClickException, match=rf"^a\.json: a record of version {VERSION + 1}, newer than"):
        page.sections_of(tmp_path)
