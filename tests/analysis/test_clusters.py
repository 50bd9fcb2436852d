from __future__ import annotations

from dataclasses import dataclass

from fergus.analysis.clusters import clusters

VALUES = {"a": 0.6, "b": 0.5, "c": 0.4, "d": float("nan")}


@dataclass(frozen=True)
class One:
    first: str
    second: str
    corrected_p: float
    difference: float = 0.1


def test_a_cluster_ends_where_all_above_are_better_than_all_below() -> None:
    rows = [One("a", "b", 0.5), One("a", "c", 0.01), One("b", "c", 0.2)]
    assert clusters(VALUES, rows) == [["a", "b", "c"]]  # b and c are not told apart, so a and c share a cluster too
    rows[2] = One("b", "c", 0.02)
    assert clusters(VALUES, rows) == [["a", "b"], ["c"]]


def test_the_sign_of_the_difference_tells_who_is_better() -> None:
    assert clusters({"a": 1, "b": 2}, [One("a", "b", 0.01, difference=-1)]) == [["b"], ["a"]]
    assert clusters({"a": 1, "b": 1}, [One("a", "b", 0.01, difference=0)]) == [["a", "b"]]


def test_nothing_has_no_clusters() -> None:
    assert clusters({}, []) == []
