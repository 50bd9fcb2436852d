from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def grammar_file(run: Run, small_treebank: Path) -> str:
    result = run("grammar", "extract", small_treebank, "--out", "small.grammar")
    assert result.exit_code == 0
    assert result.stderr.endswith(" gamma trees from 270 words\n")
    return "small.grammar"


def test_show(run: Run, grammar_file: str) -> None:
    shown = run("grammar", "show", "a.VERB(nsubj * obj)", "--grammar", grammar_file).stdout
    assert shown.startswith("a.VERB(nsubj * obj): alpha tree, anchor VERB, seen ")
    assert "nsubj↓   VERB◊   obj↓" in shown
    missing = run("grammar", "show", "a.VERB(nsub", "--grammar", grammar_file)
    assert missing.exit_code == 2
    assert "no tree is called 'a.VERB(nsub'; perhaps: a.VERB(nsubj " in missing.stderr


def test_list(run: Run, grammar_file: str, small_treebank: Path) -> None:
    lines = run("grammar", "list", "--grammar", grammar_file).stdout.splitlines()
    counts = [int(line.split("\t")[0]) for line in lines]
    assert sum(counts) == 270  # every word of the treebank has one tree
    assert counts == sorted(counts, reverse=True)
    assert run("grammar", "list", "--treebank", small_treebank).stdout.splitlines() == lines
    gamma = run("grammar", "list", "--grammar", grammar_file, "--kind", "gamma", "--limit", "3").stdout.splitlines()
    assert [line.split("\t")[1] for line in gamma] == ["gamma"] * 3
    verbs = run("grammar", "list", "--grammar", grammar_file, "--category", "VERB").stdout
    assert verbs
    assert all(".VERB" in line for line in verbs.splitlines())


def test_search(run: Run, grammar_file: str) -> None:
    found = run("grammar", "search", "IOBJ", "--grammar", grammar_file).stdout
    assert "\ta.VERB(nsubj * iobj obj)\tgave\n" in found
    gave = run("grammar", "search", "--word", "gave", "--grammar", grammar_file).stdout
    assert [line.split("\t")[2] for line in gave.splitlines()] == ["a.VERB(nsubj * iobj obj)"]
    assert run("grammar", "search", "--regex", r"^g\.DET$", "--grammar", grammar_file).stdout.count("\n") == 1
    bad = run("grammar", "search", "--regex", "(", "--grammar", grammar_file)
    assert bad.exit_code == 2
    assert "not a regular expression" in bad.stderr


def test_stats(run: Run, grammar_file: str) -> None:
    rows = dict(line.rsplit(maxsplit=1) for line in run("grammar", "stats", "-g", grammar_file).stdout.splitlines())
    assert rows["tokens"] == "270"
    assert {"alpha", "gamma", "seen once", "families", "words", "adjunctions"} < set(rows)


def test_relations_name_gamma_trees(run: Run, small_treebank: Path) -> None:
    plain = run("grammar", "extract", small_treebank, "--quiet").stdout
    named = run("grammar", "extract", small_treebank, "--relations", "--quiet").stdout
    assert "g.NOUN/compound" in named
    assert "g.NOUN/compound" not in plain


@pytest.mark.parametrize("arguments", [(), ("--grammar", "a", "--xtag", "b")])
def test_one_grammar_is_needed(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("grammar", "stats", *arguments)
    assert result.exit_code == 2
    assert "say which grammar" in result.stderr


def test_mistakes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.conllu").write_text("1\ta\n")
    assert "bad.conllu:1" in run("grammar", "extract", "bad.conllu", "--out", "g").stderr
    assert not (tmp_path / "g").exists()
    assert "bad.conllu:1: not a grammar file" in run("grammar", "stats", "--grammar", "bad.conllu").stderr
    assert "xtag" in run("grammar", "stats", "--xtag", "xtag").stderr


@pytest.mark.data
def test_xtag(run: Run, data_dir: Path) -> None:
    shown = run("grammar", "show", "alphanx0Vnx1", "--xtag", data_dir / "xtag").stdout
    assert "family Tnx0Vnx1" in shown
    assert "NP_0↓" in shown


def test_the_grammar_inside_a_model(run: Run, model: str) -> None:
    result = run("grammar", "show", "g.DET/det", "--model", model)
    assert result.exit_code == 0, result.stderr
    assert "g.DET/det" in result.stdout
