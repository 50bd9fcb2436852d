"""Training: from a treebank to a model file, all presets at once, the same bytes every time.

Weights of the stages are chosen on a tenth of the treebank that is held out, then everything is trained on
all of it. The two ordering models (labels given, labels filled in) are trained side by side in two threads.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.grammar.extract import Frames, extract
from fergus.grammar.rules import RuleSet
from fergus.lm.count import NgramCounts, add_counts, count_ngrams
from fergus.lm.mix import interpolate
from fergus.lm.model import NgramModel
from fergus.lm.smooth import kneser_ney
from fergus.lm.tokenize import normalise
from fergus.realize.baselines import LeftRightModel, random_pairs, treebank_pairs
from fergus.realize.choose_path import PathChooser
from fergus.realize.features import Encoder, TreeArrays, learn_usually_lower
from fergus.realize.fill_labels import Labeller, LabelModel
from fergus.realize.learn_labels import learn_labels
from fergus.realize.learn_order import learn_order, ordering_corpus
from fergus.realize.model import Section, words_to_array
from fergus.realize.sections import (
    STEP,
    labels_section,
    language_model_section,
    ordering_section,
    rounded,
    tree_model_section,
)
from fergus.realize.templates import shipped_templates
from fergus.realize.tree_model import TreeModel
from fergus.realize.unravel import OrderingModel, Unraveler
from fergus.realize.variants import as_typed

BLOCK, FOLDS, HELD_OUT_FOLD = 20, 10, 3
"""Held out: blocks of 20 neighbouring sentences (often one document), every tenth block."""


@dataclass(frozen=True)
class Settings:
    """What can be changed about training; the defaults were chosen on held-out parts of EWT train."""

    seed: int = 1
    order_epochs: int = 5
    label_epochs: int = 4
    bits: int = 20
    rate: float = 0.1
    order_drop: float = 0.5
    label_drop: float = 0.3
    lm_order: int = 3
    """At most 3: the LP Chooser looks two words back."""
    lm_words: int = 40_000
    lm_cutoffs: tuple[int, ...] = (0, 1, 1)
    text_share: float = 0.2
    margin: float = 6.0
    """Orders of a treelet that score less than the best by more than this (natural log) are not considered."""
    least: int = 1
    """Pairs of lexemes seen less often are not kept by the papers' models."""
    lm_weights: tuple[float, ...] = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
    """Weights of the language model to choose from."""


DEFAULT_SETTINGS = Settings()

Progress = Callable[[str, int, int], None]
"""Told the name of a job, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class Prepared:
    """Trees ready for training: arrays, the position of each word, and the number of each node's label."""

    trees: Sequence[OrderedTree]
    sentence: Sequence[int]
    """Which sentence of the treebank each tree is, or is a variant of: decides what is held out together."""
    labels: tuple[tuple[str, str], ...]
    arrays: Sequence[TreeArrays]
    positions: Sequence[NDArray[np.int32]]
    gold: Sequence[NDArray[np.int32]]

    def held_out(self, index: int) -> bool:
        """Whether a tree is kept from training while the stages' weights are chosen."""
        return self.sentence[-1] >= BLOCK * FOLDS and (self.sentence[index] // BLOCK) % FOLDS == HELD_OUT_FOLD


def prepare(trees: Sequence[OrderedTree], sentence: Sequence[int], encoder: Encoder, *, bare: bool) -> Prepared:
    """Encode trees, if ``bare`` without the labels that are to be learned."""
    counts = Counter((n.upos or "X", n.deprel or "dep") for o in trees for n in o.tree.nodes)
    ranked = sorted(counts, key=lambda label: (-counts[label], label))
    labels = tuple(label for label in ranked if counts[label] > 1) or (("X", "dep"),)
    number = {label: i for i, label in enumerate(labels)}
    arrays, positions, gold = [], [], []
    for ordered in trees:
        tree = ordered.tree
        encoded = encoder.encode(tree.bare() if bare else tree)
        place = np.empty(len(tree), np.int32)
        place[list(ordered.order)] = np.arange(len(tree), dtype=np.int32)
        numbers = [number.get((n.upos or "X", n.deprel or "dep"), -1) for n in tree.nodes]
        arrays.append(encoded)
        positions.append(place)
        gold.append(np.array(numbers, np.int32)[encoded.original])
    return Prepared(trees, sentence, labels, arrays, positions, gold)


def train(
    trees: Sequence[OrderedTree],
    *,
    text: Iterable[Sequence[str]] = (),
    frames: Frames | None = None,
    rules: RuleSet | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    progress: Progress = lambda *_: None,
) -> dict[str, Section]:
    """The sections of the model file, for all presets; ``frames`` maps treebank nodes to the trees of a grammar.

    ``rules`` may add elementary trees; what they say of orders is said again when realizing.
    """
    if not trees:
        raise InputError("there is no tree to train on", remedy="give a treebank with at least one sentence")
    encoder = Encoder(learn_usually_lower(o.forms for o in trees))
    labelled = prepare(trees, range(len(trees)), encoder, bare=False)
    variants = [i for i, o in enumerate(trees) if i % 8 < 2 or any(n.deprel == "expl" for n in o.tree.nodes)]
    typed = [as_typed(trees[i], prepositions_head=i % 8 != 0) for i in variants]
    # Variants first: the last tree tells how many sentences there are.
    unlabelled = prepare([*typed, *trees], [*variants, *range(len(trees))], encoder, bare=True)
    with ThreadPoolExecutor(2) as pool:
        # The first worker makes the language models, then the smaller jobs; the second one starts at once.
        models = pool.submit(language_models, labelled, text, settings)
        from_guesses = pool.submit(guessed_ordering_model, unlabelled, models, settings, progress)
        from_labels = pool.submit(ordering_model, labelled, "labels", models, settings, progress)
        everything, epochs = range(len(unlabelled.trees)), settings.label_epochs
        labels = pool.submit(label_model, unlabelled, everything, epochs, "labels", settings, progress)
        papers = pool.submit(papers_sections, trees, frames, rules, settings)
        guessed_model, guessed_weight = from_guesses.result()
        labelled_model, labelled_weight = from_labels.result()
    features = any(n.feats is not None for o in trees for n in o.tree.nodes)
    lemmas = any(n.lemma is not None for o in trees for n in o.tree.nodes)
    return {
        "default": Section(
            {
                "lm_weight_labels": labelled_weight,
                "lm_weight_guessed": guessed_weight,
                "margin": settings.margin,
                "trained_with_features": features,
                "trained_with_lemmas": lemmas,
            },
            {"usually_lower": words_to_array(sorted(encoder.usually_lower))},
        ),
        "labels": labels_section(labels.result()),
        "ordering-labels": ordering_section(labelled_model),
        "ordering-guessed": ordering_section(guessed_model),
        "language-model": language_model_section(models.result()[1]),
        **papers.result(),
    }


def papers_sections(
    trees: Sequence[OrderedTree], frames: Frames | None, rules: RuleSet | None, settings: Settings
) -> dict[str, Section]:
    """The papers' three models: supertags and the two Left-Right models."""
    extraction = extract(trees, frames=frames, relations=frames is None)
    if rules:
        extraction = replace(extraction, grammar=rules.extend(extraction.grammar))
    supertags = TreeModel.train(extraction, least=settings.least)
    random_trees = random_pairs((o.forms for o in trees), random.Random(settings.seed))
    return {
        "supertag": tree_model_section(supertags),
        "treebank-lr": Section({}, LeftRightModel.train(treebank_pairs(trees), least=settings.least).to_arrays()),
        "baseline-lr": Section({}, LeftRightModel.train(random_trees, least=settings.least).to_arrays()),
    }


def language_models(
    prepared: Prepared, text: Iterable[Sequence[str]], settings: Settings
) -> tuple[NgramModel, NgramModel]:
    """A language model without the held-out sentences, to choose weights with, and the final one."""
    counts = count_ngrams(text, order=settings.lm_order, lowercase=True)
    kept = [tree for i, tree in enumerate(prepared.trees) if not prepared.held_out(i)]
    return language_model(kept, counts, settings), language_model(prepared.trees, counts, settings)


def language_model(trees: Sequence[OrderedTree], text: NgramCounts, settings: Settings) -> NgramModel:
    """Kneser-Ney on the treebank's sentences, mixed with that of the text where there is any."""
    sentences = ([normalise(form) for form in tree.forms] for tree in trees)
    own = count_ngrams(sentences, order=settings.lm_order, lowercase=True)
    if not len(text.vocabulary) > 3:
        return kneser_ney(own.restricted(max_size=settings.lm_words)).quantised(bits=8)
    vocabulary = add_counts([own, text], weights=[5, 1]).restricted(max_size=settings.lm_words).vocabulary
    models = [
        kneser_ney(add_counts([own], vocabulary=vocabulary)),
        kneser_ney(add_counts([text], vocabulary=vocabulary), cutoffs=settings.lm_cutoffs),
    ]
    return interpolate(models, [1 - settings.text_share, settings.text_share]).quantised(bits=8)


def ordering_model(
    prepared: Prepared,
    templates_name: str,
    models: Future[tuple[NgramModel, NgramModel]],
    settings: Settings,
    progress: Progress,
) -> tuple[OrderingModel, float]:
    """An ordering model of these arrays, and the language model's weight beside it, chosen on the held-out part."""
    templates = shipped_templates(templates_name)

    def learned(indices: Sequence[int], epochs: int, job: str) -> OrderingModel:
        corpus = ordering_corpus([(prepared.arrays[i], prepared.positions[i]) for i in indices])
        total, done = epochs * int(np.count_nonzero(np.diff(corpus.first))), 0

        def tick(count: int) -> None:
            nonlocal done
            done += count
            progress(job, done, total)

        weights = learn_order(
            corpus, templates, bits=settings.bits, epochs=epochs, rate=settings.rate, drop=settings.order_drop,
            seed=settings.seed, progress=tick,
        )  # fmt: skip
        progress(job, total, total)
        return OrderingModel(templates, rounded(weights).astype(np.float32) * np.float32(STEP))

    everything = range(len(prepared.arrays))
    held_out = [i for i in everything if prepared.held_out(i)]
    weight = 0.4
    if held_out:
        kept = [i for i in everything if not prepared.held_out(i)]
        trial = learned(kept, max(1, settings.order_epochs // 2), f"weights ({templates_name})")
        weight = best_weight(prepared, trial, models.result()[0], settings, held_out)
    return learned(everything, settings.order_epochs, f"ordering ({templates_name})"), weight


def best_weight(
    prepared: Prepared,
    model: OrderingModel,
    language_model: NgramModel,
    settings: Settings,
    held_out: Sequence[int],
) -> float:
    """The language model's weight that keeps most neighbouring words of the held-out sentences together."""
    unraveler = Unraveler(model, margin=settings.margin)
    cases = []
    for i in held_out:
        tree = prepared.arrays[i]
        forms = [prepared.trees[i].tree.nodes[j].form for j in tree.original]
        words = np.array([language_model.id(normalise(form)) for form in forms], np.int32)
        cases.append((unraveler.unravel(tree), words, prepared.positions[i][tree.original]))
    kept_together: list[tuple[int, float]] = []
    for weight in settings.lm_weights:
        chooser = PathChooser(language_model, weight)
        kept = 0
        for lattice, words, position in cases:
            order, _ = chooser.choose(lattice, words, words.astype(np.int64))[0]
            kept += int(np.count_nonzero(np.diff(position[order]) == 1))
        kept_together.append((kept, -weight))
    return -max(kept_together)[1]


def label_model(
    prepared: Prepared, indices: Sequence[int], epochs: int, job: str, settings: Settings, progress: Progress
) -> LabelModel:
    """The label model of some of the trees."""
    corpus = [(prepared.arrays[i], prepared.gold[i]) for i in indices]
    total, done = epochs * len(corpus), 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        progress(job, done, total)

    model = learn_labels(
        corpus, prepared.labels, bits=settings.bits, epochs=epochs, rate=settings.rate,
        drop=settings.label_drop, seed=settings.seed, progress=tick,
    )  # fmt: skip
    progress(job, total, total)
    model.weights[:] = rounded(model.weights).astype(np.float32) * np.float32(STEP)
    return model


def guessed_ordering_model(
    prepared: Prepared,
    models: Future[tuple[NgramModel, NgramModel]],
    settings: Settings,
    progress: Progress,
) -> tuple[OrderingModel, float]:
    """The ordering model for labels as they are filled in on trees that the label model was not trained on."""
    everything = range(len(prepared.arrays))
    filled: dict[int, TreeArrays] = {}
    halves = [[i for i in everything if (prepared.sentence[i] // BLOCK) % 2 == half] for half in (0, 1)]
    epochs = max(1, settings.label_epochs // 2)
    for half, other in (halves, halves[::-1]):
        labeller = Labeller(label_model(prepared, other or half, epochs, "labels (held out)", settings, progress))
        filled.update({i: labeller.fill(prepared.arrays[i]) for i in half})
    guesses = replace(prepared, arrays=[filled[i] for i in everything])
    return ordering_model(guesses, "guessed", models, settings, progress)


def describe(trees: Sequence[OrderedTree]) -> Mapping[str, Any]:
    """Figures of the training treebank for the model's header."""
    return {
        "sentences": len(trees),
        "words": sum(len(o.tree) for o in trees),
        "non_projective_sentences": sum(not o.is_projective for o in trees),
    }
