from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fergus.studies.simulation import Sent, Simulation, Visit, percentile

VISITS = (Visit(0, "a", "completed", 2), Visit(1, "", "refused", 0), Visit(2, "b", "failed", 1, "a problem"))
SENT = tuple(Sent(0, "a", page, 0.0, seconds, 2) for page, seconds in enumerate((0.1, 0.3, 0.2, 0.4)))


def test_figures() -> None:
    found = Simulation(VISITS, SENT, 2.0, lost=3)
    assert found.described() == {
        "raters": 3,
        "states": {"completed": 1, "refused": 1, "failed": 1},
        "answers": 4,
        "judgements": 8,
        "seconds": 2.0,
        "answers_per_second": 2.0,
        "latency_ms": {"p50": 200.0, "p95": 400.0, "p99": 400.0},
        "lost_connections": 3,
        "problems": {"a problem": 1},
    }
    assert found.completed == 1


def test_nothing_happened() -> None:
    found = Simulation((), (), 0.0)
    assert found.answers_per_second == 0
    assert found.latency_ms(50) is None
    assert found.described()["latency_ms"] == {"p50": None, "p95": None, "p99": None}


@given(st.lists(st.integers(0, 20), min_size=1), st.integers(1, 100))
def test_so_many_percent_are_not_above_a_percentile(values: list[int], percent: int) -> None:
    found = percentile(values, percent)
    assert found in values

    def share(limit: float) -> float:
        return 100 * sum(value <= limit for value in values) / len(values)

    assert found is not None
    assert share(found) >= percent
    assert all(share(value) < percent for value in values if value < found)
