from __future__ import annotations

from pathlib import Path

import pytest

from fergus.errors import InputError
from fergus.treebank.parse import load_parser
from fergus.treebank.train_parser import NONE, ParserSettings, documents_of, train_parser
from fergus.treebank.word_vectors import VectorSettings, word_vectors

from .conftest import PARSER, SMALL, TAGGER, TOKENIZER

ROW = "1\t{0}\t{0}\tX\t_\t_\t0\troot\t_\t_\n"


def conllu(*sentences: str) -> str:
    """One-word sentences; what follows a bar is a comment before the word."""
    blocks = []
    for sentence in sentences:
        word, bar, comment = sentence.partition("|")
        blocks.append((f"# {comment}\n" if bar else "") + ROW.format(word) + "\n")
    return "".join(blocks)


def test_documents_begin_where_the_treebank_says(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(conllu("a", "b|newdoc id = 1", "c", "d|newdoc"))
    # What stands before the first mark belongs to the first document.
    assert [text.count("root") for text in documents_of(path)] == [3, 1]
    path.write_text("\ufeff" + conllu("a", "b", "c").replace("\n", "\r\n"))
    assert [text.split("\t")[1] for text in documents_of(path)] == ["a", "b", "c"]


def test_a_bad_treebank_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(conllu("a") + "1\tb\tb\tX\t_\t_\t7\troot\t_\t_\n\n")
    with pytest.raises(InputError, match=r"bad\.conllu:3"):
        train_parser([path])
    path.write_text("\n")
    with pytest.raises(InputError, match="there is no sentence in the input"):
        train_parser([path])


def test_options_that_udpipe_does_not_know(tmp_path: Path) -> None:
    for settings in (
        ParserSettings(tokenizer="dimension=7;epochs=1", tagger=NONE, parser=NONE),
        ParserSettings(tokenizer=NONE, tagger="models=9", parser=NONE),
        ParserSettings(tokenizer=NONE, tagger=NONE, parser="transition_system=magic"),
    ):
        with pytest.raises(InputError, match="UDPipe cannot train: "):
            train_parser([SMALL], settings=settings)


def test_the_same_bytes_every_time_with_vectors_and_heldout(tmp_path: Path) -> None:
    sentences = [text.split("\t")[1::9] for text in documents_of(SMALL)]
    vectors = word_vectors(sentences, settings=VectorSettings(dimension=8))
    messages: list[str] = []

    def model() -> bytes:
        settings = ParserSettings(NONE, TAGGER, TAGGER, PARSER, folds=2)
        return train_parser([SMALL], heldout=SMALL, vectors=vectors, settings=settings, log=messages.append)

    first = model()
    assert first == model()
    assert messages[:4] == [
        "training the tagger",
        "tagging part 1 of 2 by a tagger of the others",
        "tagging part 2 of 2 by a tagger of the others",
        "training the parser",
    ]
    path = tmp_path / "model.udpipe"
    path.write_bytes(first)
    assert load_parser(path).parse_tokens([["The", "dog", "barked", "."]])[0].forms[1] == "dog"


def test_one_fold_is_tagged_by_the_tagger_itself() -> None:
    messages: list[str] = []
    settings = ParserSettings(TOKENIZER, TAGGER, TAGGER, PARSER, folds=1)
    train_parser([SMALL], settings=settings, log=messages.append)
    assert messages == ["training the tokenizer", "training the tagger", "training the parser"]
