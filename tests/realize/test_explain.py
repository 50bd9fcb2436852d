from __future__ import annotations

import math
from pathlib import Path

import pytest

from fergus.core.lattice import Arc, build
from fergus.realize.choose_path import LN10
from fergus.realize.explain import Explanation, explain, path_weight, ways_through
from fergus.realize.model import write_model
from fergus.realize.pipeline import PRESETS, Realizer, load
from fergus.treebank import parse_tree

from .small_model import sections

TREE = "saw(she him yesterday)"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("model") / "small.fergus"
    write_model(file, {"language": "en"}, sections())
    return file


@pytest.fixture(scope="module")
def realizer(path: Path) -> Realizer:
    return load(path)


@pytest.fixture(scope="module")
def explanation(realizer: Realizer) -> Explanation:
    return explain(realizer, parse_tree(TREE))


def test_the_chosen_position_comes_first_and_costs_nothing(explanation: Explanation) -> None:
    assert {p.node for p in explanation.placements} == {1, 2, 3}
    for placement in explanation.placements:
        chosen = placement.positions[0]
        assert chosen.items == explanation.realization.order  # one treelet: its order is the sentence's
        assert chosen.cost == pytest.approx(0.0)
        costs = [p.cost for p in placement.positions[1:] if p.cost is not None]
        assert costs == sorted(costs)
        assert all(cost > -1e-6 for cost in costs)  # the best sentence is the best


def test_costs_are_differences_of_whole_sentences(realizer: Realizer, explanation: Explanation) -> None:
    """The cost of a position is what a sentence in that order scores less, by both models."""
    tree = parse_tree(TREE)
    everything = realizer.realize(tree, nbest=24, wide=True)
    total = {c.order: c.scores.total for c in everything.best}
    for placement in explanation.placements:
        for position in placement.positions:
            if position.cost is not None and position.items in total:
                assert position.cost == pytest.approx(everything.best[0].scores.total - total[position.items])


def test_scores_add_up(realizer: Realizer, explanation: Explanation) -> None:
    best = explanation.realization.best[0].scores
    assert sum(explanation.word_logprob10) == pytest.approx(best.language_model_logprob10)
    weighted = explanation.realization.lm_weight * LN10 * best.language_model_logprob10
    assert best.total == pytest.approx(best.lattice + weighted)


def test_labels_and_supertags_are_probabilities(explanation: Explanation) -> None:
    for choices in (explanation.realization.labels, explanation.supertags):
        assert len(choices) == 4
        for choice in choices:
            assert 0 < choice.probability <= 1
            assert choice.probability + sum(p for _, p in choice.runners_up) <= 1 + 1e-5


def test_the_reason_names_winner_second_and_difference(explanation: Explanation) -> None:
    realization = explanation.realization
    first, second = (" ".join(realization.tokens_of(c)) for c in realization.best)
    assert f"“{first}” beats “{second}” by " in explanation.reason
    assert "What differs: " in explanation.reason
    assert " before " in explanation.reason


def test_one_word_has_no_rival(realizer: Realizer) -> None:
    explanation = explain(realizer, parse_tree("sleep"))
    assert explanation.reason == "There is no other order in the lattice."
    assert explanation.placements == ()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_explains_itself(path: Path, preset: str) -> None:
    explanation = explain(load(path, preset=preset), parse_tree("saw(cat(the) dog(a big) .)"), bare=True)
    assert explanation.placements
    assert all(p.positions[0].cost == pytest.approx(0) for p in explanation.placements)
    assert len(explanation.supertags) == 7
    assert all(math.isfinite(score) for score in explanation.word_logprob10)


def test_a_model_without_supertags_explains_without(path: Path, tmp_path: Path) -> None:
    fewer = {name: section for name, section in sections().items() if name != "supertag"}
    write_model(tmp_path / "fewer.fergus", {"language": "en"}, fewer)
    assert explain(load(tmp_path / "fewer.fergus"), parse_tree(TREE)).supertags == ()


def test_labels_that_were_given_are_not_filled_in(realizer: Realizer) -> None:
    from .small_model import treebank

    assert explain(realizer, treebank()[0].tree).realization.labels == ()


def test_path_weight_of_an_order_that_is_not_there(explanation: Explanation) -> None:
    lattice = explanation.realization.lattice
    assert lattice is not None
    assert path_weight(ways_through(lattice, 0), [0, 0, 0, 0]) is None


def test_path_weight_is_that_of_the_best_of_all_paths() -> None:
    arcs = [Arc(0, 1, 7, -1.0), Arc(0, 1, 7, -0.5), Arc(0, 2, 8, -2.0), Arc(1, 3, 8, -0.25), Arc(2, 3, 7, 0.0)]
    lattice = build([arcs])
    best: dict[tuple[int, ...], float] = {}
    for labels, weight in lattice.paths():
        best[labels] = max(weight, best.get(labels, weight))
    assert best == {(7, 8): -0.75, (8, 7): -2.0}
    assert {labels: path_weight(ways_through(lattice, 0), labels) for labels in best} == best
    assert path_weight(ways_through(lattice, 0), (7,)) is None
