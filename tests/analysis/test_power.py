"""Power by simulation: against closed formulas where there are some, and false alarms where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fergus.analysis.crossed import crossed_mean
from fergus.analysis.power import (
    PairDesign,
    Power,
    RatingDesign,
    _pair_p,
    least_items,
    least_judges,
    power_of,
)
from fergus.errors import InputError
from fergus.studies.raters import RaterSettings

PLAIN = RaterSettings(bias=0.4, noise=0.6, inattention=0)


def of_t_test(difference: float, items: int, variance: float, *, level: float = 0.05) -> float:
    """The power of a two-sided t test of the mean of normal values: the noncentral t distribution."""
    edge = stats.t.ppf(1 - level / 2, items - 1)
    far = difference * (items / variance) ** 0.5
    return float(stats.nct.sf(edge, items - 1, far) + stats.nct.cdf(-edge, items - 1, far))


def of_binomial(share: float, n: int, *, level: float = 0.05) -> float:
    """The power of the two-sided exact test of 1/2, by all counts that it rejects."""
    counts = np.arange(n + 1)
    p = np.minimum(1, 2 * stats.binom.cdf(np.minimum(counts, n - counts), n, 0.5))
    return float(stats.binom.pmf(counts, n, share)[p < level].sum())


def agrees(found: Power, told: float) -> bool:
    """Within four standard errors of the simulation."""
    return abs(found.power - told) < 4 * (told * (1 - told) / found.runs) ** 0.5 + 1e-9


class TestRatings:
    @pytest.mark.parametrize(("judges", "judgements"), [(1, 0), (5, 0), (10, 3)])
    @pytest.mark.parametrize("difference", [0.2, 0.5])
    def test_the_noncentral_t_distribution(self, judges: int, judgements: int, difference: float) -> None:
        design = RatingDesign(difference=difference, items=40, judges=judges, judgements=judgements, raters=PLAIN)
        # The judges see both texts and their bias cancels: 2 of the texts, 2/k of the noise of k judgements.
        variance = 2 + 2 * 0.6**2 / (judgements or judges)
        assert agrees(power_of(design), of_t_test(difference, 40, variance))

    def test_what_items_have_in_common_cancels(self) -> None:
        design = RatingDesign(difference=0.3, items=30, judges=4, shared=0.5, raters=PLAIN)
        assert agrees(power_of(design), of_t_test(0.3, 30, 2 * 0.5 + 2 * 0.36 / 4))

    def test_judges_of_one_text_each_add_their_bias(self) -> None:
        # As many judges as judgements: every bias is drawn once, and counts as noise does.
        design = RatingDesign(
            difference=0.5, items=30, judges=60, judgements=1, same_judges=False, raters=RaterSettings(
                bias=1.0, noise=0.6, inattention=0
            ),
        )  # fmt: skip
        assert agrees(power_of(design), of_t_test(0.5, 30, 2 + 2 * (1 + 0.36)))

    @pytest.mark.parametrize("same_judges", [True, False])
    @pytest.mark.parametrize("points", [0, 7])
    def test_false_alarms(self, same_judges: bool, points: int) -> None:
        design = RatingDesign(
            difference=0, items=25, judges=6, judgements=2, same_judges=same_judges, points=points, shared=0.2
        )
        found = power_of(design, runs=4000)
        assert agrees(found, 0.05)
        assert found.error == pytest.approx((found.power * (1 - found.power) / 4000) ** 0.5)
        assert found.low < found.power < found.high

    def test_scales_and_blind_answers_cost_power(self) -> None:
        def power(points: int, inattention: float) -> float:
            raters = RaterSettings(bias=0.4, noise=0.6, inattention=inattention)
            return power_of(RatingDesign(difference=0.5, items=30, judges=3, points=points, raters=raters)).power

        assert power(0, 0) > power(2, 0)
        assert power(7, 0) > power(7, 0.4)

    def test_texts_that_never_differ_are_no_finding(self) -> None:
        # All see the same, and the scale of two points hides it: every gap is 0 in some studies, which are not found.
        raters = RaterSettings(bias=0, noise=0, inattention=0)
        found = power_of(RatingDesign(difference=0, items=2, judges=1, points=2, shared=1, raters=raters), runs=200)
        assert found.power == 0


class TestPairs:
    @pytest.mark.parametrize(("share", "judges", "items"), [(0.5, 10, 20), (0.6, 10, 20), (0.72, 5, 10)])
    def test_the_binomial_distribution(self, share: float, judges: int, items: int) -> None:
        design = PairDesign(share=share, items=items, judges=judges, skill=0, ease=0, test="binomial")
        assert agrees(power_of(design), of_binomial(share, judges * items))

    def test_false_alarms_where_people_and_pairs_differ(self) -> None:
        design = PairDesign(share=0.5, items=20, judges=30, skill=0.3, ease=0.5)
        # 10,000 runs gave .059; with 60 judges and 30 pairs .053; where people and pairs do not differ .030.
        assert agrees(power_of(design), 0.059)
        # Taken as independent, choices seem to prove what is not there.
        assert power_of(PairDesign(share=0.5, items=20, judges=30, skill=0.3, ease=0.5, test="binomial")).power > 0.4

    def test_the_test_is_the_one_that_a_report_makes(self) -> None:
        design = PairDesign(share=0.7, items=6, judges=5)
        p = _pair_p(design, 3, np.random.default_rng(9))
        random = np.random.default_rng(9)
        middle = stats.norm.ppf(0.7) * (1 + 0.3**2 + 0.4**2) ** 0.5
        skills, eases = 0.3 * random.standard_normal((3, 5, 1)), 0.4 * random.standard_normal((3, 1, 6))
        right = random.random((3, 5, 6)) < stats.norm.cdf(middle + skills + eases)
        person, pair = np.divmod(np.arange(30), 6)
        for run in range(3):
            told = crossed_mean(right[run].ravel().astype(float), person, pair, samples=2)
            assert p[run] == pytest.approx(told.p_against(0.5), abs=1e-9)

    def test_one_judge_and_everything_right(self) -> None:
        assert power_of(PairDesign(share=0.9, items=30, judges=1, skill=0, ease=0)).power > 0.95
        assert power_of(PairDesign(share=0.999999, items=20, judges=3, skill=0, ease=0), runs=50).power == 1

    def test_the_study_of_hardcastle_and_scott_had_power_to_spare(self) -> None:
        # 60 subjects, 30 pairs, 72% (section 2.5).
        assert power_of(PairDesign(share=0.72, items=30, judges=60), runs=500).power > 0.99


class TestSearch:
    def test_the_fewest_items_are_those_of_the_formula(self) -> None:
        design = RatingDesign(difference=0.5, items=2, judges=3, raters=PLAIN)
        variance = 2 + 2 * 0.36 / 3
        told = next(n for n in range(2, 1000) if of_t_test(0.5, n, variance) >= 0.8)
        found = least_items(design)
        assert found is not None
        assert found.power >= 0.8
        assert found.design.items == pytest.approx(told, abs=4)  # the power rises by about .01 an item there

    def test_the_fewest_judges(self) -> None:
        found = least_judges(PairDesign(share=0.65, items=20, judges=1), runs=500)
        assert found is not None
        assert found.power >= 0.8
        fewer = power_of(PairDesign(share=0.65, items=20, judges=found.design.judges - 1), runs=500)
        assert fewer.power < 0.8

    def test_no_number_of_judges_makes_up_for_few_items(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fergus.analysis.power.MOST_JUDGES", 20)
        assert least_judges(RatingDesign(difference=0.1, items=4, judges=2), runs=200) is None
        found = least_judges(RatingDesign(difference=2.5, items=8, judges=5, judgements=5), runs=200)
        assert found is not None
        assert found.design.judges == 5  # as many as the judgements of a text, at least

    @pytest.mark.parametrize(
        "design", [RatingDesign(difference=0, items=9, judges=2), PairDesign(share=0.5, items=9, judges=2)]
    )
    def test_nothing_to_find(self, design: RatingDesign | PairDesign) -> None:
        with pytest.raises(InputError, match="there is no difference that could be found"):
            least_items(design)
        with pytest.raises(InputError, match="there is no difference that could be found"):
            least_judges(design)

    def test_a_target_that_is_none(self) -> None:
        with pytest.raises(InputError, match="the power to reach is 1"):
            least_items(RatingDesign(difference=1, items=2, judges=3), target=1)


@pytest.mark.parametrize(
    ("kind", "changed", "message"),
    [
        (RatingDesign, {"items": 1}, "items are 1; give 2 or more"),
        (RatingDesign, {"judges": 0}, "judges are 0"),
        (RatingDesign, {"level": 1}, "the level is 1"),
        (RatingDesign, {"judgements": 6}, "it must be from 1 to the number of judges, 5"),
        (RatingDesign, {"points": 1}, "the scale has 1 points"),
        (RatingDesign, {"shared": 1.5}, "the shared variance is 1.5"),
        (PairDesign, {"share": 1}, "the share identified is 1"),
        (PairDesign, {"skill": -1}, "a standard deviation is below 0"),
    ],
)
def test_what_is_no_design(kind: type, changed: dict[str, float], message: str) -> None:
    good = {"difference": 0.3} if kind is RatingDesign else {"share": 0.6}
    with pytest.raises(InputError, match=message):
        kind(**{**good, "items": 10, "judges": 5, **changed})


def test_runs_and_seeds() -> None:
    design = RatingDesign(difference=0.4, items=20, judges=3)
    assert power_of(design, runs=300) == power_of(design, runs=300)
    assert power_of(design, runs=300).power != power_of(design, runs=300, seed=1).power
    assert design.total == 120
    with pytest.raises(InputError, match="runs are 0"):
        power_of(design, runs=0)


def test_a_large_study_is_simulated_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.analysis.power._AT_ONCE", 1000)
    assert agrees(power_of(RatingDesign(difference=0.5, items=40, judges=5, raters=PLAIN), runs=1000), of_t_test(
        0.5, 40, 2 + 2 * 0.36 / 5
    ))  # fmt: skip
