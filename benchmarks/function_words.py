"""Content words to sentences (T2 made from EWT), and the same where some function words are there already.

Given are the auxiliaries, copulas, case markers, expletives and rests of fixed expressions below the words they belong
to: lemma, category and relation without features, as a person would type them who knows what is to be said but not in
which form. Articles, complementizers, relative pronouns and punctuation are still to be found.
"""

from __future__ import annotations

from collections.abc import Sequence

from fergus.core.deep import FUNCTION_WORDS, DeepSentence
from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.treebank.deep_conversion import deepened

GIVEN = FUNCTION_WORDS - {"det"}


def deep_trees(sentences: Sequence[OrderedTree]) -> dict[str, list[DependencyTree]]:
    """The deep trees of sentences, without function words and with those that are given."""
    pairs = [deepened(sentence) for sentence in sentences]
    return {"T2 EWT": [pair.deep for pair in pairs], "T2 EWT, some function words given": list(map(with_given, pairs))}


def with_given(pair: DeepSentence) -> DependencyTree:
    """A deep tree with the function words that insertion does not have to find, without features."""
    deep, source = pair.deep, pair.source.tree
    given = [
        (Node("", word.lemma, word.upos, deprel=word.deprel), head)
        for head, absorbed in enumerate(pair.absorbed)
        for word in (source.nodes[place] for place in absorbed)
        if word.relation in GIVEN
    ]
    nodes, heads = (*deep.nodes, *(node for node, _ in given)), (*deep.heads, *(head for _, head in given))
    return DependencyTree(nodes, heads, source=deep.source)
