"""Counts for agreement: sets of features in all their contexts, number and person of finite words by their subjects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fergus.core.tree import OrderedTree
from fergus.realize.agreement_contexts import contexts_of, padded, subject_contexts
from fergus.realize.agreement_model import AgreementModel, agreement_of, written
from fergus.realize.conditional_counts import ConditionalCounts, Context

LEAST_SEEN = 2
"""Sets that were seen but once in a context say nothing of it."""


def learn_agreement(trees: Iterable[OrderedTree]) -> AgreementModel:
    """Learn from a treebank; words misspelt by their writers do not count."""
    # A treebank without features does not teach their absence.
    told = (ordered for ordered in trees if any(node.feats for node in ordered.tree.nodes))
    return AgreementModel(ConditionalCounts.of((e for ordered in told for e in _events(ordered)), least=LEAST_SEEN))


def _events(ordered: OrderedTree) -> Iterator[tuple[Context, str]]:
    tree, nodes = ordered.tree, ordered.tree.nodes
    for index, node in enumerate(nodes):
        if node.upos is None or ("Typo", "Yes") in (node.feats or ()):
            continue
        for context in contexts_of(tree, nodes, index):
            yield padded(context), written(node.feats)
        for context in subject_contexts(tree, nodes, index, node):
            yield padded(context), written(agreement_of(node.feats))
