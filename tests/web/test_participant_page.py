"""Which keys a page tells of."""

from __future__ import annotations

from typing import Any

import pytest

from fergus.studies.asked import Asked
from fergus.studies.interface import WORDS
from fergus.studies.questions.base import Question
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.rating import Dimension, Rating
from fergus.web.participant_page import keys_of


def keys(*questions: Question) -> str:
    return keys_of([Asked(one, (), "page") for one in questions], WORDS, holds_texts=False, arrows="←→")


def scale(points: int, lowest: int, **options: Any) -> Rating:
    return Rating("q", points=points, lowest=lowest, dimensions={"d": Dimension("?", {})}, **options)


@pytest.mark.parametrize(
    ("points", "lowest", "told"),
    [
        (7, 1, "1 to 7 rate, Enter goes on"),
        (10, 0, "0 to 9 rate, Enter goes on"),
        (10, 1, "1 to 10 (0 = 10) rate, Enter goes on"),
        (11, 0, ""),  # 10 has no key, as 0 is 0
        (7, -3, ""),  # what is below 0 has none
        (101, 0, ""),
    ],
)
def test_a_scale_tells_of_keys_only_if_every_point_has_one(points: int, lowest: int, told: str) -> None:
    assert keys(scale(points, lowest)) == told
    assert keys(scale(points, lowest, highest_first=True)) == told


def test_the_first_scale_with_keys_is_told_of() -> None:
    assert keys(Comment("c"), scale(7, -3), scale(5, 1)) == "1 to 5 rate, Enter goes on"
    assert keys(Comment("c")) == ""
