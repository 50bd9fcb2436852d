"""What every stage made of a tree, in their order."""

from __future__ import annotations

import pytest

from fergus.web.engine_limits import Limits
from fergus.web.workbench.asked import Asked
from fergus.web.workbench.examples import EXAMPLES
from fergus.web.workbench.realized import shown
from fergus.web.workbench.steps import Step
from tests.web.inline_engine import loaded


@pytest.mark.parametrize(
    ("example", "names"),
    [
        ("choose", ["choose", "order", "write"]),
        ("Content", ["insert", "inflect", "order", "punctuate", "write"]),
    ],
)
def test_the_stages_of_an_example(limits: Limits, example: str, names: list[str]) -> None:
    found = shown(loaded(), next(one for one in EXAMPLES if example in one.name).asked, limits)
    assert [step.name for step in found.steps] == names
    assert all(step.result for step in found.steps)


def test_a_stage_with_nothing_to_do_says_so(limits: Limits) -> None:
    found = shown(loaded(), Asked("saw(I her)", stages=("choose", "order")), limits)
    assert found.steps == (
        Step("choose", "words where there are several", "none"),
        Step("order", "the words of the winning path", "I saw her"),
        Step("write", "capitals, spaces, contractions", "I saw her"),
    )
