from __future__ import annotations

import pytest
from benchmarks.score import score

from tests.metrics.example import GENERATED_ORDER, TREE


def test_means_over_sentences() -> None:
    # Table 1's 4/9, 5/9, 3/9 and 6/9, each averaged with a perfect sentence.
    scores = score([TREE, TREE], [GENERATED_ORDER, TREE.order])
    assert 0 < scores.pop("bleu") < 100
    assert scores == pytest.approx(
        {
            "sentences": 2,
            "simple_string_accuracy": 13 / 18,
            "generation_string_accuracy": 14 / 18,
            "simple_tree_accuracy": 12 / 18,
            "generation_tree_accuracy": 15 / 18,
            "exact_match": 0.5,
        }
    )


def test_perfect() -> None:
    scores = score([TREE], [TREE.order])
    assert scores["bleu"] == pytest.approx(100)
    assert scores["exact_match"] == scores["generation_tree_accuracy"] == 1
