from __future__ import annotations

import math

import pytest

from fergus.core.tree import Node
from fergus.lm.count import count_ngrams
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_model import InflectedForm
from fergus.realize.learn_inflection import InflectionSettings, learn_inflection
from fergus.realize.sandhi import FormChooser
from tests.realize.inflection_treebank import ARTICLE, PLURAL, SINGULAR, model, treebank


def sentence_of(noun: str) -> list[str]:
    nodes = [Node("a", "a", "DET", feats=ARTICLE), Node(noun, noun, "NOUN", feats=SINGULAR)]
    inflector = Inflector(model())
    candidates = [inflector.inflect(node) for node in nodes]
    chosen = FormChooser(model().sandhi).choose(nodes, candidates)
    return [own[x].form for own, x in zip(candidates, chosen, strict=True)]


@pytest.mark.parametrize(("noun", "article"), [("idea", "an"), ("item", "an"), ("tiger", "a"), ("cake", "a")])
def test_the_article_suits_the_noun(noun: str, article: str) -> None:
    assert sentence_of(noun) == [article, noun]


def test_both_forms_of_the_article_are_candidates() -> None:
    found = Inflector(model()).candidates("a", "DET", ARTICLE)
    # 5 of 17 nouns begin with a vowel: army, apple, egg, orange, idea.
    assert [(one.form, round(10**one.logprob10, 3)) for one in found] == [("a", 0.706), ("an", 0.294)]


def test_words_without_choice_cost_nothing() -> None:
    chooser = FormChooser(model().sandhi)
    assert chooser.choose([], []) == ()
    assert chooser.choose([Node("x"), Node("y")], [(InflectedForm("x", 0.0),), ()]) == (0, 0)


def test_a_word_without_candidates_may_stand_beside_a_choice() -> None:
    nodes = [Node("a", "a", "DET", feats=ARTICLE), Node("apple")]
    candidates = [tuple(InflectedForm(form, math.log10(0.5)) for form in ("a", "an")), ()]
    assert FormChooser(model().sandhi).choose(nodes, candidates) == (1, 0)


def test_without_weights_the_first_candidate_stands() -> None:
    nodes = [Node("x", "cat", "NOUN", feats=PLURAL)] * 3
    candidates = [(InflectedForm("q", -0.1), InflectedForm("zz", -3.0))] * 3
    assert FormChooser(model().sandhi).choose(nodes, candidates) == (0, 0, 0)


def test_text_tells_the_article_before_words_that_the_treebank_lacks() -> None:
    """*Hour* begins as *house* does, for all that the treebank shows."""
    text = count_ngrams(
        [["an", "hour", ",", "an", "hourglass", ",", "a", "house", ",", "a", "horse", ",", "a", "hat"]] * 3,
        order=2,
        lowercase=True,
    )
    settings = InflectionSettings(bits=14, sandhi_bits=14)
    nodes = [Node("a", "a", "DET", feats=ARTICLE), Node('"'), Node("hour", "hour", "NOUN", feats=SINGULAR)]
    article = tuple(InflectedForm(form, math.log10(share)) for form, share in (("a", 0.7), ("an", 0.3)))
    candidates = [article, (InflectedForm('"', 0.0),), (InflectedForm("hour", 0.0),)]
    for given, place in ((None, 0), (text, 1)):
        learned = learn_inflection(treebank() * 5, settings, text=given)
        assert FormChooser(learned.sandhi).choose(nodes, candidates) == (place, 0, 0)
