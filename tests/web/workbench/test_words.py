"""The words of the page Realize, with what each could be."""

from __future__ import annotations

import pytest

from fergus.core.realization import SupertagChoice
from fergus.web.engine_limits import Limits
from fergus.web.workbench.examples import EXAMPLES
from fergus.web.workbench.realized import shown
from fergus.web.workbench.words import choices
from tests.web.inline_engine import loaded

FREE = SupertagChoice("a.NOUN", 0.75, (("a.VERB", 0.2),))


@pytest.mark.parametrize(
    ("chosen", "free", "expected"),
    [
        (FREE, None, [("a.NOUN", 0.75), ("a.VERB", 0.2)]),
        (FREE, FREE, [("a.NOUN", 0.75), ("a.VERB", 0.2)]),
        # Asked for: certain by itself, so the probability is that of the free choice, 0 if it was not among them.
        (SupertagChoice("a.VERB", 1.0, ()), FREE, [("a.VERB", 0.2), ("a.NOUN", 0.75)]),
        (SupertagChoice("a.ADJ", 1.0, ()), FREE, [("a.ADJ", 0.0), ("a.NOUN", 0.75), ("a.VERB", 0.2)]),
    ],
)
def test_the_choice_in_use_comes_first(
    chosen: SupertagChoice, free: SupertagChoice | None, expected: list[tuple[str, float]]
) -> None:
    assert choices(chosen, free) == expected


def test_words_to_choose_from_and_words_put_in(limits: Limits) -> None:
    chosen = shown(loaded(), next(one for one in EXAMPLES if "choose" in one.name).asked, limits)
    assert any(len(word.readings) > 1 for word in chosen.words)
    deep = shown(loaded(), next(one for one in EXAMPLES if "Content" in one.name).asked, limits)
    added = [word for word in deep.words if word.is_inserted]
    assert added
    assert not any(option.change for word in added for option in (*word.supertags, *word.labels))
