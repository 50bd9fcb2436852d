"""Function words that labels of a deep tree name outright: a negated verb's negator, an agent's preposition, *do*.

    buy[Polarity=Neg]                     buy
    ├── company AM:agent                  ├── company AM ── by
    └── house A2 ── John AM:poss          ├── not
                                          └── house A2 ── John AM ── 's

Which words these are is learned: the subtype of a relation says its marker where the treebank hardly knows another.
Languages whose verbs inflect for negation have no negators, and the feature stays where it is. Where most questions
take an auxiliary, those that ``ClauseType=Int`` asks for do. Conjuncts get a conjunction, pronouns that possess their
possessive form.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fergus.core.deep import ASKING, clause_type, is_dropped, is_given_word
from fergus.core.tree import Before, Constraint, DependencyTree, Node
from fergus.realize.agreement_contexts import subjects_of
from fergus.realize.insertion_readings import Word

POSSESSOR = "poss"
"""The subtype of possessors' relations."""
NEGATED, INTERROGATIVE = ("Polarity", "Neg"), ("PronType", "Int")
FINITE = ("Pres", "Past")
"""Tenses that a verb has by itself; others bring an auxiliary anyway."""
_MARKERS = frozenset({"ADP", "PART", "SCONJ"})


@dataclass(frozen=True)
class SpelledOut:
    """The words that labels stand for."""

    negators: tuple[Word, ...] = ()
    markers: Mapping[str, Word | None] = field(default_factory=dict)
    """By subtype and category (``poss PROPN``), None if it has none; by subtype alone for categories seldom seen."""
    asking: tuple[str, ...] = ()
    """If questions take an auxiliary, the verbs that do without one (*be*); nothing in languages that ask otherwise."""
    question_words: tuple[str, ...] = ()
    """Lemmas that ask, so that nobody has to say it of them."""
    coordinator: Word | None = None
    """What joins conjuncts that have nothing else to join them."""
    possessives: Mapping[str, Word] = field(default_factory=dict)
    """What personal pronouns are as possessors: *her* of *she*."""

    def to_json(self) -> dict[str, Any]:
        """All of it as lists and strings."""
        return {
            "negators": [word.to_json() for word in self.negators],
            "markers": {key: word and word.to_json() for key, word in sorted(self.markers.items())},
            "asking": list(self.asking),
            "question_words": list(self.question_words),
            "coordinator": self.coordinator and self.coordinator.to_json(),
            "possessives": {lemma: word.to_json() for lemma, word in sorted(self.possessives.items())},
        }

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> SpelledOut:
        """What ``to_json`` took apart; older models have nothing."""
        markers = {str(key): word and Word.from_json(word) for key, word in given.get("markers", {}).items()}
        negators = tuple(map(Word.from_json, given.get("negators", ())))
        asking, question_words = (tuple(given.get(name, ())) for name in ("asking", "question_words"))
        coordinator = given.get("coordinator")
        possessives = {str(lemma): Word.from_json(word) for lemma, word in given.get("possessives", {}).items()}
        return cls(negators, markers, asking, question_words, coordinator and Word.from_json(coordinator), possessives)

    def apply(self, tree: DependencyTree) -> tuple[DependencyTree, dict[int, Word]]:
        """The tree with these words behind the given nodes and without subtypes; the markers that subtypes say."""
        nodes, heads = list(tree.nodes), list(tree.heads)
        markers: dict[int, Word] = {}
        is_question = clause_type(tree) == ASKING
        for index, node in enumerate(tree.nodes):
            if is_given_word(tree, index):
                continue
            below = [tree.nodes[d] for d in tree.daughters[index]]
            relation, _, subtype = (node.deprel or "").partition(":")
            marker = self.markers.get(f"{subtype} {node.upos}", self.markers.get(subtype))
            if marker and not any(map(_is_marker, below)):
                markers[index] = marker
            feats = node.feats or ()
            if self.negators and NEGATED in feats and is_predicate(node, below):
                if not any(map(self._negates, below)):
                    heads += [index] * len(self.negators)
                    # As deep trees have them: features come with their readings.
                    nodes += [Node("", word.lemma, word.upos, deprel="A1INV") for word in self.negators]
                feats = tuple(item for item in feats if item != NEGATED)
            if is_question and node.lemma in self.question_words and "PronType" not in dict(feats):
                feats = tuple(sorted((*feats, INTERROGATIVE)))
            lemma = node.lemma
            if subtype == POSSESSOR and node.upos == "PRON" and (own := self.possessives.get(lemma or "")):
                lemma, feats = own.lemma, own.feats
            if subtype or feats != (node.feats or ()):
                nodes[index] = replace(node, lemma=lemma, deprel=relation or None, feats=feats or None)
            if self.coordinator and (conjunct := _to_join(tree, index)) is not None:
                heads.append(conjunct)
                nodes.append(Node("", self.coordinator.lemma, self.coordinator.upos, deprel="A2INV"))
        return replace(tree, nodes=tuple(nodes), heads=tuple(heads)), markers

    def _negates(self, node: Node) -> bool:
        return NEGATED in (node.feats or ()) or node.lemma in {word.lemma for word in self.negators}

    def needs_auxiliary(self, tree: DependencyTree, index: int) -> bool:
        """Whether a verb's clause is said to be a question that its verb cannot ask alone."""
        return bool(self.asking) and tree.nodes[index].lemma not in self.asking and asks_of_subject(tree, index)

    def asked(self, tree: DependencyTree) -> DependencyTree:
        """A tree that is said to ask: auxiliary, subject, verb in this order, where questions have auxiliaries.

        Other auxiliaries come after the subject (*has it been eaten?*), negators after the first one.
        """
        below = tree.daughters[tree.root]
        helpers = [d for d in below if tree.nodes[d].relation in ("aux", "cop")]
        finite = [d for d in helpers if ("VerbForm", "Fin") in (tree.nodes[d].feats or ())] or helpers
        subjects = subjects_of(tree, tree.nodes, tree.root)
        if not self.asking or len(finite) != 1 or len(subjects) != 1 or _asks(tree, subjects, self.question_words):
            return tree
        if any({finite[0], subjects[0]} & named_nodes(c) for c in tree.constraints):  # the input knows better
            return tree
        order = [finite[0], subjects[0], *([tree.root] if tree.nodes[tree.root].upos == "VERB" else [])]
        found = list(itertools.starmap(Before, itertools.pairwise(order)))
        found += [Before(subjects[0], helper) for helper in helpers if helper != finite[0]]
        found += [Before(finite[0], d) for d in below if tree.nodes[d].upos == "PART" and self._negates(tree.nodes[d])]
        named = {node for constraint in tree.constraints for node in named_nodes(constraint)}
        free = [constraint for constraint in found if not named & named_nodes(constraint)]
        return replace(tree, constraints=(*tree.constraints, *free))


def named_nodes(constraint: Constraint) -> set[int]:
    """The nodes that a constraint speaks of."""
    return {constraint.first, constraint.second} if isinstance(constraint, Before) else {constraint.node}


def _to_join(tree: DependencyTree, index: int) -> int | None:
    """The conjunct of a node that a conjunction is to be given to, the last by its content; None if there is one."""
    conjuncts = [d for d in tree.daughters[index] if tree.nodes[d].deprel == "LIST:conj"]
    around = [*tree.daughters[index], *(g for d in conjuncts for g in tree.daughters[d])]
    if not conjuncts or any(tree.nodes[node].upos == "CCONJ" for node in around):
        return None
    return max(conjuncts, key=lambda d: (tree.nodes[d].lemma or "", str(tree.nodes[d].feats)))


def is_predicate(node: Node, daughters: Iterable[Node]) -> bool:
    """Whether a word of a deep tree is said of something: a verb, or whatever has a subject."""
    return node.upos in ("VERB", "AUX") or any(daughter.deprel == "A1" for daughter in daughters)


def _is_marker(node: Node) -> bool:
    return node.upos in _MARKERS and node.relation in ("A2INV", "case")


def asks_of_subject(tree: DependencyTree, index: int) -> bool:
    """Whether a finite verb is the root of what is said to be a question, and its subject is no question word."""
    node = tree.nodes[index]
    if index != tree.root or clause_type(tree) != ASKING or node.upos != "VERB":
        return False
    if dict(node.feats or ()).get("Tense") not in FINITE:
        return False
    subjects = [d for d in tree.daughters[index] if tree.nodes[d].deprel == "A1" and not is_dropped(tree.nodes[d])]
    return bool(subjects) and not _asks(tree, subjects)


def _asks(tree: DependencyTree, subjects: Iterable[int], question_words: Collection[str] = ()) -> bool:
    """Whether one of the subjects is a question word, or has one below it, by its features or its lemma."""
    inside = [tree.nodes[node] for subject in subjects for node in (subject, *tree.daughters[subject])]
    return any(INTERROGATIVE in (n.feats or ()) or (n.lemma or n.form.lower()) in question_words for n in inside)
