"""A tiny parser, trained once for all tests of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

SMALL = Path(__file__).resolve().parents[1] / "fixtures" / "small.conllu"
TOKENIZER = "dimension=16;epochs=1;segment_size=10;batch_size=100"
TAGGER = "models=1;iterations=2"
PARSER = "iterations=2;hidden_layer=8;embedding_form=8;structured_interval=0"


@pytest.fixture(scope="session")
def tiny_parser_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of tokenizer, tagger and parser that knows forty sentences."""
    from fergus.treebank.train_parser import ParserSettings, train_parser

    settings = ParserSettings(TOKENIZER, TAGGER, TAGGER, PARSER, folds=2)
    path = tmp_path_factory.mktemp("parser") / "tiny.udpipe"
    path.write_bytes(train_parser([SMALL], settings=settings))
    return path
