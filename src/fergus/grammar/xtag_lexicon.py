"""Reads XTAG's lexicon: which words anchor which trees and families, and the lemma of each word form.

    <<INDEX>>look<<ENTRY>>look<<POS>>V<<ENTRY>>up<<POS>>PL<<FAMILY>>Tnx0Vplnx1      syntax/syntax-coded.flat
    <<INDEX>>%s<<ENTRY>>%s<<POS>>V<<FAMILY>>Tnx0Vnx1 Tnx0V                          syntax/syndefaults.dat
    looked   look V PAST WK#look V PPART WK                                        morphology/trunc_morph.flat

In the lexicon of the ``Grammar`` the defaults for words that XTAG does not list stand under ``%s``.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from fergus.errors import InputError
from fergus.grammar.inventory import LexicalEntry
from fergus.grammar.source import xtag_lines

DEFAULT_WORD = "%s"
PREFIXES = {"\x02": "alpha", "\x03": "beta"}
FIELDS = ("INDEX", "ENTRY", "POS", "TREES", "FAMILY", "FEATURES", "EXAMPLES")


def tree_name(coded: str) -> str:
    """The name of a tree with its first byte spelled out: ``betaDnx``."""
    return PREFIXES.get(coded[:1], "") + (coded[1:] if coded[:1] in PREFIXES else coded)


def read_lexicon(
    folder: Path, *, trees: Collection[str], families: Collection[str]
) -> dict[str, tuple[LexicalEntry, ...]]:
    """Every word's entries in the order of the file; an entry that names an unknown tree is an error."""
    entries: dict[str, list[LexicalEntry]] = {}
    for name in ("syndefaults.dat", "syntax-coded.flat"):
        path = folder / "syntax" / name
        for number, line in enumerate(xtag_lines(path), start=1):
            if not line.strip():
                continue
            word, found = parse_entry(line, str(path), number)
            for entry in found:
                if entry.name not in trees and entry.name not in families:
                    raise InputError(
                        f"{word!r} names the tree or family {entry.name!r}, which the grammar lacks",
                        path=str(path), line=number, remedy="lexicon and trees are of different releases",
                    )  # fmt: skip
            entries.setdefault(word, []).extend(found)
    return {word: tuple(dict.fromkeys(entries[word])) for word in sorted(entries)}


def parse_entry(line: str, path: str, number: int) -> tuple[str, list[LexicalEntry]]:
    """The index word of a line and what it anchors."""
    index, words, categories, names = "", list[str](), list[str](), list[str]()
    for part in line.rstrip().split("<<")[1:]:
        key, closed, value = part.partition(">>")
        if not closed or key not in FIELDS:
            raise InputError(
                f"unknown field {part[:20]!r}",
                path=path,
                line=number,
                remedy=f"known: {' '.join(FIELDS)}",
            )
        if key == "INDEX":
            index = value
        elif key == "ENTRY":
            words.append(value)
        elif key == "POS":
            categories.append(value.rstrip("1234"))
        elif key in ("TREES", "FAMILY"):
            names.extend(tree_name(coded) for coded in value.split())
    if not index or not names or not words or len(words) != len(categories):
        raise InputError(
            f"an entry that is cut off: {line[:60]!r}",
            path=path, line=number, remedy="expected INDEX, ENTRY, POS and TREES or FAMILY",
        )  # fmt: skip
    main = words.index(index) if index in words else 0
    others = tuple(word for place, word in enumerate(words) if place != main)
    return index, [LexicalEntry(name, 0, categories[main], others) for name in names]


def read_morphology(folder: Path) -> dict[str, tuple[tuple[str, str], ...]]:
    """For every form its (lemma, part of speech) pairs; other features are dropped."""
    path = folder / "morphology" / "trunc_morph.flat"
    result: dict[str, tuple[tuple[str, str], ...]] = {}
    for number, line in enumerate(xtag_lines(path), start=1):
        form, _, analyses = line.partition("\t")
        pairs: dict[tuple[str, str], None] = {}
        for analysis in analyses.strip().split("#"):
            lemma, _, features = analysis.partition("\t")
            if not lemma or not features.strip():
                raise InputError(
                    f"a form that cannot be read: {line[:60]!r}",
                    path=str(path), line=number, remedy="expected form, tab, tab, lemma, tab, features",
                )  # fmt: skip
            pairs[lemma.strip(), features.split()[0]] = None
        result[form.strip()] = tuple(pairs)
    return result
