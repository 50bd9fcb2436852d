from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

QUICK = (
    "--tokenizer", "dimension=16;epochs=1;segment_size=10;batch_size=100",
    "--tagger", "models=1;iterations=1",
    "--parser", "iterations=1;hidden_layer=8;structured_interval=0",
    "--folds", "1",
)  # fmt: skip


def test_a_model_that_parses_and_the_same_bytes(
    run: Run, small_treebank: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "more.txt").write_text("The dog barked at the other dog. " * 5)
    command = ("train-parser", small_treebank, "--heldout", small_treebank, "--text", "more.txt", *QUICK)
    result = run(*command, "--out", "a.udpipe")
    assert result.exit_code == 0
    assert "vectors of" in result.stderr
    assert "training the parser" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("a.udpipe: 0.")
    assert "Iteration 1" in capfd.readouterr().err  # UDPipe's own
    assert run(*command, "--out", "b.udpipe", "--quiet").stderr == ""
    assert capfd.readouterr().err == ""
    assert (tmp_path / "a.udpipe").read_bytes() == (tmp_path / "b.udpipe").read_bytes()
    parsed = run("parse", "--model", "a.udpipe", "--input", "tokens", "--output", "tokens", stdin="The dog .\n")
    assert parsed.stdout == "The dog .\n"


def test_without_vectors(run: Run, small_treebank: Path) -> None:
    result = run("train-parser", small_treebank, *QUICK, "--no-vectors", "--tokenizer", "none", "--out", "a.udpipe")
    assert result.exit_code == 0
    assert "vectors" not in result.stderr
    assert "tokenizer" not in result.stderr
    assert "the model has no tokenizer" in run("parse", "-m", "a.udpipe", stdin="a").stderr


def test_mistakes(run: Run, small_treebank: Path, tmp_path: Path) -> None:
    assert run("train-parser", "none.conllu", "--out", "a").exit_code == 2
    both = run("train-parser", small_treebank, "--no-vectors", "--text", "a.txt", "--out", "a")
    assert "--text or --no-vectors, not both" in both.stderr
    nowhere = run("train-parser", small_treebank, "--out", "none/a.udpipe")
    assert "none/a.udpipe: cannot be written" in nowhere.stderr
    bad = run("train-parser", small_treebank, *QUICK, "--no-vectors", "--tagger", "models=9", "--out", "a", "-q")
    assert (bad.exit_code, bad.stderr.startswith("Error: UDPipe cannot train: ")) == (2, True)
    assert not (tmp_path / "a").exists()
