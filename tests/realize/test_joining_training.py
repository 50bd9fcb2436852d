from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from fergus.realize.contractions import learn_contractions
from fergus.realize.gap_features import parse_gap_templates
from fergus.realize.joining_model import plain_table
from fergus.realize.joining_training import learn_epoch, leave_out, marginals
from fergus.realize.learn_joining import GapCorpus, gap_corpus, index_features, plain_words, without_settled
from fergus.realize.written_form import written_sentence

from .tiny_texts import written

TEMPLATES = parse_gap_templates("[gap]\nl.form\n[decision]\np\n")


def settled(*texts: str) -> GapCorpus:
    sentences = [written_sentence(written(text)) for text in texts]
    corpus = gap_corpus([one for one in sentences if one], learn_contractions([]))
    return without_settled(corpus, plain_table(plain_words(corpus)))


def test_gaps_between_plain_words_are_settled() -> None:
    # Three times apart are enough for both words to be plain (PLAIN_COUNT); the gap before the full stop stays open.
    corpus = settled("dogs bark~ .", "dogs bark~ .", "dogs bark~ .", "cats meow~ .")
    assert corpus.place.tolist() == [-1, 0, -1, -1, 1, -1, -1, 2, -1, 3, 4, -1]


def test_a_settled_gap_has_no_features_and_teaches_nothing() -> None:
    corpus = settled("dogs bark~ .", "dogs bark~ .", "dogs bark~ .")
    keys, slots, links = index_features(corpus, TEMPLATES, block=1, least=1)
    assert len(slots) == len(links) == 3
    # bark to the left, and of the links the one after a space: the gap before is settled.
    weights, squares = np.zeros((len(keys), 2), np.float32), np.zeros((len(keys), 2), np.float32)
    nothing = np.zeros(1, np.int32)
    learn_epoch(
        corpus, slots, links, nothing, nothing, np.arange(3), np.zeros(3, np.int64), np.zeros(3, np.uint64),
        weights, squares, 0.1, np.uint64(1),
    )  # fmt: skip
    assert set(np.flatnonzero(weights[:, 0] > 0).tolist()) == {int(slots[0, 0]), int(links[0, 0, 0])}
    assert not weights[:, 1].any()


@pytest.mark.parametrize(("drop", "hidden", "left"), [(0, 0, [5, 6]), (0, 2, [5, 0]), (65536, 0, [0, 0])])
def test_features_are_left_out_by_chance_and_for_hidden_labels(drop: int, hidden: int, left: list[int]) -> None:
    shown, links = np.array([5, 6], np.int32), np.array([[7], [8], [9]], np.int32)
    leave_out(shown, links, np.array([0, 2]), np.array([2]), hidden, np.uint64(drop), np.uint64(1))
    assert shown.tolist() == left
    assert links.any() == (not hidden and not drop)


def test_the_likelihoods_equal_adding_up_all_ways() -> None:
    scores = np.random.default_rng(3).normal(size=(4, 3, 3))
    scores[0, 1:] = -np.inf  # before the first gap stands a space
    scores[2, :, 2] = -np.inf
    expected, total = np.zeros((4, 3, 3)), 0.0
    for path in product(range(3), repeat=4):
        pairs = list(zip((0, *path), path, strict=False))
        chance = np.exp(sum(scores[i, p, d] for i, (p, d) in enumerate(pairs)))
        total += chance
        for i, (p, d) in enumerate(pairs):
            expected[i, p, d] += chance
    assert marginals(scores) == pytest.approx(expected / total)
