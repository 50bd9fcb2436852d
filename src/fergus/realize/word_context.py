"""What stands around a node of an unordered tree, as far as it tells which word belongs there.

    bought/VERB:root            what the word model sees of "bought":
    ├── firm/NOUN:nsubj         relation: root          features: Tense=Past   relations below: nsubj obj obl
    ├── house/NOUN:obj          daughters: nsubj firm, obj house, obl 1990; their categories
    └── 1990/NUM:obl            markers of daughters: obl in        absent: advcl, xcomp, ...
        └── in/ADP:case         other words of the sentence: (none that is not near)

Labels that the input lacks give no context of their kind; nor do words that are yet to be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import ROOT, DependencyTree, Node

CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN"})
"""Categories of words that tell what a sentence is about."""
MARKING = frozenset({"case", "mark"})
KINDS = (
    "relation",
    "features",
    "feature",
    "mother",
    "mother by relation",
    "sister",
    "daughter",
    "daughter's category",
    "daughter's marker",
    "absent relation",
    "relations below",
    "sentence",
)
(
    RELATION,
    FEATURES,
    FEATURE,
    MOTHER,
    MOTHER_BY_RELATION,
    SISTER,
    DAUGHTER,
    DAUGHTER_CATEGORY,
    DAUGHTER_MARKER,
    ABSENT,
    FRAME,
    SENTENCE,
) = range(len(KINDS))
LEXICAL = (MOTHER, MOTHER_BY_RELATION, SISTER, DAUGHTER, SENTENCE)
"""The kinds that are about words: many contexts, few uses of each."""

Hashes = NDArray[np.uint64]


def lexeme(node: Node) -> str:
    """The word that a node is counted under: its lemma, or its form, in small letters; "" if it is yet to be chosen."""
    return (node.lemma or node.form).lower()


def contexts(tree: DependencyTree, index: int, relations: Mapping[str, Sequence[str]]) -> set[tuple[int, str]]:
    """Kinds and values of what stands around a node; ``relations`` are those below a category whose absence tells."""
    return set(_contexts(tree, index, relations))


def _contexts(tree: DependencyTree, index: int, relations: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, str]]:
    node, head, daughters = tree.nodes[index], tree.heads[index], tree.daughters[index]
    relation = node.deprel or ""
    if node.deprel is not None:
        yield RELATION, relation
    if node.feats is not None:
        yield FEATURES, "|".join(map("=".join, node.feats))
        for name, value in node.feats:
            yield FEATURE, f"{name}={value}"
    near = {index, head, *daughters}
    if head != ROOT:
        mother = lexeme(tree.nodes[head])
        if mother:
            yield MOTHER, mother
            if node.deprel is not None:
                yield MOTHER_BY_RELATION, f"{relation} {mother}"
        for sister in tree.daughters[head]:
            other = tree.nodes[sister]
            if sister != index and other.deprel is not None and (word := lexeme(other)):
                yield SISTER, f"{relation} {other.deprel} {word}"
    below = set()
    for daughter in daughters:
        other = tree.nodes[daughter]
        if other.deprel is None:
            if word := lexeme(other):
                yield DAUGHTER, word
            continue
        below.add(other.deprel)
        if word := lexeme(other):
            yield DAUGHTER, f"{other.deprel} {word}"
        if other.upos is not None:
            yield DAUGHTER_CATEGORY, f"{other.deprel} {other.upos}"
        for lower in tree.daughters[daughter]:
            if tree.nodes[lower].deprel in MARKING and (word := lexeme(tree.nodes[lower])):
                yield DAUGHTER_MARKER, f"{other.deprel} {word}"
    if node.deprel is not None:
        yield FRAME, " ".join(sorted(below))
        for absent in relations.get(node.upos or "", ()):
            if absent not in below:
                yield ABSENT, absent
    for place, other in enumerate(tree.nodes):
        if other.upos in CONTENT and place not in near and (word := lexeme(other)):
            yield SENTENCE, word


def context_hash(kind: int, value: str) -> int:
    """A number for a context, below 2 to the 32."""
    return crc32(f"{kind}\t{value}".encode())


def word_hash(word: str, category: str) -> int:
    """A number for a word in a category, below 2 to the 32; the category alone is that of the empty word."""
    return crc32(f"{category}\t{word}".encode())


def event_keys(words: Hashes, contexts: Hashes) -> NDArray[np.uint32]:
    """The numbers under which pairs of words and contexts are counted; context 0 stands for none."""
    mixed = words * np.uint64(0x9E3779B97F4A7C15) ^ (contexts + np.uint64(1)) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(32)).astype(np.uint32)
