from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.errors import ModelError
from fergus.realize.conditional_counts import ConditionalCounts, smallest, tables_from_arrays, tables_to_arrays

EVENTS = [(("a",), "x"), (("a",), "x"), (("a",), "y"), (("b",), "y")]


def test_witten_bell_by_hand() -> None:
    counts = ConditionalCounts.of(EVENTS)
    # two types among three events: (2 + 2 * 0.1) / (3 + 2)
    assert counts.mixed(("a",), "x", 0.1) == pytest.approx(2.2 / 5)
    assert counts.mixed(("a",), "unseen", 0.1) == pytest.approx(0.2 / 5)
    assert counts.mixed(("unseen",), "x", 0.1) == 0.1
    assert counts.total(("a",)) == 3
    assert counts.total(("unseen",)) == 0
    assert counts.count(("a",), "x") == 2
    assert counts.count(("unseen",), "x") == 0


@given(st.lists(st.tuples(st.tuples(st.sampled_from("ab")), st.sampled_from("xyz"))))
def test_probabilities_sum_to_one(events: list[tuple[tuple[str], str]]) -> None:
    counts = ConditionalCounts.of(events)
    assert sum(counts.mixed(("a",), outcome, 1 / 3) for outcome in "xyz") == pytest.approx(1.0)


def test_rare_events_can_be_left_out() -> None:
    assert ConditionalCounts.of(EVENTS, least=2) == ConditionalCounts({("a",): {"x": 2}})
    assert ConditionalCounts.of(EVENTS) != EVENTS


TEXT = st.text(alphabet="abé'\t", max_size=3)


@given(
    st.lists(st.tuples(st.tuples(TEXT, TEXT), TEXT)),
    st.lists(st.tuples(st.tuples(TEXT), TEXT), max_size=3),
)
def test_arrays_round_trip(pairs: list[tuple[tuple[str, str], str]], singles: list[tuple[tuple[str], str]]) -> None:
    tables = {"two": ConditionalCounts.of(pairs), "one": ConditionalCounts.of(singles)}
    arrays = tables_to_arrays(tables)
    assert all(array.dtype.kind in "iu" for array in arrays.values())
    assert tables_from_arrays(arrays, ["two", "one"]) == tables


def test_broken_arrays() -> None:
    arrays = tables_to_arrays({"t": ConditionalCounts.of(EVENTS)})
    with pytest.raises(ModelError, match="tree model"):
        tables_from_arrays(arrays, ["another"])
    with pytest.raises(ModelError, match="tree model"):
        tables_from_arrays({**arrays, "t_1": arrays["t_1"][:1]}, ["t"])
    with pytest.raises(ModelError, match="tree model"):
        tables_from_arrays({**arrays, "t_1": arrays["t_1"] + 100}, ["t"])
    with pytest.raises(ValueError, match="line break"):
        tables_to_arrays({"t": ConditionalCounts.of([(("a\n",), "x")])})


def test_smallest_types() -> None:
    assert smallest(np.array([0, 255], np.int32)).dtype == np.uint8
    assert smallest(np.array([-1, 100], np.int32)).dtype == np.int8
    assert smallest(np.array([-1, 70_000], np.int32)).dtype == np.int32
