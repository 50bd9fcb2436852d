from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER

from fergus.metrics.align import encode
from fergus.metrics.segment import Batch
from fergus.metrics.ter import Ter
from fergus.metrics.ter_kernel import count_edits_with_shifts
from fergus.metrics.tokenization import Tokenization
from tests.metrics.samples import WORDS, edited, random_segments, segment, streams
from tests.untraced import oracle

ORACLE = TER(case_sensitive=True)
Pairs = list[tuple[list[str], list[str]]]


def _assert_equal(pairs: Pairs) -> None:
    found = count_edits_with_shifts(*encode([r for _, r in pairs], [h for h, _ in pairs]))
    for edits, (hypothesis, reference) in zip(found.tolist(), pairs, strict=True):
        expected = oracle(translation_edit_rate)(hypothesis, reference)[0]
        assert edits == expected, (hypothesis, reference)


def test_by_hand() -> None:
    # The example of Snover et al. 2006, section 3: 4 edits in 13 words, namely one shift of THIS WEEK, two
    # substitutions (SAUDI ARABIA) and one insertion (AMERICAN).
    reference = "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"
    hypothesis = "THIS WEEK THE SAUDIS denied information published in the new york times"
    row = Ter().statistics(Batch([segment(hypothesis.split(), [reference.split()])]))[0]
    assert row.tolist() == [4, 13]


def test_random_sequences() -> None:
    rng = random.Random(1)
    pairs: Pairs = []
    for _ in range(3000):
        letters = "abcdefgh"[: rng.randint(1, 8)]
        pairs.append((rng.choices(letters, k=rng.randint(0, 12)), rng.choices(letters, k=rng.randint(1, 12))))
    _assert_equal(pairs)


def test_edited_sentences() -> None:
    rng = random.Random(2)
    pairs: Pairs = []
    for _ in range(500):
        reference = rng.choices([*WORDS, *"bcdfghijk"], k=rng.randint(8, 25))
        pairs.append((edited(edited(reference, rng, WORDS), rng, WORDS), reference))
    _assert_equal(pairs)


def test_longer_than_a_machine_word() -> None:
    rng = random.Random(3)
    pairs: Pairs = []
    for length in (63, 64, 65, 100, 130):
        reference = [str(rng.randrange(60)) for _ in range(length)]
        pairs.append((edited(edited(reference, rng, ["1", "2"]), rng, ["3"]), reference))
    _assert_equal(pairs)


def test_beam() -> None:
    # Beyond the beam the distance is not the least one: long sentences with little in common, or of
    # lengths so different that the beam is widened.
    rng = random.Random(4)
    pairs: Pairs = [(rng.choices("abcdefghijklm", k=70), rng.choices("abcdefghijklm", k=80)) for _ in range(2)]
    pairs += [(["x"] * 40 + ["a", "b"] * 5, ["a", "b"] * 5 + ["y"] * 45)]
    for _ in range(20):
        short, long = rng.choices("ab", k=rng.randint(1, 3)), rng.choices("abc", k=rng.randint(60, 200))
        pairs += [(short, long), (long, short)]
    _assert_equal(pairs)


def test_candidates_run_out() -> None:
    # Every token occurs everywhere, so that the thousandth candidate comes soon.
    rng = random.Random(5)
    _assert_equal([(rng.choices("ab", k=45), rng.choices("ab", k=45)) for _ in range(4)])


@pytest.mark.parametrize(("references", "seed"), [(1, 1), (3, 2)])
def test_equal_to_sacrebleu(references: int, seed: int) -> None:
    segments = random_segments(200, seed=seed, references=references)
    metric = Ter()
    rows = metric.statistics(Batch(segments))
    for row, score, given in zip(rows, metric.scores(rows, pooled=False), segments, strict=True):
        expected = ORACLE.sentence_score(given.hypothesis.text, [r.text for r in given.references])
        assert [*row] == [expected.num_edits, expected.ref_length]
        assert score == pytest.approx(expected.score)
    expected = ORACLE.corpus_score([s.hypothesis.text for s in segments], streams(segments))
    assert metric.aggregate(rows).pooled == pytest.approx(expected.score)


def test_empty_texts() -> None:
    metric = Ter()
    assert metric.sentence_score("", ["no cost"]).score == 100
    assert metric.sentence_score("", [""]).score == 0
    assert metric.sentence_score("", ["", "a"]).score == 0
    assert metric.statistics(Batch([])).shape == (0, 2)
    assert metric.scores(np.array([[0.0, 0.0], [3.0, 0.0], [3.0, 2.0]]), pooled=True).tolist() == [0, 100, 150]
    assert np.isnan(metric.scores(np.full((2, 2), np.nan), pooled=False)).all()


def test_case_is_that_of_the_tokenisation() -> None:
    assert Ter().sentence_score("No cost", ["no cost"]).score == 50
    lower = Ter(tokenization=Tokenization(lowercase=True))
    score = lower.sentence_score("No cost", ["no cost"])
    assert score.score == 0
    assert "|case:lower|" in score.signature


def test_a_very_long_line() -> None:
    tokens = [str(number) for number in range(20000)]
    score = Ter().sentence_score(tokens[10:15] + tokens[:10] + tokens[15:], [tokens])
    assert score.score == pytest.approx(100 / 20000)


@pytest.mark.data
def test_treebank_sentences(data_dir: Path) -> None:
    forms = [
        line.split("\t")[1] if line else ""
        for line in next(data_dir.rglob("*ewt*dev*.conllu")).read_text(encoding="utf-8").split("\n")[:6000]
        if not line or line.split("\t")[0].isdigit()
    ]
    sentences = [given.split() for given in " ".join(form or "\n" for form in forms).split("\n") if given.strip()]
    rng = random.Random(6)
    _assert_equal([(edited(edited(given, rng, WORDS), rng, WORDS), given) for given in sentences if len(given) < 30])
