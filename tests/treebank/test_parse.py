from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fergus.errors import InputError, ModelError
from fergus.treebank.parse import check_not_empty, encodable, find_parser, join_roots, load_parser


def test_a_name_a_path_or_neither(tiny_parser_file: Path) -> None:
    assert load_parser("en").name == "en"
    assert load_parser().signature == load_parser("en").signature
    assert load_parser(tiny_parser_file).name == "tiny"
    assert load_parser(str(tiny_parser_file)).name == "tiny"
    with pytest.raises(ModelError, match=r"klingon: no such parser; give the name of a shipped one \(.*en.*\)"):
        load_parser("klingon")
    with pytest.raises(ModelError, match="no such parser"):
        find_parser("../models/en")  # a name is no path


def test_spacy_is_found_by_its_prefix() -> None:
    with pytest.raises(
        ModelError, match=r"spacy:no_such_pipeline: (spaCy is not installed; run: pip|no such pipeline)"
    ):
        load_parser("spacy:no_such_pipeline")


def test_a_second_root_becomes_a_daughter_of_the_first() -> None:
    #   a   b   c        b and c are roots: c becomes b's daughter, whatever it was called.
    heads, deprels = [1, -1, -1], ["det", "root", "root"]
    join_roots(heads, deprels)
    assert (heads, deprels) == ([1, -1, 1], ["det", "root", "dep"])
    join_roots(heads, deprels)
    assert heads == [1, -1, 1]


def test_sentences_are_lists_of_tokens() -> None:
    check_not_empty([["a"], ("b", "c")])
    with pytest.raises(InputError, match="sentence 2 has no tokens"):
        check_not_empty([["a"], []])
    with pytest.raises(TypeError, match="sentence 1 is a string"):
        check_not_empty(["a b"])


def test_what_utf8_cannot_hold_is_replaced() -> None:
    assert encodable("a\ud800b\0c é") == "a?b c é"


def test_the_treebank_package_does_not_load_the_parser() -> None:
    program = "import sys, fergus.treebank, fergus.treebank.parse; sys.exit('ufal.udpipe' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
