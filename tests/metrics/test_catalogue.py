from __future__ import annotations

import subprocess
import sys

import pytest

from fergus.errors import InputError
from fergus.metrics.base import Metric
from fergus.metrics.catalogue import metric_class, metric_names


@pytest.mark.parametrize("name", metric_names())
def test_every_name_leads_to_its_class(name: str) -> None:
    found = metric_class(name)
    assert issubclass(found, Metric)
    assert found.name == name
    assert found.title
    # Derived metrics take it from their files.
    assert len(getattr(found, "abbreviation", "")) <= 12
    assert found.headline in {"mean", "pooled"}


def test_order_of_presentation() -> None:
    names = metric_names()
    assert names[0] == "simple_string_accuracy"
    assert names.index("quality_accuracy") < names.index("bleu") < names.index("fluency")


@pytest.mark.parametrize(
    ("name", "meant"),
    [("blue", "bleu"), ("ROUGE-L", "rouge_l"), ("generation tree acuracy", "generation_tree_accuracy")],
)
def test_unknown_names(name: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"there is no metric '{name}'; did you mean {meant}.*simple_string_accuracy"):
        metric_class(name)


def test_nothing_near() -> None:
    with pytest.raises(InputError, match="'zzzz'; the metrics are simple_string_accuracy, "):
        metric_class("zzzz")


def test_nothing_heavy_is_imported() -> None:
    program = (
        "import sys; from fergus.metrics.catalogue import metric_class; "
        "[metric_class(n) for n in ('bleu', 'chrf', 'dist')]; "
        "print([m for m in ('numpy', 'numba', 'sacrebleu', 'rapidfuzz') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
