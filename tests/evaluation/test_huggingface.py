"""The metrics as modules of Hugging Face's evaluate: with the library where it is installed, else with its shape."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from fergus.errors import InputError

NAME = "fergus.evaluation.huggingface"
OUTPUTS, REFERENCES = ["estimate no cost", "no cost"], ["no cost estimate", "no cost"]
# One word of three has moved, then nothing is wrong: (2/3 + 1) / 2, and 1 error in 5 words.
MEAN, POOLED = pytest.approx(5 / 6), pytest.approx(4 / 5)


class Metric:
    """The shape of evaluate's class: it asks for ``_info`` when it is made, and for ``_compute`` to compute."""

    def __init__(self, config_name: str | None = None, **options: Any) -> None:
        self.config_name, self.options = config_name, options
        self.info = self._info()  # type: ignore[attr-defined]

    def compute(self, **given: Any) -> Any:
        return self._compute(**given)  # type: ignore[attr-defined]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module of ours over stand-ins of evaluate and datasets."""
    evaluate, datasets = ModuleType("evaluate"), ModuleType("datasets")
    vars(evaluate).update(Metric=Metric, MetricInfo=SimpleNamespace)
    vars(datasets).update(Value=str, Sequence=lambda item: [item], Features=dict)
    monkeypatch.setitem(sys.modules, "evaluate", evaluate)
    monkeypatch.setitem(sys.modules, "datasets", datasets)
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    yield import_module(NAME)
    sys.modules.pop(NAME)  # the next to ask gets one without stand-ins


def test_scores_by_name(module: Any) -> None:
    metric = module.load_metric("generation_string_accuracy")
    found = metric.compute(predictions=OUTPUTS, references=REFERENCES, per_sentence=True)
    assert found["generation_string_accuracy"] == found["generation_string_accuracy_mean"] == MEAN
    assert found["generation_string_accuracy_pooled"] == POOLED
    assert found["generation_string_accuracy_per_sentence"] == [pytest.approx(2 / 3), 1.0]
    assert found["generation_string_accuracy_signature"].startswith("metric:generation_string_accuracy|refs:1|")


def test_several_references_and_options(module: Any) -> None:
    metric = module.load_metric()
    found = metric.compute(predictions=["No cost"], references=[["a cost", "no cost"]], lowercase=True)
    assert found["simple_string_accuracy"] == 1.0
    assert "refs:2|case:lower" in found["simple_string_accuracy_signature"]
    assert {name for name in found if name.endswith("accuracy")} == {
        "simple_string_accuracy",
        "generation_string_accuracy",
    }


def test_what_evaluate_wants_to_know(module: Any) -> None:
    metric = module.load_metric("bleu", keep_in_memory=True)
    assert metric.options == {"keep_in_memory": True}
    assert "Evaluation Metrics for Generation" in metric.info.citation
    assert [set(features) for features in metric.info.features] == [{"predictions", "references"}] * 2
    assert module.FergusMetric(config_name="default").asked == "string"
    assert module.FergusMetric().asked == "string"


def test_a_score_that_is_not_defined_is_none(module: Any) -> None:
    metric = module.load_metric("simple_tree_accuracy")
    found = metric.compute(predictions=["a"], references=["a"], parser=None, per_sentence=True)
    assert found["simple_tree_accuracy"] is None
    assert found["simple_tree_accuracy_per_sentence"] == [None]


def test_bad_input(module: Any) -> None:
    with pytest.raises(InputError, match="there is no metric 'nonsense'"):
        module.load_metric("nonsense")
    with pytest.raises(InputError, match="between 1 and 2 references; give each as many"):
        module.load_metric().compute(predictions=["a", "b"], references=[["a"], ["a", "b"]])


def test_without_the_library_its_name_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    with pytest.raises(ImportError, match=r"pip install 'fergus\[huggingface\]'"):
        import_module(NAME)


def test_the_library_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if find_spec("evaluate") is None:
        pytest.skip("evaluate is not installed (pip install 'fergus[huggingface]')")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    import evaluate

    module = import_module(NAME)
    metric = module.load_metric("generation_string_accuracy", cache_dir=str(tmp_path))
    for output, reference in zip(OUTPUTS, REFERENCES, strict=True):
        metric.add(prediction=output, reference=reference)
    assert metric.compute()["generation_string_accuracy"] == MEAN
    loaded = evaluate.load(str(module.__file__), "string", cache_dir=str(tmp_path))
    found = loaded.compute(predictions=OUTPUTS, references=[[reference] for reference in REFERENCES])
    assert found["generation_string_accuracy_pooled"] == POOLED
