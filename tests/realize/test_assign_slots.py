from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.realize.assign_slots import NEVER, SlotAssignment

SCORES = st.one_of(st.integers(-9, 0).map(float), st.just(NEVER))


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[list[float]], list[float]]:
    slots, daughters = draw(st.integers(0, 3)), draw(st.integers(0, 4))
    rows = [[*(draw(SCORES) for _ in range(slots)), float(draw(st.integers(-20, 0)))] for _ in range(daughters)]
    return rows, [float(draw(st.integers(-9, 0))) for _ in range(1 << slots)]


def value(options: list[list[float]], final: list[float], places: tuple[int, ...]) -> float:
    """By definition: no slot twice; the last column is adjoining."""
    filled, score = 0, 0.0
    for row, place in zip(options, places, strict=True):
        if place < len(row) - 1:
            if filled >> place & 1:
                return NEVER
            filled |= 1 << place
        score += row[place]
    return score + final[filled]


def brute_force(options: list[list[float]], final: list[float]) -> float:
    return max(value(options, final, places) for places in product(*(range(len(row)) for row in options)))


@given(problems())
def test_equal_to_trying_everything(problem: tuple[list[list[float]], list[float]]) -> None:
    options, final = problem
    assignment = SlotAssignment(options, final)
    assert assignment.score == brute_force(options, final)
    places = tuple(len(row) - 1 if p is None else p for p, row in zip(assignment.places(), options, strict=True))
    assert value(options, final, places) == assignment.score


@given(problems(), st.data())
def test_instead_is_a_new_problem_with_one_row_changed(
    problem: tuple[list[list[float]], list[float]], data: st.DataObject
) -> None:
    options, final = problem
    if not options:
        return
    number = data.draw(st.integers(0, len(options) - 1))
    row = [data.draw(SCORES) for _ in options[number]]
    changed = [row if i == number else other for i, other in enumerate(options)]
    assert SlotAssignment(options, final).instead(number, row) == brute_force(changed, final)


def test_nobody_to_assign() -> None:
    assignment = SlotAssignment([], [-2.0])
    assert assignment.score == -2.0
    assert assignment.places() == []


def test_many_daughters() -> None:
    options = [[-1.0, -2.0, -0.5] for _ in range(60)]
    # 58 adjoin, two fill the slots because empty ones cost 10 each
    assert SlotAssignment(options, [-20.0, -10.0, -10.0, 0.0]).score == pytest.approx(-3 - 58 * 0.5)
