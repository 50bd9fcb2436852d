"""The realizer: chains the stages of a preset and keeps what each of them found (paper, section 2).

DependencyTree --encode--> arrays --Tree Chooser--> labels / supertags
               --Unraveler--> lattice --LP Chooser--> Realization
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fergus.core.realization import Candidate, Realization, Scores, SupertagChoice
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import ModelError
from fergus.grammar.rules import RuleSet, load_rules
from fergus.lm.kernels import lm_score
from fergus.lm.model import NgramModel
from fergus.lm.tokenize import normalise
from fergus.realize.choose_path import LN10, PathChooser
from fergus.realize.demands import order_demands, with_rules
from fergus.realize.features import Encoder, Ints, TreeArrays
from fergus.realize.model import ModelFile, words_from_array
from fergus.realize.presets import Preset, Unraveled, open_preset
from fergus.realize.sections import language_model_from

PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")


class Realizer:
    """Turns unordered trees into sentences with one model and one preset; not shared between threads."""

    def __init__(self, model: ModelFile, *, preset: str = "default", rules: RuleSet | None = None) -> None:
        if preset not in PRESETS:
            raise ModelError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
        self.model, self.preset, self.rules = model, preset, rules
        usually_lower = model.section("default").arrays["usually_lower"]
        self.encoder = Encoder(words_from_array(usually_lower))
        self._word_ids: dict[str, int] = {}

    @cached_property
    def language_model(self) -> NgramModel:
        """The n-gram model of the LP Chooser."""
        return language_model_from(self.model.section("language-model"))

    @cached_property
    def stages(self) -> Preset:
        """What comes before the LP Chooser."""
        return open_preset(self.model, self.preset, lambda: self.language_model)

    def realize(
        self, tree: DependencyTree | OrderedTree, *, nbest: int = 1, bare: bool = False, wide: bool = False
    ) -> Realization:
        """The best sentence for ``tree``, with the n best and what led there; the order of a treebank is ignored.

        ``bare`` ignores all labels; ``wide`` keeps orders in the lattice that would be pruned, to look at them, and
        is tried by itself where there are fewer than ``nbest`` without.
        """
        tree = tree.tree if isinstance(tree, OrderedTree) else tree
        given = tree.bare() if bare else tree
        arrays = self.encoder.encode(given)
        words, keys = self.words(given, arrays)
        demands = order_demands(given, arrays.head, arrays.original)
        if self.rules:
            demands = with_rules(demands, self.rules, self.stages.nodes(given, arrays), arrays.first_daughter)
        unraveled = self.stages.unravel(given, arrays, demands, words, wide=wide)
        chooser = PathChooser(self.language_model, unraveled.lm_weight, beam=unraveled.beam)
        best = tuple(
            Candidate(tuple(arrays.original[order].tolist()), self.scores(score, words[order], unraveled))
            for order, score in chooser.choose(unraveled.lattice, words, keys, n=nbest)
        )
        if len(best) < nbest and not wide:
            return self.realize(tree, nbest=nbest, bare=bare, wide=True)
        return Realization(
            tree,
            best,
            labels=in_given_order(unraveled.labels, arrays),
            supertags=in_given_order(unraveled.supertags, arrays),
            lattice=unraveled.lattice,
            canonical=tuple(arrays.original.tolist()),
            lm_weight=unraveled.lm_weight,
        )

    def scores(self, total: float, words: Ints, unraveled: Unraveled) -> Scores:
        """The total score and its parts."""
        logprob10 = float(np.sum(lm_score(self.language_model.tables, words)))
        return Scores(total, total - unraveled.lm_weight * LN10 * logprob10, logprob10)

    def words(self, tree: DependencyTree, arrays: TreeArrays) -> tuple[Ints, NDArray[np.int64]]:
        """The language model's ids of the nodes, and keys that are equal where two nodes print the same."""
        ids = self._word_ids
        forms = [node.form for node in tree.nodes]
        for form in forms:
            if form not in ids:
                ids[form] = self.language_model.id(normalise(form))
        words = np.array([ids[form] for form in forms], np.int32)[arrays.original]
        number: dict[str, int] = {}
        keys = np.array([number.setdefault(form, len(number)) for form in forms], np.int64)[arrays.original]
        return words, keys


def in_given_order(choices: tuple[SupertagChoice, ...], arrays: TreeArrays) -> tuple[SupertagChoice, ...]:
    """What is known of canonical nodes, in the order of the tree that was given."""
    place = np.argsort(arrays.original)
    return tuple(choices[i] for i in place.tolist()) if choices else ()


def load(name_or_path: str | Path, *, preset: str = "default", rules: RuleSet | str | Path | None = None) -> Realizer:
    """A realizer from a shipped model (``en``) or a model file; ``rules`` may be a file of hand-written rules."""
    if isinstance(rules, str | Path):
        rules = load_rules(rules)
    return Realizer(ModelFile(find_model(name_or_path)), preset=preset, rules=rules)


def find_model(name_or_path: str | Path) -> Path:
    """The path of a model: a file that is there, or the name of a shipped one."""
    path = Path(name_or_path)
    if path.is_file():
        return path
    folder = Path(__file__).parent.parent / "models"
    shipped = folder / f"{name_or_path}.fergus"
    if shipped.exists():
        return shipped
    names = sorted(p.stem for p in folder.glob("*.fergus"))
    raise ModelError(
        f"{name_or_path}: no such model; give a file, or the name of a shipped model ({', '.join(names) or 'none'})"
    )
