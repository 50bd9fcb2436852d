from __future__ import annotations

import json
from pathlib import Path

from fergus.treebank import read_trees

from .conftest import Run


def test_there_and_back(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    trees = list(read_trees(small_treebank))
    for form in ("conllu", "json", "notation"):
        name = "back.txt" if form == "notation" else f"back.{form}"
        assert run("convert", small_treebank, "--to", form, "--out", name).exit_code == 0
        back = list(read_trees(tmp_path / name))
        assert [sorted(tree.forms) for tree in back] == [sorted(tree.forms) for tree in trees]
        labels = [[(node.form, node.upos, node.deprel) for node in o.tree.nodes] for o in trees]
        assert [sorted((n.form, n.upos, n.deprel) for n in o.tree.nodes) for o in back] == [sorted(x) for x in labels]
    assert [o.forms for o in read_trees(tmp_path / "back.conllu")] == [o.forms for o in trees]


def test_bare(run: Run) -> None:
    shown = run("convert", "--tree", "saw/VERB(I/PRON)", "--to", "json", "--bare").stdout
    assert json.loads(shown) == {"form": "saw", "daughters": [{"form": "I"}]}


def test_from_bracketings(run: Run) -> None:
    result = run("convert", "--to", "notation", stdin="( (S (NP (PRP I)) (VP (VBP run))))\n")
    assert result.stdout.startswith("run/VERB:root")


def test_mistakes(run: Run) -> None:
    assert "Missing option '--to'" in run("convert", "--tree", "a").stderr
    result = run("convert", "--to", "json", "none.conllu")
    assert result.exit_code == 2
    assert "none.conllu: the file cannot be read" in result.stderr
