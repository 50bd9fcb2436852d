from __future__ import annotations

import pytest

from fergus.core.realization import Candidate, Realization, Scores
from fergus.core.tree import OrderedTree
from fergus.realize.compare_candidates import LN10, compared, inversions, ordering_model, parts_of
from fergus.realize.explain import reason
from fergus.treebank.notation import parse_tree

TREE = parse_tree("saw(I her)")  # nodes: saw 0, I 1, her 2


def candidate(order: tuple[int, ...], lattice: float, logprob10: float) -> Candidate:
    return Candidate(order, Scores(0.0, lattice, logprob10), OrderedTree(TREE, order))


BEST, OTHER = candidate((1, 0, 2), 4, -2), candidate((2, 0, 1), 2, -1)
BOTH = Realization(TREE, (BEST, OTHER), lm_weight=0.5)


def test_the_parts_add_up() -> None:
    parts = parts_of(BOTH, BEST)
    assert parts.total == pytest.approx(4 - 0.5 * 2 * LN10)
    assert parts.total == parts.lattice + parts.language_model


def test_who_prefers_what() -> None:
    """The ordering model prefers the best by 4 - 2; the language model the other by 0.5 * ln 10 = 1.15."""
    found = compared(BOTH, 1, "default")
    assert found.for_best == (("the ordering model", 2.0),)
    ((model, gain),) = found.for_other
    assert model == "the language model"
    assert gain == pytest.approx(0.5 * LN10)
    assert found.lead == pytest.approx(2 - 0.5 * LN10)
    assert found.inverted == ((1, 0), (0, 2))


def test_what_is_too_little_to_be_shown_is_left_out() -> None:
    found = compared(Realization(TREE, (BEST, candidate((1, 0, 2), 4.004, -2)), lm_weight=0.5), 1, "default")
    assert (found.for_best, found.for_other, found.inverted) == ((), (), ())


def test_neighbours_are_those_of_the_best() -> None:
    assert list(inversions(TREE, OTHER, candidate((2, 1, 0), 0, 0))) == [(0, 1)]


def test_every_preset_has_a_model_that_orders() -> None:
    names = [ordering_model(preset) for preset in ("default", "supertag", "treebank-lr", "baseline-lr")]
    assert names == ["ordering model", "tree model", "left-right model", "left-right model"]


def test_the_reason_is_written_from_it() -> None:
    assert reason(BOTH, "supertag") == (
        "“I saw her” beats “her saw I” by 0.85: the tree model prefers it by 2.00, although the language model prefers "
        "the other by 1.15. What differs: I before saw; saw before her."
    )
