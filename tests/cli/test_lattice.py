from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fergus.realize.pipeline import Realizer

from .conftest import FIGURE_2, Run


def test_the_best_path_spells_the_sentence(run: Run, model: str, small_treebank: Path) -> None:
    trees = [("--tree", FIGURE_2), *((str(small_treebank), "--number", str(n)) for n in (1, 7, 12, 37))]
    for arguments in trees:
        for bare in ((), ("--bare",)):
            record = json.loads(run("lattice", "--model", model, *arguments, *bare, "--format", "json").stdout)
            best = [record["arcs"][i] for i in record["best"]]
            assert [arc["source"] for arc in best] == [0, *(arc["target"] for arc in best[:-1])]
            assert best[-1]["target"] == record["final"] == record["states"] - 1
            number = int(arguments[2]) - 1 if len(arguments) == 3 else 0
            source = [arguments[0]] if len(arguments) == 3 else list(arguments)
            realized = run("realize", "--model", model, *source, *bare, "--output", "tokens").stdout.splitlines()
            assert " ".join(arc["word"] for arc in best) == realized[number]


def test_the_formats(run: Run, model: str, tmp_path: Path) -> None:
    arguments = ("lattice", "--model", model, "--tree", FIGURE_2)
    att = run(*arguments, "--symbols", "words.syms", "--out", "lattice.att")
    assert (att.exit_code, att.stdout) == (0, "")
    assert (tmp_path / "lattice.att").read_text().startswith("0\t")
    assert "estimate" in (tmp_path / "words.syms").read_text()
    assert run(*arguments).stdout == (tmp_path / "lattice.att").read_text()
    dot = run(*arguments, "--format", "dot").stdout
    assert dot.count("#c2410c") == 2 * 9  # colour and font colour of the nine words on the best path
    assert run(*arguments, "--format", "svg").stdout.startswith("<svg")


def test_a_drawing_is_cut_down(run: Run, model: str) -> None:
    arguments = ("lattice", "--model", model, "--tree", FIGURE_2, "--wide", "--format", "svg")
    whole, cut = run(*arguments).stdout, run(*arguments, "--cut", "1", "--limit", "1").stdout
    assert whole.count('class="arc') > 27 >= cut.count('class="arc') >= 9  # three arcs for each of the nine words
    assert "too many to be drawn" in cut


def test_words_are_put_in(run: Run, model: str) -> None:
    tree = "see/VERB:root[Tense=Past](cat/NOUN:nsubj[Definite=Def,Number=Sing])"
    shown = run("lattice", "--model", model, "--tree", tree, "--stages", "insert,inflect", "--format", "json").stdout
    assert {"the", "saw", "cat"} <= {arc["word"] for arc in json.loads(shown)["arcs"]}


def test_standard_input(run: Run, model: str) -> None:
    assert "her" in run("lattice", "--model", model, stdin="saw(I her)\n").stdout


def test_mistakes(run: Run, model: str) -> None:
    def fails(*arguments: str) -> str:
        result = run("lattice", "--model", model, *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        return result.stderr

    assert "there is no tree number 2" in fails("--tree", "a", "--number", "2")
    assert "--symbols goes with --format att" in fails("--tree", "a", "--format", "dot", "--symbols", "s")
    assert "--cut goes with --format svg" in fails("--tree", "a", "--format", "dot", "--cut", "9")
    assert "--tree:1: the lattice has more than 2 arcs" in fails("--tree", FIGURE_2, "--limit", "2")
    assert "give --tree or files" in fails("--tree", "a", "b.txt")


def test_a_realizer_without_lattice(run: Run, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    realize = Realizer.realize
    monkeypatch.setattr(Realizer, "realize", lambda *a, **o: replace(realize(*a, **o), lattice=None))
    result = run("lattice", "--model", model, "--tree", "saw(I her)")
    assert result.exit_code == 2
    assert "makes no lattice" in result.stderr
