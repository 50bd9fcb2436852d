from __future__ import annotations

import numpy as np
import pytest

from fergus.errors import InputError
from fergus.metrics import (
    GenerationStringAccuracy,
    GenerationTreeAccuracy,
    SimpleStringAccuracy,
    SimpleTreeAccuracy,
    sequence_accuracy,
)
from fergus.metrics.segment import Batch, Segment, Sentence
from fergus.metrics.tokenization import Tokenization
from tests.metrics.example import GENERATED, TARGET, TREE


def test_table_1_of_the_paper() -> None:
    text = " ".join(GENERATED)
    strings = [SimpleStringAccuracy(), GenerationStringAccuracy()]
    trees = [SimpleTreeAccuracy(), GenerationTreeAccuracy()]
    scores = [metric.sentence_score(text, [" ".join(TARGET)]).score for metric in strings]
    scores += [metric.sentence_score(text, [TREE]).score for metric in trees]
    assert [round(score or 0, 2) for score in scores] == [0.44, 0.56, 0.33, 0.67]


def test_mean_and_pooled() -> None:
    # 1 error of 2 tokens, none of 6: mean (1/2 + 1) / 2, pooled 1 - 1/8.
    score = SimpleStringAccuracy().corpus_score(["a x", "a b c d e f"], [["a b", "a b c d e f"]])
    assert (score.mean, score.pooled, score.score) == (0.75, 0.875, 0.75)
    assert (score.sentences, score.missing) == (2, 0)
    assert str(score) == "simple_string_accuracy = 0.7500 mean, 0.8750 pooled (2 sentences)"


def test_of_several_references_the_best_counts_and_each_metric_chooses_its_own() -> None:
    # Against "b a" the output "a b" has 2 simple errors and 1 generation error (a move), against "a x" one of each.
    references = ["b a", "a x"]
    assert SimpleStringAccuracy().sentence_score("a b", references).score == 0.5
    assert GenerationStringAccuracy().sentence_score("a b", references).score == 0.5
    assert SimpleStringAccuracy().sentence_score("a b", ["b a"]).score == 0.0
    batch = Batch([Segment(Sentence(("a", "b")), (Sentence(("b", "a")), Sentence(("a", "x"))))])
    assert SimpleStringAccuracy().chosen_pairs(batch).tolist() == [1]
    assert GenerationStringAccuracy().chosen_pairs(batch).tolist() == [0]


def test_numbers_of_references_may_differ() -> None:
    tokens = Sentence(("a",)), Sentence(("b",)), Sentence(("c",))
    batch = Batch([Segment(tokens[0], tokens), Segment(tokens[1], tokens[:1]), Segment(tokens[2], tokens[1:])])
    assert SimpleStringAccuracy().chosen_pairs(batch).tolist() == [0, 3, 5]
    statistics = SimpleStringAccuracy().statistics(batch)
    assert SimpleStringAccuracy().scores(statistics, pooled=False).tolist() == [1.0, 0.0, 1.0]


def test_without_a_tree_a_tree_accuracy_is_undefined_and_counted() -> None:
    metric = SimpleTreeAccuracy()
    assert metric.sentence_score("a b", ["a b"]).score is None
    assert str(metric.sentence_score("a b", ["a b"])) == "simple_tree_accuracy = undefined"
    score = metric.corpus_score([GENERATED, "a b"], [[TREE, "a b"]])
    assert (score.sentences, score.missing, round(score.mean or 0, 2)) == (2, 1, 0.33)
    nothing = metric.corpus_score(["a b"], [["a b"]], n_bootstrap=10)
    assert (nothing.score, nothing.mean, nothing.pooled, nothing.mean_interval) == (None, None, None, None)


def test_a_reference_with_a_tree_is_preferred_to_one_without() -> None:
    assert round(SimpleTreeAccuracy().sentence_score(GENERATED, [" ".join(GENERATED), TREE]).score or 0, 2) == 0.33


def test_signatures_say_what_must_be_equal() -> None:
    lower = Tokenization(lowercase=True)
    metric = GenerationStringAccuracy(tokenization=lower)
    assert metric.sentence_score("A b", ["a B"]).score == 1
    assert metric.sentence_score("There was", [["there", "WAS"]]).score == 1
    assert metric.sentence_score([form.upper() for form in TREE.forms], [TREE]).score == 1
    assert metric.signature(references="2").startswith(
        "metric:generation_string_accuracy|refs:2|case:lower|tok:spaces|ties:fewest-substitutions-most-moves|version:"
    )
    assert "trees:parser-1" in SimpleTreeAccuracy().signature(trees="parser-1")


def test_what_is_known_of_a_sentence_is_known_of_every_token() -> None:
    with pytest.raises(InputError, match=r"out.conllu:3: 1 tags for 2 tokens: 'a b'; give one for every token"):
        Sentence(("a", "b"), tags=("X",), source="out.conllu:3")
    with pytest.raises(InputError, match="1 node names for 2 tokens"):
        Sentence(("a", "b"), nodes=("1",))
    with pytest.raises(InputError, match="9 nodes for 2 tokens"):
        Sentence(("a", "b"), TREE)


def test_nothing_to_score() -> None:
    metric = GenerationStringAccuracy()
    with pytest.raises(InputError, match="there are no references"):
        metric.corpus_score(["a"], [])
    nothing = metric.corpus_score([], [[]], n_bootstrap=10)
    assert (nothing.score, nothing.sentences, nothing.mean_interval) == (None, 0, None)


def test_arguments_and_names_that_sacrebleu_has() -> None:
    metric = GenerationStringAccuracy(tokenize="13a", lowercase=True)
    assert metric.sentence_score("No cost.", ["no cost ."]).score == 1
    assert "tok:13a" in metric.get_signature()
    assert metric.corpus_score((line for line in ["no cost."]), [["no cost ."]]).score == 1
    with pytest.raises(InputError, match="no tokenizer '13b'; use one of spaces, 13a"):
        GenerationStringAccuracy(tokenize="13b")


def test_empty_sentences() -> None:
    metric = GenerationStringAccuracy()
    assert metric.sentence_score("", ["a b"]).score == 0
    assert metric.sentence_score("", [""]).score == 1
    with pytest.raises(InputError, match="reference of segment 1 is empty"):
        metric.sentence_score("a", [""])


@pytest.mark.parametrize("references", ["a b", TREE])
def test_references_are_a_list(references: str) -> None:
    with pytest.raises(InputError, match="list of references"):
        SimpleStringAccuracy().sentence_score("a b", references)
    with pytest.raises(InputError, match="list of lists"):
        SimpleStringAccuracy().corpus_score(["a b"], [references])


def test_bad_values() -> None:
    with pytest.raises(InputError, match="2 hypotheses but 1 references in stream 1"):
        SimpleStringAccuracy().corpus_score(["a", "b"], [["a"]])
    with pytest.raises(InputError, match="nan is not a token"):
        SimpleStringAccuracy().sentence_score([float("nan")], ["a"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="None is no sentence"):
        SimpleStringAccuracy().sentence_score(None, ["a"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="the hypotheses are one text"):
        SimpleStringAccuracy().corpus_score("ab", [["a", "b"]])
    with pytest.raises(InputError, match="has no reference"):
        SimpleStringAccuracy().sentence_score("a", [])


def test_sequences_of_anything() -> None:
    # one pair of actions changed places, one action is another: a move and a substitution of four.
    wanted = [("open", 1), ("choose", 2), ("press", 3), ("close", 4)]
    built = [("open", 1), ("press", 3), ("choose", 2), ("press", 5)]
    assert sequence_accuracy(wanted, built) == 0.5
    assert sequence_accuracy(wanted, built, moves=False) == 0.25
    assert sequence_accuracy("abcd", "bcda") == 0.75


def test_intervals_hold_the_score() -> None:
    hypotheses = ["a b c", "a x c", "c b a", "x y z", "a b c"] * 8
    score = GenerationStringAccuracy().corpus_score(hypotheses, [["a b c"] * 40], n_bootstrap=200)
    assert score.mean_interval is not None
    assert score.mean is not None
    assert score.mean_interval.low < score.mean < score.mean_interval.high
    again = GenerationStringAccuracy().corpus_score(hypotheses, [["a b c"] * 40], n_bootstrap=200)
    assert again == score
    assert np.isfinite(score.mean_interval.low)
