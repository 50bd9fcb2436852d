"""Training of the stages that find and write words; each gives its sections of the model file."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

from fergus.core.deep import DeepSentence
from fergus.core.tree import OrderedTree
from fergus.realize.agreement_model import agreement_section
from fergus.realize.capitals_model import capitals_section
from fergus.realize.hidden_features import with_hidden_features
from fergus.realize.inflection_lexicon import InflectionLexicon, count_forms
from fergus.realize.inflection_sections import inflection_section
from fergus.realize.insertion_model import insertion_section
from fergus.realize.joining_model import joining_section
from fergus.realize.learn_agreement import learn_agreement
from fergus.realize.learn_capitals import learn_capitals
from fergus.realize.learn_inflection import learn_inflection
from fergus.realize.learn_insert import learn_insertion
from fergus.realize.learn_joining import learn_joining
from fergus.realize.learn_punctuation import learn_punctuation
from fergus.realize.learn_words import learn_words
from fergus.realize.model import Section
from fergus.realize.punctuation_model import punctuation_section
from fergus.realize.train_order import LanguageModels
from fergus.realize.training_settings import Progress
from fergus.realize.word_model import words_section


def inflection_sections(
    trees: Sequence[OrderedTree], exceptions: InflectionLexicon, models: Future[LanguageModels], progress: Progress
) -> dict[str, Section]:
    """Word forms, and features that they take from their neighbours."""
    model = learn_inflection(trees, exceptions=exceptions, text=models.result().text, progress=progress)
    return {"inflection": inflection_section(model), "agreement": agreement_section(learn_agreement(trees))}


def insertion_sections(deep: Sequence[DeepSentence], progress: Progress) -> dict[str, Section]:
    """Function words."""
    sources = [pair.source for pair in deep]
    agreeing, _ = with_hidden_features(sources, count_forms(sources))
    pairs = [replace(pair, source=source) for pair, source in zip(deep, agreeing, strict=True)]
    return {"insertion": insertion_section(learn_insertion(pairs, progress=progress))}


def punctuation_sections(trees: Sequence[OrderedTree], name: str, progress: Progress) -> dict[str, Section]:
    """Marks; nothing where the treebank has none."""
    total, done = 3 * len(trees), 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        progress(name, min(done, total), total)

    model = learn_punctuation(trees, progress=tick)
    progress(name, total, total)
    return {name: punctuation_section(model)} if model else {}


def word_sections(trees: Sequence[OrderedTree], models: Future[LanguageModels]) -> dict[str, Section]:
    """Lexical choice."""
    frequencies = {word: count for (word,), count in models.result().text.ngrams(1)}
    return {"words": words_section(learn_words(trees, frequencies=frequencies))}


def text_sections(trees: Sequence[OrderedTree]) -> dict[str, Section]:
    """Capitals, spaces and contractions."""
    joining = learn_joining(trees)
    spaces = {"joining": joining_section(joining)} if joining else {}
    return {**spaces, "capitals": capitals_section(learn_capitals(trees))}
