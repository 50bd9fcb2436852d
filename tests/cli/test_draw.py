from __future__ import annotations

from pathlib import Path

from .conftest import Run


def test_drawings(run: Run, small_treebank: Path) -> None:
    shown = run("draw", "--tree", "saw/VERB(I/PRON her/PRON)", "--labels").stdout
    assert shown == "saw  VERB\n├── I  PRON\n└── her  PRON\n\n"
    ordered = run("draw", small_treebank, "--ordered").stdout.split("\n\n")
    assert ordered[0] == "    ┌── The\n┌── dog\nbarked\n└── ."
    assert len(ordered) == 41  # forty drawings, each with an empty line after it


def test_to_a_file_or_not_at_all(run: Run, tmp_path: Path) -> None:
    assert run("draw", "--tree", "saw(I her)", "--out", "a.txt").stdout == ""
    assert (tmp_path / "a.txt").read_text() == "saw\n├── I\n└── her\n\n"
    assert run("draw", "--tree", "saw(", "--out", "a.txt").exit_code == 2
    assert (tmp_path / "a.txt").read_text() == "saw\n├── I\n└── her\n\n"
