from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.lattice import Arc, Lattice, build, expanded

# Node indices of: for, phase, the, second.
FOR, PHASE, THE, SECOND = range(4)
PHASE_PART = [
    Arc(0, 1, THE, -0.25),
    Arc(0, 2, SECOND, -2.0),
    Arc(1, 3, SECOND, 0.0),
    Arc(2, 3, THE, -0.5),
    Arc(3, 4, PHASE, 0.0),
]
FOR_PART = [Arc(0, 1, FOR, -0.5), Arc(1, 3, -1, 0.0), Arc(0, 2, -1, -4.0), Arc(2, 3, FOR, 0.0)]


def multiset(lattice: Lattice) -> Counter[tuple[tuple[int, ...], float]]:
    return Counter((words, round(weight, 6)) for words, weight in lattice.paths())


def test_paths_of_a_packed_lattice() -> None:
    # Two orders of the phrase (-.25, and -2 - .5) times two places of "for" (-.5 and -4).
    assert multiset(build([PHASE_PART, FOR_PART])) == {
        ((FOR, THE, SECOND, PHASE), -0.75): 1,
        ((FOR, SECOND, THE, PHASE), -3.0): 1,
        ((THE, SECOND, PHASE, FOR), -4.25): 1,
        ((SECOND, THE, PHASE, FOR), -6.5): 1,
    }


def test_expansion_copies_the_part_to_both_places() -> None:
    flat = expanded(build([PHASE_PART, FOR_PART]))
    # "for" twice and the five arcs of the phrase twice; 4 states of the mother's, twice 3 inside the phrase.
    assert (len(flat), len(flat.source), flat.part_states[0]) == (1, 12, 10)
    assert multiset(flat) == multiset(build([PHASE_PART, FOR_PART]))


def test_a_flat_lattice_is_its_own_expansion() -> None:
    flat = build([PHASE_PART])
    assert expanded(flat) == flat


def test_arcs_are_sorted_by_source_whatever_order_they_come_in() -> None:
    assert build([PHASE_PART[::-1]]) == build([PHASE_PART])
    assert [arc.source for arc in build([PHASE_PART[::-1]]).arcs(0)] == [0, 0, 1, 2, 3]


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ([[Arc(1, 1, 0, 0.0)]], "part 0: arc 1->1 does not go forward"),
        ([[Arc(-1, 1, 0, 0.0)]], "part 0: arc -1->1 does not go forward"),
        ([[Arc(0, 1, 0, 0.0)], [Arc(0, 1, -2, 0.0)]], "part 1: an arc may only stand for an earlier part"),
    ],
)
def test_arcs_that_cannot_be(parts: list[list[Arc]], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        build(parts)


def test_expansion_has_a_limit() -> None:
    packed = build([PHASE_PART, FOR_PART])
    assert len(expanded(packed, limit=12).source) == 12
    with pytest.raises(ValueError, match="more than 11 arcs"):
        expanded(packed, limit=11)


def test_the_limit_is_checked_before_an_exponential_expansion_begins() -> None:
    # Each part holds the one before twice: 2 to the power of 20,000 paths, a number of 6,021 digits.
    doubling = [
        [Arc(0, 1, 0, 0.0)],
        *([Arc(0, 1, -1 - i, 0.0), Arc(0, 1, -1 - i, 0.0)] for i in range(20_000)),
    ]
    with pytest.raises(ValueError, match="more than 1,000,000 arcs"):
        expanded(build(doubling))


def test_depth_is_no_limit() -> None:
    depth = 10_000
    chain = [[Arc(0, 1, 0, 1.0)], *([Arc(0, 1, i + 1, 1.0), Arc(1, 2, -1 - i, 1.0)] for i in range(depth))]
    flat = expanded(build(chain))
    assert list(flat.label) == list(range(depth, -1, -1))
    assert sum(flat.weight) == 2 * depth + 1


def test_what_cannot_be_expanded() -> None:
    with pytest.raises(ValueError, match="without parts"):
        expanded(build([]))
    with pytest.raises(ValueError, match="part 0, which has no arcs"):
        expanded(build([[], [Arc(0, 1, -1, 0.0)]]))
    assert multiset(expanded(build([[]]))) == {((), 0.0): 1}


@st.composite
def lattices(draw: st.DrawFn) -> Lattice:
    """Packed lattices of up to four parts, dead ends, parallel arcs and unused parts among them."""
    parts: list[list[Arc]] = []
    for number in range(draw(st.integers(1, 4))):
        states = draw(st.integers(2, 4))
        arcs = []
        for _ in range(draw(st.integers(1, 5))):
            source = draw(st.integers(0, states - 2))
            target = draw(st.integers(source + 1, states - 1))
            arcs.append(Arc(source, target, draw(st.integers(-number, 5)), draw(st.integers(-4, 4)) / 4))
        parts.append(arcs)
    return build(parts)


@given(lattices())
def test_expansion_keeps_every_path_with_its_weight(lattice: Lattice) -> None:
    flat = expanded(lattice)
    assert multiset(flat) == multiset(lattice)
    assert len(flat) == 1
    assert all(label >= 0 for label in flat.label)
    assert all(arc.source < arc.target < flat.part_states[0] for arc in flat.arcs(0))
    assert list(flat.source) == sorted(flat.source)
