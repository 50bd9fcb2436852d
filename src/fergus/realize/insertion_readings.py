"""What insertion chooses among: a reading of a slot is a group of function words, or none, with features of the node.

Every node of a deep tree has seven slots. The reading of PREDICATE is the chain of auxiliaries and copulas together
with those features of the node itself that the deep tree lacks, because the two go together:

    go[Tense=Pres,Aspect=PerfProg]   have[Number=Sing,Person=3,...] be[VerbForm=Part,...]  + VerbForm=Ger
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fergus.core.deep import CLAUSE_TYPE
from fergus.core.tree import Node

RELATIVE, MARK, PREDICATE, EXPLETIVE, CASE, DETERMINER, FIXED = range(7)
SLOTS = ("relative", "mark", "predicate", "expletive", "case", "determiner", "fixed")
"""In the order in which they are decided: later ones see what earlier ones are, and what the mother's are."""
_SLOT_OF_RELATION = {
    "aux": PREDICATE, "cop": PREDICATE, "mark": MARK, "case": CASE, "det": DETERMINER, "expl": EXPLETIVE,
    "fixed": FIXED,
}  # fmt: skip
AGREES = "*"
"""The value of a feature that is the same as that of the word's mother."""
_AGREEMENT = frozenset({"Number", "Gender", "Person", "Case", "Animacy"})

Feats = tuple[tuple[str, str], ...]


@dataclass(frozen=True, order=True)
class Word:
    """An inserted word; a feature with the value AGREES is the mother's."""

    lemma: str
    upos: str
    deprel: str
    feats: Feats = ()

    def node(self, mother: Mapping[str, str]) -> Node:
        """The word below a mother with these features."""
        feats = [(n, v if v != AGREES else mother.get(n, "")) for n, v in self.feats]
        return Node("", self.lemma, self.upos, None, tuple((n, v) for n, v in feats if v) or None, self.deprel)

    def to_json(self) -> list[str]:
        """The word as strings."""
        return [self.lemma, self.upos, self.deprel, *(f"{n}={v}" for n, v in self.feats)]

    @classmethod
    def from_json(cls, given: Sequence[str]) -> Word:
        """The word that ``to_json`` took apart."""
        return cls(str(given[0]), str(given[1]), str(given[2]), _pairs(given[3:]))


@dataclass(frozen=True, order=True)
class Reading:
    """The words of a slot, in the order of the sentence they were seen in, and features of the node itself."""

    words: tuple[Word, ...] = ()
    feats: Feats = ()

    def codes(self) -> tuple[str, ...]:
        """What readings have in common: all of it, the lemmas, who the finite word agrees with, tense and form."""
        whole = repr((self.words, self.feats))
        if not self.feats and not any(slot_of_relation(word.deprel) == PREDICATE for word in self.words):
            return whole, "some" if self.words else "none", "", ""
        finite = dict(self.words[0].feats if self.words else self.feats)
        own = dict(self.feats)
        agreement = f"{finite.get('Number')} {finite.get('Person')}"
        tense = f"{finite.get('Tense')} {finite.get('VerbForm')} {own.get('VerbForm')} {own.get('Tense')}"
        return whole, self.name, agreement, tense

    @property
    def name(self) -> str:
        """The lemmas with their relations, for later decisions to see."""
        return " ".join(f"{word.lemma}/{word.deprel}" for word in self.words) or "none"

    @property
    def has_auxiliary(self) -> bool:
        """Whether one of the words is an auxiliary, and no copula."""
        return any(word.deprel.partition(":")[0] == "aux" for word in self.words)

    def to_json(self) -> list[Any]:
        """The reading as lists and strings."""
        return [[f"{n}={v}" for n, v in self.feats], *(word.to_json() for word in self.words)]

    @classmethod
    def from_json(cls, given: Sequence[Any]) -> Reading:
        """The reading that ``to_json`` took apart."""
        own, *words = given
        return cls(tuple(map(Word.from_json, words)), _pairs(own))


def _pairs(items: Sequence[str]) -> Feats:
    return tuple((name, value) for name, _, value in (item.partition("=") for item in items))


def slot_of_relation(relation: str) -> int:
    """The slot that a function word belongs to; a relative pronoun has the relation of an argument."""
    return _SLOT_OF_RELATION.get(relation.partition(":")[0], RELATIVE)


def readings_of(mother: Node, words: Sequence[Node], open_names: frozenset[str]) -> list[Reading]:
    """The reading of every slot of a node of a treebank with the words it absorbed, in the order of the sentence."""
    feats = dict(mother.feats or ())
    groups: list[list[Word]] = [[] for _ in SLOTS]
    for node in words:
        slot = slot_of_relation(node.deprel or "")
        own = node.feats or ()
        if slot not in (PREDICATE, EXPLETIVE):
            own = tuple((n, AGREES if n in _AGREEMENT and feats.get(n) == v else v) for n, v in own)
        groups[slot].append(Word(node.lemma or node.form.lower(), node.upos or "X", node.deprel or "dep", own))
    readings = [Reading(tuple(group)) for group in groups]
    stated = tuple((n, v) for n, v in sorted(feats.items()) if n in open_names)
    readings[PREDICATE] = replace(readings[PREDICATE], feats=stated)
    return readings


def completed(node: Node, reading: Reading, open_names: frozenset[str]) -> Feats:
    """All features of a node: those it was given that mean the same in the treebank, and those of the reading."""
    given = {n: v for n, v in node.feats or () if n not in open_names and n != CLAUSE_TYPE}
    return tuple(sorted({**given, **dict(reading.feats)}.items()))
