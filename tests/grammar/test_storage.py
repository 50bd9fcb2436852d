"""Grammar files: round trip, and a clear error for every way to break one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fergus.core.supertag import ElementaryTree, Slot
from fergus.errors import InputError
from fergus.grammar.adjunction import Adjunction, AdjunctionTable
from fergus.grammar.extract import extract
from fergus.grammar.inventory import Grammar, LexicalEntry
from fergus.grammar.storage import load, save
from tests.grammar.trees import BOOK, DOG, SEES

GRAMMAR = extract([SEES, DOG, BOOK]).grammar


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "a.grammar"
    save(GRAMMAR, path)
    assert load(path) == GRAMMAR
    assert os.listdir(tmp_path) == ["a.grammar"]
    assert path.read_text(encoding="utf-8").startswith("fergus-grammar\t1\n[trees]\tname\tkind")


def test_everything_survives(tmp_path: Path) -> None:
    tree = ElementaryTree(
        "betax", "gamma", "V", (Slot("NP_0", True),), (Slot("S"),), "S_r", "S", "left", "T", ("PL",), "(S x)"
    )
    grammar = Grammar(
        {"betax": tree},
        {"wörd\t\\n": (LexicalEntry("betax", 3, "V", ("up", "to")),), "[trees]": (LexicalEntry("T"),)},
        AdjunctionTable({Adjunction("betax", "betax", "right", 2): 7}, {"betax": "V"}),
        {("NP_0", "N"): 4},
        {"saw": (("see", "V"), ("saw", "N"))},
    )
    save(grammar, tmp_path / "g")
    assert load(tmp_path / "g") == grammar


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 10**9), max_size=5))
def test_any_word_survives(tmp_path: Path, words: dict[str, int]) -> None:
    lexicon = {word: (LexicalEntry("g.DET", count),) for word, count in words.items()}
    grammar = Grammar(GRAMMAR.trees, lexicon, GRAMMAR.adjunction, GRAMMAR.fillers)
    save(grammar, tmp_path / "g")
    assert load(tmp_path / "g") == grammar


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "g"
    save(GRAMMAR, path)
    broken = Grammar({"x": ElementaryTree("x", "alpha", "\ud800")})
    with pytest.raises(UnicodeEncodeError):
        save(broken, path)
    assert load(path) == GRAMMAR
    assert os.listdir(tmp_path) == ["g"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write here"):
        save(GRAMMAR, tmp_path / "none" / "g")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "g")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fergus-grammar\t1", "something", ":1: not a grammar file: it begins with 'something'"),
        ("fergus-grammar\t1", "fergus-grammar\tone", ":1: not a grammar file"),
        (
            "fergus-grammar\t1",
            "fergus-grammar\t2",
            ":1: a grammar file of version 2, newer than this Fergus reads",
        ),
        ("[trees]\tname", "[woods]\tname", ":2: 12 columns.*expected, tab-separated: a section such as"),
        ("a.NOUN\talpha", "a.NOUN\tdelta", ":3: kind 'delta' is neither alpha nor gamma"),
        ("a.PRON\talpha", "a.NOUN\talpha", ":4: a second tree called 'a.NOUN'"),
        ("\tleft\t0\t", "\tup\t0\t", "side 'up' is neither left nor right"),
        ("\tleft\t0\t", "\tleft\tzero\t", "invalid literal for int.*gamma mother side gap count"),
        ("g.ADJ\ta.NOUN\t", "g.NONE\ta.NOUN\t", "no tree 'g.NONE'"),
        ("barks\t", "barks", ": 4 columns.*word name count"),
        ("barks\t", "ba\\rks\\q\t", "in 'ba"),
        ("barks\t", "barks\\\t", "in 'barks"),
        ("[end]\n", "", ": the file ends before"),
    ],
)
def test_broken_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "g"
    save(GRAMMAR, path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_bytes(b"fergus\xff")
    with pytest.raises(InputError, match="byte 6"):
        load(path)
