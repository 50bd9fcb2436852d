"""Agreement against the worked examples of Krippendorff (2011), and against values derived by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fergus.analysis.agreement import agreement, alpha, cohen_kappa, masi_distance, share_of_agreement

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: twelve units, four observers.
FOUR_OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def by_unit(*coders: str) -> list[list[int | None]]:
    rows = [[None if value == "." else int(value) for value in coder.split()] for coder in coders]
    return [list(unit) for unit in zip(*rows, strict=True)]


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_that_of_krippendorff_2011_example_c(level, published) -> None:
    assert alpha(by_unit(*FOUR_OBSERVERS), level=level) == pytest.approx(published, abs=0.0005)


def test_alpha_is_that_of_krippendorff_2011_example_a() -> None:
    assert alpha(by_unit("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")) == pytest.approx(0.095, abs=0.0005)


def test_alpha_is_that_of_krippendorff_2011_example_b() -> None:
    units = list(zip("aabbdcccedda", "babbbccceddd", strict=True))
    assert alpha(units) == pytest.approx(0.692, abs=0.0005)


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.691), ("interval", 0.811)])
def test_alpha_with_many_missing_values(level, published) -> None:
    # The example of the encyclopaedia's article on alpha, as widely reprinted: three coders, fifteen units.
    units = by_unit(". . . . . 3 4 1 2 1 1 3 3 . 3", "1 . 2 1 3 3 4 3 . . . . . . .", ". . 2 1 3 4 4 . 2 1 1 3 3 . 4")
    assert alpha(units, level=level) == pytest.approx(published, abs=0.0005)


def test_alpha_by_hand() -> None:
    # Values a a b b a b: n = 6, n_a = n_b = 3. One unit of three disagrees: two of six values are in it, so
    # D_o = 2/6. D_e = 2 * 3 * 3 / (6 * 5) = 18/30. alpha = 1 - (1/3) / (3/5) = 4/9.
    assert alpha([("a", "a"), ("b", "b"), ("a", "b")]) == pytest.approx(4 / 9)


def test_systematic_disagreement_is_below_zero() -> None:
    # n_a = n_b = 2, D_o = 1, D_e = 2 * 2 * 2 / (4 * 3) = 2/3: alpha = 1 - 3/2.
    assert alpha([("a", "b"), ("b", "a")]) == pytest.approx(-0.5)


def test_a_unit_with_one_value_counts_for_nothing() -> None:
    units = [("a", "a"), ("b", "b"), ("a", "b")]
    assert alpha([*units, ("c", None), (None, None)]) == alpha(units)
    assert share_of_agreement([*units, ("c", None)]) == share_of_agreement(units) == pytest.approx(2 / 3)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("units", [[], [(1, None)], [(1, 1), (1, 1)]])
def test_what_does_not_vary_has_no_alpha(units, level) -> None:
    assert alpha(units, level=level) is None


def test_ordinal_counts_what_lies_between() -> None:
    # Values 1 1 2 3: n = 4; the middles of their ranks are 1, 2.5 and 3.5.
    # Observed: unit (2, 3): (3.5 - 2.5)^2 = 1. Expected: 2*1*(1.5)^2 + 2*1*(2.5)^2 + 1*1*1 = 4.5 + 12.5 + 1 = 18.
    # alpha = 1 - (4 - 1) * 1 / 18 = 5/6.
    assert alpha([(1, 1), (2, 3)], level="ordinal") == pytest.approx(5 / 6)


def test_interval_weighs_by_the_square_of_the_difference() -> None:
    # Values 1 1 2 4. Observed: (4 - 2)^2 = 4. Expected: 2*1 + 2*9 + 1*4 = 24. alpha = 1 - 3 * 4 / 24.
    assert alpha([(1, 1), (2, 4)], level="interval") == pytest.approx(0.5)


def test_sets_that_share_codes_agree_in_part() -> None:
    # {a} in {a, b}: Jaccard 1/2, weight 2/3: distance 2/3. {a, b} and {b, c}: 1/3 * 1/3: 8/9. Nothing shared: 1.
    assert masi_distance(frozenset("a"), frozenset("ab")) == pytest.approx(2 / 3)
    assert masi_distance(frozenset("ab"), frozenset("bc")) == pytest.approx(8 / 9)
    assert masi_distance(frozenset("a"), frozenset("b")) == masi_distance(frozenset(), frozenset("b")) == 1
    assert masi_distance(frozenset(), frozenset()) == 0
    units = [(frozenset("a"), frozenset("ab")), (frozenset("c"), frozenset("c"))]
    # Values {a} {ab} {c} {c}: observed 2/3; expected 1*2/3 + 2*1 + 2*1 = 14/3. alpha = 1 - 3 * (2/3) / (14/3) = 4/7.
    assert alpha(units, level="set") == pytest.approx(4 / 7)
    assert alpha(units, level="nominal") < alpha(units, level="set")


def test_kappa_by_hand() -> None:
    # Of 50 answers both say yes to 20 and no to 15; 25 and 30 are the two coders' yes.
    # Observed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5: kappa = 0.4.
    units = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(units) == pytest.approx(0.4)
    assert cohen_kappa([*units, ("y", None), (None, "n")]) == pytest.approx(0.4)


@pytest.mark.parametrize("units", [[], [("a", None)], [("a", "a")]])
def test_kappa_of_nothing_is_none(units) -> None:
    assert cohen_kappa(units) is None


def test_two_coders_who_always_differ_have_a_kappa() -> None:
    assert cohen_kappa([("a", "b")]) == 0


def test_all_at_once() -> None:
    two = agreement([("a", "a"), ("b", "b"), ("a", "b"), ("a", None)])
    assert (two.alpha, two.share, two.units) == (pytest.approx(4 / 9), pytest.approx(2 / 3), 3)
    # Observed 2/3; by chance 2/3 * 1/3 + 1/3 * 2/3 = 4/9: kappa = (2/9) / (5/9).
    assert two.kappa == pytest.approx(0.4)
    assert agreement([("a", "a", "b")]).kappa is None
    assert agreement([]).share is None


values = st.one_of(st.none(), st.integers(1, 5))
tables = st.integers(2, 4).flatmap(lambda coders: st.lists(st.tuples(*[values] * coders), max_size=12))


def slow_alpha(units, distance):
    """By the definition: every ordered pair of values within a unit, and every ordered pair of all values."""
    kept = [[v for v in unit if v is not None] for unit in units]
    kept = [unit for unit in kept if len(unit) >= 2]
    every = [v for unit in kept for v in unit]
    n = len(every)
    chance = sum(distance(a, b) for i, a in enumerate(every) for j, b in enumerate(every) if i != j)
    if not chance:
        return None
    seen = sum(distance(a, b) / (len(u) - 1) for u in kept for i, a in enumerate(u) for j, b in enumerate(u) if i != j)
    return 1 - (seen / n) / (chance / (n * (n - 1)))


@given(tables)
def test_alpha_equals_the_definition(units) -> None:
    for level, distance in (("nominal", lambda a, b: a != b), ("interval", lambda a, b: (a - b) ** 2)):
        slow = slow_alpha(units, distance)
        assert alpha(units, level=level) == (None if slow is None else pytest.approx(slow))


@given(tables)
def test_neither_the_order_of_units_nor_of_coders_matters(units) -> None:
    turned = [tuple(reversed(unit)) for unit in reversed(units)]
    for level in ("nominal", "ordinal", "interval"):
        one, other = alpha(units, level=level), alpha(turned, level=level)
        assert one == (None if other is None else pytest.approx(other))
        assert one is None or one <= 1
