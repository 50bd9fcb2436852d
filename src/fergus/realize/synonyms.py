"""Synonyms of the words of a tree, from a list the user keeps, become words to choose from (section 5).

    # word  UPOS or nothing   synonyms: one a column, or several in one with commas between
    buy     VERB              purchase,acquire
    firm    NOUN              company   business
    big                       large

Columns are separated by tabs; lines that are empty or begin with "#" are passed over. What is said of a word twice
adds up. A line without a category is for words of any category, also of none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from fergus.core.tree import Choice, DependencyTree, Node
from fergus.errors import InputError

CATEGORIES = frozenset(
    [
        "ADJ",
        "ADP",
        "ADV",
        "AUX",
        "CCONJ",
        "DET",
        "INTJ",
        "NOUN",
        "NUM",
        "PART",
        "PRON",
        "PROPN",
        "PUNCT",
        "SCONJ",
        "SYM",
        "VERB",
        "X",
    ]
)
"""The parts of speech of Universal Dependencies."""


OWN_WEIGHT = 3.0
"""Of the word that the input has beside each of its synonyms, many of which are of another sense."""


class Synonyms(Protocol):
    """Anything that knows words of the same meaning."""

    def of(self, lemma: str, upos: str | None) -> tuple[str, ...]:
        """The synonyms of a lemma, without itself, those of its most frequent sense first."""
        ...


@dataclass(frozen=True)
class SynonymList:
    """Synonyms by word and category, or by word and None."""

    entries: dict[tuple[str, str | None], tuple[str, ...]]

    def of(self, lemma: str, upos: str | None) -> tuple[str, ...]:
        """Those of the word in this category first, then those of the word in any; it may be in small letters."""
        keys = [(word, category) for category in (upos, None) for word in (lemma, lemma.lower())]
        found = dict.fromkeys(synonym for key in keys for synonym in self.entries.get(key, ()))
        return tuple(synonym for synonym in found if synonym != lemma)


def read_synonyms_tsv(path: Path) -> SynonymList:
    """The synonyms of a file; InputError with its line for what cannot be used."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", path=str(path), remedy="name a file of synonyms"
        ) from None
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8", path=str(path), remedy="save it as UTF-8") from None
    entries: dict[tuple[str, str | None], list[str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            try:
                word, upos, synonyms = _entry(line.rstrip("\r"))
            except InputError as error:
                raise InputError(error.problem, path=str(path), line=number, remedy=error.remedy) from None
            entries.setdefault((word, upos), []).extend(synonyms)
    if not entries:
        raise InputError("there is no synonym in the file", path=str(path), remedy=_FORMAT)
    return SynonymList({key: tuple(dict.fromkeys(words)) for key, words in entries.items()})


_FORMAT = "write word, tab, UPOS or nothing, tab, synonyms with commas between"


def _entry(line: str) -> tuple[str, str | None, list[str]]:
    columns = [column.strip() for column in line.split("\t")]
    if len(columns) < 3:
        raise InputError(f"{len(columns)} columns where 3 are needed", remedy=_FORMAT)
    word, upos = columns[0], columns[1]
    if upos and upos not in CATEGORIES:
        raise InputError(
            f'"{upos[:40]}" is no part of speech', remedy=f"use {', '.join(sorted(CATEGORIES))}, or nothing"
        )
    synonyms = [synonym.strip() for column in columns[2:] if column for synonym in column.split(",")]
    if not word or not synonyms or "" in synonyms:
        raise InputError("a word or a synonym is empty", remedy=_FORMAT)
    for item in (word, *synonyms):
        if " " in item:
            raise InputError(f'"{item[:40]}" has a space in it', remedy="give single words: they are inflected")
    return word, upos or None, synonyms


def with_synonyms(tree: DependencyTree, synonyms: Synonyms) -> DependencyTree:
    """The tree with each word that has synonyms, and no alternatives, replaced by itself and them to choose from.

    They are lemmas; a node without lemma is looked up by its form.
    """
    nodes = tuple(_opened(node, synonyms) for node in tree.nodes)
    return tree.with_nodes(nodes)


def _opened(node: Node, synonyms: Synonyms) -> Node:
    word = node.lemma if node.lemma is not None else node.form
    if node.alternatives or not word:
        return node
    if node.feats is None and node.lemma is not None and node.form.lower() != node.lemma.lower():
        return node  # its form could not be made again
    others = synonyms.of(word, node.upos)
    if not others:
        return node
    choices = [Choice(word, OWN_WEIGHT), *(Choice(other) for other in _distinct(others) if other != word)]
    return replace(node, form="", lemma=None, alternatives=tuple(choices))


def _distinct(words: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(words)
