from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.core.lattice import Arc, Lattice, build
from fergus.lm import count_ngrams, kneser_ney
from fergus.realize.alternatives import Alternative, Alternatives, with_alternatives
from fergus.realize.choose_path import PathChooser

# for(phase(the)), phase before or after its article.
LATTICE = build(
    [
        [Arc(0, 1, 1, 0.5), Arc(1, 3, 2, 0.0), Arc(0, 2, 2, -0.5), Arc(2, 3, 1, 0.0)],
        [Arc(0, 1, 0, 0.0), Arc(1, 2, -1, 0.0)],
    ]
)


def choices(*words: str) -> list[Alternative]:
    return [Alternative(word, -float(rank)) for rank, word in enumerate(words)]


def test_every_word_in_every_order() -> None:
    alternatives = Alternatives.of([choices("for", "of"), choices("the"), choices("phase", "phases")])
    paths = {
        (tuple(alternatives.forms[label] for label in path), weight)
        for path, weight in with_alternatives(LATTICE, alternatives).paths()
    }
    expected = set()
    for (first, cost), (noun, other) in product([("for", 0.0), ("of", -1.0)], [("phase", 0.0), ("phases", -1.0)]):
        expected.add(((first, "the", noun), 0.5 + cost + other))
        expected.add(((first, noun, "the"), -0.5 + cost + other))
    assert paths == expected
    assert alternatives.node.tolist() == [0, 0, 1, 2, 2]


def test_one_alternative_each_changes_nothing() -> None:
    alternatives = Alternatives.of([[Alternative(word, 0.0)] for word in "abc"])
    assert with_alternatives(LATTICE, alternatives) == LATTICE


def test_a_node_needs_an_alternative() -> None:
    with pytest.raises(ValueError, match="node 1 has no alternative"):
        Alternatives.of([choices("a"), []])


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.floats(-3, 0), min_size=1, max_size=3), min_size=3, max_size=3), st.floats(0, 2))
def test_weights_add_up(scores: list[list[float]], scale: float) -> None:
    alternatives = Alternatives.of([[Alternative(f"{k}", s) for k, s in enumerate(some)] for some in scores])
    plain = dict(LATTICE.paths())
    for path, weight in with_alternatives(LATTICE, alternatives, scale=scale).paths():
        order = tuple(alternatives.node[list(path)].tolist())
        assert weight == pytest.approx(plain[order] + scale * sum(alternatives.weight[list(path)]))


def test_the_language_model_chooses_among_them() -> None:
    # "an estimate" and "a cost" were seen, never "a estimate".
    model = kneser_ney(count_ngrams([["an", "estimate"], ["a", "cost"], ["a", "cost"], ["a", "phase"]], order=3))
    lattice: Lattice = build([[Arc(0, 1, 0, 0.0), Arc(1, 2, 1, 0.0)]])
    for noun, article in (("estimate", "an"), ("cost", "a")):
        alternatives = Alternatives.of(
            [[Alternative("a", log(0.5)), Alternative("an", log(0.5))], [Alternative(noun, 0.0)]]
        )
        words = np.array([model.id(form) for form in alternatives.forms], np.int32)
        keys = np.arange(len(alternatives), dtype=np.int64)
        ((path, _),) = PathChooser(model, 1.0).choose(with_alternatives(lattice, alternatives), words, keys, length=2)
        assert [alternatives.forms[label] for label in path] == [article, noun]
