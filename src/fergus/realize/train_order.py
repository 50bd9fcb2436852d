"""Training of the default preset: the label model, the ordering models and the language model beside them.

The language model's weight is chosen on a tenth of the treebank that is held out, then everything is trained on
all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fergus.core.tree import OrderedTree
from fergus.lm.count import NgramCounts, add_counts, count_ngrams
from fergus.lm.mix import interpolate
from fergus.lm.model import NgramModel
from fergus.lm.smooth import kneser_ney
from fergus.lm.tokenize import normalise
from fergus.realize.choose_path import PathChooser
from fergus.realize.features import Encoder, TreeArrays
from fergus.realize.fill_labels import Labeller, LabelModel
from fergus.realize.learn_labels import learn_labels
from fergus.realize.learn_order import learn_order, ordering_corpus
from fergus.realize.order_scores import OUTCOMES
from fergus.realize.templates import shipped_templates
from fergus.realize.training_settings import Progress, Settings
from fergus.realize.unravel import OrderingModel, Unraveler
from fergus.realize.weight_steps import STEP, rounded

BLOCK, FOLDS, HELD_OUT_FOLD = 20, 10, 3
"""Held out: blocks of 20 neighbouring sentences (often one document), every tenth block."""


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

    @property
    def sentences(self) -> int:
        """How many sentences the treebank has; the last tree is of the last one."""
        return self.sentence[-1] + 1

    def held_out(self, index: int) -> bool:
        """Whether a tree is kept from training while the stages' weights are chosen."""
        return self.sentences > BLOCK * FOLDS and (self.sentence[index] // BLOCK) % FOLDS == HELD_OUT_FOLD


def prepare(
    trees: Sequence[OrderedTree],
    sentence: Sequence[int],
    encoder: Encoder,
    *,
    bare: bool,
    asks: Callable[[int], bool] = lambda _: False,
) -> Prepared:
    """Encode trees, if ``bare`` without the labels that are to be learned; ``asks``: which are said to be questions."""
    counts = Counter((n.upos or "X", n.deprel or "dep") for o in trees for n in o.tree.nodes)
    ranked = sorted(counts, key=lambda label: (-counts[label], label))
    labels = tuple(label for label in ranked if counts[label] > 1) or (("X", "dep"),)
    number = {label: i for i, label in enumerate(labels)}
    arrays, positions, gold = [], [], []
    for index, ordered in enumerate(trees):
        tree = ordered.tree
        encoded = encoder.encode(tree.bare() if bare else tree, asks=asks(index))
        place = np.empty(len(tree), np.int32)
        place[list(ordered.order)] = np.arange(len(tree), dtype=np.int32)
        numbers = [number.get((n.upos or "X", n.deprel or "dep"), -1) for n in tree.nodes]
        arrays.append(encoded)
        positions.append(place)
        gold.append(np.array(numbers, np.int32)[encoded.original])
    return Prepared(trees, sentence, labels, arrays, positions, gold)


class LanguageModels(NamedTuple):
    """What is made of the treebank's sentences and the text."""

    trial: NgramModel
    """Without the held-out sentences, to choose weights with."""
    final: NgramModel
    text: NgramCounts


def language_models(
    prepared: Prepared, text: Iterable[Sequence[str]] | NgramCounts, settings: Settings
) -> LanguageModels:
    """The language models, one to choose weights with and the final one."""
    counts = text
    if not isinstance(counts, NgramCounts):
        counts = count_ngrams(counts, order=settings.lm_order, lowercase=True)
    kept = [tree for i, tree in enumerate(prepared.trees) if not prepared.held_out(i)]
    return LanguageModels(
        language_model(kept, counts, settings), language_model(prepared.trees, counts, settings), counts
    )


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
    kind: str,
    models: Future[LanguageModels],
    settings: Settings,
    progress: Progress,
) -> tuple[OrderingModel, float]:
    """An ordering model of these arrays, and the language model's weight beside it, chosen on the held-out part."""
    templates = shipped_templates("guessed" if kind == "guessed" else "labels")
    runs = max(1, min(settings.order_runs, settings.order_sentences // prepared.sentences))

    def learned(indices: Sequence[int], epochs: int, job: str) -> OrderingModel:
        corpus = ordering_corpus([(prepared.arrays[i], prepared.positions[i]) for i in indices])
        total, done = runs * epochs * int(np.count_nonzero(np.diff(corpus.first))), 0

        def tick(count: int) -> None:
            nonlocal done
            done += count
            progress(job, done, total)

        # Each run sees the treelets in another order, with other features left out: what is chance cancels out.
        weights = np.zeros(((1 << settings.bits) + 1, OUTCOMES), np.float32)
        for run in range(runs):
            weights += learn_order(
                corpus, templates, bits=settings.bits, epochs=epochs, rate=settings.rate, drop=settings.order_drop,
                seed=settings.seed + run, progress=tick,
            )  # fmt: skip
        weights /= np.float32(runs)
        progress(job, total, total)
        return OrderingModel(templates, rounded(weights).astype(np.float32) * np.float32(STEP))

    everything = range(len(prepared.arrays))
    held_out = [i for i in everything if prepared.held_out(i)]
    weight = 0.4
    if held_out:
        kept = [i for i in everything if not prepared.held_out(i)]
        trial = learned(kept, max(1, settings.order_epochs // 2), f"weights ({kind})")
        weight = best_weight(prepared, trial, models.result().trial, settings, held_out)
    return learned(everything, settings.order_epochs, f"ordering ({kind})"), weight


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
    models: Future[LanguageModels],
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
