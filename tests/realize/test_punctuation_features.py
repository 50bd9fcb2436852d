"""What the sentence as a whole tells of its end."""

from __future__ import annotations

import pytest

from fergus.realize.punctuation_features import TreeWordEncoder, question
from tests.realize.tiny_marks import marked

STATEMENT, ROOT_INVERTED, ROOT_INTERROGATIVE, JOINED_INVERTED = 1, 1 + 1, 1 + 2, 1 + 4


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("She/PRON/nsubj/2 sleeps/VERB/root/0", STATEMENT),
        ("She/PRON/nsubj/3 does/AUX/aux/3 sleep/VERB/root/0", STATEMENT),
        ("Does/AUX/aux/3 she/PRON/nsubj/3 sleep/VERB/root/0", ROOT_INVERTED),
        ("Is/AUX/cop/3 she/PRON/nsubj/3 well/ADJ/root/0", ROOT_INVERTED),
        ("Is/AUX/root/0 there/PRON/expl/1 tea/NOUN/nsubj/1", ROOT_INVERTED),
        # The last clause joined to the root asks.
        (
            "Go/VERB/root/0 or/CCONJ/cc/5 does/AUX/aux/5 she/PRON/nsubj/5 sleep/VERB/conj/1",
            JOINED_INVERTED,
        ),
        ("He/PRON/nsubj/2 asks/VERB/root/0 is/AUX/cop/5 she/PRON/nsubj/5 well/ADJ/ccomp/2", JOINED_INVERTED),
        ("He/PRON/nsubj/2 says/VERB/root/0 she/PRON/nsubj/4 sleeps/VERB/ccomp/2", STATEMENT),
    ],
)
def test_an_auxiliary_before_its_subject_asks(sentence: str, value: int) -> None:
    rows, head = TreeWordEncoder().encode(marked(sentence))
    assert question(rows, head) == value


def test_nothing_is_known_without_relations() -> None:
    words = marked("Does/AUX/aux/3 she/PRON/nsubj/3 sleep/VERB/root/0")
    rows, head = TreeWordEncoder().encode(type(words)(words.tree.bare(), words.order))
    assert question(rows, head) == 0
