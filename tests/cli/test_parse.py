from __future__ import annotations

import gzip
import json
import multiprocessing
from functools import cache
from pathlib import Path

import pytest

from fergus.cli import parsing
from fergus.cli.parse import INPUTS, OUTPUTS
from fergus.cli.parsing import parsed, passages
from fergus.exchange.passages import Passage
from fergus.treebank import load_parser, read_trees

from .conftest import Run

load_once = cache(load_parser)
TEXT = "The dog barked. It didn't\nbite.\n\nA cat slept\n"


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.treebank.parse.load_parser", load_once)


def test_running_text_from_standard_input(run: Run, tmp_path: Path) -> None:
    result = run("parse", stdin=TEXT)
    assert result.exit_code == 0
    (tmp_path / "a.conllu").write_text(result.stdout)
    trees = list(read_trees(tmp_path / "a.conllu"))
    assert [" ".join(tree.forms) for tree in trees] == ["The dog barked .", "It did n't bite .", "A cat slept"]
    metadata = [dict(tree.tree.metadata) for tree in trees]
    assert [found["sent_id"] for found in metadata] == ["1", "2", "3"]
    assert ["newpar" in found for found in metadata] == [True, False, True]
    assert metadata[1]["multiword 2-3"] == "didn't"
    assert result.stderr.startswith("3 sentences, 12 words in ")


def test_every_output(run: Run) -> None:
    outputs = {output: run("parse", "--output", output, "-q", stdin="The dog barked.") for output in OUTPUTS}
    assert all(result.exit_code == 0 and not result.stderr for result in outputs.values())
    assert outputs["tokens"].stdout == "The dog barked .\n"
    assert outputs["notation"].stdout.startswith("barked/VERB:root[")
    assert json.loads(outputs["json"].stdout)["form"] == "barked"
    assert outputs["conllu"].stdout.splitlines()[0] == "# sent_id = 1"


def test_one_sentence_a_line(run: Run) -> None:
    result = run("parse", "-i", "lines", "--output", "tokens", stdin="It rains. It pours.\nDon't go\n")
    assert result.stdout == "It rains . It pours .\nDo n't go\n"


def test_tokens_are_kept(run: Run) -> None:
    line = "It rains. don't\t10\u00a0000 _ 😀\n"
    result = run("parse", "-i", "tokens", "--output", "tokens", "-q", stdin=line)
    assert result.stdout == line.replace("\t", " ")


def test_files_plain_and_compressed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One dog.")
    with gzip.open(tmp_path / "b.txt.gz", "wt") as stream:
        stream.write("Two dogs.\r\n")
    result = run("parse", "a.txt", "b.txt.gz", "--output", "tokens", "--out", "c.txt")
    assert result.exit_code == 0
    assert (tmp_path / "c.txt").read_text() == "One dog .\nTwo dogs .\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("none.txt",), "", "none.txt: the file cannot be read (No such file or directory); check the name"),
        (("-i", "lines"), "a\n\nb\n", "<stdin>:2: the line is empty, and every line must be a sentence; remove it"),
        (("-i", "tokens"), "a\n \t\n", "<stdin>:2: the line is empty"),
        ((), b"abc\nd\xff\n", "<stdin>:2: byte 2 of the line (0xff) is not valid UTF-8; save the file as UTF-8"),
        ((), b"x" * (1 << 21), "<stdin>:1: the line is longer than 1,048,576 bytes; put line ends between sentences"),
        (("-m", "klingon"), "a", "klingon: no such parser"),
        (("-m", "spacy:none"), "a", "spacy:none: "),
    ],
)
def test_mistakes(run: Run, arguments: tuple[str, ...], stdin: str | bytes, message: str, tmp_path: Path) -> None:
    result = run("parse", *arguments, "--out", "out.txt", stdin=stdin)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert not (tmp_path / "out.txt").exists()


def test_a_broken_archive_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"A dog.\n" * 1000)[:-9])
    result = run("parse", "a.txt.gz")
    assert result.exit_code == 2
    assert "a.txt.gz:" in result.stderr


def test_empty_input_is_no_trees(run: Run) -> None:
    for given in INPUTS:
        result = run("parse", "-i", given, stdin="")
        assert (result.exit_code, result.stdout) == (0, "")


def test_passages_are_paragraphs_or_some_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a\nb\n\n\n \nc\n")
    assert list(passages([str(path)], "text")) == [Passage(str(path), 1, ["a", "b"]), Passage(str(path), 6, ["c"])]
    path.write_text("a\nb\nc\n")
    monkeypatch.setattr("fergus.exchange.passages.LINES_A_PASSAGE", 2)
    assert [(p.first, p.lines) for p in passages([str(path)], "lines")] == [(1, ["a", "b"]), (3, ["c"])]
    # A paragraph that does not end is cut at the end of a line.
    monkeypatch.setattr("fergus.exchange.passages.LONGEST_PARAGRAPH", 0)
    assert [p.lines for p in passages([str(path)], "text")] == [["a"], ["b"], ["c"]]


def test_workers_give_the_same_trees_in_order(run: Run) -> None:
    text = "".join(f"Dog number {n} barked.\n\n" for n in range(50))
    assert run("parse", "-j", "2", "-q", stdin=text).stdout == run("parse", "-q", stdin=text).stdout
    assert not multiprocessing.active_children()


def test_what_a_worker_does() -> None:
    batch = [Passage("a", 1, ["A dog.", "Two dogs."])]
    for given in INPUTS:
        found = parsing.Parsing("en", given)(batch)
        assert found == list(parsed(batch, model="en", given=given))
