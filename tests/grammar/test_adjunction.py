"""The adjunction table's probabilities, by hand and as properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.supertag import ElementaryTree, Slot
from fergus.grammar.adjunction import Adjunction, AdjunctionTable, Position
from fergus.grammar.names import extracted_tree

VERB = extracted_tree("alpha", "VERB", "", ["nsubj"], ["obj"])
BARE = extracted_tree("alpha", "VERB", "", [], [])
NOUN = extracted_tree("alpha", "NOUN", "", [], [])
ADV = extracted_tree("gamma", "ADV", "", [], [])
CATEGORIES = {tree.name: tree.category for tree in (VERB, BARE, NOUN, ADV)}


def test_an_empty_table_shares_out_evenly() -> None:
    # Each side 1/2, each of the two gaps of a side half of that.
    assert AdjunctionTable().positions(ADV, VERB) == [
        Position("left", 0, 0.25), Position("left", 1, 0.25),
        Position("right", 0, 0.25), Position("right", 1, 0.25),
    ]  # fmt: skip


def test_back_off_by_hand() -> None:
    table = AdjunctionTable({Adjunction(ADV.name, BARE.name, "left", 0): 3}, CATEGORIES)
    found = table.positions(ADV, BARE)
    # Sides, with one added to each: left 4/5, right 1/5. Then three levels, N = 3 and one place seen each:
    # left = (3 + 1 * 4/5) / 4 = .95, (3 + .95) / 4 = .9875, (3 + .9875) / 4 = .996875
    assert found == [
        Position("left", 0, pytest.approx(0.996875)),
        Position("right", 0, pytest.approx(0.003125)),
    ]
    # Another tree of the same category: the last level is silent.
    assert table.positions(ADV, VERB)[0][:2] == ("left", 0)
    # Sides 4/5 and 1/5 over two gaps each: left 0 is .4; (3 + .4) / 4 = .85, (3 + .85) / 4 = .9625
    assert table.positions(ADV, VERB)[0].probability == pytest.approx(0.9625)
    # A mother of another category: only the gamma's category counts, (3 + .8) / 4.
    assert table.positions(ADV, NOUN)[0].probability == pytest.approx(0.95)


def test_places_the_mother_does_not_have_are_not_offered() -> None:
    table = AdjunctionTable({Adjunction(ADV.name, VERB.name, "right", 1): 5}, CATEGORIES)
    assert {(p.side, p.gap) for p in table.positions(ADV, NOUN)} == {("left", 0), ("right", 0)}


def test_unlikely_places_are_dropped_and_the_rest_sums_to_one() -> None:
    table = AdjunctionTable({Adjunction(ADV.name, BARE.name, "left", 0): 3}, CATEGORIES)
    assert table.positions(ADV, BARE, minimum=0.01) == [Position("left", 0, 1.0)]
    assert table.positions(ADV, BARE, minimum=2.0) == [Position("left", 0, 1.0)]


def test_a_tree_that_fixes_its_side_is_offered_no_other() -> None:
    tree = ElementaryTree("betavxARB", "gamma", "ADV", side="right")
    assert {p.side for p in AdjunctionTable().positions(tree, VERB)} == {"right"}


@given(
    st.lists(st.tuples(st.sampled_from(["left", "right"]), st.integers(0, 3), st.integers(1, 9))),
    st.integers(0, 3),
)
def test_probabilities_sum_to_one(rows: list[tuple[str, int, int]], slots: int) -> None:
    mother = ElementaryTree("m", "alpha", "VERB", left=(Slot("a"),) * slots, right=(Slot("b"),))
    counts = {Adjunction(ADV.name, VERB.name, side, gap): n for side, gap, n in rows}  # type: ignore[arg-type]
    found = AdjunctionTable(counts, CATEGORIES).positions(ADV, mother)
    assert sum(p.probability for p in found) == pytest.approx(1)
    assert len(found) == slots + 3
    assert all(p.probability > 0 for p in found)
    assert found == sorted(found, key=lambda p: (-p.probability, p.side, p.gap))
