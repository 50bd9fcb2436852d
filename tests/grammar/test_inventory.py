"""Lookup, search, statistics."""

from __future__ import annotations

import pytest

from fergus.core.supertag import ElementaryTree
from fergus.errors import InputError
from fergus.grammar.extract import extract
from fergus.grammar.inventory import Grammar, LexicalEntry
from tests.grammar.trees import BOOK, DOG, SEES

GRAMMAR = extract([SEES, DOG, BOOK]).grammar
LISTED = Grammar(
    {name: ElementaryTree(name, "alpha", "V", family="T") for name in ("alphaa", "alphab")},
    {"see": (LexicalEntry("T", 0, "V"),), "saw": (LexicalEntry("alphaa", 0, "N"),)},
    morphology={"saw": (("see", "V"), ("saw", "N"))},
)


def test_lookup() -> None:
    assert GRAMMAR.tree("g.DET").category == "DET"
    assert [tree.name for tree in GRAMMAR.by_category("VERB")] == ["a.VERB(nsubj * obj)", "a.VERB(nsubj *)"]
    assert GRAMMAR.by_word("nothing") == {}
    assert GRAMMAR.counts["a.PRON"] == 3
    assert GRAMMAR.anchors["a.PRON"] == [("she", 2), ("her", 1)]


def test_an_unknown_name_is_an_error_with_names_near_it() -> None:
    with pytest.raises(InputError, match=r"no tree is called 'g\.D'; perhaps: g\.DET"):
        GRAMMAR.tree("g.D")
    with pytest.raises(InputError, match="fergus grammar search"):
        GRAMMAR.tree("zzz")


def test_families_and_morphology_lead_to_trees() -> None:
    assert LISTED.by_word("see") == {"alphaa": 0, "alphab": 0}
    assert LISTED.by_word("saw") == {"alphaa": 0}
    assert LISTED.by_form("saw") == {"alphaa": 0, "alphab": 0}
    assert LISTED.by_form("see") == {"alphaa": 0, "alphab": 0}
    assert LISTED.counts == {}


def test_search() -> None:
    assert [t.name for t in GRAMMAR.search("verb")] == ["a.VERB(nsubj * obj)", "a.VERB(nsubj *)"]
    assert [t.name for t in GRAMMAR.search("^g.*T$", regex=True)] == ["g.DET"]
    assert [t.name for t in GRAMMAR.search(word="she")] == ["a.PRON"]
    assert [t.name for t in GRAMMAR.search("g.", category="ADJ")] == ["g.ADJ"]
    assert len(GRAMMAR.search()) == len(GRAMMAR.trees)
    with pytest.raises(InputError, match="not a regular expression"):
        GRAMMAR.search("(", regex=True)


def test_positions_by_name() -> None:
    assert GRAMMAR.positions("g.ADV", "a.VERB(nsubj *)")[0][:2] == ("left", 0)
