"""The realizer: chains the stages of a preset and keeps what each of them found (paper, sections 2 and 5).

DependencyTree --complete--> readings of its nodes (function words, lexical choice, forms)
               --encode--> arrays --Tree Chooser--> labels / supertags
               --Unraveler--> lattice --LP Chooser--> order and words --finish--> Realization
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.core.realization import Candidate, Realization, Scores, SupertagChoice
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import ModelError
from fergus.grammar.rules import RuleSet, load_rules
from fergus.lm.kernels import lm_score
from fergus.lm.model import NgramModel
from fergus.lm.tokenize import normalise
from fergus.realize.alternatives import Alternatives, with_alternatives
from fergus.realize.choose_path import LN10, NOTHING, PathChooser
from fergus.realize.demands import order_demands, with_rules
from fergus.realize.features import Encoder, Ints, TreeArrays
from fergus.realize.inflection_lexicon import InflectionLexicon, read_lexicon
from fergus.realize.model import ModelFile, words_from_array
from fergus.realize.presets import Preset, Unraveled, open_preset
from fergus.realize.readings import Completed, Reading
from fergus.realize.sections import language_model_from
from fergus.realize.stages import needed_stages, with_implied
from fergus.realize.synonyms import Synonyms, read_synonyms_tsv, with_synonyms
from fergus.realize.word_stages import WordStages
from fergus.realize.wordnet import read_wordnet
from fergus.realize.write_text import WriteText, text_writer

PRESETS = ("default", "supertag", "treebank-lr", "baseline-lr")


class Realizer:
    """Turns unordered trees into sentences with one model and one preset; not shared between threads."""

    def __init__(
        self,
        model: ModelFile,
        *,
        preset: str = "default",
        rules: RuleSet | None = None,
        lexicon: InflectionLexicon | None = None,
        synonyms: Synonyms | None = None,
    ) -> None:
        if preset not in PRESETS:
            raise ModelError(f"there is no preset {preset!r}; there are {', '.join(PRESETS)}")
        self.model, self.preset, self.rules, self.synonyms = model, preset, rules, synonyms
        usually_lower = model.section("default").arrays["usually_lower"]
        self.encoder = Encoder(words_from_array(usually_lower))
        self.word_stages = WordStages(model, lexicon=lexicon)
        self._word_ids: dict[str, int] = {"": NOTHING}

    @cached_property
    def language_model(self) -> NgramModel:
        """The n-gram model of the LP Chooser."""
        return language_model_from(self.model.section("language-model"))

    @cached_property
    def stages(self) -> Preset:
        """What comes before the LP Chooser."""
        return open_preset(self.model, self.preset, lambda: self.language_model)

    def realize(
        self,
        tree: DependencyTree | OrderedTree,
        *,
        nbest: int = 1,
        bare: bool = False,
        wide: bool = False,
        stages: Sequence[str] | None = None,
    ) -> Realization:
        """The best sentence for ``tree``, with the n best and what led there; the order of a treebank is ignored.

        ``bare`` ignores all labels; ``wide`` keeps orders in the lattice that would be pruned, to look at them, and
        is tried by itself where there are fewer than ``nbest`` without. ``stages`` are chosen from what the tree
        lacks if they are not given.
        """
        tree = tree.tree if isinstance(tree, OrderedTree) else tree
        given = tree.bare() if bare else tree
        if self.synonyms:
            given = with_synonyms(given, self.synonyms)
        names = needed_stages(given) if stages is None else with_implied(stages, given)
        completed = self.word_stages.complete(given, names)
        arrays = self.encoder.encode(completed.tree)
        words, keys = self.words(completed.tree, arrays)
        demands = order_demands(completed.tree, arrays.head, arrays.original)
        if self.rules:
            demands = with_rules(demands, self.rules, self.stages.nodes(completed.tree, arrays), arrays.first_daughter)
        unraveled = self.stages.unravel(completed.tree, arrays, demands, words, wide=wide, stages=names)
        found = self.search(completed, arrays, unraveled, words, keys, nbest)
        if len(found) < nbest and not wide:
            return self.realize(tree, nbest=nbest, bare=bare, wide=True, stages=stages)
        words_of = [self.word_stages.words(completed, one.order, one.readings) for one in found]
        shown = tree if not completed.readings else completed.as_chosen(words_of[0])
        best = tuple(
            Candidate(one.order, one.scores, self.word_stages.sentence(shown, one.order, own, names))
            for one, own in zip(found, words_of, strict=True)
        )
        return Realization(
            shown,
            best,
            stages=names,
            readings=completed.described(),
            inserted=completed.inserted,
            labels=in_given_order(unraveled.labels, arrays),
            supertags=in_given_order(unraveled.supertags, arrays),
            lattice=unraveled.lattice,
            canonical=tuple(arrays.original.tolist()),
            lm_weight=unraveled.lm_weight,
        )

    @cached_property
    def text(self) -> WriteText:
        """Writes a sentence as people do: capitals, spaces, contractions."""
        return text_writer(self.model)

    def labelled(self, tree: DependencyTree) -> DependencyTree:
        """The tree with missing categories and relations filled in, as far as the preset does that."""
        arrays = self.encoder.encode(tree)
        nodes = self.stages.nodes(tree, arrays)
        place = np.argsort(arrays.original).tolist()
        return replace(tree, nodes=tuple(nodes[i] for i in place))

    def search(
        self,
        completed: Completed,
        arrays: TreeArrays,
        unraveled: Unraveled,
        words: Ints,
        keys: NDArray[np.int64],
        nbest: int,
    ) -> list[Found]:
        """The LP Chooser's n best, in the given tree's numbers."""
        chooser = PathChooser(self.language_model, unraveled.lm_weight, beam=unraveled.beam)
        if not completed.readings:
            return [
                Found(tuple(arrays.original[order].tolist()), (), self.scores(score, words[order], unraveled))
                for order, score in chooser.choose(unraveled.lattice, words, keys, n=nbest)
            ]
        alternatives = Alternatives.of(completed.alternatives(arrays.original.tolist()))
        words, keys = self.ids(alternatives.forms)
        lattice = with_alternatives(unraveled.lattice, alternatives)
        found = []
        for path, score in chooser.choose(lattice, words, keys, n=nbest, length=len(completed.tree)):
            nodes = alternatives.node[path]
            order = tuple(arrays.original[nodes].tolist())
            chosen = (path - alternatives.first[nodes]).tolist()
            readings = tuple(completed.readings[node][number] for node, number in zip(order, chosen, strict=True))
            spelled = words[path]
            found.append(Found(order, readings, self.scores(score, spelled[spelled != NOTHING], unraveled)))
        return found

    def scores(self, total: float, words: Ints, unraveled: Unraveled) -> Scores:
        """The total score and its parts."""
        logprob10 = float(np.sum(lm_score(self.language_model.tables, words)))
        return Scores(total, total - unraveled.lm_weight * LN10 * logprob10, logprob10)

    def words(self, tree: DependencyTree, arrays: TreeArrays) -> tuple[Ints, NDArray[np.int64]]:
        """The language model's ids of the nodes, and keys that are equal where two nodes print the same."""
        words, keys = self.ids([node.form for node in tree.nodes])
        return words[arrays.original], keys[arrays.original]

    def ids(self, forms: Sequence[str]) -> tuple[Ints, NDArray[np.int64]]:
        """The same of forms, the empty one being no word."""
        ids = self._word_ids
        for form in forms:
            if form not in ids:
                ids[form] = self.language_model.id(normalise(form))
        number: dict[str, int] = {}
        keys = [number.setdefault(form, len(number)) for form in forms]
        return np.array([ids[form] for form in forms], np.int32), np.array(keys, np.int64)


class Found(NamedTuple):
    """One of the n best paths."""

    order: tuple[int, ...]
    readings: tuple[Reading, ...]
    """The reading of every node in this order; none if the tree came with its words."""
    scores: Scores


def in_given_order(choices: tuple[SupertagChoice, ...], arrays: TreeArrays) -> tuple[SupertagChoice, ...]:
    """What is known of canonical nodes, in the order of the tree that was given."""
    place = np.argsort(arrays.original)
    return tuple(choices[i] for i in place.tolist()) if choices else ()


def load(
    name_or_path: str | Path,
    *,
    preset: str = "default",
    rules: RuleSet | str | Path | None = None,
    lexicon: InflectionLexicon | str | Path | None = None,
    synonyms: Synonyms | str | Path | None = None,
) -> Realizer:
    """A realizer from a shipped model (``en``) or a model file.

    ``rules`` may be a file of hand-written rules, ``lexicon`` a table of word forms, ``synonyms`` a WordNet folder
    or a table.
    """
    if isinstance(rules, str | Path):
        rules = load_rules(rules)
    if isinstance(lexicon, str | Path):
        lexicon = read_lexicon(Path(lexicon))
    if isinstance(synonyms, str | Path):
        synonyms = read_wordnet(Path(synonyms)) if Path(synonyms).is_dir() else read_synonyms_tsv(Path(synonyms))
    model = ModelFile(find_model(name_or_path))
    return Realizer(model, preset=preset, rules=rules, lexicon=lexicon, synonyms=synonyms)


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
