from __future__ import annotations

from collections import defaultdict
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from fergus.core.tree import DependencyTree, Node, OrderedTree
from fergus.errors import InputError
from fergus.realize.features import DEPREL, Encoder
from fergus.realize.model import ModelFile, write_model
from fergus.realize.pipeline import Realizer
from fergus.realize.sections import STEP, language_model_from
from fergus.realize.train import describe, train
from fergus.realize.train_order import BLOCK, FOLDS, HELD_OUT_FOLD, ordering_model, prepare
from tests.realize.small_model import SMALL, sections, trained, treebank

QUICK = replace(SMALL, bits=12, order_epochs=1, label_epochs=2)
GO = OrderedTree(DependencyTree((Node("Go", upos="VERB", deprel="root"),), (-1,)), (0,))


def test_the_same_treebank_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.fergus", tmp_path / "two.fergus"
    write_model(one, {}, sections())
    write_model(two, {}, trained())
    assert one.read_bytes() == two.read_bytes()


def test_another_seed_gives_another_model() -> None:
    one, two = train(treebank(), settings=QUICK), train(treebank(), settings=replace(QUICK, seed=9))
    assert not np.array_equal(one["ordering-labels"].arrays["weights"], two["ordering-labels"].arrays["weights"])


def test_the_ordering_model_of_a_small_treebank_is_the_mean_of_several_runs() -> None:
    prepared = prepare(treebank()[:30], range(30), Encoder(frozenset()), bare=False)

    def weights(seed: int, *, runs: int, most: int = 60) -> NDArray[np.float32]:
        settings = replace(QUICK, seed=seed, order_runs=runs, order_sentences=most)
        return ordering_model(prepared, "labels", Future(), settings, lambda *_: None)[0].weights

    first, second = weights(1, runs=1), weights(2, runs=1)
    mean = weights(1, runs=2)
    assert not np.array_equal(first, second)
    assert np.abs(mean - (first + second) / 2).max() <= STEP  # each of the three is rounded by half a step at most
    assert np.array_equal(weights(1, runs=2, most=59), first)  # two runs would see 60 sentences


def test_what_the_treebank_taught_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "m.fergus"
    write_model(path, {}, sections())
    realizer = Realizer(ModelFile(path))
    for bare in (False, True):
        right = sum(realizer.realize(o.tree, bare=bare).tokens == o.forms for o in treebank())
        assert right > 0.8 * len(treebank())


def test_one_sentence_is_enough() -> None:
    assert "punctuation" in train(treebank()[:1], settings=QUICK)


def test_nothing_to_train_on() -> None:
    with pytest.raises(InputError, match="there is no tree to train on; give a treebank"):
        train([])


@pytest.mark.parametrize("trees", [[GO], [GO] * 3, [*treebank()[:2]]])
def test_very_small_treebanks(trees: list[OrderedTree], tmp_path: Path) -> None:
    path = tmp_path / "m.fergus"
    write_model(path, {}, train(trees, settings=QUICK))
    realizer = Realizer(ModelFile(path))
    for tree in (GO.tree, treebank()[5].tree, treebank()[5].tree.bare()):
        assert sorted(realizer.realize(tree).order) == list(range(len(tree)))


def test_text_joins_the_language_model() -> None:
    text = [["the", "zebra", "slept"], ["a", "zebra", "slept"]] * 3
    trained = train(treebank(), text=text, settings=QUICK)
    model = language_model_from(trained["language-model"])
    assert model.id("zebra") != 0
    assert model.id("garden") != 0
    assert language_model_from(sections()["language-model"]).id("zebra") == 0


def test_progress_of_every_job_ends_at_its_total() -> None:
    told: dict[str, list[tuple[int, int]]] = defaultdict(list)
    train(treebank(), settings=QUICK, progress=lambda job, done, total: told[job].append((done, total)))
    assert {"labels", "ordering (labels)", "ordering (guessed)"} <= set(told)
    for steps in told.values():
        assert steps[-1][0] == steps[-1][1]
        assert all(done <= total for done, total in steps)


def test_weights_are_chosen_on_the_part_held_out() -> None:
    many = [*treebank()] * (BLOCK * FOLDS // len(treebank()) + 1)
    settings = replace(QUICK, lm_weights=(0.25, 0.75))
    jobs: set[str] = set()
    trained = train(many, settings=settings, progress=lambda job, *_: jobs.add(job))
    assert trained["default"].settings["lm_weight_labels"] in (0.25, 0.75)
    assert trained["default"].settings["lm_weight_guessed"] in (0.25, 0.75)
    assert {"weights (labels)", "weights (guessed)"} <= jobs


def test_blocks_of_sentences_are_held_out_with_their_variants() -> None:
    sentence = [65, *range(BLOCK * FOLDS + 1)]
    prepared = prepare([GO] * len(sentence), sentence, Encoder(), bare=True)
    held = {sentence[i] for i in range(len(sentence)) if prepared.held_out(i)}
    assert held == set(range(BLOCK * HELD_OUT_FOLD, BLOCK * (HELD_OUT_FOLD + 1)))
    assert prepared.held_out(0)  # the variant of sentence 65
    few = prepare([GO] * 100, range(100), Encoder(), bare=True)
    assert not any(few.held_out(i) for i in range(100))


def test_prepared_trees() -> None:
    (ordered,) = (o for o in treebank() if o.forms == ("She", "reads", "a", "book", "."))
    prepared = prepare([ordered] * 2, range(2), Encoder(), bare=True)
    # each label of the sentence is seen twice; those seen equally often are sorted
    assert prepared.labels == tuple(sorted({(n.upos, n.deprel) for n in ordered.tree.nodes}))  # type: ignore[type-var]
    arrays, gold = prepared.arrays[0], prepared.gold[0]
    assert not arrays.base[:, DEPREL].any()
    for new, old in enumerate(arrays.original.tolist()):
        node = ordered.tree.nodes[old]
        assert prepared.labels[gold[new]] == (node.upos, node.deprel)
    assert [ordered.tree.nodes[i].form for i in np.argsort(prepared.positions[0])] == list(ordered.forms)
    assert prepare([ordered], range(1), Encoder(), bare=True).labels == (("X", "dep"),)  # none is seen twice


def test_figures_for_the_header() -> None:
    crossed = OrderedTree(DependencyTree(tuple(map(Node, "abcd")), (-1, 0, 0, 1)), (0, 1, 2, 3))
    assert describe([GO, crossed]) == {"sentences": 2, "words": 5, "non_projective_sentences": 1}
