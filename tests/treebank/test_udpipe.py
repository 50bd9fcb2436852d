from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.tree import ROOT
from fergus.errors import InputError, ModelError
from fergus.treebank import write_conllu
from fergus.treebank.parse import Parser, load_parser
from fergus.treebank.read import read_trees
from fergus.treebank.train_parser import ParserSettings, train_parser
from fergus.treebank.udpipe import load_udpipe

from .conftest import SMALL, TAGGER, TOKENIZER

LIMIT_MEGABYTES = 15


@cache
def shipped() -> Parser:
    return load_parser("en")


@pytest.fixture(scope="module")
def english() -> Parser:
    return shipped()


def test_a_simple_sentence(english: Parser) -> None:
    (tree,) = english.parse_tokens([["The", "dog", "barked", "at", "the", "cat", "."]])
    nodes = tree.tree.nodes
    assert nodes[tree.tree.root].form == "barked"
    assert [node.upos for node in nodes] == ["DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"]
    assert [node.deprel for node in nodes] == ["det", "nsubj", "root", "case", "det", "obl", "punct"]
    assert nodes[2].lemma == "bark"
    assert nodes[1].feats == (("Number", "Sing"),)
    assert [node.identifier for node in nodes] == list("1234567")


def test_running_text_is_split_into_sentences(english: Parser) -> None:
    trees = english.parse_text("I don't know. Ask her!\n\nA new paragraph")
    assert [tree.forms for tree in trees] == [
        ("I", "do", "n't", "know", "."),
        ("Ask", "her", "!"),
        ("A", "new", "paragraph"),
    ]
    metadata = [dict(tree.tree.metadata) for tree in trees]
    assert metadata[0]["text"] == "I don't know."
    assert metadata[0]["multiword 2-3"] == "don't"
    assert ["newpar" in found for found in metadata] == [True, False, True]
    assert trees[0].tree.nodes[3].misc == "SpaceAfter=No"
    assert trees[2].tree.nodes[2].misc is None
    assert english.parse_text("") == english.parse_text(" \n\n ") == []


def test_a_line_is_one_sentence(english: Parser) -> None:
    assert english.tokenize("I can't.  Go\ton\nnow.") == ["I", "ca", "n't", ".", "Go", "on", "now", "."]
    assert english.tokenize(" \n") == []
    assert english.parse_line("It rains. It pours.").forms == ("It", "rains", ".", "It", "pours", ".")
    with pytest.raises(InputError, match="the line has no words"):
        english.parse_line("  ")


def test_what_was_parsed_can_be_written_and_read_again(english: Parser, tmp_path: Path) -> None:
    trees = english.parse_text("I don't know. Ask her, won't you?")
    path = tmp_path / "a.conllu"
    path.write_text("".join(write_conllu(tree.tree, tree.order) for tree in trees))
    back = list(read_trees(path))
    assert [(t.forms, t.tree.heads, t.tree.nodes) for t in back] == [
        (t.forms, t.tree.heads, t.tree.nodes) for t in trees
    ]


@given(st.lists(st.lists(st.text(max_size=5), min_size=1, max_size=8), max_size=3))
@settings(max_examples=60)
def test_any_tokens_are_kept(sentences: list[list[str]]) -> None:
    trees = shipped().parse_tokens(sentences)
    assert [list(tree.forms) for tree in trees] == sentences
    assert all(tree.tree.heads.count(ROOT) == 1 for tree in trees)


def test_odd_tokens_are_kept(english: Parser) -> None:
    odd = ["", " ", "a b", "\t", "\n", "\u200b", "\u00a0", "\ud800", "\0", "_", "1-2", "😀", "x" * 10_000]
    (tree,) = english.parse_tokens([odd])
    assert list(tree.forms) == odd
    assert english.parse_text("a\0b \ud800 c")[0].forms[0] == "a"


def test_a_long_sentence(english: Parser) -> None:
    tokens = ["the", "dog", "saw", "a", "cat", "and"] * 334
    (tree,) = english.parse_tokens([tokens])
    assert tree.forms == tuple(tokens)
    assert english.parse_tokens([]) == []


def test_the_signature_names_model_and_program(english: Parser, tiny_parser_file: Path) -> None:
    name, digest, version = english.signature.split("|")
    assert name == "udpipe:en"
    assert len(digest.removeprefix("sha256:")) == 12
    assert version.startswith("version:1.")
    assert load_udpipe(tiny_parser_file).signature.split("|")[1] != digest


def test_files_that_are_no_models(tiny_parser_file: Path, tmp_path: Path) -> None:
    content = tiny_parser_file.read_bytes()
    path = tmp_path / "bad.udpipe"
    for data, problem in (
        (b"", "no model of UDPipe 1; give a file that"),
        (b"FERGUS01" + content, "no model of UDPipe 1"),
        (content[:19], r"the model is broken \(19 bytes\); get the whole file"),
        (content[: len(content) // 2], "the model is broken"),
    ):
        path.write_bytes(data)
        with pytest.raises(ModelError, match=problem) as caught:
            load_udpipe(path)
        assert str(caught.value).startswith(str(path))
    with pytest.raises(ModelError, match=r"the model cannot be read \(.*\); check the name"):
        load_udpipe(tmp_path)


@pytest.mark.parametrize(
    ("components", "problem"),
    [
        ({"tokenizer": "none", "tagger": TAGGER}, "the model has no tokenizer; give tokens"),
        ({"tokenizer": TOKENIZER, "tagger": TAGGER}, "the model has no parser"),
        ({"tokenizer": TOKENIZER, "tagger": "none"}, "the model has no tagger"),
    ],
)
def test_models_that_lack_a_component(components: dict[str, str], problem: str, tmp_path: Path) -> None:
    path = tmp_path / "part.udpipe"
    path.write_bytes(train_parser([SMALL], settings=ParserSettings(**components, parser="none")))
    with pytest.raises(ModelError, match=f"part: {problem}"):
        load_udpipe(path).parse_text("A dog.")


def test_the_shipped_model_is_small() -> None:
    from fergus.treebank.parse import find_parser

    assert find_parser("en").stat().st_size <= LIMIT_MEGABYTES * 1_000_000


@pytest.mark.data
def test_the_shipped_model_parses_well(english: Parser, data_dir: Path) -> None:
    from benchmarks.conll18 import raw_text, scores

    gold = list(read_trees(data_dir / "ud" / "en_ewt-dev.conllu"))[::4]
    found = scores(gold, [tree for one in gold for tree in english.parse_text(raw_text([one]))])
    # When it was shipped: LAS 79.5, UPOS 92.9, tokens 99.3 on this slice.
    assert found["las"] >= 78
    assert found["upos"] >= 92
    assert found["tokens"] >= 99


def test_tags_without_trees_are_those_of_the_trees(english: Parser) -> None:
    sentences = [["The", "plan", "failed", "."], ["Go", "!"]]
    trees = english.parse_tokens(sentences)
    assert english.tag_tokens(sentences) == [[node.upos for node in tree.tree.nodes] for tree in trees]
