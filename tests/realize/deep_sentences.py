"""A few sentences whose function words can be read off their deep trees."""

from __future__ import annotations

from functools import cache

from fergus.core.deep import DeepSentence
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.insertion_model import InsertionModel
from fergus.realize.learn_insert import InsertionSettings, learn_insertion
from fergus.treebank.deep_conversion import deepened

FINITE = (("Mood", "Ind"), ("Number", "Sing"), ("Person", "3"), ("Tense", "Pres"), ("VerbForm", "Fin"))
PLURAL_FINITE = (("Mood", "Ind"), ("Number", "Plur"), ("Tense", "Pres"), ("VerbForm", "Fin"))
PARTICIPLE = (("Tense", "Past"), ("VerbForm", "Part"))
THE = Node("the", "the", "DET", feats=(("Definite", "Def"), ("PronType", "Art")), deprel="det")
PLACES = {"house": "in", "table": "on", "door": "at"}


def noun(form: str, lemma: str, relation: str) -> Node:
    number = "Sing" if form == lemma else "Plur"
    return Node(form, lemma, "NOUN", feats=(("Number", number),), deprel=relation)


def sentence(subject: str, verb: str, place: str, *, plural: bool, perfect: bool, definite: bool) -> OrderedTree:
    """(the) dogs have barked in the house: the verb last among the nodes, the article there if ``definite``."""
    nodes = [noun(subject + "s" * plural, subject, "nsubj"), noun(place, place, "obl")]
    heads = [3, 3]
    nodes.append(Node(PLACES[place], PLACES[place], "ADP", deprel="case"))
    heads.append(1)
    agreement = PLURAL_FINITE if plural else FINITE
    nodes.append(Node(verb, verb, "VERB", feats=PARTICIPLE if perfect else agreement, deprel="root"))
    heads.append(-1)
    order = [0, 3, 2, 1]
    if perfect:
        nodes.append(Node("have" if plural else "has", "have", "AUX", feats=agreement, deprel="aux"))
        heads.append(3)
        order.insert(1, len(nodes) - 1)
    if definite:
        nodes.append(THE)
        heads.append(0)
        order.insert(0, len(nodes) - 1)
    return OrderedTree(DependencyTree(tuple(nodes), tuple(heads)), tuple(order))


def sentences() -> list[OrderedTree]:
    return [
        sentence(subject, verb, place, plural=plural, perfect=perfect, definite=definite)
        for subject in ("dog", "cat", "boy")
        for verb in ("bark", "wait", "sleep")
        for place in PLACES
        for plural in (False, True)
        for perfect in (False, True)
        for definite in (False, True)
    ]


@cache
def pairs() -> tuple[DeepSentence, ...]:
    return tuple(map(deepened, sentences()))


@cache
def model() -> InsertionModel:
    """Trained once for all tests."""
    return learn_insertion(pairs(), settings=InsertionSettings(bits=16, epochs=4, least_weight=0.0))
