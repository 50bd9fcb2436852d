from __future__ import annotations

import pytest

import fergus
from fergus.errors import InputError
from fergus.evaluation import in_memory, run
from fergus.evaluation.selection import make_metrics
from fergus.metrics.segment import Sentence
from fergus.metrics.tokenization import SPACES
from tests.evaluation.test_run import ChainParser
from tests.metrics.example import GENERATED, TARGET, TREE


class Uniform:
    """A language model that gives a tenth to everything."""

    def score(self, tokens: list[str]) -> list[float]:
        return [-1.0] * (len(tokens) + 1)


@pytest.mark.parametrize("output", [" ".join(GENERATED), GENERATED, Sentence(tuple(GENERATED))])
def test_text_tokens_and_sentences(output: str | list[str] | Sentence) -> None:
    found = fergus.evaluate({"mine": [output]}, [[TREE]], metrics=["paper"], samples=0)
    scores = {name: score.mean for name, score in found.systems[0].corpus.items()}
    # Table 1 of the paper; the learned ones have 1.3147 * 1/3 - 0.1039 - 0.4458 over 0.8689, and their like.
    assert scores == pytest.approx(
        {
            "simple_string_accuracy": 4 / 9,
            "generation_string_accuracy": 5 / 9,
            "simple_tree_accuracy": 1 / 3,
            "generation_tree_accuracy": 2 / 3,
            "understandability_accuracy": (1.3147 / 3 - 0.1039 - 0.4458) / 0.8689,
            "quality_accuracy": (1.0192 / 3 - 0.0869 - 0.3553) / 0.6639,
        }
    )


def test_groups_leave_out_what_there_is_nothing_for() -> None:
    outputs, references = {"a": ["a b"], "b": ["b a"]}, [["a b"], ["a c"]]
    found = fergus.evaluate(outputs, references, metrics=["all"], parser=None, samples=10, compare=True, baseline="b")
    names = {metric.name for metric in found.metrics}
    assert "fluency" not in names
    assert "tag_agreement" not in names
    assert "nist" in names
    assert found.comparisons
    with pytest.raises(InputError, match="fluency needs a language model"):
        fergus.evaluate(outputs, references, metrics=["fluency"])


def test_a_language_model() -> None:
    given = (Uniform(), "uniform")
    found = fergus.evaluate({"a": ["a b"]}, [["a b"]], metrics=["fluency"], language_model=given, samples=0)  # type: ignore[arg-type]
    assert found.systems[0].corpus["fluency"].score == pytest.approx(3.321928, abs=1e-5)
    assert "|model:uniform|" in found.systems[0].corpus["fluency"].signature


def test_identifiers_do_not_name_the_nodes_of_a_parsed_tree() -> None:
    # The hypothesis names nodes of its own input's tree; the reference's tree is a parser's.
    hypothesis = Sentence(("b", "a"), nodes=("17", "4"))
    rows = run.rows_of_lists([[hypothesis]], [[Sentence(("a", "b"))]])
    metrics = make_metrics(["simple_tree_accuracy"])
    found = run.evaluate(["x"], rows, metrics, parser=ChainParser, tokenization=SPACES)
    assert found.systems[0].tree_counts.tolist() == [[0, 1, 1, 1, 2]]


def test_must_fail() -> None:
    with pytest.raises(InputError, match="there is nothing to compare"):
        fergus.evaluate({}, [["a"]])
    with pytest.raises(InputError, match="the systems have no names"):
        fergus.evaluate(["a"], [["a"]])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'en' is no language model"):
        fergus.evaluate({"a": ["a"]}, [["a"]], language_model="en")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="there is nothing to compare"):
        fergus.evaluate({"a": ["a"]}, [])
    with pytest.raises(InputError, match="reference list 1 has 2 sentences; give a list with 1 sentences"):
        fergus.evaluate({"a": ["a"]}, [["a", "b"]], parser=None)
    with pytest.raises(InputError, match="system b is a text"):
        fergus.evaluate({"a": ["a"], "b": "b"}, [["a"]], parser=None)


@pytest.mark.parametrize("reference", ["No Cost", ["No", "Cost"]])
def test_lower_case_is_for_comparing_and_not_for_the_parser(
    reference: str | list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_memory, "load_parser", lambda name: ChainParser())
    names = ["simple_tree_accuracy", "exact_match", "nist"]
    found = fergus.evaluate({"a": ["no cost"]}, [[reference]], metrics=names, lowercase=True, samples=0)
    (system,) = found.systems
    assert system.corpus["exact_match"].score == 1
    tree = system.segments[0].references[0].tree
    assert tree is not None
    assert tree.forms == ("No", "Cost")


def test_the_seed_is_the_control_s_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_memory, "load_parser", lambda name: ChainParser())
    found = fergus.evaluate({"a": ["no cost"]}, [["no cost"]], metrics=["tags"], seed=7, samples=0)
    assert "|seed:7|" in found.systems[0].corpus["tag_agreement_scrambled"].signature
    found = fergus.evaluate({"same": [TARGET]}, [[TREE]], samples=0)
    assert {score.score for name, score in found.systems[0].corpus.items()} == {1, 100, 0}  # TER has 0
