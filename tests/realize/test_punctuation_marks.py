"""Marks out of sentences: gaps, pairs, patterns."""

from __future__ import annotations

import pytest

from fergus.core.tree import ROOT, DependencyTree, Node, OrderedTree
from fergus.realize.punctuation_marks import (
    Stretch,
    is_mark,
    is_of_a_pair,
    learn_pairs,
    unmarked,
    without_marks,
)
from tests.realize.tiny_marks import BRACKETS, INITIAL, QUOTED, STATEMENT, marked


def test_marks_are_taken_out_by_the_gap_they_stand_in() -> None:
    sentence, gaps = without_marks(INITIAL)
    assert sentence is not None
    assert sentence.forms == ("If", "we", "go", "she", "sleeps")
    assert sentence.tree.heads == (2, 2, 4, 4, ROOT)
    assert gaps == ((), (), (), (",",), (), (".",))


def test_a_sentence_without_marks_stays_itself() -> None:
    sentence = marked("She/PRON/nsubj/2 sleeps/VERB/root/0")
    assert without_marks(sentence) == (sentence, ((), (), ()))


def test_a_sentence_of_marks_leaves_nothing() -> None:
    assert without_marks(marked("--/PUNCT/root/0 ./PUNCT/punct/1")) == (None, (("--", "."),))


def test_what_depended_on_a_mark_depends_on_its_head_or_becomes_the_root() -> None:
    sentence, _ = without_marks(marked("a/X/dep/2 -/PUNCT/punct/3 b/X/root/0"))
    assert sentence is not None
    assert sentence.tree.heads == (1, ROOT)
    # The root is a mark with two daughters: the first becomes the root, the other its daughter.
    sentence, _ = without_marks(marked("a/X/dep/2 -/PUNCT/root/0 b/X/dep/2"))
    assert sentence is not None
    assert sentence.tree.heads == (ROOT, 0)


def test_the_order_of_words_need_not_be_that_of_nodes() -> None:
    nodes = (Node(".", upos="PUNCT"), Node("sleeps", upos="VERB"), Node("She", upos="PRON"))
    sentence, gaps = without_marks(OrderedTree(DependencyTree(nodes, (1, ROOT, 1)), (2, 1, 0)))
    assert sentence is not None
    assert sentence.forms == ("She", "sleeps")
    assert sentence.head_places == (1, ROOT)
    assert gaps[-1] == (".",)


@pytest.mark.parametrize(
    ("node", "answer"),
    [
        (Node(".", upos="PUNCT"), True),
        (Node("$", upos="SYM"), False),
        (Node("-", upos="SYM"), False),
        (Node("..."), True),
        (Node("a."), False),
        (Node(""), False),
    ],
)
def test_what_a_mark_is(node: Node, answer: bool) -> None:
    assert is_mark(node) is answer


def test_brackets_and_quotes_come_in_pairs() -> None:
    assert all(map(is_of_a_pair, ["(", ")", '"', "''", "<<", "«", "„", "”", "[", "{"]))
    assert not any(map(is_of_a_pair, [".", ",", "-", "...", "*", "/", "?)"]))


def test_pairs_are_learned_from_sentences_with_two_such_marks() -> None:
    brackets, quotes, backward = ((), ("(",), (")",)), (('"',), (), ('"',)), ((")",), ("(",))
    assert learn_pairs([brackets] * 3 + [quotes] * 2 + [backward] * 2, least=2) == (("(", ")"), ('"', '"'))
    assert learn_pairs([brackets], least=2) == ()


def test_patterns_name_members_of_pairs() -> None:
    pairs = (("(", ")"), ('"', '"'))
    sentence, gaps = without_marks(QUOTED)
    assert sentence is not None
    found = unmarked(sentence, gaps, pairs)
    assert found.stretches == (Stretch(2, 4, ('"', '"')),)
    assert found.patterns == ("", "", ", O", "", ". C")
    sentence, gaps = without_marks(BRACKETS)
    assert sentence is not None
    found = unmarked(sentence, gaps, pairs)
    assert found.patterns == ("", "", "O", "C", ".")


def test_a_mark_without_its_fellow_is_no_pair_and_pairs_do_not_cross() -> None:
    sentence, _ = without_marks(STATEMENT)
    assert sentence is not None
    pairs = (("(", ")"), ('"', '"'))
    found = unmarked(sentence, ((), (")", '"'), (".",)), pairs)
    assert found.stretches == ()
    assert found.patterns == ("", ') "', ".")
    # The quote opened within the brackets is given up when they close.
    found = unmarked(sentence, (("(",), ('"',), (")", '"')), pairs)
    assert found.stretches == (Stretch(0, 2, ("(", ")")),)
    # Nothing stands between the brackets: they enclose no stretch.
    assert unmarked(sentence, ((), ("(", ")"), ()), pairs).stretches == ()
    # Two that close side by side count once in the pattern.
    found = unmarked(sentence, (("(", '"'), (), ('"', ")", ".")), pairs)
    assert found.patterns == ("O", "", "C .")
