from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fergus.errors import InputError
from fergus.metrics.catalogue import metric_class
from fergus.metrics.derived import (
    LearnedMetric,
    QualityAccuracy,
    UnderstandabilityAccuracy,
    learned_metric,
    read_model,
)
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.tokenization import SPACES
from tests.metrics.example import GENERATED, TREE, tree_of


def test_the_paper_s_coefficients() -> None:
    # Table 1: Simple Tree Accuracy 1/3, one substitution.
    understandability = (1.3147 / 3 - 0.1039 - 0.4458) / 0.8689
    quality = (1.0192 / 3 - 0.0869 - 0.3553) / 0.6639
    assert UnderstandabilityAccuracy().sentence_score(GENERATED, [TREE]).score == pytest.approx(understandability)
    assert QualityAccuracy().sentence_score(GENERATED, [TREE]).score == pytest.approx(quality)
    assert understandability < 0  # the scores may be negative


def test_a_perfect_sentence_has_exactly_1() -> None:
    for metric in (UnderstandabilityAccuracy(), QualityAccuracy()):
        assert metric.sentence_score(list(TREE.forms), [TREE]).score == 1.0


def test_pooled_takes_the_pooled_tree_accuracy_and_the_substitutions_a_sentence() -> None:
    other = tree_of(["a", "b"], [-1, 0])
    score = UnderstandabilityAccuracy().corpus_score([GENERATED, "a b"], [[TREE, other]])
    # 6 simple tree errors of 11 tokens; one substitution in two sentences.
    assert score.pooled == pytest.approx((1.3147 * (1 - 6 / 11) - 0.1039 / 2 - 0.4458) / 0.8689)
    first = UnderstandabilityAccuracy().sentence_score(GENERATED, [TREE]).score
    assert score.mean == pytest.approx(((first or 0) + 1) / 2)


def test_the_best_reference_is_best_by_the_whole_model() -> None:
    metric = UnderstandabilityAccuracy()
    batch = Batch([Segment(Sentence(tuple(GENERATED)), (Sentence(TREE.forms, TREE), Sentence(TREE.forms)))])
    assert metric.chosen_pairs(batch).tolist() == [0]  # the other has no tree
    assert np.isfinite(metric.scores(metric.statistics(batch), pooled=False)).all()


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


HEAD = 'format = "fergus-metric"\nversion = 1\nname = "mine"\n'


def test_a_model_over_a_metric_of_all_references(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + "intercept = 0.2\n[coefficients]\nbleu = 0.01\nmoves = -0.1\n")
    metric = learned_metric(read_model(path), lambda name: metric_class(name)(), SPACES)
    assert isinstance(metric, LearnedMetric)
    assert metric.sentence_score("a b c d", ["a b c d", "b a"]).score == 1.0
    # one move of four; no BLEU but what smoothing gives it
    bleu = metric_class("bleu")().sentence_score("d a b c", ["a b c d"]).score or 0
    assert metric.sentence_score("d a b c", ["a b c d"]).score == pytest.approx((0.2 + bleu / 100 - 0.1) / 1.2)
    assert "model:" in metric.signature()


@pytest.mark.parametrize(
    ("coefficients", "scale"),
    [
        ("bleu = 0.01\nmoves = -0.1", "at most 1"),
        ("bleu = 0.001\nmoves = 0.5", "1 for a perfect sentence"),
        ("bleu = -0.01", "1 for a perfect sentence"),
        ("ter = -0.01", "at most 1"),
    ],
)
def test_an_error_in_a_sentence_s_favour_lets_it_have_more_than_1(
    tmp_path: Path, coefficients: str, scale: str
) -> None:
    model = read_model(written(tmp_path, f"{HEAD}intercept = 2\n[coefficients]\n{coefficients}\n"))
    metric = learned_metric(model, lambda name: metric_class(name)(), SPACES)
    assert metric.scale == scale
    score = metric.sentence_score("d a b c", ["a b c d"]).score or 0  # one move
    assert (score <= 1) == (scale == "at most 1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 3", "the file says format = 3"),
        ("= 4", "this is no metric"),
        (HEAD, "no coefficients"),
        (HEAD + "interept = 1.0\n[coefficients]\nbleu = 1.0", "'interept' means nothing here; did you mean intercept"),
        (HEAD + "[coefficients]\nbleu = nan", "bleu = nan is no number"),
        (HEAD + "[coefficients]\nbleu = true", "bleu = True is no number"),
        (HEAD.replace("mine", "my metric") + "[coefficients]\nbleu = 1", "'my metric' is no name"),
        (HEAD.replace("mine", "moves") + "[coefficients]\nbleu = 1", "'moves' is no name"),
    ],
)
def test_files_that_are_no_metrics(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_model(written(tmp_path, text))


@pytest.mark.parametrize(
    ("coefficients", "message"),
    [
        ("nist = 1.0", "nist has no best value"),
        ("moves = -1.0", "a perfect sentence would have 0"),
        ("length = -1.0", "no metric 'length'"),
    ],
)
def test_models_that_make_no_accuracy(tmp_path: Path, coefficients: str, message: str) -> None:
    model = read_model(written(tmp_path, f"{HEAD}[coefficients]\n{coefficients}\n"))
    with pytest.raises(InputError, match=message):
        learned_metric(model, lambda name: metric_class(name)(), SPACES)
