"""Training: from a treebank to a model file, all presets at once, the same bytes every time.

Each stage is trained by its own module; here they are put side by side, two at a time in threads.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from fergus.core.deep import ASKING, DeepSentence, clause_type, surface_tree
from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.grammar.extract import Frames, extract
from fergus.grammar.rules import RuleSet
from fergus.lm.count import NgramCounts
from fergus.realize.baselines import LeftRightModel, random_pairs, treebank_pairs
from fergus.realize.features import Encoder, learn_usually_lower
from fergus.realize.inflection_lexicon import InflectionLexicon
from fergus.realize.learn_reorder import learn_reordering, lifted
from fergus.realize.model import Section, words_to_array
from fergus.realize.reordering_model import reordering_section
from fergus.realize.sections import labels_section, language_model_section, ordering_section, tree_model_section
from fergus.realize.train_order import guessed_ordering_model, label_model, language_models, ordering_model, prepare
from fergus.realize.train_words import (
    inflection_sections,
    insertion_sections,
    punctuation_sections,
    text_sections,
    word_sections,
)
from fergus.realize.training_settings import DEFAULT_SETTINGS, Progress, Settings
from fergus.realize.tree_model import TreeModel
from fergus.realize.unravel import OrderingModel
from fergus.realize.variants import as_inflected, as_typed


def train(
    trees: Sequence[OrderedTree],
    *,
    text: Iterable[Sequence[str]] | NgramCounts = (),
    deep: Sequence[DeepSentence] = (),
    exceptions: InflectionLexicon = InflectionLexicon(),  # noqa: B008 - frozen
    frames: Frames | None = None,
    rules: RuleSet | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    progress: Progress = lambda *_: None,
) -> dict[str, Section]:
    """The sections of the model file, for all presets; ``frames`` maps treebank nodes to the trees of a grammar.

    ``text`` are more sentences for the language model, or the n-grams of their tokens in small letters; they also
    tell how words begin, for forms that go by that (*a*, *an*);
    ``deep`` has the sentences with their deep trees, from which the insertion of function words is learned;
    ``exceptions`` are word forms that the treebank may lack;
    ``rules`` may add elementary trees; what they say of orders is said again when realizing.
    """
    if not trees:
        raise InputError("there is no tree to train on", remedy="give a treebank with at least one sentence")
    encoder = Encoder(learn_usually_lower(o.forms for o in trees))
    reordering = learn_reordering(trees, seed=settings.seed)
    lifted_trees = [lifted(o, reordering) for o in trees] if reordering else trees
    labelled = prepare(lifted_trees, range(len(trees)), encoder, bare=False)
    variants = [i for i, o in enumerate(trees) if i % 8 < 2 or any(n.deprel == "expl" for n in o.tree.nodes)]
    typed = [as_typed(trees[i], prepositions_head=i % 8 != 0) for i in variants]
    # Variants first: the last tree tells how many sentences there are.
    unlabelled = prepare([*typed, *trees], [*variants, *range(len(trees))], encoder, bare=True)
    has_lemmas = any(n.lemma is not None for o in trees for n in o.tree.nodes)
    orders: dict[str, Future[tuple[OrderingModel, float]]] = {}
    with ThreadPoolExecutor(2) as pool:
        # The first worker makes the language models, then the smaller jobs; the second one starts at once.
        models = pool.submit(language_models, labelled, text, settings)
        orders["guessed"] = pool.submit(guessed_ordering_model, unlabelled, models, settings, progress)
        orders["labels"] = pool.submit(ordering_model, labelled, "labels", models, settings, progress)
        if has_lemmas:
            inflected = prepare([as_inflected(o) for o in lifted_trees], range(len(trees)), encoder, bare=False)
            orders["lemmas"] = pool.submit(ordering_model, inflected, "lemmas", models, settings, progress)
        if deep:
            inserted = prepare(
                [as_inflected(surface_tree(d)) for d in deep],
                range(len(deep)),
                encoder,
                bare=False,
                asks=lambda i: clause_type(deep[i].deep) == ASKING,
            )
            orders["deep"] = pool.submit(ordering_model, inserted, "deep", models, settings, progress)
        everything, epochs = range(len(unlabelled.trees)), settings.label_epochs
        labels = pool.submit(label_model, unlabelled, everything, epochs, "labels", settings, progress)
        others = [
            pool.submit(papers_sections, trees, frames, rules, settings),
            pool.submit(text_sections, trees),
            pool.submit(word_sections, trees, models),
            *([pool.submit(inflection_sections, trees, exceptions, models, progress)] if has_lemmas else []),
            pool.submit(punctuation_sections, trees, "punctuation", progress),
        ]
        if deep:
            marked = [as_inflected(surface_tree(sentence, marks=True)) for sentence in deep]
            others += [
                pool.submit(insertion_sections, deep, progress),
                pool.submit(punctuation_sections, marked, "punctuation-deep", progress),
            ]
    return {
        "default": Section(
            {
                **{f"lm_weight_{kind}": found.result()[1] for kind, found in sorted(orders.items())},
                "margin": settings.margin,
                "trained_with_features": any(n.feats is not None for o in trees for n in o.tree.nodes),
                "trained_with_lemmas": has_lemmas,
            },
            {"usually_lower": words_to_array(sorted(encoder.usually_lower))},
        ),
        "labels": labels_section(labels.result()),
        **{f"ordering-{kind}": ordering_section(found.result()[0]) for kind, found in sorted(orders.items())},
        **({"reordering": reordering_section(reordering)} if reordering else {}),
        "language-model": language_model_section(models.result().final),
        **{name: section for job in others for name, section in job.result().items()},
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


def describe(trees: Sequence[OrderedTree]) -> Mapping[str, Any]:
    """Figures of the training treebank for the model's header."""
    return {
        "sentences": len(trees),
        "words": sum(len(o.tree) for o in trees),
        "non_projective_sentences": sum(not o.is_projective for o in trees),
    }
