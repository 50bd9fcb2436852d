"""Function words that the input has already: each fills its slot, and says how the words around it are inflected.

kill                                the king had been killed
├── have aux
├── be aux:pass                     both fill the slot of the predicate, whose readings with just these two words
└── king[Definite=Def] A2           make *had* of the one, *been* of the other, and a participle of the verb
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fergus.core.deep import is_given_word
from fergus.core.tree import DependencyTree, Node
from fergus.realize.insertion_features import content
from fergus.realize.insertion_model import InsertionModel
from fergus.realize.insertion_readings import PREDICATE, Reading, Word, slot_of_relation

FINITE = ("VerbForm", "Fin")
ARTICLE, OTHER_DETERMINER = "det", "A1INV"
"""The relations of articles, which deep trees do not have, and of other determiners, which they have."""


@dataclass(frozen=True)
class GivenWords:
    """The function words of a tree by the node and the slot they belong to."""

    words: dict[tuple[int, int], list[int]]
    nodes: frozenset[int]

    @classmethod
    def of(cls, tree: DependencyTree) -> GivenWords:
        """Those of a deep tree with the relations of Universal Dependencies for what deep trees do not have."""
        words: dict[tuple[int, int], list[int]] = {}
        given = [index for index in range(len(tree)) if is_given_word(tree, index)]
        for index in sorted(given, key=lambda i: content(tree.nodes[i])):  # whatever their order in the input
            words.setdefault((tree.heads[index], slot_of_relation(tree.nodes[index].relation)), []).append(index)
        return cls(words, frozenset(given))

    def with_tenses(self, tree: DependencyTree) -> DependencyTree:
        """The tense that a finite auxiliary or copula is given is that of its clause."""
        if not self.words:
            return tree
        nodes = list(tree.nodes)
        for (head, slot), words in self.words.items():
            own = dict(nodes[head].feats or ())
            given = [dict(nodes[word].feats or ()) for word in words]
            tenses = [feats["Tense"] for feats in given if "Tense" in feats and feats.get("VerbForm", "Fin") == "Fin"]
            if slot == PREDICATE and tenses and not {"Tense", "VerbForm"} & own.keys():
                nodes[head] = replace(nodes[head], feats=tuple(sorted({**own, "Tense": tenses[0]}.items())))
        return tree.with_nodes(nodes)


def with_articles(tree: DependencyTree, model: InsertionModel) -> DependencyTree:
    """The tree; determiners that are no articles have the relation that they have in deep trees."""
    if all(node.deprel != ARTICLE for node in tree.nodes):
        return tree
    return tree.with_nodes(
        replace(node, deprel=OTHER_DETERMINER)
        if node.deprel == ARTICLE and _lemma(node) not in model.articles
        else node
        for node in tree.nodes
    )


def readings_with(
    model: InsertionModel, slot: int, node: Node, words: Sequence[Node], *, finite: bool | None
) -> list[tuple[int, list[int]]]:
    """The readings of a slot that suit these words best, each with the places of the words in it.

    Best is, in this order: the same words; the same relations; features that the words are given; a chain that was seen
    with the grammar that the node is given; one that treebanks have not by a slip; no other words; a first verb that is
    ``finite``, or not, if that is known. Auxiliaries never seen together stand in the places of others.
    """
    fitting = model.with_grammar(node) if slot == PREDICATE else frozenset()
    best: tuple[int, ...] | None = None
    found: list[tuple[int, list[int]]] = []
    for number in model.readings_of(slot):
        reading = model.readings[number]
        places = places_of(words, reading) if len(reading.words) >= len(words) else []
        others = sum(reading.words[place].lemma != _lemma(word) for word, place in zip(words, places, strict=False))
        if not places or (others and slot != PREDICATE):
            continue
        pairs = [(word, reading.words[place]) for word, place in zip(words, places, strict=True)]
        faults = (
            others,
            sum(_is_other_relation(word, of, node) for word, of in pairs),
            sum(dict(of.feats).get(name) != value for word, of in pairs for name, value in word.feats or ()),
            slot == PREDICATE and number not in fitting,
            slot == PREDICATE and not _is_sound(reading, node),
            len(reading.words) - len(words),
            slot == PREDICATE and finite is not None and (FINITE in reading.words[0].feats) != finite,
        )
        if best is None or faults < best:
            best, found = faults, []
        if faults == best:
            found.append((number, places))
    return found


def places_of(words: Sequence[Node], reading: Reading) -> list[int]:
    """For every word its place in a reading, if there is one of its kind for each; the same lemmas come first."""
    free = dict(enumerate(reading.words))
    found: dict[int, int] = {}
    # Words of which more is said choose first.
    ranked = sorted(range(len(words)), key=lambda i: -len(words[i].feats or ()))
    for heeds_lemma in (True, False):
        for i in ranked:
            word, own = words[i], dict(words[i].feats or ())
            possible = [
                (-len(own.items() & dict(of.feats).items()), of.deprel != word.deprel, place)
                for place, of in free.items()
                if i not in found
                and of.deprel.partition(":")[0] == word.relation
                and (of.lemma == _lemma(word) or not heeds_lemma)
            ]
            if possible:
                found[i] = min(possible)[-1]
                del free[found[i]]
    return [found[i] for i in range(len(words))] if len(found) == len(words) else []


def _is_sound(reading: Reading, node: Node) -> bool:
    """A verb beside an auxiliary is not finite, passives have an auxiliary of theirs, other predicates a copula."""
    if node.upos not in ("VERB", "AUX"):
        return any(word.deprel.partition(":")[0] == "cop" for word in reading.words)
    is_passive = any(word.deprel.endswith(":pass") for word in reading.words)
    return FINITE not in reading.feats and (is_passive or not _is_passive(node))


def _is_other_relation(word: Node, of: Word, node: Node) -> bool:
    """Whether a reading has another relation than the one that is given; of a passive any auxiliary may be its own."""
    return of.deprel != word.deprel and not (_is_passive(node) and word.deprel == word.relation)


def _is_passive(node: Node) -> bool:
    return ("Voice", "Pass") in (node.feats or ())


def _lemma(node: Node) -> str:
    return (node.lemma or node.form).lower()


def as_reading(words: Sequence[Node]) -> Reading:
    """The words as a reading that nobody has seen, so that later decisions know them."""
    return Reading(tuple(Word(_lemma(n), n.upos or "X", n.deprel or "dep", n.feats or ()) for n in words))


def with_reading(given: Node, word: Word, mother: dict[str, str]) -> Node:
    """A word of the input with the features of the reading that suits it best, and its own where that has none."""
    read = word.node(mother)
    return replace(given, upos=given.upos or read.upos, deprel=read.deprel, feats=read.feats or given.feats)
