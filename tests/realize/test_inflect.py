from __future__ import annotations

import math
from dataclasses import replace

import pytest

from fergus.core.tree import Node
from fergus.realize.inflect import Inflector
from fergus.realize.inflection_lexicon import parse_lexicon
from fergus.realize.inflection_sections import inflection_from, inflection_section
from tests.realize.inflection_treebank import INFINITIVE, PAST, PASTS, PLURAL, PLURALS, SINGULAR, model, pairs


def best(lemma: str, upos: str, feats: tuple[tuple[str, str], ...]) -> str:
    return Inflector(model()).candidates(lemma, upos, feats)[0].form


def test_what_was_seen_is_reproduced() -> None:
    assert [best(lemma, "NOUN", PLURAL) for lemma, _ in pairs(PLURALS)] == [form for _, form in pairs(PLURALS)]
    assert [best(lemma, "VERB", PAST) for lemma, _ in pairs(PASTS)] == [form for _, form in pairs(PASTS)]


@pytest.mark.parametrize(
    ("lemma", "upos", "feats", "form"),
    [
        ("beauty", "NOUN", PLURAL, "beauties"),
        ("hook", "NOUN", PLURAL, "hooks"),
        ("BOOK", "NOUN", PLURAL, "BOOKs"),
        ("Fable", "NOUN", PLURAL, "Fables"),
        ("Fable", "NOUN", SINGULAR, "Fable"),
        ("balk", "VERB", PAST, "balked"),
        ("ß€", "NOUN", SINGULAR, "ß€"),
    ],
)
def test_unseen_lemmas(lemma: str, upos: str, feats: tuple[tuple[str, str], ...], form: str) -> None:
    assert best(lemma, upos, feats) == form


def test_probabilities_sum_to_one_and_come_best_first() -> None:
    for lemma, feats in (("cat", PLURAL), ("zebra", PLURAL), ("go", None), ("a", None)):
        found = Inflector(model()).candidates(lemma, "NOUN", feats, most=100)
        scores = [one.logprob10 for one in found]
        assert scores == sorted(scores, reverse=True)
        assert math.fsum(10**score for score in scores) == pytest.approx(1.0)
    assert len(Inflector(model()).candidates("zebra", "NOUN", PLURAL, most=2)) == 2


def test_features_left_open_are_summed_over() -> None:
    inflector = Inflector(model())
    whole = {one.form: 10**one.logprob10 for one in inflector.candidates("go", "VERB", None)}
    # Seen once in each of two cells, which are equally frequent: even odds.
    assert whole["go"] == pytest.approx(whole["went"], abs=0.2)
    assert whole["go"] + whole["went"] > 0.9
    partial = inflector.candidates("go", "VERB", (("Tense", "Past"),))
    assert partial[0].form == "went"
    nouns = {one.form for one in inflector.candidates("hook", "NOUN", None)[:2]}
    assert nouns == {"hook", "hooks"}
    # Said to be all there is, no features is a set of features like any other.
    assert inflector.candidates("go", "VERB", None, complete=True) != inflector.candidates("go", "VERB", None)


def test_the_category_may_be_left_open() -> None:
    forms = [one.form for one in Inflector(model()).candidates("walk", None, None)]
    assert {"walk", "walked"} <= set(forms[:2])
    assert Inflector(model()).candidates("x", "NOSUCH", (("No", "Such"),))


def test_the_users_lexicon_comes_first() -> None:
    lexicon = parse_lexicon(["octopus\tNOUN\tNumber=Plur\toctopodes", "cat\tNOUN\tNumber=Plur\tkittens"])
    inflector = Inflector(model(), lexicon=lexicon)
    assert [one.form for one in inflector.candidates("octopus", "NOUN", PLURAL)] == ["octopodes"]
    assert [one.form for one in inflector.candidates("cat", "NOUN", PLURAL)] == ["kittens"]
    assert inflector.candidates("cat", "NOUN", SINGULAR)[0].form == "cat"
    assert {one.form for one in inflector.candidates("octopus", "NOUN", None)[:2]} == {"octopodes", "octopus"}


def test_nodes() -> None:
    inflector = Inflector(model())
    assert inflector.inflect(Node("x", "cat", "NOUN", feats=PLURAL))[0].form == "cats"
    assert inflector.inflect(Node("Cats"))[0].form == "Cats"
    assert inflector.inflect(Node("``", '"', "PUNCT"))[0].form == "``"
    assert inflector.candidates("", "VERB", INFINITIVE, complete=True) == ()
    assert inflector.candidates("!?", "PUNCT", None, complete=True)[0].form == "!?"


def test_typing_errors_have_the_right_form_of_what_was_meant() -> None:
    feats = (*PLURAL, ("Typo", "Yes"))
    assert best("cat", "NOUN", feats) == "cats"
    assert best("hook", "NOUN", feats) == "hooks"


def test_very_long_lemmas_are_copied() -> None:
    assert best("x" * 100, "NOUN", PLURAL) == "x" * 100


def test_what_training_was_told_is_for_words_that_the_treebank_lacks() -> None:
    told = parse_lexicon(["freeze\tVERB\tTense=Past\tfroze", "go\tVERB\tTense=Past\tgoed"])
    inflector = Inflector(replace(model(), exceptions=told))
    assert inflector.candidates("freeze", "VERB", PAST)[0].form == "froze"
    assert inflector.candidates("go", "VERB", PAST)[0].form == "went"
    again = inflection_from(inflection_section(inflector.model))
    assert again.exceptions.entries == told.entries


def test_names_are_told_the_forms_of_nouns() -> None:
    told = parse_lexicon(["guardsman\tNOUN\tNumber=Plur\tguardsmen"])
    inflector = Inflector(replace(model(), exceptions=told))
    assert inflector.candidates("Guardsman", "PROPN", PLURAL, complete=True)[0].form == "Guardsmen"


def test_a_noun_whose_lemma_is_told_as_a_form_stays_as_it_is() -> None:
    told = parse_lexicon(["fungus\tNOUN\tNumber=Plur\tfungi", "find\tVERB\tTense=Past\tfound"])
    inflector = Inflector(replace(model(), exceptions=told))
    assert [one.form for one in inflector.candidates("fungi", "NOUN", PLURAL)] == ["fungi"]
    assert [one.form for one in inflector.candidates("Fungi", "NOUN", PLURAL)] == ["Fungi"]
    # Verbs have homonyms: who founded it did not find it.
    assert inflector.candidates("found", "VERB", PAST)[0].form == "founded"


def test_names_are_inflected_as_nouns_are() -> None:
    lemma, form = pairs(PLURALS)[0]
    assert best(lemma.capitalize(), "PROPN", PLURAL) == form.capitalize()
