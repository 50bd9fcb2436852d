from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.lattice import Arc, Lattice, build
from fergus.errors import ModelError
from fergus.lm.count import count_ngrams
from fergus.lm.model import NgramModel
from fergus.lm.smooth import kneser_ney
from fergus.realize import choose_path
from fergus.realize.choose_path import (
    LN10,
    PathChooser,
    best_of_list,
    best_paths,
)

TEXT = """the dog saw the cat
a dog saw a cat
the cat of the dog saw a dog
dog of the cat
saw a dog of dog"""
# Neither is in the language model's text, so both are <unk>, yet they print differently.
WORDS = ("the", "dog", "saw", "a", "cat", "of", "zebra", "yak")


@pytest.fixture(scope="module")
def lm() -> NgramModel:
    return kneser_ney(count_ngrams([line.split() for line in TEXT.splitlines()], order=3))


Case = tuple[Lattice, tuple[str, ...]]


@st.composite
def packed_lattices(draw: st.DrawFn) -> Case:
    """A lattice of some orders of each treelet of a random tree, weighted at random, and the words."""
    size = draw(st.integers(1, 6))
    heads = [draw(st.integers(0, i - 1)) for i in range(1, size)]
    daughters = [[d for d, h in enumerate(heads, 1) if h == node] for node in range(size)]
    words = tuple(draw(st.sampled_from(WORDS)) for _ in range(size))
    weights = st.integers(-8, 8).map(lambda w: w / 4)
    parts: list[list[Arc]] = []
    part_of: dict[int, int] = {}
    for node in range(size - 1, -1, -1):
        items = [node, *daughters[node]]
        if len(items) == 1 and node:
            continue
        labels = {d: -1 - part_of[d] if d in part_of else d for d in items}
        orders = list(permutations(items))
        kept = draw(st.lists(st.sampled_from(orders), min_size=1, max_size=4, unique=True))
        merged = draw(st.booleans())  # either states stand for the set of items before them, or orders run apart
        numbers: dict[object, int] = {}
        for length in range(len(items)):
            for number, order in enumerate(kept):
                key = frozenset(order[:length]) if merged or not length else (number, length)
                numbers.setdefault((length, key), len(numbers))
        arcs: dict[tuple[int, int, int], Arc] = {}
        for number, order in enumerate(kept):
            states = []
            for length in range(len(items)):
                key = frozenset(order[:length]) if merged or not length else (number, length)
                states.append(numbers[length, key])
            states.append(len(numbers))
            for place, item in enumerate(order):
                name = (states[place], states[place + 1], labels[item])
                arcs.setdefault(name, Arc(*name, draw(weights)))
        part_of[node] = len(parts)
        parts.append(list(arcs.values()))
    return build(parts), words


def brute_force(case: Case, lm: NgramModel, weight: float) -> dict[tuple[str, ...], float]:
    """Every sentence of a lattice with the best score of the orders that read so."""
    lattice, words = case
    found: dict[tuple[str, ...], float] = {}
    for order, score in lattice.paths():
        tokens = tuple(words[node] for node in order)
        total = score + weight * LN10 * sum(lm.score(tokens))
        found[tokens] = max(found.get(tokens, total), total)
    return found


def chosen(case: Case, lm: NgramModel, weight: float, n: int) -> list[tuple[tuple[str, ...], float]]:
    lattice, words = case
    ids = np.array([lm.id(word) for word in words], np.int32)
    keys = np.array([WORDS.index(word) for word in words], np.int64)
    found = []
    for order, score in PathChooser(lm, weight).choose(lattice, ids, keys, n=n):
        assert sorted(order.tolist()) == list(range(len(words)))
        found.append((tuple(words[node] for node in order), score))
    return found


@settings(max_examples=150)
@given(packed_lattices(), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([1, 2, 3, 7, 1000]))
def test_the_n_best_of_all_sentences(lm: NgramModel, case: Case, weight: float, n: int) -> None:
    expected = brute_force(case, lm, weight)
    found = chosen(case, lm, weight, n)
    sentences = [tokens for tokens, _ in found]
    assert len(set(sentences)) == len(sentences) == min(n, len(expected))
    for tokens, score in found:
        assert score == pytest.approx(expected[tokens], abs=1e-5)
    ranked = sorted(expected.values(), reverse=True)
    assert [score for _, score in found] == pytest.approx(ranked[: len(found)], abs=1e-5)


def test_nodes_that_print_the_same_are_no_alternatives(lm: NgramModel) -> None:
    # the dog(0) dog(1) in either order of the two reads the same; the better weight counts
    case = (build([[Arc(0, 1, 0, 0.0), Arc(0, 2, 1, 1.0), Arc(1, 3, 1, 0.0), Arc(2, 3, 0, 0.0)]]), ("dog", "dog"))
    assert chosen(case, lm, 0.0, 5) == [(("dog", "dog"), 1.0)]


def test_words_that_print_differently_are(lm: NgramModel) -> None:
    case = (build([[Arc(0, 1, 0, 0.0), Arc(0, 2, 1, 1.0), Arc(1, 3, 1, 0.0), Arc(2, 3, 0, 0.0)]]), ("zebra", "yak"))
    assert [tokens for tokens, _ in chosen(case, lm, 0.5, 5)] == [("yak", "zebra"), ("zebra", "yak")]


def test_the_language_model_decides_where_the_lattice_does_not(lm: NgramModel) -> None:
    arcs = [Arc(0, 1, 0, 0.0), Arc(0, 2, 1, 0.0), Arc(1, 3, 1, 0.0), Arc(2, 3, 0, 0.0)]
    assert chosen((build([arcs]), ("dog", "the")), lm, 1.0, 1)[0][0] == ("the", "dog")


@pytest.mark.parametrize("n", [0, -1])
def test_less_than_one_best_is_refused(lm: NgramModel, n: int) -> None:
    with pytest.raises(ValueError, match="1 or more best orders"):
        chosen((build([[Arc(0, 1, 0, 0.0)]]), ("dog",)), lm, 1.0, n)


def stub(monkeypatch: pytest.MonkeyPatch, enough: int) -> list[int]:
    """A search that gives up with beams wider than ``enough``; the beams it is called with."""
    beams: list[int] = []

    def search(*arguments: object) -> tuple[np.ndarray, np.ndarray]:
        beams.append(int(arguments[-1]))  # type: ignore[call-overload]
        kept = int(beams[-1] <= enough)
        return np.zeros((kept, 1), np.int32), np.zeros(kept)

    monkeypatch.setattr(choose_path, "best_paths", search)
    return beams


def test_the_beam_is_cut_until_the_search_has_room(lm: NgramModel, monkeypatch: pytest.MonkeyPatch) -> None:
    beams = stub(monkeypatch, 40)
    assert chosen((build([[Arc(0, 1, 0, 0.0)]]), ("dog",)), lm, 1.0, 1) == [(("dog",), 0.0)]
    assert beams == [256, 64, 16]
    beams.clear()
    chosen((build([[Arc(0, 1, 0, 0.0)]]), ("dog",)), lm, 1.0, 100)
    assert beams == [400, 100, 25]


def test_a_lattice_without_path(lm: NgramModel, monkeypatch: pytest.MonkeyPatch) -> None:
    beams = stub(monkeypatch, 0)
    with pytest.raises(ValueError, match="no path"):
        chosen((build([[Arc(0, 1, 0, 0.0)]]), ("dog",)), lm, 1.0, 1)
    assert beams[-1] == 1


@settings(max_examples=80)
@given(packed_lattices(), st.integers(1, 4), st.sampled_from([1, 2, 3, 999]), st.integers(1, 3))
def test_a_narrow_search_still_gives_sentences_with_their_true_scores(
    lm: NgramModel, case: Case, beam: int, contexts: int, n: int
) -> None:
    lattice, words = case
    expected = brute_force(case, lm, 1.0)
    arrays = (lattice.part_arcs, lattice.part_states, lattice.source, lattice.target, lattice.label)
    orders, scores = best_paths(
        *(np.frombuffer(a, np.int32) for a in arrays),
        np.frombuffer(lattice.weight),
        np.array([lm.id(word) for word in words], np.int32),
        np.array([WORDS.index(word) for word in words], np.int64),
        *(len(words), lm.tables, LN10, n, contexts, beam),
    )
    sentences = [tuple(words[node] for node in order) for order in orders.tolist()]
    assert 1 <= len(sentences) == len(set(sentences)) <= n
    assert scores.tolist() == sorted(scores.tolist(), reverse=True)
    for tokens, order, score in zip(sentences, orders.tolist(), scores, strict=True):
        # a narrow search may miss the better of two orders that read the same
        read = {weight for path, weight in lattice.paths() if path == tuple(order)}
        totals = [weight + LN10 * sum(lm.score(tokens)) for weight in read]
        assert any(score == pytest.approx(total, abs=1e-5) for total in totals)
        assert score <= expected[tokens] + 1e-5


def test_the_best_of_a_list_of_hypotheses() -> None:
    scores = np.array([1.0, 4.0, 2.0, 4.0, 3.0])
    following = np.array([1, 2, 3, 4, -1], np.int32)
    assert best_of_list(np.int32(0), scores, following, 5) == 0  # short enough: as it was
    assert following.tolist() == [1, 2, 3, 4, -1]
    first = best_of_list(np.int32(0), scores, following, 3)
    members = [first]
    while following[members[-1]] >= 0:
        members.append(int(following[members[-1]]))
    assert members == [1, 3, 4]  # ties stay in the order they had
    assert best_of_list(np.int32(-1), scores, following, 3) == -1


def test_a_chain_of_ten_thousand_nested_parts(lm: NgramModel) -> None:
    size = 10_000
    parts = [[Arc(0, 1, size - 1, 0.0)]]
    for number, node in enumerate(range(size - 2, -1, -1)):
        inner = -1 - number
        parts.append([Arc(0, 1, node, 0.0), Arc(0, 2, inner, -9.0), Arc(1, 3, inner, 0.0), Arc(2, 3, node, 0.0)])
    words = np.zeros(size, np.int32)
    ((order, score),) = PathChooser(lm, 0.0).choose(build(parts), words, np.arange(size))
    assert order.tolist() == list(range(size))
    assert score == 0.0


def test_a_language_model_that_looks_further_back_than_the_search() -> None:
    longer = kneser_ney(count_ngrams([["a", "b", "a", "b"]], order=4))
    with pytest.raises(ModelError, match="order 4, but the search looks two words back"):
        PathChooser(longer, 1.0)
