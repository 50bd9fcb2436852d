from __future__ import annotations

from collections import Counter

import pytest

import rules
from held_out import shuffled
from pyrealb_worker import answer
from tests.benchmarks.test_pyrealb_trees import LEXICON, SENTENCE


def test_both_get_the_tree_and_neither_the_forms_nor_the_order() -> None:
    (one,), left_out = rules.cases_of([SENTENCE], LEXICON)
    assert not left_out
    assert one.reference == ("the", "dog", "saw", "big", "cats", "often", ".")
    assert {node.form for node in one.tree.nodes} == {""}
    assert {node.lemma for node in one.tree.nodes} == {"the", "dog", "see", "big", "cat", "often", "."}
    assert one.tree.constraints == ()
    # With the order given, every daughter has her place: dog < saw < cats < often < the mark, the < dog, big < cats.
    assert len(one.in_order.constraints) == 6


def test_what_is_left_out_is_counted() -> None:
    cases, left_out = rules.cases_of([SENTENCE, SENTENCE], {})
    assert cases == []
    assert left_out == Counter({"a word that its lexicon does not have": 2})


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The dog's cat sees. ", ("the", "dog", "'s", "cat", "sees", ".")),
        ("Dogs' homes? ", ("dogs", "'", "homes", "?")),
        ("At 5 o'clock", ("at", "5", "o'clock")),
        (".", (".",)),
        ("", ()),
    ],
)
def test_tokens(text: str, tokens: tuple[str, ...]) -> None:
    assert rules.tokens(text) == tokens


def test_scores() -> None:
    references = [("a", "b", "c", "d"), ("e", "f")]
    perfect = rules.scores(references, references)
    assert perfect == pytest.approx({"bleu": 100, "exact_match": 1, "words_right": 1})
    # Two of six words are not there, and one is there in another place; a repeated word counts once.
    found = rules.scores([("b", "a", "a", "d"), ("e", "x")], references)
    assert found["exact_match"] == 0
    assert found["words_right"] == pytest.approx(4 / 6)


def test_what_pyrealb_says_against_a_tree() -> None:
    def refuse(tree: object) -> object:
        raise ValueError(f"no {tree}")

    assert answer("x", refuse) == {"refused": "ValueError: no x"}


def test_cases_are_the_shuffled_ones() -> None:
    (one,) = shuffled([SENTENCE])
    assert rules.case_of(one, LEXICON).by_rules == rules.cases_of([SENTENCE], LEXICON)[0][0].by_rules
