"""From the words of a sentence to text: capitals, then spaces and contractions, by what the model has learned.

    the cat , i think , is n't here .      The cat, I think, isn't here.

Models without these parts write by the rules of ``detokenize``, which are English.
"""

from __future__ import annotations

from collections.abc import Callable

from fergus.core.tree import OrderedTree
from fergus.realize.capitalise import capitalise
from fergus.realize.capitals_model import capitals_from
from fergus.realize.detokenize import detokenize_tree
from fergus.realize.join_words import WordJoiner
from fergus.realize.joining_model import joining_from
from fergus.realize.model import ModelFile

WriteText = Callable[[OrderedTree], str]


def by_rules(sentence: OrderedTree) -> str:
    """The text by hand-written rules."""
    return detokenize_tree(sentence.tree, sentence.order)


def text_writer(model: ModelFile) -> WriteText:
    """How sentences of this model become text."""
    if "joining" not in model.sections:
        return by_rules
    joiner = WordJoiner(joining_from(model.section("joining")))
    capitals = capitals_from(model.section("capitals")) if "capitals" in model.sections else None

    def write(sentence: OrderedTree) -> str:
        forms = capitalise(sentence.forms, capitals, always=True) if capitals else sentence.forms
        return joiner.join_tree(sentence.tree, sentence.order, forms)

    return write
