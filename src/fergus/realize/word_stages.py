"""The stages that find words: chains insertion, lexical choice and inflection before the lattice, the rest after it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.errors import InputError, ModelError
from fergus.realize.finish import spoken, suited
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.inflection_sections import inflection_from
from fergus.realize.model import ModelFile
from fergus.realize.readings import Completed, Reading, as_lemma, most_probable
from fergus.realize.sandhi import FormChooser

MOST_READINGS = 8
LEAST_PROBABLE = -5.0
"""Readings that are e^5 times less probable than the node's best are left out."""


class WordStages:
    """What comes before and after the choice of an order; the parts are loaded when a tree first needs them."""

    def __init__(self, model: ModelFile, *, lexicon: InflectionLexicon | None = None) -> None:
        self.model, self.lexicon = model, lexicon

    @cached_property
    def inflector(self) -> Inflector:
        """Forms of lemmas."""
        if "inflection" not in self.model.sections:
            raise ModelError(
                f"{self.model.path}: words have to be inflected, and the model was trained without lemmas; "
                "give word forms, or train it anew on a treebank with lemmas"
            )
        return Inflector(inflection_from(self.model.section("inflection")), lexicon=self.lexicon)

    @cached_property
    def form_chooser(self) -> FormChooser:
        """Forms that suit their neighbours."""
        return FormChooser(self.inflector.model.sandhi)

    def complete(self, tree: DependencyTree, stages: Sequence[str]) -> Completed:
        """The readings of all nodes."""
        inflect = "inflect" in stages
        if not inflect and all(node.form for node in tree.nodes):
            return Completed(tree)
        readings = tuple(self.forms(as_lemma(node) if inflect else node, tree) for node in tree.nodes)
        return Completed(replace(tree, nodes=tuple(map(most_probable, readings))), readings)

    def forms(self, node: Node, tree: DependencyTree) -> tuple[Reading, ...]:
        """The forms of a node that has none, or the one it has."""
        if node.form:
            return (Reading(node, 0.0),)
        candidates = self.inflector.inflect(node)
        if not candidates:
            problem = f"node {node.identifier or '?'} has neither a form nor a lemma"
            raise InputError(problem, path=tree.source, remedy="give it one of the two")
        scores = [one.logprob10 * math.log(10) for one in candidates]
        is_complete = self.inflector.is_complete(node)
        return tuple(
            Reading(replace(node, form=one.form), score, is_complete=is_complete)
            for one, score in zip(candidates, scores, strict=True)
            if score >= scores[0] + LEAST_PROBABLE
        )[:MOST_READINGS]

    def words(self, completed: Completed, order: Sequence[int], readings: Sequence[Reading]) -> Sequence[Node | None]:
        """By node what it becomes in this order."""
        if not completed.readings:
            return completed.tree.nodes
        return suited(completed, order, readings, self.form_chooser)

    def sentence(
        self, tree: DependencyTree, order: Sequence[int], words: Sequence[Node | None], stages: Sequence[str]
    ) -> OrderedTree:
        """The finished sentence."""
        return spoken(tree, order, words)
