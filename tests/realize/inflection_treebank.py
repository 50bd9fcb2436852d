"""A treebank of a few words whose inflection and sandhi can be read off: plurals, pasts, a and an."""

from __future__ import annotations

from functools import cache

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.inflection_model import InflectionModel
from fergus.realize.learn_inflection import InflectionSettings, learn_inflection

PLURALS = """cat cats, dog dogs, city cities, lady ladies, party parties, army armies, duty duties, book books,
tree trees, table tables, apple apples, egg eggs, orange oranges, idea ideas, day days, boy boys, key keys"""
PASTS = "walk walked, talk talked, jump jumped, call called, go went, love loved, like liked, bake baked, hope hoped"
PAST = (("Tense", "Past"), ("VerbForm", "Fin"))
INFINITIVE = (("VerbForm", "Inf"),)
SINGULAR, PLURAL = (("Number", "Sing"),), (("Number", "Plur"),)
ARTICLE = (("Definite", "Ind"),)


def pairs(text: str) -> list[tuple[str, str]]:
    return [(lemma, form) for lemma, form in (entry.split() for entry in text.split(","))]


def sentence(*nodes: Node) -> OrderedTree:
    """The first word is the mother of the others."""
    return OrderedTree(DependencyTree(nodes, (-1, *[0] * (len(nodes) - 1))), tuple(range(len(nodes))))


def treebank() -> list[OrderedTree]:
    trees = []
    for lemma, plural in pairs(PLURALS):
        article = "an" if lemma[0] in "aeiou" else "a"
        one = Node(article, "a", "DET", feats=ARTICLE), Node(lemma, lemma, "NOUN", feats=SINGULAR)
        many = Node(plural.capitalize(), lemma, "NOUN", feats=PLURAL), Node(".", ".", "PUNCT")
        trees += [sentence(*one), sentence(*many)]
    for lemma, past in pairs(PASTS):
        trees.append(sentence(Node(past, lemma, "VERB", feats=PAST), Node(lemma, lemma, "VERB", feats=INFINITIVE)))
    return trees


@cache
def model() -> InflectionModel:
    """Trained once for all tests."""
    return learn_inflection(treebank(), InflectionSettings(bits=18, sandhi_bits=16, least_weight=0.0))
