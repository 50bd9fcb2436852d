from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fergus.core.distinct import distinct_names

NAMES = st.lists(st.text("ab.-2", max_size=4), max_size=8)


def test_a_number_that_is_taken_is_not_given() -> None:
    assert distinct_names(["a", "a", "a-2", "b"]) == ["a", "a-2", "a-2-2", "b"]
    assert distinct_names(["a", "a-2", "a"]) == ["a", "a-2", "a-3"]
    assert distinct_names(["a.b.txt"] * 3, keeps_endings=True) == ["a.b.txt", "a.b-2.txt", "a.b-3.txt"]


@given(NAMES, st.booleans())
def test_none_is_there_twice_and_first_ones_stay(names: list[str], keeps_endings: bool) -> None:
    found = distinct_names(names, keeps_endings=keeps_endings)
    assert len(set(found)) == len(found) == len(names)
    assert found[:1] == names[:1]
    if len(set(names)) == len(names):
        assert found == names
