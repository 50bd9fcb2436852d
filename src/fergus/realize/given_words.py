"""Function words that the input has already: each fills its slot, and says how the words around it are inflected.

kill                                the king had been killed
├── have aux
├── be aux:pass                     both fill the slot of the predicate, whose readings with just these two words
└── king[Definite=Def] A2           make *had* of the one, *been* of the other, and a participle of the verb
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.realize.insertion_model import InsertionModel, slot_keys
from fergus.realize.insertion_readings import PREDICATE, Reading, Word, filled_slot

IsSame = Callable[[Word, Node], bool]


@dataclass(frozen=True)
class GivenWords:
    """The function words of a tree by the node and the slot they belong to."""

    words: dict[tuple[int, int], list[int]]
    nodes: frozenset[int]

    @classmethod
    def of(cls, tree: DependencyTree) -> GivenWords:
        """Those of a deep tree with the relations of Universal Dependencies for what deep trees do not have."""
        words: dict[tuple[int, int], list[int]] = {}
        for index, head in enumerate(tree.heads):
            slot = filled_slot(tree.nodes[index])
            if slot is not None and head != ROOT and not tree.daughters[index]:
                words.setdefault((head, slot), []).append(index)
        for group in words.values():  # whatever their order in the input
            group.sort(key=lambda i: (tree.nodes[i].lemma or "", tree.nodes[i].deprel or "", tree.nodes[i].feats or ()))
        return cls(words, frozenset(index for group in words.values() for index in group))

    def with_tenses(self, tree: DependencyTree) -> DependencyTree:
        """The tense that a finite auxiliary or copula is given is that of its clause."""
        nodes = list(tree.nodes)
        for (head, slot), words in self.words.items():
            own = dict(nodes[head].feats or ())
            given = [dict(nodes[word].feats or ()) for word in words]
            tenses = [feats["Tense"] for feats in given if "Tense" in feats and feats.get("VerbForm", "Fin") == "Fin"]
            if slot == PREDICATE and tenses and not {"Tense", "VerbForm"} & own.keys():
                nodes[head] = replace(nodes[head], feats=tuple(sorted({**own, "Tense": tenses[0]}.items())))
        return tree.with_nodes(nodes)


def readings_with(
    model: InsertionModel, slot: int, node: Node, words: Sequence[Node], *, finite: bool
) -> tuple[int, ...]:
    """The readings of a slot that have these words, those with no others first, by the most specific key that has any.

    Where none has them with the features or relations that they are given, those with others will do. Of a clause with
    a subject (``finite``) nothing else is said: it has a finite verb.
    """
    stated = {"Tense", "Aspect", "Mood", "Voice"} & dict(node.feats or ()).keys()
    asked = (True, False) if finite and not stated else (False,)
    for is_same, finite_only, key in itertools.product(
        (_same, _same_relation, _same_kind), asked, slot_keys(slot, node)
    ):
        found = {n: places(model.readings[n], words, is_same) for n in model.keys.get(key, ())}
        fitting = [n for n, where in found.items() if where and not (finite_only and not _is_finite(model.readings[n]))]
        whole = [n for n in fitting if len(found[n]) == len(model.readings[n].words)]
        # More words than are given, where the input says more than these: *will be*, of *be* and a future.
        if whole or (fitting and stated):
            return tuple(whole or fitting)
    return ()


def places(reading: Reading, words: Sequence[Node], is_same: IsSame | None = None) -> list[int]:
    """For every word its place in a reading; empty if the reading has not all of them."""
    is_same = is_same or _same_kind
    free = list(range(len(reading.words)))
    found = []
    for word in words:
        place = next((i for i in free if is_same(reading.words[i], word)), None)
        if place is None:
            return []
        free.remove(place)
        found.append(place)
    return found


def _is_finite(reading: Reading) -> bool:
    return ("VerbForm", "Fin") in reading.words[0].feats


def _same_kind(word: Word, given: Node) -> bool:
    return word.lemma == (given.lemma or given.form).lower() and word.deprel.partition(":")[0] == given.relation


def _same_relation(word: Word, given: Node) -> bool:
    return _same_kind(word, given) and word.deprel == given.deprel


def _same(word: Word, given: Node) -> bool:
    own = dict(word.feats)
    return _same_relation(word, given) and all(own.get(name) == value for name, value in given.feats or ())


def as_reading(words: Sequence[Node]) -> Reading:
    """A reading that nobody has seen: later decisions are to know that the slot is taken."""
    return Reading(
        tuple(Word((n.lemma or n.form).lower(), n.upos or "X", n.deprel or "dep", n.feats or ()) for n in words)
    )


def with_reading(given: Node, word: Word, mother: dict[str, str]) -> Node:
    """A word of the input with the features of a reading, which was chosen by those that it was given."""
    read = word.node(mother)
    return replace(given, upos=given.upos or read.upos, deprel=read.deprel, feats=read.feats or given.feats)
