from __future__ import annotations

from pathlib import Path

import pytest

from fergus.core.tree import Choice, DependencyTree, Node
from fergus.errors import InputError
from fergus.realize.synonyms import OWN_WEIGHT, SynonymList, read_synonyms_tsv, with_synonyms

LIST = (
    "\ufeff# word, category, synonyms\nbuy\tVERB\tpurchase, acquire\r\n\nfirm\tNOUN\tcompany\tbusiness\n"
    "big\t\tlarge\nbuy\tVERB\tget,purchase\n"
)


def written(folder: Path, text: str) -> Path:
    path = folder / "synonyms.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_a_list(tmp_path: Path) -> None:
    synonyms = read_synonyms_tsv(written(tmp_path, LIST))
    assert synonyms.of("buy", "VERB") == ("purchase", "acquire", "get")
    assert synonyms.of("Firm", "NOUN") == ("company", "business")
    assert synonyms.of("firm", "ADJ") == ()
    assert synonyms.of("big", "ADJ") == synonyms.of("big", None) == ("large",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("buy\tVERB\tget\nbuy VERB get\n", ":2: 1 columns where 3 are needed; write word, tab"),
        ("buy\tverb\tget\n", ':1: "verb" is no part of speech; use ADJ, ADP'),
        ("\tVERB\tget\n", ":1: a word or a synonym is empty"),
        ("buy\tVERB\t\n", ":1: a word or a synonym is empty"),
        ("buy\tVERB\tget,,take\n", ":1: a word or a synonym is empty"),
        ("buy\tVERB\ttake over\n", ':1: "take over" has a space in it; give single words'),
        ("# nothing\n", "there is no synonym in the file"),
    ],
)
def test_bad_lists(tmp_path: Path, text: str, problem: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_synonyms_tsv(path)
    assert str(caught.value).startswith(str(path))
    assert problem in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_synonyms_tsv(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes(b"a\t\t\xff")
    with pytest.raises(InputError, match="byte 4 is not UTF-8"):
        read_synonyms_tsv(tmp_path / "latin.tsv")


def test_words_of_a_tree_become_words_to_choose_from() -> None:
    synonyms = SynonymList({("buy", "VERB"): ("purchase", "buy"), ("big", None): ("large",)})
    own = (Choice("firm", 2), Choice("company"))
    nodes = (
        Node("bought", "buy", "VERB", feats=(("Tense", "Past"),), deprel="root"),
        Node("Big"),
        Node("", upos="NOUN", alternatives=own),
        Node("it", "it", "PRON"),
        Node(""),
    )
    tree = with_synonyms(DependencyTree(nodes, (-1, 2, 0, 0, 0), source="t:1"), synonyms)
    buy = (Choice("buy", OWN_WEIGHT), Choice("purchase"))
    assert tree.nodes[0] == Node("", None, "VERB", feats=(("Tense", "Past"),), deprel="root", alternatives=buy)
    assert tree.nodes[1].alternatives == (Choice("Big", OWN_WEIGHT), Choice("large"))
    assert tree.nodes[2:] == nodes[2:]
    assert (tree.heads, tree.source) == ((-1, 2, 0, 0, 0), "t:1")
