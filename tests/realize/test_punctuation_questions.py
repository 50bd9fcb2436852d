"""Which clauses of a sentence ask."""

from __future__ import annotations

import numpy as np
import pytest

from fergus.realize.features import hashed
from fergus.realize.punctuation_features import (
    ASKS_ANYWHERE,
    ASKS_LAST,
    ASKS_ROOT,
    ASKS_WHERE,
    MOOD,
    VALUES,
    TreeWordEncoder,
)
from fergus.realize.punctuation_questions import (
    AUXILIARY_FIRST,
    NO_SUBJECT,
    PREDICATE_FIRST,
    SUBJECT_FIRST,
    VERB_FIRST,
    set_asking,
)
from tests.realize.tiny_marks import marked

CERTAIN, LIKELY, WITHIN = 1, 2, 4


def asking(sentence: str, *, interrogatives: tuple[int, ...] = ()) -> tuple[int, int, int, int]:
    """The values of root, last clause, its relation and all clauses, 1 taken off where it is added."""
    rows, head = TreeWordEncoder().encode(marked(sentence))
    rows[list(interrogatives), MOOD] = hashed("PronType=Int")
    values = np.full(VALUES, -1, np.int32)
    set_asking(rows, head, values)
    root, last, where, anywhere = (int(values[code]) for code in (ASKS_ROOT, ASKS_LAST, ASKS_WHERE, ASKS_ANYWHERE))
    return root - 1, last - 1, where, anywhere - 1


@pytest.mark.parametrize(
    ("sentence", "order", "anywhere"),
    [
        ("Go/VERB/root/0", NO_SUBJECT, 0),
        ("She/PRON/nsubj/3 does/AUX/aux/3 sleep/VERB/root/0", SUBJECT_FIRST, 0),
        ("Does/AUX/aux/3 she/PRON/nsubj/3 sleep/VERB/root/0", AUXILIARY_FIRST, CERTAIN),
        ("Here/ADV/root/0 is/AUX/cop/1 tea/NOUN/nsubj/1", PREDICATE_FIRST, 0),
        ("Is/VERB/root/0 there/PRON/expl/1 tea/NOUN/nsubj/1", VERB_FIRST, 0),
        # The expletive is the first subject.
        ("There/PRON/expl/2 is/VERB/root/0 tea/NOUN/nsubj/2", SUBJECT_FIRST, 0),
    ],
)
def test_the_order_of_a_clause(sentence: str, order: int, anywhere: int) -> None:
    root, _, _, found = asking(sentence)
    assert (root, found) == (2 * order, anywhere)


def test_an_interrogative_may_stand_within_what_is_moved_to_the_front() -> None:
    # "What time" before the verb: the bit beside the order is that of the verb.
    root, _, _, anywhere = asking(
        "What/DET/det/2 time/NOUN/obl/5 does/AUX/aux/5 she/PRON/nsubj/5 sleep/VERB/root/0", interrogatives=(0,)
    )
    assert (root, anywhere) == (2 * AUXILIARY_FIRST + 1, CERTAIN)
    root, _, _, anywhere = asking("Who/PRON/root/0 is/AUX/cop/1 she/PRON/nsubj/1", interrogatives=(0,))
    assert (root, anywhere) == (2 * PREDICATE_FIRST + 1, LIKELY)


def test_a_later_clause_asks_whatever_stands_before_it() -> None:
    root, last, where, anywhere = asking(
        "She/PRON/nsubj/2 sleeps/VERB/root/0 does/AUX/aux/5 he/PRON/nsubj/5 sleep/VERB/parataxis/2"
    )
    assert (root, last, anywhere) == (2 * SUBJECT_FIRST, 2 * AUXILIARY_FIRST, CERTAIN)
    assert where == hashed("parataxis")


def test_what_somebody_says_counts_only_if_it_is_turned_round() -> None:
    turned = "He/PRON/nsubj/2 asks/VERB/root/0 is/AUX/cop/5 she/PRON/nsubj/5 well/ADJ/ccomp/2"
    plain = "He/PRON/nsubj/2 says/VERB/root/0 she/PRON/nsubj/5 is/AUX/cop/5 well/ADJ/ccomp/2"
    assert asking(turned)[1:] == (2 * AUXILIARY_FIRST, hashed("ccomp"), WITHIN)
    assert asking(plain)[1:] == (2 * SUBJECT_FIRST, hashed("root"), 0)


def test_a_clause_that_is_a_condition_asks_nothing() -> None:
    sentence = "Had/AUX/aux/3 she/PRON/nsubj/3 slept/VERB/advcl/5 he/PRON/nsubj/5 left/VERB/root/0"
    assert asking(sentence)[1:] == (2 * SUBJECT_FIRST, hashed("root"), 0)


def test_nothing_is_known_without_relations() -> None:
    words = marked("Does/AUX/aux/3 she/PRON/nsubj/3 sleep/VERB/root/0")
    rows, head = TreeWordEncoder().encode(type(words)(words.tree.bare(), words.order))
    values = np.full(VALUES, -1, np.int32)
    set_asking(rows, head, values)
    assert [int(values[code]) for code in (ASKS_ROOT, ASKS_LAST, ASKS_WHERE, ASKS_ANYWHERE)] == [0, 0, 0, 0]
