"""Marks of punctuation taken out of a sentence: what stood in each gap, and which marks were pairs around a stretch.

    "  Go  "  ,  she  said  .        words Go she said; pair ("go"); gaps  [ "" | "C ," | "" | "." ]

A gap's pattern names closing members of pairs by ``C``, opening ones by ``O``: *") ,"* and *"' ,"* are alike.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree

CLOSING, OPENING = "C", "O"
"""What stands in a pattern for members of pairs; no mark of a treebank is a letter."""
PUNCTUATION_UPOS = "PUNCT"
_STRAIGHT_QUOTES = frozenset("\"'`´")
_ANGLES = frozenset("<>")
SENTENCE_ENDS = ".?!"
_PAIRED_CATEGORIES = frozenset({"Ps", "Pe", "Pi", "Pf"})

Pair = tuple[str, str]


@dataclass(frozen=True)
class Stretch:
    """Words ``begin`` to ``end`` (excluded) between the two marks of a pair."""

    begin: int
    end: int
    pair: Pair


@dataclass(frozen=True)
class Unmarked:
    """A sentence without its marks, and the marks by the gap they stood in (gap i is before word i)."""

    sentence: OrderedTree
    gaps: tuple[tuple[str, ...], ...]
    stretches: tuple[Stretch, ...]
    patterns: tuple[str, ...]


def is_mark(node: Node) -> bool:
    """Whether a node is a mark of punctuation: its UPOS says so or, where there is none, its characters."""
    if node.upos is not None:
        return node.upos == PUNCTUATION_UPOS
    return bool(node.form) and all(unicodedata.category(character)[0] == "P" for character in node.form)


def is_of_a_pair(mark: str) -> bool:
    """Whether marks like this one come in pairs: brackets and quotes, by their Unicode categories."""
    return all(
        character in _STRAIGHT_QUOTES or character in _ANGLES or unicodedata.category(character) in _PAIRED_CATEGORIES
        for character in mark
    )


def without_marks(ordered: OrderedTree) -> tuple[OrderedTree | None, tuple[tuple[str, ...], ...]]:
    """The sentence without marks (None if nothing else is left), and the marks in each gap.

    What depended on a mark depends on the mark's head; if the root is a mark, its first word becomes the root.
    """
    tree = ordered.tree
    marks = [is_mark(node) for node in tree.nodes]
    gaps: list[list[str]] = [[]]
    words: list[int] = []
    for index in ordered.order:
        if marks[index]:
            gaps[-1].append(tree.nodes[index].form)
        else:
            words.append(index)
            gaps.append([])
    found = tuple(map(tuple, gaps))
    if not words or len(words) == len(tree):
        return (ordered if words else None), found
    kept = sorted(words)
    number = {index: place for place, index in enumerate(kept)}
    heads = [_nearest_word(tree.heads, marks, index) for index in kept]
    root = next(i for i, head in enumerate(heads) if head == ROOT)
    heads = [ROOT if i == root else number.get(head, root) for i, head in enumerate(heads)]
    nodes = tuple(tree.nodes[index] for index in kept)
    stripped = DependencyTree(nodes, tuple(heads), (), tree.source, tree.metadata)
    return OrderedTree(stripped, tuple(number[index] for index in words)), found


def _nearest_word(heads: Sequence[int], marks: Sequence[bool], index: int) -> int:
    head = heads[index]
    while head != ROOT and marks[head]:
        head = heads[head]
    return head


def learn_pairs(sentences: Iterable[Sequence[Sequence[str]]], *, least: int) -> tuple[Pair, ...]:
    """Marks that open and close: two of a sentence where it has no other of the kind; the most frequent first."""
    counts: Counter[Pair] = Counter()
    for gaps in sentences:
        found = [mark for gap in gaps for mark in gap if is_of_a_pair(mark)]
        if len(found) == 2:
            counts[found[0], found[1]] += 1
    # Of a mark that opens, its most frequent partner: a smiley after a bracket makes no pair.
    best: dict[str, Pair] = {}
    for pair in sorted(counts, key=lambda p: (-counts[p], p)):
        if counts[pair] >= least and pair[0] not in best and not _closes_elsewhere(pair, counts):
            best[pair[0]] = pair
    return tuple(sorted(best.values(), key=lambda p: (-counts[p], p)))


def _closes_elsewhere(pair: Pair, counts: Counter[Pair]) -> bool:
    """Whether the first of two marks is better known for closing what another mark opens: *) (* is no pair."""
    return pair[0] != pair[1] and any(
        other[1] == pair[0] and other[0] != pair[0] and count > counts[pair] for other, count in counts.items()
    )


def unmarked(sentence: OrderedTree, gaps: Sequence[Sequence[str]], pairs: Iterable[Pair]) -> Unmarked:
    """The same with its pairs found: a closing mark takes the last one open that it can close."""
    partners = dict(pairs)
    closers = set(partners.values())
    opened: list[tuple[str, int, int]] = []
    stretches: list[Stretch] = []
    roles = [list(gap) for gap in gaps]
    for place, gap in enumerate(gaps):
        for rank, mark in enumerate(gap):
            match = next((k for k in range(len(opened) - 1, -1, -1) if partners[opened[k][0]] == mark), None)
            if mark in closers and match is not None and opened[match][1] < place:
                opener, begin, at = opened[match]
                del opened[match:]
                stretches.append(Stretch(begin, place, (opener, mark)))
                roles[begin][at], roles[place][rank] = OPENING, CLOSING
            elif mark in partners:
                opened.append((mark, place, rank))
    patterns = tuple(" ".join(_without_repeats(gap)) for gap in roles)
    return Unmarked(sentence, tuple(map(tuple, gaps)), tuple(stretches), patterns)


def _without_repeats(marks: Sequence[str]) -> list[str]:
    """Several opening (or closing) marks side by side count once."""
    return [mark for i, mark in enumerate(marks) if not (i and mark == marks[i - 1] and mark in {OPENING, CLOSING})]
