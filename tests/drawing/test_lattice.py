from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.core.lattice import Arc, Lattice, build, expanded
from fergus.drawing import draw_lattice
from fergus.drawing.lattice import relabelled
from fergus.drawing.lattice_cut import cut_down, expanded_size
from tests.drawing.shapes import SVG, check, root_of

WORDS = ["for", "the", "second", "phase"]
# Part 0 spells "the second phase" (-.25), or with "second" first (-2.5); part 1 puts "for" before or after it.
PACKED = build(
    [
        [Arc(0, 1, 1, -0.25), Arc(0, 2, 2, -2.0), Arc(1, 3, 2, 0.0), Arc(2, 3, 1, -0.5), Arc(3, 4, 3, 0.0)],
        [Arc(0, 1, 0, 0.0), Arc(0, 2, -1, -4.0), Arc(1, 3, -1, 0.0), Arc(2, 3, 0, 0.0)],
    ]
)


def winning_words(svg: str) -> list[str]:
    best = [g.findall(f"{SVG}text")[0].text for g in root_of(svg).iter(f"{SVG}g") if g.get("class") == "arc best"]
    return [str(word) for word in best]


def arcs_of(svg: str) -> int:
    return len(list(root_of(svg).iter(f"{SVG}g")))


@st.composite
def packed_lattices(draw: st.DrawFn) -> Lattice:
    """Parts in which every state lies on a way from the first to the last, as the Unraveler makes them."""
    parts: list[list[Arc]] = []
    weights = st.sampled_from([0.0, -0.5, -1.25, -3.0, 2.0])
    for number in range(draw(st.integers(1, 3))):
        states = draw(st.integers(2, 5))
        ways = [(s, s + 1) for s in range(states - 1)]
        for _ in range(draw(st.integers(0, 5))):
            source = draw(st.integers(0, states - 2))
            ways.append((source, draw(st.integers(source + 1, states - 1))))
        parts.append([Arc(a, b, draw(st.integers(-number, 3)), draw(weights)) for a, b in ways])
    return build(parts)


@given(packed_lattices(), st.integers(1, 30), st.data())
def test_what_is_cut_off_is_worse_than_what_is_left(lattice: Lattice, limit: int, data: st.DataObject) -> None:
    every = list(lattice.paths())
    order, _ = data.draw(st.sampled_from(every))
    found = cut_down(lattice, order, limit=limit)
    left = {path for path, _ in found.lattice.paths()}
    assert order in left
    assert left <= {path for path, _ in every}
    assert bool(found.note) == (len(expanded(lattice).source) > limit)
    if not found.note:
        assert left == {path for path, _ in every}
        return
    without = cut_down(lattice, None, limit=limit)
    best = max(weight for _, weight in every)
    assert max(weight for _, weight in without.lattice.paths()) == pytest.approx(best)
    # An order that is left has every better one beside it.
    worst = min(max(w for p, w in every if p == path) for path in {path for path, _ in without.lattice.paths()})
    kept = {path for path, _ in without.lattice.paths()}
    assert all(path in kept for path, weight in every if weight > max(worst, best - 1e-6) + 1e-6)
    size = len(without.lattice.source)
    assert size <= limit or {round(w, 6) for _, w in without.lattice.paths()} >= {round(best, 6)}


@given(packed_lattices(), st.integers(1, 40), st.data())
def test_texts_never_overlap(lattice: Lattice, limit: int, data: st.DataObject) -> None:
    order, _ = data.draw(st.sampled_from(list(lattice.paths())))
    svg = draw_lattice(lattice, WORDS, order, limit=limit)
    check(svg)
    assert winning_words(svg) == [WORDS[node] for node in order]
    assert svg == draw_lattice(lattice, WORDS, order, limit=limit)


def test_a_packed_lattice_is_drawn_whole() -> None:
    svg = draw_lattice(PACKED, WORDS, [0, 1, 2, 3])
    assert winning_words(svg) == WORDS
    assert arcs_of(svg) == len(expanded(PACKED).source) == 12
    assert "too many" not in svg
    assert "The winning path reads: for the second phase." in svg
    assert "winning path" not in draw_lattice(PACKED, WORDS)


def test_a_big_one_is_cut_to_its_best_orders() -> None:
    # In order of weight: for the second phase -.25, for second the phase -2.5, and both with "for" behind, 4 less.
    svg = draw_lattice(PACKED, WORDS, limit=8)
    assert arcs_of(svg) == 6
    assert "The lattice has 12 arcs, too many to be drawn; shown here: the orders within 2.25 of the best" in svg
    only = draw_lattice(PACKED, WORDS, limit=4)
    assert arcs_of(only) == 4
    assert "shown here: the best order." in only


def test_the_winner_is_drawn_wherever_it_comes_in() -> None:
    alone = cut_down(PACKED, [2, 1, 3, 0], limit=4)
    assert [path for path, _ in alone.lattice.paths()] == [(2, 1, 3, 0)]
    assert alone.note.endswith("shown here: the winning path.")
    # Beside the best order it shares no arc with, although in the packed lattice they share parts.
    both = cut_down(PACKED, [2, 1, 3, 0], limit=8)
    assert {path for path, _ in both.lattice.paths()} == {(0, 1, 2, 3), (2, 1, 3, 0)}
    assert both.note.endswith("shown here: the best order and the winning path.")
    # "for" and "phase" are shared in the drawing too: there is room for three arcs a word.
    long = draw_lattice(PACKED, WORDS, [2, 1, 3, 0], limit=4)
    assert winning_words(long) == ["second", "the", "phase", "for"]
    assert arcs_of(long) == 12


@pytest.mark.parametrize("weight", [0.0, -0.5])
def test_a_lattice_that_no_memory_holds(weight: float) -> None:
    # Every word stands before or behind the phrase of the word below it: 2 to the power of 40 orders, of which all
    # are the best if it makes no difference.
    parts = [[Arc(0, 1, 40, 0.0)]]
    for number in range(1, 41):
        word = 40 - number
        parts.append([Arc(0, 1, word, 0.0), Arc(0, 2, -number, weight), Arc(1, 3, -number, 0.0), Arc(2, 3, word, 0.0)])
    lattice = build(parts)
    assert expanded_size(lattice, range(len(lattice.source)), 1000) == 1001
    words = [f"w{number}" for number in range(41)]
    in_order, reverse = list(range(41)), list(range(40, -1, -1))
    without = draw_lattice(lattice, words)
    assert 41 <= arcs_of(without) <= 60
    for order in (in_order, reverse):
        svg = draw_lattice(lattice, words, order)
        assert winning_words(svg) == [words[node] for node in order]
        assert arcs_of(svg) <= 3 * 41
        assert "The lattice has more than a million arcs, too many to be drawn" in svg


def test_depth_is_no_limit() -> None:
    deep = build([[Arc(0, 1, 0, 0.0)], *([Arc(0, 1, -number, 0.0)] for number in range(1, 3000))])
    assert list(cut_down(deep, [0], limit=0).lattice.label) == [0]
    small = build([[Arc(0, 1, 0, 0.0), Arc(0, 1, 1, 0.0)], [Arc(0, 1, -1, 0.0), Arc(1, 2, -1, 0.0)]])
    assert len(expanded(small).source) == expanded_size(small, range(len(small.source)), 10**6)


def test_an_order_that_no_path_has() -> None:
    for limit in (None, 3):
        with pytest.raises(ValueError, match="no path of the lattice has this order"):
            draw_lattice(PACKED, WORDS, [3, 2, 1, 0], limit=limit)


def test_nothing_to_draw() -> None:
    for lattice in (build([]), build([[]])):
        assert arcs_of(draw_lattice(lattice, [])) == 0


def test_numbers_of_a_lattice_become_nodes_of_the_tree() -> None:
    swapped = relabelled(PACKED, [3, 1, 2, 0])
    assert list(swapped.label) == [1, 2, 2, 1, 0, 3, -1, -1, 3]
    assert winning_words(draw_lattice(swapped, WORDS[::-1], [3, 1, 2, 0])) == ["for", "second", "the", "phase"]


def test_long_words_are_cut() -> None:
    (group,) = root_of(draw_lattice(build([[Arc(0, 1, 0, 0.0)]]), ["w" * 90])).iter(f"{SVG}g")
    assert group[0].text == "w" * 90
