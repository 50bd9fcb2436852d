"""The realizer: chains the stages of a preset and keeps what each of them found (paper, section 2).

DependencyTree --encode--> arrays --Tree Chooser--> labels / supertags
               --Unraveler--> lattice --LP Chooser--> Realization
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fergus.core.lattice import Lattice
from fergus.core.realization import Candidate, Realization, Scores
from fergus.core.tree import DependencyTree
from fergus.errors import ModelError
from fergus.grammar.rules import RuleSet
from fergus.lm.model import NgramModel
from fergus.lm.tokenize import normalise
from fergus.realize.choose_path import PathChooser
from fergus.realize.demands import order_demands
from fergus.realize.features import FLAGS, FORM, SHAPE, UNLABELLED, Encoder, TreeArrays
from fergus.realize.fill_labels import Labeller
from fergus.realize.model import ModelFile, words_from_array
from fergus.realize.sections import labels_from, language_model_from, ordering_from
from fergus.realize.unravel import Unraveler

PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")


class Realizer:
    """Turns unordered trees into sentences with one model and one preset; not shared between threads."""

    def __init__(self, model: ModelFile, *, preset: str = "default", rules: RuleSet | None = None) -> None:
        if preset not in PRESETS:
            raise ModelError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
        self.model, self.preset, self.rules = model, preset, rules
        settings = model.section("default")
        self.settings = settings.settings
        self.encoder = Encoder(words_from_array(settings.arrays["usually_lower"]))
        self._word_ids: dict[str, int] = {}

    @cached_property
    def language_model(self) -> NgramModel:
        """The n-gram model of the LP Chooser."""
        return language_model_from(self.model.section("language-model"))

    @cached_property
    def labeller(self) -> Labeller:
        """Fills in the labels the input lacks."""
        return Labeller(labels_from(self.model.section("labels")))

    @cached_property
    def unraveler_for_labels(self) -> Unraveler:
        """The Unraveler for trees that came with all their labels."""
        return Unraveler(ordering_from(self.model.section("ordering-labels")), margin=self.settings["margin"])

    @cached_property
    def unraveler_for_guesses(self) -> Unraveler:
        """The Unraveler for trees some of whose labels were filled in."""
        return Unraveler(ordering_from(self.model.section("ordering-guessed")), margin=self.settings["margin"])

    def realize(self, tree: DependencyTree, *, nbest: int = 1, bare: bool = False) -> Realization:
        """The best sentence for ``tree``, with the n best and what led there; ``bare`` ignores all labels."""
        given = tree.bare() if bare else tree
        arrays = self.encoder.encode(given)
        lattice, weight = self.unravel(given, arrays)
        words, keys = self.words(given, arrays)
        chosen = PathChooser(self.language_model, weight).choose(lattice, words, keys, n=nbest)
        best = tuple(Candidate(tuple(arrays.original[order].tolist()), Scores(total=score)) for order, score in chosen)
        return Realization(tree, best, lattice=lattice)

    def unravel(self, tree: DependencyTree, arrays: TreeArrays) -> tuple[Lattice, float]:
        """The lattice of all orders worth considering, and the weight of the language model beside it."""
        demands = order_demands(tree, arrays.head, arrays.original)
        if self.is_labelled(tree, arrays):
            return self.unraveler_for_labels.unravel(arrays, demands), self.settings["lm_weight_labels"]
        filled = self.labeller.fill(arrays)
        return self.unraveler_for_guesses.unravel(filled, demands), self.settings["lm_weight_guessed"]

    def is_labelled(self, tree: DependencyTree, arrays: TreeArrays) -> bool:
        """Whether the tree has every kind of label that the labelled ordering model was trained with."""
        if np.any(arrays.base[:, FLAGS] & UNLABELLED):
            return False
        if self.settings["trained_with_lemmas"] and any(node.lemma is None for node in tree.nodes):
            return False
        return not self.settings["trained_with_features"] or any(node.feats for node in tree.nodes)

    def words(self, tree: DependencyTree, arrays: TreeArrays) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The language model's ids of the nodes, and keys that are equal where two nodes print the same."""
        ids = self._word_ids
        forms = [node.form for node in tree.nodes]
        for form in forms:
            if form not in ids:
                ids[form] = self.language_model.id(normalise(form))
        words = np.array([ids[form] for form in forms], np.int32)[arrays.original]
        keys = arrays.base[:, FORM].astype(np.int64) * 16 + arrays.base[:, SHAPE]
        return words, keys


def load(name_or_path: str | Path, *, preset: str = "default", rules: RuleSet | None = None) -> Realizer:
    """A realizer from a shipped model (``en``) or a model file."""
    return Realizer(ModelFile(find_model(name_or_path)), preset=preset, rules=rules)


def find_model(name_or_path: str | Path) -> Path:
    """The path of a model: a file that is there, or the name of a shipped one."""
    path = Path(name_or_path)
    if path.exists():
        return path
    folder = Path(__file__).parent.parent / "models"
    shipped = folder / f"{name_or_path}.fergus"
    if shipped.exists():
        return shipped
    names = sorted(p.stem for p in folder.glob("*.fergus"))
    raise ModelError(
        f"{name_or_path}: no such model; give a file, or the name of a shipped model ({', '.join(names) or 'none'})"
    )
