from __future__ import annotations

import random
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fergus.errors import InputError
from fergus.metrics import (
    Counts,
    align,
    count_edits,
    count_edits_batch,
    edit_kernel,
    generation_accuracies,
    simple_accuracies,
)
from tests.metrics import brute_force
from tests.metrics.example import GENERATED, TARGET

sequences = st.lists(st.sampled_from("abcd"), max_size=9)


def random_pairs(number: int, longest: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """Pairs with few and with many repeats; every other one is a permutation, as the realizer's output is."""
    source = random.Random(seed)
    pairs = []
    for index in range(number):
        letters = "abcdefg"[: source.randint(1, 7)]
        first = source.choices(letters, k=source.randint(0, longest))
        second = source.choices(letters, k=source.randint(0, longest))
        pairs.append((first, source.sample(first, len(first)) if index % 2 else second))
    return pairs


def test_table_1_string_columns() -> None:
    # Table 1: S 1, I 2, D 2 of 9 tokens; "no" is one move, which leaves I' 1 and D' 1.
    counts = count_edits(TARGET, GENERATED)
    assert counts == Counts(substitutions=1, insertions=2, deletions=2, moves=1, length=9)
    assert (counts.remaining_insertions, counts.remaining_deletions) == (1, 1)
    assert (counts.simple_errors, counts.generation_errors) == (5, 4)
    assert (round(counts.simple_accuracy, 2), round(counts.generation_accuracy, 2)) == (0.44, 0.56)


def test_alignment_of_example_2_is_that_of_the_paper() -> None:
    alignment = align(TARGET, GENERATED)
    short = {"match": ".", "deletion": "d", "insertion": "i", "substitution": "s"}
    assert "".join(short[step.kind] for step in alignment.operations) == "..dd..i..is"
    assert alignment.moves == ((2, 7),)  # "no"
    assert alignment.counts == count_edits(TARGET, GENERATED)


def test_footnote_5_without_the_substitution() -> None:
    # "had it not aligned phase and cost as a substitution": 6 simple and 3 generation errors.
    counts = count_edits(TARGET, GENERATED, substitutions=False)
    assert counts == Counts(substitutions=0, insertions=3, deletions=3, moves=3, length=9)
    assert (counts.simple_errors, counts.generation_errors) == (6, 3)
    assert align(TARGET, GENERATED, substitutions=False).counts == counts


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("", "", (0, 0, 0, 0, 0)),
        ("", "ab", (0, 2, 0, 0, 0)),
        ("ab", "", (0, 0, 2, 0, 2)),
        ("ab", "ab", (0, 0, 0, 0, 2)),
        ("ab", "ba", (0, 1, 1, 1, 2)),  # one move and not two substitutions: fewest substitutions
        ("ab", "cd", (2, 0, 0, 0, 2)),
        ("ab", "bc", (0, 1, 1, 0, 2)),  # also fewest substitutions: b is matched
        # Two of "xy" against "p" in front: one is deleted, one substituted; only x comes again, behind.
        # x deleted there is a move, y deleted there is none: the alignment with the move is taken.
        ("xyab", "pabx", (1, 1, 1, 1, 4)),
        ("yxab", "pabx", (1, 1, 1, 1, 4)),
    ],
)
def test_small_cases(reference: str, hypothesis: str, expected: tuple[int, ...]) -> None:
    assert count_edits(reference, hypothesis) == Counts(*expected)


def test_brute_force_agrees_with_every_alignment_listed() -> None:
    for reference, hypothesis in random_pairs(300, 5, seed=1):
        assert brute_force.most_moves(reference, hypothesis) == brute_force.best_counts(reference, hypothesis)


def test_counts_equal_brute_force() -> None:
    pairs = random_pairs(20_000, 7, seed=2)
    table = count_edits_batch([a for a, _ in pairs], [b for _, b in pairs])
    for (reference, hypothesis), row in zip(pairs, table.tolist(), strict=True):
        assert tuple(row) == brute_force.most_moves(reference, hypothesis), (reference, hypothesis)


def test_counts_without_substitutions_equal_brute_force() -> None:
    for reference, hypothesis in random_pairs(200, 5, seed=3):
        expected = brute_force.best_counts(reference, hypothesis, substitutions=False)
        assert count_edits(reference, hypothesis, substitutions=False) == Counts(*expected)


def test_chosen_alignment_equals_brute_force() -> None:
    for reference, hypothesis in random_pairs(1000, 7, seed=4):
        kinds = [step.kind for step in align(reference, hypothesis).operations]
        assert kinds == brute_force.chosen_alignment(reference, hypothesis), (reference, hypothesis)


@settings(deadline=None)
@given(sequences, sequences)
def test_alignment_is_one_of_these_sequences(reference: list[str], hypothesis: list[str]) -> None:
    alignment = align(reference, hypothesis)
    steps = alignment.operations
    assert [s.reference for s in steps if s.reference is not None] == [*range(len(reference))]
    assert [s.hypothesis for s in steps if s.hypothesis is not None] == [*range(len(hypothesis))]
    for step in steps:
        if step.reference is not None and step.hypothesis is not None:
            same = reference[step.reference] == hypothesis[step.hypothesis]
            assert same == (step.kind == "match")
    deleted = {s.reference for s in steps if s.kind == "deletion"}
    inserted = {s.hypothesis for s in steps if s.kind == "insertion"}
    assert {i for i, _ in alignment.moves} <= deleted
    assert {j for _, j in alignment.moves} <= inserted
    assert len({j for _, j in alignment.moves}) == len(alignment.moves)
    assert all(reference[i] == hypothesis[j] for i, j in alignment.moves)
    assert alignment.counts == count_edits(reference, hypothesis)


def mirrored(counts: Counts, length: int) -> Counts:
    return Counts(counts.substitutions, counts.deletions, counts.insertions, counts.moves, length)


@settings(deadline=None)
@given(sequences, sequences, st.booleans())
def test_symmetry(reference: list[str], hypothesis: list[str], substitutions: bool) -> None:
    there = count_edits(reference, hypothesis, substitutions=substitutions)
    back = count_edits(hypothesis, reference, substitutions=substitutions)
    assert back == mirrored(there, len(hypothesis))


def test_symmetry_and_repeatability_where_the_search_is_cut_short() -> None:
    # Sixty different words in random order: far more alignments of least cost than are looked at.
    source = random.Random(6)
    uncertain = 0
    for _ in range(20):
        order = source.sample(range(60), 60)
        there, back = count_edits(range(60), order), count_edits(order, range(60))
        assert back == mirrored(there, 60)
        assert align(range(60), order).counts == there
        table = np.zeros((1, 5), np.int64)
        starts = np.array([0, 60])
        uncertain += edit_kernel.count_pairs(np.arange(60), starts, np.array(order), starts, 60, True, True, table)[1]
    assert uncertain > 10


@settings(deadline=None)
@given(sequences, sequences)
def test_bounds(reference: list[str], hypothesis: list[str]) -> None:
    counts = count_edits(reference, hypothesis)
    assert 0 <= counts.moves <= min(counts.insertions, counts.deletions)
    assert counts.deletions - counts.insertions == len(reference) - len(hypothesis)
    assert abs(len(reference) - len(hypothesis)) <= counts.simple_errors <= max(len(reference), len(hypothesis))
    assert (counts.simple_errors == 0) == (reference == hypothesis)
    if reference:
        assert counts.simple_accuracy <= counts.generation_accuracy <= 1


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(sequences, sequences), max_size=6))
def test_batch_equals_one_by_one(pairs: list[tuple[list[str], list[str]]]) -> None:
    references, hypotheses = [a for a, _ in pairs], [b for _, b in pairs]
    table = count_edits_batch(references, hypotheses)
    assert [Counts(*row) for row in table.tolist()] == [count_edits(a, b) for a, b in pairs]
    without = count_edits_batch(references, hypotheses, moves=False)
    assert (without[:, [0, 1, 2, 4]] == table[:, [0, 1, 2, 4]]).all()
    assert not without[:, 3].any()


def test_any_hashable_items() -> None:
    assert count_edits([("price", 3), None, 2.5], [None, ("price", 3), 2.5]).moves == 1


def test_accuracy_may_be_negative() -> None:
    assert count_edits("a", "bcd").simple_accuracy == -2  # one substitution, two insertions


def test_counts_add_up() -> None:
    assert Counts(1, 2, 3, 1, 9) + Counts(0, 1, 1, 1, 4) == Counts(1, 3, 4, 2, 13)


def test_empty_reference() -> None:
    assert count_edits("", "").simple_accuracy == 1
    assert simple_accuracies(count_edits_batch(["", "a"], ["", "a"])).tolist() == [1, 1]
    with pytest.raises(InputError, match="reference is empty"):
        _ = count_edits("", "a").generation_accuracy
    with pytest.raises(InputError, match="reference of pair 2 is empty"):
        generation_accuracies(count_edits_batch(["a", ""], ["a", "b"]))


def test_numbers_of_sequences_differ() -> None:
    with pytest.raises(InputError, match="2 references but 1 hypotheses"):
        count_edits_batch(["a", "b"], ["a"])


def test_parts_in_threads_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("fergus.metrics.align")
    pairs = random_pairs(50, 7, seed=5)
    encoded = module.encode([r for r, _ in pairs], [h for _, h in pairs])
    whole = module.count_encoded(encoded)
    monkeypatch.setattr(module, "PAIRS_A_THREAD", 10)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert module.over_parts(lambda part: len(part[1]) - 1, encoded) == [12, 13, 12, 13]
    assert module.count_encoded(encoded).tolist() == whole.tolist()
    a, b = ["a"] * 9_000, ["b"] * 9_000
    with pytest.raises(InputError, match="pair 31 are too long"):
        count_edits_batch([*["x"] * 30, a, *["x"] * 9], [*["x"] * 30, b, *["x"] * 9])


def test_too_long() -> None:
    # 9,000 by 9,000 cells are more than 2 ** 26; a common beginning of any length does no harm.
    a, b, same = ["a"] * 9_000, ["b"] * 9_000, ["c"] * 1_000_000
    with pytest.raises(InputError, match="pair 2 are too long"):
        count_edits_batch(["x", a], ["x", b])
    with pytest.raises(InputError, match="too long"):
        align(a, b)
    assert count_edits([*same, "a"], [*same, "b", "c"]) == Counts(1, 1, 0, 0, 1_000_001)


def test_long_sequences_have_a_path_whatever_the_limit_of_the_search() -> None:
    reference = list(range(6_000))
    hypothesis = [*reference[3_000:], *reference[:3_000]]
    assert count_edits(reference, hypothesis).moves == 3_000
    assert len(align(reference, hypothesis).moves) == 3_000


def test_import_is_light() -> None:
    code = "import sys, fergus.metrics; sys.exit(any(m in sys.modules for m in ('numba', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
