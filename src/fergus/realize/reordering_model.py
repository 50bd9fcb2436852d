"""Non-projective sentences: which nodes are ordered among the daughters of an ancestor rather than of their head.

In *Kimden anlamasını bekleyebilirdim* "from whom could I expect to understand" the question word depends on the
lower verb and stands left of both; no order of a head and its daughters at a time gives that. Lifted by one step
it is a daughter of the upper verb for the stages that order, and for them only:

bekleyebilirdim                      bekleyebilirdim
└── anlamasını              ->       ├── kimden
    └── kimden                       └── anlamasını
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import ROOT, DependencyTree, Node
from fergus.errors import ModelError
from fergus.realize.features import hashed
from fergus.realize.model import Section, reads_section, words_from_array, words_to_array

HIGHEST = 3
"""A node is lifted by at most this many steps: more is not seen in treebanks often enough to learn from."""


@dataclass(frozen=True)
class ReorderingModel:
    """A log-linear model of lifting a node by one step, for the pairs of relations that are ever lifted."""

    pairs: frozenset[tuple[str, str]]
    """(relation of the node, relation of the head that it leaves)."""
    weights: NDArray[np.float32]
    """A weight for every hashed feature; their number is a power of two."""
    threshold: float
    """A node is lifted where the probability is greater than this."""

    def probability(self, features: Sequence[int]) -> float:
        """The probability that a node with these features is lifted."""
        mask = len(self.weights) - 1
        score = math.fsum(float(self.weights[feature & mask]) for feature in features)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


class Surroundings:
    """What features of one tree are made of, counted once: sizes, relations below, question words."""

    def __init__(self, tree: DependencyTree) -> None:
        self.tree = tree
        self.size, self.asks = [1] * len(tree), [False] * len(tree)
        for node in tree.bottom_up:
            own = tree.nodes[node]
            self.asks[node] |= any(name == "PronType" and value in ("Int", "Rel") for name, value in own.feats or ())
            if (head := tree.heads[node]) != ROOT:
                self.size[head] += self.size[node]
                self.asks[head] |= self.asks[node]

    def features(self, node: int, left: int, heads: Sequence[int]) -> list[int]:
        """Hashed features of lifting ``node`` away from ``left``, under whom it is now, to the head of ``left``."""
        tree, nodes = self.tree, self.tree.nodes
        goal = heads[left]
        own, mother, grandmother = nodes[node], nodes[left], nodes[goal]
        relations = f"{own.deprel} {mother.deprel}"
        sisters = sorted({nodes[d].deprel or "" for d in tree.daughters[left]})
        aunts = sorted({nodes[d].deprel or "" for d in tree.daughters[goal]})
        size, rest = min(self.size[node], 5), min(self.size[left] - self.size[node], 5)
        steps = int(tree.heads[node] != left)
        found = (
            "",
            f"r {relations}",
            f"rg {relations} {grandmother.deprel}",
            f"ru {relations} {own.upos} {mother.upos} {grandmother.upos}",
            f"form {relations} {own.form.lower()}",
            f"lemma {own.lemma} {mother.deprel}",
            f"mother {relations} {mother.lemma}",
            f"grand {relations} {grandmother.lemma}",
            f"both {mother.lemma} {grandmother.lemma}",
            f"feats {relations} {single(own, 'Case')} {single(mother, 'VerbForm')} {single(grandmother, 'VerbForm')}",
            f"type {relations} {single(own, 'PronType')} {self.asks[node]}",
            f"asks {relations} {self.asks[node]} {grandmother.upos} {goal == tree.root}",
            f"size {relations} {size} {rest}",
            f"sisters {own.deprel} {mother.deprel} {'+'.join(sisters)}",
            f"aunts {own.deprel} {mother.deprel} {'+'.join(aunts)}",
            f"steps {steps} {relations}",
            f"capital {own.form[:1].isupper()} {(own.lemma or '')[:1].islower()} {own.deprel}",
        )
        return [hashed(feature) for feature in found]


def single(node: Node, name: str) -> str:
    """The value of one feature of ``node``, empty if there is none."""
    return next((value for key, value in node.feats or () if key == name), "")


def reordering_section(model: ReorderingModel) -> Section:
    """The model as it is stored."""
    return Section(
        {"threshold": model.threshold},
        {
            "pairs": words_to_array([f"{own}\t{head}" for own, head in sorted(model.pairs)]),
            "weights": model.weights.astype(np.float16),
        },
    )


@reads_section
def reordering_from(section: Section) -> ReorderingModel:
    """The model of a section."""
    pairs = [tuple(line.split("\t")) for line in words_from_array(section.arrays["pairs"])]
    weights = section.arrays["weights"].astype(np.float32)
    if weights.ndim != 1 or not len(weights) or len(weights) & (len(weights) - 1) or any(len(p) != 2 for p in pairs):
        raise ModelError("the weights or pairs of the reordering model are broken; train or copy the model again")
    return ReorderingModel(frozenset((own, head) for own, head in pairs), weights, float(section.settings["threshold"]))
