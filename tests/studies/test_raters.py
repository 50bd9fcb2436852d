from __future__ import annotations

from statistics import correlation, fmean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.errors import InputError
from fergus.studies.raters import RaterSettings, quality, rater

TEXTS = [f"text {n}" for n in range(2000)]
EXACT = RaterSettings(bias=0, noise=0, inattention=0, skill=1)


def test_quality_is_standard_normal_over_texts() -> None:
    found = [quality(text, "d", {}) for text in TEXTS]
    # The mean of 2000 has a standard error of 0.022; these are seven of them.
    assert fmean(found) == pytest.approx(0, abs=0.15)
    assert pstdev(found) == pytest.approx(1, abs=0.1)


def test_quality_is_the_same_on_every_machine() -> None:
    # sha256 of "d", NUL, "text 0" begins with 72b1feb31aec: 0.448 of 16**12, a normal quantile of -0.13064.
    assert quality("text 0", "d", {}) == pytest.approx(-0.13064395)


def test_dimensions_are_independent() -> None:
    assert correlation([quality(t, "a", {}) for t in TEXTS], [quality(t, "b", {}) for t in TEXTS]) == pytest.approx(
        0, abs=0.1
    )


@given(st.text(st.characters()), st.text(st.characters()))
def test_every_text_has_a_finite_quality(text: str, dimension: str) -> None:
    assert abs(quality(text, dimension, {})) < 9


def test_given_qualities_count_first() -> None:
    given_ones = {"x": {"quality": 1.5, "": -1.0}, "y": {"quality": 2.0}}
    assert quality("x", "quality", given_ones) == 1.5
    assert quality("x", "clarity", given_ones) == -1.0
    assert quality("y", "clarity", given_ones) == quality("y", "clarity", {})
    assert rater(1, seed=1, settings=EXACT, qualities=given_ones).impression("x", "quality") == 1.5


def test_the_same_number_and_seed_is_the_same_person() -> None:
    def answers(number: int, seed: int) -> list[float]:
        one = rater(number, seed=seed)
        return [one.bias, *(one.impression(text, "d") for text in TEXTS[:3])]

    assert answers(7, 3) == answers(7, 3)
    assert len({tuple(answers(n, seed)) for n in range(5) for seed in range(5)}) == 25


def test_biases_and_noise_have_the_spread_of_the_settings() -> None:
    settings = RaterSettings(bias=0.5, noise=0.8)
    people = [rater(n, seed=1, settings=settings) for n in range(2000)]
    assert pstdev([one.bias for one in people]) == pytest.approx(0.5, rel=0.1)
    one = people[0]
    seen = [one.impression("x", "d") for _ in range(2000)]
    assert pstdev(seen) == pytest.approx(0.8, rel=0.1)
    assert fmean(seen) == pytest.approx(quality("x", "d", {}) + one.bias, abs=0.1)


def test_raters_of_different_texts_correlate_as_the_model_says() -> None:
    settings = RaterSettings(bias=0.6, noise=0.8)
    # Every text has two raters of its own: 1 / (1 + 0.36 + 0.64) = 0.5.
    people = [rater(n, seed=2, settings=settings) for n in range(2 * len(TEXTS))]
    first = [one.impression(text, "d") for one, text in zip(people[::2], TEXTS, strict=True)]
    second = [one.impression(text, "d") for one, text in zip(people[1::2], TEXTS, strict=True)]
    assert correlation(first, second) == pytest.approx(0.5, abs=0.08)
    # The same two see all: 1 / (1 + 0.64) = 0.61.
    first, second = ([one.impression(text, "d") for text in TEXTS] for one in people[:2])
    assert correlation(first, second) == pytest.approx(0.61, abs=0.08)


def test_exact_raters_agree_with_quality() -> None:
    one = rater(1, seed=1, settings=EXACT)
    assert all(one.impression(text, "d") == quality(text, "d", {}) for text in TEXTS[:10])
    assert all(one.attends() and one.finds("gold") for _ in range(100))


def test_attention_and_skill_are_shares() -> None:
    one = rater(1, seed=1, settings=RaterSettings(inattention=0.2, skill=0.3))
    # The standard error of a share of 2000 is 0.01.
    assert fmean(one.attends() for _ in range(2000)) == pytest.approx(0.8, abs=0.05)
    assert fmean(one.finds("gold") for _ in range(2000)) == pytest.approx(0.3, abs=0.05)
    blind = rater(1, seed=1, settings=RaterSettings(inattention=1, skill=0))
    assert not any(blind.attends() or blind.finds("gold") for _ in range(100))


def test_picks_are_any_of_the_choices() -> None:
    one = rater(1, seed=1)
    assert {one.pick("abc") for _ in range(100)} == set("abc")


@pytest.mark.parametrize(
    "wrong", [{"bias": -0.1}, {"noise": float("nan")}, {"noise": float("inf")}, {"inattention": 1.1}, {"skill": -1}]
)
def test_settings_outside_their_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(wrong))} is .*; it must be"):
        RaterSettings(**wrong)
