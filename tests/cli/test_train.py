from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from fergus.cli.train import language_of, rebuild_command
from fergus.realize.model import ModelFile

from .conftest import FIGURE_2, Run


@pytest.fixture(autouse=True)
def small_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training as the tests of the command line need it: quick."""
    from fergus.realize.training_settings import Settings

    monkeypatch.setattr(
        "fergus.realize.training_settings.Settings",
        lambda seed: Settings(seed=seed, bits=12, order_epochs=2, label_epochs=2),
    )


def test_train_realize_and_info(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    with lzma.open(tmp_path / "text.txt.xz", "wt") as file:
        file.write("There was no cost estimate. There was no second phase.\nThe cat slept.\n")
    result = run(
        "train", small_treebank, "--text", "text.txt.xz", "--language", "en", "--name", "small",
        "--attribution", "written for the tests", "--out", "my.fergus",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "small.conllu: 40 sentences, 270 words, not projective: 1\n" in result.stderr
    assert "my.fergus: " in result.stderr
    assert run("realize", "--model", "my.fergus", "--tree", FIGURE_2).exit_code == 0
    info = json.loads(run("model", "info", "my.fergus", "--json").stdout)
    assert info["treebanks"] == [
        {"treebank": "small.conllu", "sentences": 40, "words": 270, "non_projective_sentences": 1}
    ]
    assert info["text"] == [{"file": "text.txt.xz", "sentences": 3}]
    assert info["rebuild"] == (
        "fergus train small.conllu --text text.txt.xz --language en --name small --seed 1 "
        "--attribution 'written for the tests' --out small.fergus"
    )
    assert info["attribution"] == "written for the tests"
    assert str(tmp_path) not in json.dumps(info)
    shown = run("model", "info", "my.fergus").stdout
    assert "treebank     small.conllu: 40 sentences, 270 words, 1 not projective\n" in shown
    assert "text         text.txt.xz: 3 sentences\n" in shown


def test_the_same_bytes_whatever_the_file_is_called(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    for name in ("a.fergus", "b.fergus"):
        result = run("train", small_treebank, "--quiet", "--out", name)
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    run("train", small_treebank, "--quiet", "--seed", "2", "--out", "c.fergus")
    contents = [(tmp_path / name).read_bytes() for name in ("a.fergus", "b.fergus", "c.fergus")]
    assert contents[0] == contents[1] != contents[2]


def test_several_treebanks(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bank"
    folder.mkdir()
    (folder / "a.conllu").write_bytes(small_treebank.read_bytes())
    assert run("train", "bank", small_treebank, "--out", "m.fergus").exit_code == 0
    info = json.loads(run("model", "info", "m.fergus", "--json").stdout)
    assert [source["treebank"] for source in info["treebanks"]] == ["bank", "small.conllu"]
    assert info["name"] == info["language"] == "und"


def test_mistakes_leave_no_file(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    def fails(*arguments: str | Path) -> str:
        result = run("train", *arguments)
        assert result.exit_code == 2
        return result.stderr

    (tmp_path / "bad.conllu").write_text("1\ta\n")
    (tmp_path / "latin.txt").write_bytes(b"good\nna\xefve\n")
    (tmp_path / "broken.gz").write_bytes(b"not gzip")
    before = sorted(tmp_path.iterdir())
    assert "Missing option '--out'" in fails(small_treebank)
    assert "bad.conllu:1: 2 columns" in fails("bad.conllu", "--out", "m.fergus")
    assert "none: the file cannot be read" in fails("none", "--out", "m.fergus")
    assert "none/m.fergus: cannot be written" in fails(small_treebank, "--out", "none/m.fergus")
    assert "latin.txt:2: byte 3 of the line is not valid UTF-8" in fails(
        small_treebank, "--text", "latin.txt", "--out", "m.fergus"
    )
    assert "broken.gz: the file cannot be read" in fails(small_treebank, "--text", "broken.gz", "--out", "m.fergus")
    assert "none: cannot be read" in fails(small_treebank, "--grammar", "none", "--out", "m.fergus").replace(
        "none/bracketed/treefams.dat", "none"
    )
    assert "r.rules: cannot be read" in fails(small_treebank, "--rules", "r.rules", "--out", "m.fergus")
    assert sorted(tmp_path.iterdir()) == before


def test_xtag_coverage_is_printed(monkeypatch: pytest.MonkeyPatch, run: Run, small_treebank: Path) -> None:
    from fergus.core.supertag import ElementaryTree
    from fergus.grammar.inventory import Grammar

    tree = ElementaryTree(
        "betaDnx", "gamma", "D", root="NP", foot="NP", side="left", bracketing="(NP D:headp NP:footp)"
    )
    monkeypatch.setattr("fergus.grammar.xtag.read_xtag", lambda folder: Grammar({"betaDnx": tree}))
    result = run("train", small_treebank, "--grammar", "xtag", "--out", "m.fergus")
    assert result.exit_code == 0, result.stderr
    assert " of 270 words\n" in result.stderr
    assert "--grammar xtag" in json.loads(run("model", "info", "m.fergus", "--json").stdout)["rebuild"]
    assert "XTAG" not in run("train", small_treebank, "--grammar", "xtag", "--quiet", "--out", "m.fergus").stderr


def test_rules_add_trees_to_the_grammar(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    (tmp_path / "my.rules").write_text('add tree "g.ADV(* obl)" for word "only"\n')
    result = run("train", small_treebank, "--rules", "my.rules", "--out", "m.fergus")
    assert result.exit_code == 0, result.stderr
    assert "--rules my.rules" in json.loads(run("model", "info", "m.fergus", "--json").stdout)["rebuild"]
    section = ModelFile(tmp_path / "m.fergus").section("supertag")
    assert "g.ADV(* obl)" in section.arrays["grammar"].tobytes().decode()


def test_the_command_that_rebuilds_a_model() -> None:
    command = rebuild_command(
        ["/home/me/a b.mrg", "wsj/"], texts=[], language="en", name="wsj", seed=3, grammar="/data/xtag/",
        rules=None, attribution="", input_format="bracketed",
    )  # fmt: skip
    assert command == (
        "fergus train 'a b.mrg' wsj --language en --name wsj --seed 3 --grammar xtag --input-format bracketed "
        "--out wsj.fergus"
    )


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("ud/en_ewt-ud-train.conllu", "en"),
        ("yue_hk.conllu", "yue"),
        ("wsj/", "und"),
        ("EN_x", "und"),
        ("trees_a", "und"),
    ],
)
def test_the_language_of_a_treebank(path: str, language: str) -> None:
    assert language_of(path) == language
