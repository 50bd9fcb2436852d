"""Why one sentence won, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fergus.core.realization import Candidate, Realization, Scores
from fergus.core.tree import DependencyTree, OrderedTree
from fergus.treebank.notation import parse_tree
from fergus.web.workbench.reasons import listed, times, why

TREE = parse_tree("saw(I her)")


def candidate(order: tuple[int, ...], lattice: float, logprob10: float, tree: DependencyTree = TREE) -> Candidate:
    return Candidate(order, Scores(0.0, lattice, logprob10), OrderedTree(tree, order))


def realization(*best: Candidate) -> Realization:
    return Realization(TREE, best, lm_weight=0.5)


def test_both_models_agree() -> None:
    """The lead is 2 + 0.5 * ln 10 = 3.15, which is 23 times."""
    found = why(realization(candidate((1, 0, 2), 4, -1), candidate((0, 1, 2), 2, -2)), 1, "default")
    assert found == (
        "“I” before “saw” because the ordering model prefers it by 2.00 and the language model prefers it by 1.15. "
        "In all it is 3.15 ahead, 23 times as probable."
    )


def test_one_disagrees() -> None:
    found = why(realization(candidate((1, 0, 2), 4, -2), candidate((1, 2, 0), 2, -1)), 1, "supertag")
    assert found.startswith(
        "“saw” before “her” because the tree model prefers it by 2.00; the language model disagrees by 1.15."
    )


def test_equals() -> None:
    found = why(realization(candidate((1, 0, 2), 1, -1), candidate((0, 1, 2), 1, -1)), 1, "baseline-lr")
    assert found == "“I” before “saw” because no model prefers it: it is the first of equals."


@pytest.mark.parametrize(
    ("other", "words"),
    [("saw(I him)", "“her” instead of “him”"), ("saw(I her now)", "no “now”"), ("saw(I)", "“her” because")],
)
def test_other_words(other: str, words: str) -> None:
    tree = parse_tree(other)
    two = Candidate((0, 1, 2), Scores(0.0), OrderedTree(tree, tuple(range(len(tree)))))
    assert words in why(realization(candidate((0, 1, 2), 1, 0), two), 1, "default")


def test_the_same_words_in_the_same_order() -> None:
    both = candidate((0, 1, 2), 1, 0), candidate((0, 1, 2), 0, 0)
    assert why(realization(*both), 1, "default").startswith("This order because")


def test_words_are_not_taken_apart() -> None:
    """A word may read “the day before yesterday”."""
    tree = parse_tree('"the day before"(saw)')
    both = [candidate(order, gain, 0, tree) for order, gain in (((0, 1), 1.0), ((1, 0), 0.0))]
    assert why(Realization(tree, tuple(both)), 1, "default").startswith("“the day before” before “saw” because")


def test_words_that_were_chosen_count_in_the_lattice() -> None:
    both = candidate((1, 0, 2), 2, 0), candidate((0, 1, 2), 1, 0)
    chosen = replace(realization(*both), readings=((("saw", 0.0),),) * 3)
    assert "because the ordering model with the words by themselves prefers it by 1.00." in why(chosen, 1, "default")


@pytest.mark.parametrize(("lead", "words"), [(0.0, "1.0 times"), (5.0, "148 times"), (99, "more than a million times")])
def test_times(lead: float, words: str) -> None:
    assert times(lead) == words


def test_listed() -> None:
    assert (listed(["a"]), listed(["a", "b"])) == ("a", "a and b")
