"""The grammar: elementary trees, lexicon, families and adjunction table, with search (section 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from fergus.core.supertag import ElementaryTree
from fergus.errors import InputError
from fergus.grammar.adjunction import AdjunctionTable, Position


@dataclass(frozen=True, slots=True)
class LexicalEntry:
    """A word may anchor ``name``: a tree, or (XTAG) a family, which stands for all trees in it."""

    name: str
    count: int = 0
    """How often the word was seen with this tree; 0 for entries that a lexicon lists."""
    category: str = ""
    """The part of speech under which a lexicon lists the word."""
    co_anchors: tuple[str, ...] = ()
    """The other words of the entry, in surface order (*look* ... *up*)."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """How large a grammar is."""

    alpha: int
    gamma: int
    seen_once: int
    """Trees that the treebank has exactly once."""
    families: int
    words: int
    tokens: int
    adjunctions: int
    """Different rows of the adjunction table."""


@dataclass(frozen=True)
class Grammar:
    """A lexicalised tree-adjoining grammar, extracted from a treebank or read from XTAG's files."""

    trees: Mapping[str, ElementaryTree]
    lexicon: Mapping[str, tuple[LexicalEntry, ...]] = field(default_factory=dict)
    """For every word its entries, the most frequent first (ties: by name)."""
    adjunction: AdjunctionTable = field(default_factory=AdjunctionTable)
    fillers: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """How often a slot (its category) was filled by an alpha tree of a category: what may go where."""
    morphology: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """For every inflected form its (lemma, part of speech) pairs, where the grammar has them."""

    def tree(self, name: str) -> ElementaryTree:
        """The tree called ``name``."""
        if found := self.trees.get(name):
            return found
        near = [tree.name for tree in self.search(name)[:3]] or get_close_matches(name, self.trees)
        remedy = f"perhaps: {', '.join(near)}" if near else "`fergus grammar search` finds names"
        raise InputError(f"no tree is called {name!r}", remedy=remedy)

    def by_category(self, category: str) -> list[ElementaryTree]:
        """The trees whose anchor is of ``category``, by name."""
        return sorted((t for t in self.trees.values() if t.category == category), key=lambda t: t.name)

    @cached_property
    def families(self) -> dict[str, tuple[str, ...]]:
        """For every family the names of its trees, sorted."""
        members: dict[str, list[str]] = {}
        for tree in self.trees.values():
            if tree.family:
                members.setdefault(tree.family, []).append(tree.name)
        return {family: tuple(sorted(members[family])) for family in sorted(members)}

    def by_word(self, word: str) -> dict[str, int]:
        """The trees ``word`` may anchor with their counts; families are spelled out."""
        result: Counter[str] = Counter()
        for entry in self.lexicon.get(word, ()):
            for name in (entry.name,) if entry.name in self.trees else self.families.get(entry.name, ()):
                result[name] += entry.count
        return dict(sorted(result.items(), key=lambda item: (-item[1], item[0])))

    def by_form(self, form: str) -> dict[str, int]:
        """As ``by_word``, but through the morphology: *saw* finds the trees of *see* and of *saw*."""
        words = [form, *(lemma for lemma, _ in self.morphology.get(form, ()) if lemma != form)]
        result: Counter[str] = Counter()
        for word in words:
            result.update(self.by_word(word))
        return dict(sorted(result.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How often each tree was seen; trees that never were are missing."""
        result: Counter[str] = Counter()
        for entries in self.lexicon.values():
            for entry in entries:
                if entry.count:
                    result[entry.name] += entry.count
        return dict(result)

    @cached_property
    def anchors(self) -> dict[str, list[tuple[str, int]]]:
        """For every tree or family name the words that anchor it with counts, the most frequent first."""
        result: dict[str, list[tuple[str, int]]] = {}
        for word, entries in self.lexicon.items():
            for entry in entries:
                result.setdefault(entry.name, []).append((word, entry.count))
        return {name: sorted(words, key=lambda w: (-w[1], w[0])) for name, words in result.items()}

    def search(
        self, pattern: str = "", *, word: str | None = None, category: str | None = None, regex: bool = False
    ) -> list[ElementaryTree]:
        """Trees whose name has ``pattern`` in it (any case), most frequent first; all filters must hold."""
        try:
            wanted = re.compile(pattern if regex else re.escape(pattern), re.IGNORECASE)
        except re.error as error:
            raise InputError(
                f"not a regular expression: {pattern!r} ({error})",
                remedy="quote it, or search without --regex",
            ) from None
        names: Iterable[str] = self.trees if word is None else self.by_form(word)
        found = [self.trees[name] for name in names if wanted.search(name)]
        if category is not None:
            found = [tree for tree in found if tree.category == category]
        return sorted(found, key=lambda tree: (-self.counts.get(tree.name, 0), tree.name))

    def positions(self, gamma: str, mother: str, *, minimum: float = 0.0) -> list[Position]:
        """Where the tree ``gamma`` may stand under the tree ``mother``; see ``AdjunctionTable``."""
        return self.adjunction.positions(self.tree(gamma), self.tree(mother), minimum=minimum)

    def statistics(self) -> Statistics:
        """Sizes, for reports."""
        kinds = Counter(tree.kind for tree in self.trees.values())
        return Statistics(
            alpha=kinds["alpha"],
            gamma=kinds["gamma"],
            seen_once=sum(1 for count in self.counts.values() if count == 1),
            families=len(self.families),
            words=len(self.lexicon),
            tokens=sum(self.counts.values()),
            adjunctions=len(self.adjunction.counts),
        )


def lexicon_of(counts: Mapping[tuple[str, str], int]) -> dict[str, tuple[LexicalEntry, ...]]:
    """A lexicon from counts of (word, supertag)."""
    entries: dict[str, list[LexicalEntry]] = {}
    for (word, name), count in counts.items():
        entries.setdefault(word, []).append(LexicalEntry(name, count))
    return {w: tuple(sorted(entries[w], key=lambda e: (-e.count, e.name))) for w in sorted(entries)}
