"""Grammars as files: one readable, versioned text file, tab-separated, written whole or not at all.

fergus-grammar  1
[trees]         name kind category left right root foot side family co-anchors bracketing
[lexicon]       word name count category co-anchors
[adjunction]    gamma mother side gap count
[fillers]       slot category count
[morphology]    form lemma category
[end]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from fergus.core.supertag import ElementaryTree, Kind, Side, Slot
from fergus.errors import InputError
from fergus.file_version import check_version
from fergus.grammar.adjunction import Adjunction, AdjunctionTable
from fergus.grammar.inventory import Grammar, LexicalEntry
from fergus.grammar.source import read_utf8
from fergus.whole_file import WholeFile

MAGIC = "fergus-grammar"
VERSION = 1
COLUMNS = {
    "trees": (
        "name", "kind", "category", "left", "right", "root", "foot", "side", "family", "co-anchors",
        "bracketing",
    ),
    "lexicon": ("word", "name", "count", "category", "co-anchors"),
    "adjunction": ("gamma", "mother", "side", "gap", "count"),
    "fillers": ("slot", "category", "count"),
    "morphology": ("form", "lemma", "category"),
}  # fmt: skip
ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
UNESCAPES = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}


def save(grammar: Grammar, path: str | Path) -> None:
    """Write the grammar to ``path``; an interrupted write leaves what was there before."""
    try:
        file = WholeFile(path)
    except OSError as error:
        raise InputError(f"cannot write here: {error.strerror}", path=str(path)) from None
    with file as stream:
        stream.writelines((line + "\n").encode() for line in lines_of(grammar))


def lines_of(grammar: Grammar) -> Iterator[str]:
    """The lines of the file, sorted within each section, so that equal grammars give equal files."""
    yield f"{MAGIC}\t{VERSION}"
    yield heading("trees")
    for name in sorted(grammar.trees):
        t = grammar.trees[name]
        yield row(
            t.name, t.kind, t.category, slots_text(t.left), slots_text(t.right), t.root, t.foot,
            t.side or "", t.family, " ".join(t.co_anchors), t.bracketing,
        )  # fmt: skip
    yield heading("lexicon")
    for word in sorted(grammar.lexicon):
        for e in grammar.lexicon[word]:
            yield row(word, e.name, e.count, e.category, " ".join(e.co_anchors))
    yield heading("adjunction")
    for adjunction, count in sorted(grammar.adjunction.counts.items()):
        yield row(*adjunction, count)
    yield heading("fillers")
    for filler, count in sorted(grammar.fillers.items()):
        yield row(*filler, count)
    yield heading("morphology")
    for form in sorted(grammar.morphology):
        for lemma, category in grammar.morphology[form]:
            yield row(form, lemma, category)
    yield "[end]"


def heading(section: str) -> str:
    """The line that opens a section and names its columns."""
    return "\t".join([f"[{section}]", *COLUMNS[section]])


def row(*cells: str | int) -> str:
    """One line; backslash, tab and line ends inside a cell are escaped."""
    return "\t".join("".join(ESCAPES.get(c, c) for c in str(cell)) for cell in cells)


def slots_text(slots: tuple[Slot, ...]) -> str:
    """Slots in one cell, optional ones with a question mark."""
    return " ".join(slot.category + ("?" if slot.optional else "") for slot in slots)


def slots_of(text: str) -> tuple[Slot, ...]:
    """The reverse of ``slots_text``."""
    return tuple(Slot(part.removesuffix("?"), part.endswith("?")) for part in text.split())


def unescape(cell: str) -> str:
    """The reverse of the escapes of ``row``."""
    if "\\" not in cell:
        return cell
    characters = iter(cell)
    return "".join(UNESCAPES[next(characters)] if c == "\\" else c for c in characters)


def load(path: str | Path) -> Grammar:
    """Read a grammar that ``save`` wrote."""
    return parse_grammar(read_utf8(path), path=str(path))


def parse_grammar(text: str, *, path: str = "") -> Grammar:
    """The grammar of a text that ``save`` wrote; ``path`` is for messages."""
    lines = text.removesuffix("\n").split("\n")
    magic, _, version = lines[0].partition("\t")
    if magic != MAGIC or not re.fullmatch(r"[0-9]{1,9}", version.strip()):
        raise InputError(
            f"not a grammar file: it begins with {lines[0][:40]!r}",
            path=path, line=1, remedy=f"the first line must be {MAGIC!r}, a tab and a version",
        )  # fmt: skip
    check_version(int(version), what="a grammar file", newest=VERSION, path=path, line=1)
    return Loader(path).read(lines)


class Loader:
    """Collects the rows of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.trees: dict[str, ElementaryTree] = {}
        self.lexicon: dict[str, list[LexicalEntry]] = {}
        self.adjunctions: dict[Adjunction, int] = {}
        self.fillers: dict[tuple[str, str], int] = {}
        self.morphology: dict[str, list[tuple[str, str]]] = {}

    def read(self, lines: list[str]) -> Grammar:
        """All rows after the first line."""
        section = ""
        rows: dict[str, Callable[[list[str]], None]] = {
            "trees": self.tree, "lexicon": self.entry, "adjunction": self.adjunction,
            "fillers": self.filler, "morphology": self.form,
        }  # fmt: skip
        for number, line in enumerate(lines[1:], start=2):
            if line == "[end]":
                break
            cells = line.split("\t")
            if line.startswith("[") and cells[0][1:-1] in COLUMNS and tuple(cells[1:]) == COLUMNS[cells[0][1:-1]]:
                section = cells[0][1:-1]
                continue
            if not section or len(cells) != len(COLUMNS[section]):
                self.fail(number, f"{len(cells)} columns: {line[:60]!r}", section)
            try:
                rows[section]([unescape(cell) for cell in cells])
            except (ValueError, KeyError, StopIteration, RuntimeError) as error:
                self.fail(number, f"{error} in {line[:60]!r}", section)
        else:
            raise InputError(
                "the file ends before [end]",
                path=self.path,
                line=len(lines),
                remedy="it was cut off: copy it again",
            )
        categories = {name: tree.category for name, tree in self.trees.items()}
        return Grammar(
            self.trees,
            {word: tuple(entries) for word, entries in self.lexicon.items()},
            AdjunctionTable(self.adjunctions, categories),
            self.fillers,
            {form: tuple(pairs) for form, pairs in self.morphology.items()},
        )

    def fail(self, line: int, problem: str, section: str) -> None:
        """Say what stands in the way and what would have been right."""
        expected = " ".join(COLUMNS[section]) if section else "a section such as [trees]"
        raise InputError(problem, path=self.path, line=line, remedy=f"expected, tab-separated: {expected}")

    def tree(self, cells: list[str]) -> None:
        """A row of [trees]."""
        name, kind, category, left, right, root, foot, side, family, co_anchors, bracketing = cells
        if name in self.trees:
            raise ValueError(f"a second tree called {name!r}")
        self.trees[name] = ElementaryTree(
            name, kind_of(kind), category, slots_of(left), slots_of(right), root, foot,
            side_of(side) if side else None, family, tuple(co_anchors.split()), bracketing,
        )  # fmt: skip

    def entry(self, cells: list[str]) -> None:
        """A row of [lexicon]."""
        word, name, count, category, co_anchors = cells
        self.lexicon.setdefault(word, []).append(LexicalEntry(name, int(count), category, tuple(co_anchors.split())))

    def adjunction(self, cells: list[str]) -> None:
        """A row of [adjunction]."""
        gamma, mother, side, gap, count = cells
        for name in (gamma, mother):
            if name not in self.trees:
                raise ValueError(f"no tree {name!r}")
        self.adjunctions[Adjunction(gamma, mother, side_of(side), int(gap))] = int(count)

    def filler(self, cells: list[str]) -> None:
        """A row of [fillers]."""
        self.fillers[cells[0], cells[1]] = int(cells[2])

    def form(self, cells: list[str]) -> None:
        """A row of [morphology]."""
        self.morphology.setdefault(cells[0], []).append((cells[1], cells[2]))


def kind_of(text: str) -> Kind:
    """``alpha`` or ``gamma``."""
    if text == "alpha":
        return "alpha"
    if text == "gamma":
        return "gamma"
    raise ValueError(f"kind {text!r} is neither alpha nor gamma")


def side_of(text: str) -> Side:
    """``left`` or ``right``."""
    if text == "left":
        return "left"
    if text == "right":
        return "right"
    raise ValueError(f"side {text!r} is neither left nor right")
