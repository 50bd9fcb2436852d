from __future__ import annotations

import pytest

from fergus.errors import InputError
from fergus.metrics import (
    Counts,
    generation_string_accuracies,
    generation_string_accuracy,
    simple_string_accuracies,
    simple_string_accuracy,
    string_counts,
    string_counts_batch,
)
from tests.metrics.example import GENERATED, TARGET


def test_table_1() -> None:
    # 1 - 5/9 and 1 - 4/9
    assert simple_string_accuracy(TARGET, GENERATED) == pytest.approx(4 / 9)
    assert generation_string_accuracy(TARGET, GENERATED) == pytest.approx(5 / 9)
    assert f"{simple_string_accuracy(TARGET, GENERATED):.2f}" == "0.44"
    assert f"{generation_string_accuracy(TARGET, GENERATED):.2f}" == "0.56"


def test_batch() -> None:
    references, hypotheses = [TARGET, TARGET, TARGET], [GENERATED, TARGET, []]
    assert simple_string_accuracies(references, hypotheses) == pytest.approx([4 / 9, 1, 0])
    assert generation_string_accuracies(references, hypotheses) == pytest.approx([5 / 9, 1, 0])
    assert string_counts_batch(references, hypotheses).tolist()[2] == [0, 0, 9, 0, 9]


def test_counts() -> None:
    assert string_counts(TARGET, GENERATED) == Counts(1, 2, 2, 1, 9)
    assert string_counts(TARGET, GENERATED, substitutions=False) == Counts(0, 3, 3, 3, 9)


def test_tokens_are_compared_as_they_are() -> None:
    assert simple_string_accuracy(["There", "was"], ["there", "was"]) == 0.5


def test_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"sentence 1 is text and not a list of tokens: 'no cost'; tokenise"):
        simple_string_accuracy("no cost", "no cost")
    with pytest.raises(InputError, match="sentence 2 is text"):
        generation_string_accuracies([["a"], ["b"]], [["a"], "b"])
    with pytest.raises(InputError, match="sentence 1 is text"):
        string_counts(["a"], "a")
