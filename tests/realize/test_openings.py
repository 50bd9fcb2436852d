"""Forms by the opening of the next word: learned from a treebank and text, and where they change a choice."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.lm.count import NgramCounts, count_ngrams
from fergus.realize.inflection_lexicon import Feats, count_forms
from fergus.realize.openings import Openings, form_before, learn_openings, with_openings

FEATS = (("PronType", "Art"),)
SEEN = [("a", "dog"), ("a", "cat"), ("an", "egg"), ("an", "apple")] * 10
TEXT = """
an hour , an hourglass , an hourly rate , an honest man , an honour , an heir , a house , a horse , a hat , a hope ,
an umbrella , an uncle , an ugly dog , an umpire , a union , a unit , a unicorn , a uniform , an uninvited guest ,
an uninteresting book , an arm , an ear , an egg , an owl , an oak , a one , a one-eyed man , a bee , a dog , an hundred
"""


def article(form: str, feats: Feats = FEATS) -> Node:
    return Node(form, lemma="a", upos="DET", feats=feats)


def phrases(pairs: Iterable[tuple[str, str]], feats: Feats = FEATS) -> list[OrderedTree]:
    return [
        OrderedTree(DependencyTree((article(form, feats), Node(word, lemma=word, upos="NOUN")), (1, ROOT)), (0, 1))
        for form, word in pairs
    ]


def counted(text: str, times: int = 3) -> NgramCounts:
    return count_ngrams([text.split()] * times, order=2, lowercase=True)


def learned(pairs: Iterable[tuple[str, str]], text: NgramCounts | None = None) -> Openings:
    trees = phrases(pairs)
    return learn_openings(trees, count_forms(trees), text)


def test_openings_of_a_treebank() -> None:
    assert learned(SEEN) == {("a", "DET"): {"a": "an", "c": "a", "d": "a", "e": "an"}}


def test_text_tells_how_other_words_begin() -> None:
    rules = learned(SEEN, counted(TEXT))["a", "DET"]
    forms = {"an": "hourly honestly heiress ugliness unintended oval", "a": "house university one bear"}
    for form, words in forms.items():
        for word in words.split():
            assert (word, form_before(rules, word)) == (word, form)
    assert form_before(rules, "Hour") == "an"  # capitals are not heard
    assert form_before(rules, "7") is None
    # The least that tells the words apart, not a list of them.
    assert [opening for opening in rules if opening[0] == "u"] == ["u", "un", "unc", "unin"]


def test_what_was_seen_once_is_no_opening_of_its_own() -> None:
    assert form_before(learned(SEEN, counted("a hat , a hut , an hundred", times=1))["a", "DET"], "hundred") == "a"
    assert form_before(learned(SEEN, counted("a hat , a hut , an hundred"))["a", "DET"], "hundred") == "an"


def test_the_treebank_is_right_where_text_differs() -> None:
    rules = learned([*SEEN, *[("a", "hundred")] * 2], counted("an hundred , a hat"))["a", "DET"]
    assert form_before(rules, "hundred") == "a"


def test_treebanks_may_say_more_or_less_of_the_word() -> None:
    trees = [*phrases(SEEN), *phrases(SEEN, (("Definite", "Ind"),))]
    assert learn_openings(trees, count_forms(trees)) == learned(SEEN)


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("a", "dog"), ("an", "apple")] * 10, "each form is seen too seldom"),
        ([("a", "dog"), ("an", "dig"), ("a", "apple"), ("an", "apricot")] * 10, "they do not go by the letter"),
        ([("a", "dog"), ("a", "cat")] * 30, "there is only one form"),
        ([(form, f"{letter}og") for form in ("a", "an") for letter in map(chr, range(0x4E00, 0x4E32))], "no two agree"),
    ],
)
def test_words_that_do_not_go_by_the_next(pairs: list[tuple[str, str]], why: str) -> None:
    assert learned(pairs, counted(TEXT)) == {}, why


def test_where_a_form_is_of_several_lemmas_no_form_is_learned() -> None:
    """With *an* alone every word would get it."""
    trees = [*phrases(SEEN), *([OrderedTree(DependencyTree((Node("a", lemma="A", upos="X"),), (ROOT,)), (0,))] * 10)]
    assert learn_openings(trees, count_forms(trees), counted(TEXT)) == {}


def test_treebank_and_text_add_up() -> None:
    text = counted("a hat , a hut , a hen , an heir", times=1)
    assert form_before(learned(SEEN, text)["a", "DET"], "heir") == "a"  # seen once
    assert form_before(learned([*SEEN, ("an", "heir")], text)["a", "DET"], "heir") == "an"
    # They differ, and the treebank has seen it once: nobody knows.
    assert form_before(learned([*SEEN, ("a", "heir")], counted("an heir"))["a", "DET"], "heir") is None


def test_what_may_be_read_letter_by_letter_has_no_opening() -> None:
    rules = learned([*SEEN, ("an", "MP"), ("an", "MBA"), ("a", "man"), ("a", "map"), ("an", "M"), ("an", "M.A.")])
    words = ("MRI", "M.P.", "M", "mat", "Mat")
    assert [form_before(rules["a", "DET"], word) for word in words] == [None, None, None, "a", "a"]


def test_candidates_are_weighed_by_the_next_word_that_is_heard() -> None:
    openings: Openings = {("a", "DET"): {"e": "an", "d": "a"}}
    nodes = [article("a"), Node('"', upos="PUNCT"), Node("egg", lemma="egg", upos="NOUN"), article("a")]
    both = [("a", math.log(0.9)), ("an", math.log(0.1))]
    candidates = [both, [('"', 0.0)], [("eggs", -1.0), ("egg", -2.0)], both]
    heard = with_openings(openings, nodes, candidates)
    assert [(form, round(math.exp(score), 2)) for form, score in heard[0]] == [("a", 0.02), ("an", 0.98)]
    assert heard[1:] == candidates[1:]  # after the last there is nothing to hear
    assert with_openings({}, nodes, candidates) == candidates
    assert with_openings(openings, nodes, [[("the", 0.0), ("that", -1.0)], *candidates[1:]])[0] == [
        ("the", 0.0),
        ("that", -1.0),
    ]
