from __future__ import annotations

import pytest

from fergus.web.admin_words import as_text, coefficient, duration, moment, percent


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (None, "–"), (0, "0.0 s"), (9_949, "9.9 s"), (9_950, "10 s"), (59_499, "59 s"), (59_500, "1 min 0 s"),
        (3_599_499, "59 min 59 s"), (3_599_500, "1 h 0 min"), (90_000_000, "25 h 0 min"),
    ],
)  # fmt: skip
def test_time_spans(milliseconds: int | None, text: str) -> None:
    assert duration(milliseconds) == text


def test_points_in_time() -> None:
    assert moment(1_800_000_000_000) == "2027-01-15 08:00"
    assert moment(None) == "–"


def test_numbers() -> None:
    assert (percent(1), percent(0.005), percent(None)) == ("100 %", "0 %", "–")
    assert [coefficient(value) for value in (None, 1, 0.8, -0.0001, -1.5)] == ["–", "1.000", ".800", ".000", "−1.500"]
    assert (as_text("é"), as_text({"é": [1.5, None, True]})) == ("é", '{"é": [1.5, null, true]}')
