"""The realizer: chains the stages of a preset and keeps what each of them found (paper, sections 2 and 5).

DependencyTree --complete--> readings of its nodes (function words, lexical choice, forms)
               --encode--> arrays --Tree Chooser--> labels / supertags
               --Unraveler--> lattice --LP Chooser--> order and words --finish--> Realization
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from fergus.core.deep import ASKING
from fergus.core.realization import Candidate, Realization
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.errors import ModelError
from fergus.grammar.rules import RuleSet, load_rules
from fergus.lm.model import NgramModel
from fergus.models import shipped_model
from fergus.realize.asked_supertags import asks, with_their_labels, with_their_slots
from fergus.realize.demands import OrderDemands, order_demands, with_rules
from fergus.realize.features import Encoder, TreeArrays
from fergus.realize.inflection_lexicon import InflectionLexicon, read_lexicon
from fergus.realize.model import ModelFile, words_from_array
from fergus.realize.presets import Preset, SupertagPreset, open_preset
from fergus.realize.reorder import Reorderer
from fergus.realize.reordering_model import reordering_from
from fergus.realize.search import Search
from fergus.realize.sections import language_model_from
from fergus.realize.stages import needed_stages, with_implied
from fergus.realize.supertagged import CanonicalTree
from fergus.realize.synonyms import Synonyms, read_synonyms_tsv, with_synonyms
from fergus.realize.word_stages import WordStages
from fergus.realize.wordnet import read_wordnet
from fergus.realize.write_text import WriteText, text_writer

T = TypeVar("T")
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

    def with_preset(self, preset: str) -> Realizer:
        """The same model by another preset; what was read for this one and is the same there is not read again."""
        other = Realizer(self.model, preset=preset, rules=self.rules, synonyms=self.synonyms)
        other.word_stages = self.word_stages
        read = vars(self)
        for name in ("language_model", "search", "tree_chooser_stages", "text"):
            if name in read:
                vars(other)[name] = read[name]
        return other

    @cached_property
    def language_model(self) -> NgramModel:
        """The n-gram model of the LP Chooser."""
        return language_model_from(self.model.section("language-model"))

    @cached_property
    def search(self) -> Search:
        """The LP Chooser."""
        return Search(self.language_model)

    @cached_property
    def stages(self) -> Preset:
        """What comes before the LP Chooser."""
        if self.preset == "supertag":
            return self.tree_chooser_stages
        return open_preset(self.model, self.preset, lambda: self.language_model)

    @cached_property
    def tree_chooser_stages(self) -> Preset:
        """The stages of preset ``supertag``, by which trees of the other presets are explained."""
        return open_preset(self.model, "supertag", lambda: self.language_model)

    def realize(
        self,
        tree: DependencyTree | OrderedTree | Iterable[Any],
        *,
        nbest: int = 1,
        bare: bool = False,
        wide: bool = False,
        stages: Sequence[str] | None = None,
    ) -> Realization:
        """The best sentence for ``tree``, with the n best and what led there; the order of a treebank is ignored.

        ``bare`` ignores all labels; ``wide`` keeps orders in the lattice that would be pruned, to look at them: they
        are searched where there are fewer than ``nbest`` without. ``stages`` are chosen from what the tree
        lacks if they are not given. A parsed ``Doc`` or ``Span`` of spaCy and a ``TokenList`` of conllu are trees too.
        """
        if not isinstance(tree, DependencyTree | OrderedTree):
            # The only thing that is asked of the readers, and only for a sentence of another library.
            from fergus.treebank.foreign_trees import as_tree

            tree = as_tree(tree)
        tree = tree.tree if isinstance(tree, OrderedTree) else tree
        given = tree.bare() if bare else tree
        if self.synonyms:
            given = with_synonyms(given, self.synonyms)
        names = self.word_stages.learned(needed_stages(given)) if stages is None else with_implied(stages, given)
        completed = self.word_stages.complete(given, names, anew=stages is not None)
        seen = self.reorderer.lift(completed.tree) if self.reorderer else completed.tree
        is_steered = self.preset == "default" and asks(seen)
        seen = with_their_labels(seen) if is_steered else seen
        arrays = self.encoder.encode(seen, asks=completed.clause_type == ASKING)
        demands = order_demands(seen, arrays.head, arrays.original)
        if is_steered:
            demands = self.steered(demands, seen, arrays)
        if self.rules:
            demands = with_rules(demands, self.rules, self.stages.nodes(seen, arrays), arrays.first_daughter)
        words, keys = self.search.words(seen, arrays)
        unraveled = self.stages.unravel(seen, arrays, demands, words, stages=names)
        found = self.search.best(completed, arrays, unraveled, words, keys, n=nbest)
        is_wide = wide or len(found) < nbest
        if is_wide:
            unraveled = self.stages.unravel(seen, arrays, demands, words, wide=True, stages=names)
        if len(found) < nbest:
            found = self.search.best(completed, arrays, unraveled, words, keys, n=nbest)
        words_of = [self.word_stages.words(completed, one.order, one.readings) for one in found]
        shown = tree if not completed.readings else completed.as_chosen(words_of[0])
        best: dict[tuple[str, ...], Candidate] = {}
        for one, own in zip(found, words_of, strict=True):
            sentence = self.word_stages.sentence(shown, one.order, own, names, kind=completed.clause_type)
            # Two paths can come to the same words once neighbours have chosen among forms.
            best.setdefault(sentence.forms, Candidate(one.order, one.scores, sentence))
        return Realization(
            shown,
            tuple(best.values()),
            stages=names,
            readings=completed.described(),
            inserted=completed.inserted,
            labels=in_given_order(unraveled.labels, arrays),
            supertags=in_given_order(unraveled.supertags, arrays),
            lattice=unraveled.lattice,
            is_wide=is_wide,
            lattice_heads=seen.heads,
            canonical=tuple(arrays.original.tolist()),
            lm_weight=unraveled.lm_weight,
        )

    def steered(self, demands: OrderDemands, tree: DependencyTree, arrays: TreeArrays) -> OrderDemands:
        """The demands with those of supertags that the input asks for, which the Tree Chooser brings together."""
        stages = self.tree_chooser_stages
        if not isinstance(stages, SupertagPreset):
            raise ModelError("this model has no supertags; take them out of the tree, or train it with them")
        tagged = stages.chooser.choose(CanonicalTree.of(tree, arrays))
        return with_their_slots(demands, tagged, stages.chooser.model.grammar.trees)

    @cached_property
    def reorderer(self) -> Reorderer | None:
        """Makes orders possible that are not projective, where the treebank's language needs them."""
        if self.preset != "default" or "reordering" not in self.model.sections:
            return None
        return Reorderer(reordering_from(self.model.section("reordering")))

    @cached_property
    def text(self) -> WriteText:
        """Writes a sentence as people do: capitals, spaces, contractions."""
        return text_writer(self.model)

    def labelled(self, tree: DependencyTree) -> DependencyTree:
        """The tree with missing categories and relations filled in, as far as the preset does that."""
        arrays = self.encoder.encode(tree)
        return tree.with_nodes(in_given_order(self.stages.nodes(tree, arrays), arrays))


def in_given_order(known: Sequence[T], arrays: TreeArrays) -> tuple[T, ...]:
    """What is known of canonical nodes, in the order of the tree that was given; nothing where nothing is known."""
    place = np.argsort(arrays.original)
    return tuple(known[i] for i in place.tolist()) if known else ()


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
    if shipped := shipped_model(str(name_or_path)):
        return shipped
    names = sorted(p.stem for p in (Path(__file__).parent.parent / "models").glob("*.fergus"))
    raise ModelError(
        f"{name_or_path}: no such model; give a file, or the name of a shipped model ({', '.join(names) or 'none'})"
    )
