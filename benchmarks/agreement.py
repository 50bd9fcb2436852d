"""Word forms where the input says only what is meant: tenses of verbs, numbers of nouns; the tree tells the rest.

Number, person, mood, verb form, case and gender are taken away from all words of EWT dev; only the number of nouns and
moods other than the indicative stay. Of the words that lose a feature, how many get their form (case ignored) as the
most probable one, by the features that agreement finds, and without it, when all sets of features are summed over?
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.realize.pipeline import Realizer
from fergus.realize.readings import Option

LEFT_OPEN = frozenset({"Number", "Person", "Mood", "VerbForm", "Case", "Gender"})
NOUNS = frozenset({"NOUN", "PROPN"})


def shares(realizer: Realizer, sentences: Iterable[OrderedTree]) -> tuple[float, float]:
    """The shares of words with the right form, by agreement and without."""
    stages = realizer.word_stages
    words = by_agreement = without = 0
    for sentence in sentences:
        tree = meant(sentence.tree)
        found = stages.agreement.complete(tree) if stages.agreement else [[Option(node, 0.0)] for node in tree.nodes]
        for node, given, options in zip(sentence.tree.nodes, tree.nodes, found, strict=True):
            if given.lemma is not None and given.feats != node.feats:
                words += 1
                by_agreement += _form(realizer, options[0].node or node) == node.form.lower()
                without += _form(realizer, given) == node.form.lower()
    return by_agreement / max(words, 1), without / max(words, 1)


def meant(tree: DependencyTree) -> DependencyTree:
    """The tree with lemmas and the features that say something by themselves."""
    return replace(tree, nodes=tuple(replace(node, form="", feats=_said(node)) for node in tree.nodes))


def _said(node: Node) -> tuple[tuple[str, str], ...] | None:
    kept = [
        (name, value)
        for name, value in node.feats or ()
        if name not in LEFT_OPEN or (name == "Number" and node.upos in NOUNS) or (name == "Mood" and value != "Ind")
    ]
    return tuple(kept) or None


def _form(realizer: Realizer, node: Node) -> str:
    found = realizer.word_stages.inflector.inflect(node, most=1)
    return found[0].form.lower() if found else ""
