"""The four presets: how each goes from an encoded tree to a weighted lattice (paper, sections 2 and 3.3).

baseline-lr, treebank-lr    does a lexeme precede or follow her mother; the language model does the rest
supertag                    the Tree Chooser gives every node a supertag, the grammar says who may stand where
default                     missing labels are filled in, the discriminative ordering model weighs all orders
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from fergus.core.lattice import Lattice
from fergus.core.realization import SupertagChoice
from fergus.core.tree import DependencyTree, Node
from fergus.lm.model import NgramModel
from fergus.realize.baselines import LeftRightModel, LeftRightUnraveler
from fergus.realize.choose_path import STATE_BEAM
from fergus.realize.choose_trees import ProbableTrees
from fergus.realize.crowded import HeadBigrams
from fergus.realize.demands import OrderDemands
from fergus.realize.features import FLAGS, UNLABELLED, Ints, TreeArrays
from fergus.realize.fill_labels import Labeller
from fergus.realize.model import ModelFile
from fergus.realize.sections import default_from, labels_from, ordering_from, tree_model_from
from fergus.realize.supertagged import CanonicalTree
from fergus.realize.tree_model import TreeModel
from fergus.realize.unravel import Unraveler
from fergus.realize.unravel_supertags import Settings, SupertagUnraveler
from fergus.realize.words_apart import is_part

PAPERS_LM_WEIGHT = 1.0
"""In the papers' models the lattice and the language model are probabilities of equal standing."""
PAPERS_LENGTH, LONG_BEAM = 24, 8
"""The papers' models leave sisters unordered, so their lattices grow fast: sentences of up to 24 words, the papers'
longest, are searched exactly; longer ones keep 8 histories a state (quality within .008 on WSJ)."""


WIDE_PLACES = Settings(minimum=0.0, rivals=0.0, exchange=25.0)
"""Every place the adjunction table gives any probability, for explanations."""


@dataclass(frozen=True)
class Unraveled:
    """What the stages before the LP Chooser found; nodes are in canonical order."""

    lattice: Lattice
    lm_weight: float
    beam: int = STATE_BEAM
    """How many histories a state keeps in the search for the best path."""
    labels: tuple[SupertagChoice, ...] = ()
    """The label of every node as ``UPOS:relation``, where it was filled in; else empty."""
    supertags: tuple[SupertagChoice, ...] = ()


class Preset(Protocol):
    """The stages before the LP Chooser."""

    def nodes(self, tree: DependencyTree, arrays: TreeArrays) -> list[Node]:
        """The canonical nodes with all labels the preset knows of, for hand-written rules to select from."""
        ...

    def unravel(
        self,
        tree: DependencyTree,
        arrays: TreeArrays,
        demands: OrderDemands,
        words: Ints,
        *,
        wide: bool = False,
        stages: Sequence[str] = ("order",),
    ) -> Unraveled:
        """The lattice of a tree; ``wide`` asks for orders that would be pruned, to explain what they cost.

        ``stages`` tell where the tree's words come from: given, inflected, inserted.
        """
        ...


class LeftRightPreset:
    """``baseline-lr`` and ``treebank-lr``."""

    def __init__(self, model: ModelFile, name: str, language_model: Callable[[], NgramModel]) -> None:
        left_right = LeftRightModel.from_arrays(model.section(name).arrays)
        self.unraveler = LeftRightUnraveler(left_right)
        self.wide_unraveler = LeftRightUnraveler(left_right, minimum=0.0)
        self.language_model = language_model

    def nodes(self, tree: DependencyTree, arrays: TreeArrays) -> list[Node]:
        """The nodes as they were given."""
        return [tree.nodes[i] for i in arrays.original.tolist()]

    def unravel(
        self,
        tree: DependencyTree,
        arrays: TreeArrays,
        demands: OrderDemands,
        words: Ints,
        *,
        wide: bool = False,
        stages: Sequence[str] = ("order",),
    ) -> Unraveled:
        """Every daughter on either side, sisters in any order."""
        forms = [tree.nodes[i].form for i in arrays.original.tolist()]
        bigrams = HeadBigrams(self.language_model(), words.tolist(), PAPERS_LM_WEIGHT)
        first = arrays.first_daughter.tolist()
        unraveler = self.wide_unraveler if wide else self.unraveler
        lattice = unraveler.unravel(first, forms, demands=demands, adjacency=bigrams)
        return Unraveled(lattice, PAPERS_LM_WEIGHT, papers_beam(len(forms)))


class SupertagPreset:
    """``supertag``: the Tree Chooser and the grammar."""

    def __init__(self, model: TreeModel, language_model: Callable[[], NgramModel]) -> None:
        self.chooser, self.unraveler = ProbableTrees(model), SupertagUnraveler(model)
        self.wide_unraveler = SupertagUnraveler(model, settings=WIDE_PLACES)
        self.language_model = language_model

    def nodes(self, tree: DependencyTree, arrays: TreeArrays) -> list[Node]:
        """The nodes as they were given."""
        return [tree.nodes[i] for i in arrays.original.tolist()]

    def unravel(
        self,
        tree: DependencyTree,
        arrays: TreeArrays,
        demands: OrderDemands,
        words: Ints,
        *,
        wide: bool = False,
        stages: Sequence[str] = ("order",),
    ) -> Unraveled:
        """The orders that the best supertags allow."""
        tagged = self.chooser.choose(CanonicalTree.of(tree, arrays))
        bigrams = HeadBigrams(self.language_model(), words.tolist(), PAPERS_LM_WEIGHT)
        unraveler = self.wide_unraveler if wide else self.unraveler
        lattice = unraveler.unravel(tagged, demands=demands, adjacency=bigrams)
        return Unraveled(lattice, PAPERS_LM_WEIGHT, papers_beam(len(words)), supertags=tuple(tagged.choices))


class DefaultPreset:
    """``default``: labels filled in where they are missing, orders weighed by the ordering model."""

    WIDE_MARGIN = 25.0
    """In natural-log units: orders that are e^25 times less probable than the best are left out even so."""

    def __init__(self, model: ModelFile) -> None:
        self.model = model
        self.settings: Mapping[str, Any] = default_from(model.section("default"))
        self._unravelers: dict[str, Unraveler] = {}

    @cached_property
    def labeller(self) -> Labeller:
        """Fills in the labels the input lacks."""
        return Labeller(labels_from(self.model.section("labels")))

    def unraveler(self, kind: str) -> Unraveler:
        """The Unraveler for trees of a kind: ``labels``, ``guessed``, ``lemmas`` or ``deep``."""
        found = self._unravelers.get(kind)
        if found is None:
            model = ordering_from(self.model.section(f"ordering-{kind}"))
            found = self._unravelers[kind] = Unraveler(model, margin=self.settings["margin"])
        return found

    def kind(self, tree: DependencyTree, arrays: TreeArrays, stages: Sequence[str]) -> str:
        """Which ordering model is for this tree, by what it came with."""
        if not self.is_labelled(tree, arrays):
            return "guessed"
        wanted = "deep" if "insert" in stages else "lemmas" if "inflect" in stages else "labels"
        return wanted if f"lm_weight_{wanted}" in self.settings else "labels"

    def unravel(
        self,
        tree: DependencyTree,
        arrays: TreeArrays,
        demands: OrderDemands,
        words: Ints,
        *,
        wide: bool = False,
        stages: Sequence[str] = ("order",),
    ) -> Unraveled:
        """The orders worth considering, weighed."""
        margin = self.WIDE_MARGIN if wide else self.settings["margin"]
        kind = self.kind(tree, arrays, stages)
        if kind != "guessed":
            lattice = self.unraveler(kind).unravel(arrays, demands, margin=margin)
            return Unraveled(lattice, self.settings[f"lm_weight_{kind}"])
        filled = self.labeller.fill(arrays)
        lattice = self.unraveler("guessed").unravel(filled, demands, margin=margin)
        labels = self.labeller.choices(arrays) if wide else ()
        return Unraveled(lattice, self.settings["lm_weight_guessed"], labels=labels)

    def nodes(self, tree: DependencyTree, arrays: TreeArrays) -> list[Node]:
        """The nodes, missing categories and relations filled in."""
        given = [tree.nodes[i] for i in arrays.original.tolist()]
        if not np.any(arrays.base[:, FLAGS] & UNLABELLED):
            return given
        numbers, _ = self.labeller.label(arrays)
        pairs = [self.labeller.model.labels[number] for number in numbers.tolist()]
        return [
            replace(node, upos=node.upos or upos, deprel=node.deprel or deprel)
            for node, (upos, deprel) in zip(given, pairs, strict=True)
        ]

    def is_labelled(self, tree: DependencyTree, arrays: TreeArrays) -> bool:
        """Whether the tree has every kind of label that the labelled ordering model was trained with."""
        if np.any(arrays.base[:, FLAGS] & UNLABELLED):
            return False
        # Parts of words that were taken apart have no lemma in any treebank.
        if self.settings["trained_with_lemmas"] and any(n.lemma is None and not is_part(n) for n in tree.nodes):
            return False
        return not self.settings["trained_with_features"] or any(node.feats for node in tree.nodes)


def papers_beam(length: int) -> int:
    """How widely the papers' lattices are searched for a sentence of this length."""
    return STATE_BEAM if length <= PAPERS_LENGTH else LONG_BEAM


def open_preset(model: ModelFile, name: str, language_model: Callable[[], NgramModel]) -> Preset:
    """The stages of one of the presets, from the sections of a model file."""
    if name == "default":
        return DefaultPreset(model)
    if name == "supertag":
        return SupertagPreset(tree_model_from(model.section("supertag")), language_model)
    return LeftRightPreset(model, name, language_model)
