"""How an input or a treebank says its words were written: ``SpaceAfter=No``, multiword tokens, Penn names.

Words are neighbours in the input if their identifiers follow each other (``3``, ``4``). What the input says holds
between words that are still neighbours; a multiword token (French *du* for *de le*) takes the place of its words
if they are all there, side by side and in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fergus.core.tree import DependencyTree, Node, OrderedTree

SPACE, NOTHING, CONTRACTED = range(3)
"""What may stand in the gap between two words."""
UNDECIDED = -1

# The Penn Treebank's names of quotes and brackets, and its escaped characters.
PENN_NAMES = {
    "``": '"', "''": '"', "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    r"\/": "/", r"\*": "*",
}  # fmt: skip
PENN_OPENING, PENN_CLOSING = frozenset({"``"}), frozenset({"''"})

_MULTIWORD = re.compile(r"multiword (\S+)-(\S+)")


@dataclass(frozen=True)
class Unit:
    """A word, or the words of a multiword token, and what the input says of the gap after it."""

    form: str
    nodes: tuple[int, ...]
    gap: int = UNDECIDED


def stated_units(tree: DependencyTree, order: Sequence[int]) -> list[Unit]:
    """The words in this order, multiword tokens as one.

    A tree that says ``SpaceAfter=No`` or has a multiword token anywhere speaks of all its gaps: silence is a space
    then, as CoNLL-U has it. Of other trees, and between words that were not neighbours, nothing is known.
    """
    miscs = dict(tree.metadata)
    multiword = {}
    for key, form in tree.metadata:
        match = _MULTIWORD.fullmatch(key)
        if match and match[1].isdecimal() and match[2].isdecimal():
            multiword[int(match[1])] = (int(match[2]), form, miscs.get(f"{key} misc"))
    silence = SPACE if multiword or any(_is_tight(node.misc) for node in tree.nodes) else UNDECIDED
    numbers = [int(i) if (i := tree.nodes[node].identifier).isdecimal() else None for node in order]
    units: list[Unit] = []
    place = 0
    while place < len(order):
        node, number = tree.nodes[order[place]], numbers[place]
        form, misc, stop = node.form, node.misc, place + 1
        if number is not None and number in multiword:
            last, whole, whole_misc = multiword[number]
            if numbers[place : place + last - number + 1] == list(range(number, last + 1)):
                form, misc, stop = whole, whole_misc, place + last - number + 1
        end = numbers[stop - 1]
        gap = UNDECIDED
        if stop < len(order) and end is not None and numbers[stop] == end + 1:
            gap = NOTHING if _is_tight(misc) else silence
        units.append(Unit(form, tuple(order[place:stop]), gap))
        place = stop
    return units


@dataclass(frozen=True)
class Written:
    """A sentence of a treebank: its words, what stands in the gaps between them, its multiword tokens, its arcs."""

    words: tuple[Node, ...]
    gaps: tuple[int, ...]
    multiword: tuple[tuple[tuple[str, ...], str], ...]
    heads: tuple[int, ...]
    """The places of the words' heads, -1 for none."""


def written_sentence(ordered: OrderedTree) -> Written | None:
    """How a sentence was written, or None if the treebank does not tell or contradicts itself.

    Where the treebank calls a missing space a mistake (``CorrectSpaceAfter=Yes``), there is one.
    """
    tree, metadata = ordered.tree, dict(ordered.tree.metadata)
    words = tuple(tree.nodes[node] for node in ordered.order)
    place = {word.identifier: i for i, word in enumerate(words)}
    gaps = [NOTHING if _is_tight(word.misc) and not _is_mistake(word.misc) else SPACE for word in words]
    multiword = []
    for key, text in tree.metadata:
        match = _MULTIWORD.fullmatch(key)
        if not match:
            continue
        first, last = place.get(match[1]), place.get(match[2])
        if first is None or last is None or last <= first:
            return None
        forms = tuple(word.form for word in words[first : last + 1])
        misc = metadata.get(f"{key} misc")
        gaps[first:last] = [NOTHING if "".join(forms) == text else CONTRACTED] * (last - first)
        gaps[last] = NOTHING if _is_tight(misc) and not _is_mistake(misc) else SPACE
        multiword.append((forms, text))
    if not any(gaps) and metadata.get("text") != " ".join(word.form for word in words):
        return None
    return Written(words, tuple(gaps[:-1]), tuple(multiword), ordered.head_places)


def _is_tight(misc: str | None) -> bool:
    return misc is not None and "SpaceAfter=No" in misc.split("|")


def _is_mistake(misc: str | None) -> bool:
    return misc is not None and "CorrectSpaceAfter=Yes" in misc.split("|")
