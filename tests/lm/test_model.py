from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fergus.lm
from fergus.errors import ModelError
from fergus.lm import BEGIN, END, NgramModel, count_ngrams, kneser_ney
from fergus.lm.kernels import find_child, lm_logprob10, lm_logprob10_at, lm_logprob10_in_context
from fergus.lm.tables import split_tables

CORPUS = ["the cat saw the dog", "the dog saw a cat", "a dog ran", "the cat ran and the dog ran", "a cat"]


@pytest.fixture(scope="module")
def model() -> NgramModel:
    return kneser_ney(count_ngrams(line.split() for line in CORPUS))


def recursive_logprob10(model: NgramModel, context: tuple[int, ...], word: int) -> float:
    """The definition: P(w | h) if h w is there, else backoff(h) P(w | h')."""
    levels = split_tables(model.tables)
    ngrams: dict[tuple[int, ...], tuple[float, float]] = {}
    rows: list[tuple[int, ...]] = [()]
    for level in levels:
        rows = [(*rows[p], w) for p, w in zip(level.prefix.tolist(), level.word.tolist(), strict=True)]
        ngrams |= zip(rows, zip(level.logprob10.tolist(), level.backoff10.tolist(), strict=True), strict=True)
    total = 0.0
    context = context[-(model.order - 1) :] if model.order > 1 else ()
    while (*context, word) not in ngrams:
        total += ngrams.get(context, (0.0, 0.0))[1]
        context = context[1:]
    return total + ngrams[(*context, word)][0]


@settings(deadline=None)
@given(st.integers(1, 5), st.lists(st.integers(0, 9), max_size=6), st.integers(0, 9))
def test_lookup_is_the_recursive_definition(order: int, context: list[int], word: int) -> None:
    model = kneser_ney(count_ngrams((line.split() for line in CORPUS), order=order))
    expected = recursive_logprob10(model, tuple(context), word)
    assert model.logprob10(context, word) == pytest.approx(expected)
    if len(context) >= 2 and order <= 3:
        assert lm_logprob10(model.tables, context[-2], context[-1], word) == pytest.approx(expected)
        node = find_child(model.tables, context[-2], context[-1])
        assert lm_logprob10_at(model.tables, node, context[-1], word) == pytest.approx(expected)


def test_a_negative_number_is_no_word(model: NgramModel) -> None:
    the, cat = model.id("the"), model.id("cat")
    tables = model.tables
    assert lm_logprob10(tables, -1, the, cat) == pytest.approx(model.logprob10([the], cat))
    assert lm_logprob10(tables, the, -1, cat) == pytest.approx(model.logprob10([], cat))
    assert lm_logprob10(tables, -1, BEGIN, -1) == pytest.approx(model.logprob10([BEGIN], 0))
    context = np.array([the, -1, the], dtype=np.int32)
    assert lm_logprob10_in_context(tables, context, cat) == pytest.approx(model.logprob10([the], cat))


def test_score_goes_from_begin_to_end(model: NgramModel) -> None:
    the, zebra = model.id("the"), model.id("zebra")
    scores = model.score(["the", "zebra"])
    assert zebra == 0
    assert scores == pytest.approx(
        [
            model.logprob10([BEGIN], the),
            model.logprob10([BEGIN, the], zebra),
            model.logprob10([the, zebra], END),
        ]
    )
    assert model.score([]) == pytest.approx([model.logprob10([BEGIN], END)])
    assert model.perplexity([["the", "zebra"]]) == pytest.approx(10 ** (-sum(scores) / 3))
    with pytest.raises(ValueError, match="no sentences"):
        model.perplexity([])


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("lowercase", [True, False])
def test_arrays_and_back(order: int, lowercase: bool) -> None:
    model = kneser_ney(count_ngrams((line.split() for line in CORPUS), order=order, lowercase=lowercase))
    for before in (model, model.quantised(bits=2)):
        after = NgramModel.from_arrays(before.to_arrays())
        assert after.vocabulary == before.vocabulary
        assert after.ngram_counts == before.ngram_counts
        assert after.order == order
        for name in ("word", "logprob10", "backoff10", "child_start", "slot_key", "slot_node"):
            one, two = getattr(before.tables, name), getattr(after.tables, name)
            assert one.dtype == two.dtype
            np.testing.assert_array_equal(one, two)
            assert not two.flags.writeable


def test_quantised_values_are_few_and_near(model: NgramModel) -> None:
    small = model.quantised(bits=3)
    for before, after in zip(split_tables(model.tables), split_tables(small.tables), strict=True):
        assert len(np.unique(after.logprob10)) <= 8
        free = before.logprob10[(before.logprob10 > -99) & (before.logprob10 != 0)]
        assert np.abs(after.logprob10 - before.logprob10).max() <= np.ptp(free) / 6 + 1e-6
    assert small.logprob10([], BEGIN) == -99
    arrays = small.to_arrays()
    assert arrays["logprob10_3"].dtype == np.uint8
    assert arrays["logprob10_3_table"].dtype == np.float32
    with pytest.raises(ValueError, match="2 to 16 bits"):
        model.quantised(bits=1)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("header", np.array([9, 3, 0]), "version 9"),
        ("header", np.array([1, 0, 0]), "of order 0"),
        ("header", np.array([1, 3]), "missing or broken"),
        ("vocabulary", np.frombuffer(b"a\nb\nc", np.uint8), "missing or broken"),
        ("vocabulary", np.frombuffer(b"\xff", np.uint8), "missing or broken"),
        ("word_2", np.zeros(1, np.uint8), "2-grams differ in length"),
        ("word_3", None, "missing or broken"),
    ],
)
def test_broken_arrays(model: NgramModel, name: str, value: np.ndarray | None, message: str) -> None:
    arrays = model.to_arrays()
    if value is None:
        del arrays[name]
    else:
        arrays[name] = value
    with pytest.raises(ModelError, match=message):
        NgramModel.from_arrays(arrays)


def test_a_word_number_outside_the_vocabulary(model: NgramModel) -> None:
    arrays = model.to_arrays()
    arrays["word_2"] = arrays["word_2"] + np.uint8(100)
    with pytest.raises(ModelError, match="not in the vocabulary"):
        NgramModel.from_arrays(arrays)


def test_importing_the_package_is_light() -> None:
    code = "import sys, fergus.lm; print('numpy' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_every_public_name_is_there() -> None:
    for name in fergus.lm.__all__:
        assert getattr(fergus.lm, name) is not None
    with pytest.raises(AttributeError, match="nonesuch"):
        fergus.lm.nonesuch  # noqa: B018
