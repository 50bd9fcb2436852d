"""The Turing-style test: small tables by hand, figures of Hardcastle and Scott (2008), recovery of a known share."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from fergus.analysis.crossed import crossed_mean
from fergus.analysis.pair_rows import pair_questions, read_pairs
from fergus.analysis.turing import analyse_turing
from fergus.errors import InputError
from tests.analysis.pair_rows_made import about_person, pair_row, simulated_rows, tie_row

SMALL = [
    pair_row("ann", "a", 1.0), pair_row("ann", "b", 1.0, first=False), pair_row("ann", "c", 0.0),
    pair_row("bob", "a", 1.0), pair_row("bob", "b", 0.0, first=False), pair_row("bob", "c", 0.0),
    pair_row("cem", "a", 0.0), pair_row("cem", "b", 1.0), pair_row("cem", "c", 1.0),
]  # fmt: skip


def test_the_whole_of_a_small_test() -> None:
    found = analyse_turing(SMALL)
    assert (found.question, found.share.choices.hits, found.share.choices.n) == ("which", 5, 9)
    assert found.share.choices.value == found.share.crossed.value == pytest.approx(5 / 9)
    assert found.share.of_range == pytest.approx(1 / 9)
    assert found.share.binomial_p == 1  # 5 of 9 is as near to a half as it can be
    assert 0 <= found.share.crossed.low < 0.5 < found.share.crossed.high <= 1
    assert [(one.pair, one.share.hits) for one in found.pairs] == [("c", 1), ("a", 2), ("b", 2)]
    assert [one.pair for one in found.fooled] == ["c"]
    assert [(one.person, one.share.hits) for one in found.people] == [("ann", 2), ("bob", 1), ("cem", 2)]
    assert {one.kind: one.count for one in found.notices} == {
        "few participants": 3, "few pairs": 3, "no control pairs": 0,
    }  # fmt: skip
    assert found.groups == found.differences == ()


def test_signal_detection_of_all_choices_together() -> None:
    # First chosen and right: ann a, bob a, cem b, cem c. Second chosen and wrong (the right one was first): bob b. So
    # the person's text was first 5 times, 4 hits. First chosen and wrong: ann c, bob c, cem a; second and right: ann b:
    # 3 false alarms of 4. With the correction: H = 4.5 / 6, F = 3.5 / 5.
    found = analyse_turing(SMALL).pooled
    assert found.d_prime == pytest.approx((norm.ppf(4.5 / 6) - norm.ppf(3.5 / 5)) / math.sqrt(2), abs=1e-9)
    assert found.bias == pytest.approx(-(norm.ppf(4.5 / 6) + norm.ppf(3.5 / 5)) / 2, abs=1e-9)
    assert found.d_prime_of_share == pytest.approx(math.sqrt(2) * norm.ppf(5.5 / 10), abs=1e-9)


def test_mean_sensitivity_leaves_out_people_for_whom_it_is_not_defined() -> None:
    rows = [pair_row("ann", "a", 1.0), pair_row("ann", "b", 1.0, first=False), pair_row("bob", "a", 1.0)]
    found = analyse_turing(rows)
    assert math.isnan(found.people[1].detection.d_prime)
    assert found.mean_d_prime == found.people[0].detection.d_prime
    assert math.isnan(analyse_turing(rows[2:]).mean_d_prime)


def test_the_figures_of_hardcastle_and_scott() -> None:
    """Section 2.5: 72% of the time; 3.3: 73% by regular solvers of broadsheet crosswords, 66% by the others.

    .73 w + .66 (1 - w) = .72 gives w = 6/7: of sixty subjects about 51 were solvers. 51 * 30 * .73 = 1117 and
    9 * 30 * .66 = 178 make 1295 of 1800.
    """
    rows: list[dict[str, Any]] = []
    for person, right in enumerate(_spread(1117, 51) + _spread(178, 9)):
        rows += [pair_row(f"{person}", f"{(pair + person) % 30}", float(pair < right)) for pair in range(30)]
        rows.append(about_person(f"{person}", "solver", "yes" if person < 51 else "no"))
    found = analyse_turing(rows, group="solver")
    assert found.share.choices.n == 1800
    assert round(found.share.choices.value, 2) == 0.72
    assert (round(found.share.choices.low, 2), round(found.share.choices.high, 2)) == (0.70, 0.74)
    assert found.share.binomial_p < 1e-70
    assert found.share.of_range == pytest.approx(0.44, abs=0.005)
    assert round(found.pooled.d_prime_of_share, 2) == 0.82  # √2 z(.72) = 1.41421 * .58284
    assert {one.group: (one.people, round(one.share.choices.value, 2)) for one in found.groups} == {
        "no": (9, 0.66),
        "yes": (51, 0.73),
    }
    (difference,) = found.differences
    assert (difference.first, difference.second) == ("no", "yes")
    assert round(difference.difference.value, 2) == -0.07
    assert difference.corrected_p == difference.p


def _spread(total: int, people: int) -> list[int]:
    """Right answers shared out as evenly as can be."""
    return [total // people + (place < total % people) for place in range(people)]


class TestGroups:
    def test_conditions_without_the_row_of_a_latin_square(self) -> None:
        rows = [
            {**pair_row(f"{person}", pair, float(person % 3 > 0)), "condition": condition}
            for person, condition in enumerate(["readers/1", "readers/2", "experts/1", "experts/2", "", "1"])
            for pair in "abc"
        ]
        found = analyse_turing(rows)
        assert [(one.group, one.people) for one in found.groups] == [("experts", 2), ("readers", 2)]
        assert (found.group_name, found.people[0].group) == ("condition", "readers")
        assert ("no group", 2) in [(one.kind, one.count) for one in found.notices]

    def test_three_groups_are_corrected_for(self) -> None:
        rows = simulated_rows(0.7, people=12, pairs=8, seed=1)
        rows += [about_person(f"p{n}", "level", [["x"], ["x", "y"], ["z"]][n % 3]) for n in range(12)]
        rows.append(about_person("p0", "level", "own words", dimension="other"))
        found = analyse_turing(rows, group="level")
        assert [one.group for one in found.groups] == ["x", "x, y", "z"]
        assert len(found.differences) == 3
        smallest = min(found.differences, key=lambda one: one.p)
        assert smallest.corrected_p == pytest.approx(min(1, 3 * smallest.p))

    def test_a_group_of_one_person_is_not_compared(self) -> None:
        rows = simulated_rows(0.7, people=7, pairs=12, seed=1)
        rows = [{**row, "condition": "experts" if row["participant"] == "p0" else "readers"} for row in rows]
        found = analyse_turing(rows, samples=50)
        (difference,) = found.differences
        told = (difference.difference.low, difference.difference.high, difference.p, difference.corrected_p)
        assert all(map(math.isnan, told))
        assert found.groups[0].share.told_bounds == (
            found.groups[0].share.choices.low,
            found.groups[0].share.choices.high,
        )
        assert found.groups[1].share.told_bounds[0] == found.groups[1].share.crossed.low
        (notice,) = [one for one in found.notices if one.kind == "group of one person"]
        assert (notice.count, notice.message[:8]) == (1, "experts:")

    @pytest.mark.parametrize(("experts", "readers", "p"), [(1.0, 0.0, 2 / 20), (1.0, 1.0, 1.0)])
    def test_people_are_exchanged_where_all_of_a_group_did_alike(
        self, experts: float, readers: float, p: float
    ) -> None:
        rows = [
            {**pair_row(f"{n}", pair, experts if n < 3 else readers), "condition": "experts" if n < 3 else "readers"}
            for n in range(6)
            for pair in "abc"
        ]
        (difference,) = analyse_turing(rows).differences
        assert difference.p == pytest.approx(p)
        # Seven people have 35 ways to make a group of three, and one of them is as far apart.
        more = [{**pair_row("6", pair, readers), "condition": "readers"} for pair in "abc"]
        assert analyse_turing([*rows, *more]).differences[0].p == pytest.approx(1 / 35 if p < 1 else 1)

    def test_one_group_is_no_comparison(self) -> None:
        rows = [{**row, "condition": "readers"} for row in SMALL]
        assert analyse_turing(rows).groups == ()


class TestControls:
    ROWS = (
        *SMALL,
        pair_row("ann", "hh", None, item_control="human-human"),
        pair_row("bob", "hh", None, item_control="human-human", first=False),
        {**pair_row("cem", "hh", None), "value": "hh-m", "item": "hh-m", "shown_order": ["hh-m", "hh-h"],
         "item_control": "human-human"},
        pair_row("ann", "mm", None, item_author="machine"),
        pair_row("bob", "nn", None, item_author="human"),
        pair_row("ann", "oo", None),
    )  # fmt: skip

    def test_kinds_sides_and_agreement_on_a_text(self) -> None:
        found = {one.kind: one for one in analyse_turing(self.ROWS).sides}
        # hh by its column; mm and nn by who wrote the chosen text; of oo nothing is known.
        assert list(found) == ["", "control", "human-human", "machine-machine"]
        assert {kind: (one.pairs, one.first.choices.n) for kind, one in found.items()} == {
            "": (3, 9), "control": (1, 1), "human-human": (2, 4), "machine-machine": (1, 1),
        }  # fmt: skip
        assert found["human-human"].first.choices.hits == 3
        # hh: two of three chose hh-h: one of three pairs of people agree; nn has one judgement only.
        assert found["human-human"].same_text == pytest.approx(1 / 3)
        assert math.isnan(found["human-human"].same_text_error)
        assert math.isnan(found["machine-machine"].same_text)
        # a: 2 of 3, b: 2 of 3, c: 1 of 3 right; each time 1/3.
        assert found[""].same_text == pytest.approx(1 / 3)
        assert found[""].same_text_error == pytest.approx(0)

    def test_controls_change_nothing_in_the_share(self) -> None:
        assert analyse_turing(self.ROWS).share == analyse_turing(SMALL).share
        assert "no control pairs" not in {one.kind for one in analyse_turing(self.ROWS).notices}

    def test_a_preference_for_a_side_is_found(self) -> None:
        random = np.random.default_rng(3)
        rows = [*SMALL]
        rows += [
            pair_row(f"{person}", f"c{pair}", None, first=bool(random.random() < 0.8), item_control="human-human")
            for person in range(20)
            for pair in range(10)
        ]
        first = analyse_turing(rows).sides[1].first
        assert first.crossed.low < 0.8 < first.crossed.high
        assert first.p < 0.001

    def test_a_side_that_everybody_always_chooses_is_preferred(self) -> None:
        rows = [pair_row(f"{person}", pair, None, item_control="human-human") for person in range(4) for pair in "xyz"]
        first = analyse_turing([*SMALL, *rows]).sides[1].first
        assert math.isnan(first.p)
        assert first.told_p == first.binomial_p == 2 / 2**12


@pytest.mark.parametrize(("people", "pairs", "kinds"), [(1, 3, {"one participant"}), (3, 1, {"one pair"})])
def test_one_person_or_one_pair_is_told(people: int, pairs: int, kinds: set[str]) -> None:
    found = analyse_turing(simulated_rows(0.6, people=people, pairs=pairs, seed=1))
    assert {one.kind for one in found.notices} & {"one participant", "one pair"} == kinds


class TestTies:
    def test_they_are_left_out_and_named(self) -> None:
        found = analyse_turing([*SMALL, tie_row("ann", "d"), tie_row("ann", "e", mixed=False)])
        assert (found.ties, found.share.choices.n) == (2, 9)
        (notice,) = [one for one in found.notices if one.kind == "tie"]
        assert notice.count == 1
        assert "the share is 0.500" in notice.message  # 5 of 10

    def test_a_question_with_ties_alone_is_refused(self) -> None:
        with pytest.raises(InputError, match="no pair of “which” has a right answer"):
            analyse_turing([tie_row("ann", "d")])


def test_repeated_judgements_are_kept_and_counted() -> None:
    found = analyse_turing([*SMALL, SMALL[0]])
    assert found.share.choices.n == 10
    assert ("repeated judgement", 1) in [(one.kind, one.count) for one in found.notices]


def test_practice_is_not_looked_at() -> None:
    assert analyse_turing([*SMALL, pair_row("ann", "z", 1.0, practice=True)]).share == analyse_turing(SMALL).share


def test_pairs_of_one_group_have_the_names_of_their_texts() -> None:
    rows = [
        {**pair_row("ann", "a", 1.0), "group": "g"},
        {**pair_row("ann", "b", 1.0), "group": "g"},
        {**pair_row("ann", "c", 1.0), "group": ""},
    ]
    assert read_pairs(rows, question="which", human={}).pairs == ("a-h / a-m", "b-h / b-m", "c-h / c-m")


def test_which_question() -> None:
    other = {**pair_row("ann", "a", 1.0), "question": "other"}
    assert pair_questions([*SMALL, other]) == ["which", "other"]
    with pytest.raises(InputError, match="2 questions have pairs with a right answer; name one of which, other"):
        analyse_turing([*SMALL, other])
    assert analyse_turing([*SMALL, other], question="other").share.choices.n == 1
    with pytest.raises(InputError, match="0 questions"):
        analyse_turing([])
    with pytest.raises(InputError, match="no answers to a question “nothing”"):
        analyse_turing(SMALL, question="nothing")


def test_everything_right_has_wilsons_interval_only() -> None:
    rows = [pair_row(person, pair, 1.0) for person in "xyz" for pair in "abc"]
    share = analyse_turing(rows).share
    assert (share.choices.value, share.choices.high) == (1, 1)
    assert math.isnan(share.crossed.low)
    assert math.isnan(share.p)
    assert share.binomial_p == 2 / 512


def test_results_are_plain_data_and_the_same_on_every_run() -> None:
    rows = simulated_rows(0.6, people=12, pairs=10, seed=5)
    assert asdict(analyse_turing(rows)) == asdict(analyse_turing(iter(rows)))


def test_recovery_of_a_known_share_from_rows() -> None:
    """The same through the rows of an export: a few runs, since ``test_crossed`` has two hundred."""
    covered = 0
    for run in range(20):
        choices = read_pairs(simulated_rows(0.65, people=20, pairs=15, seed=run), question="which", human={})
        found = crossed_mean(choices.score, choices.person, choices.pair, samples=200, seed=run, bounds=(0, 1))
        covered += found.low <= 0.65 <= found.high
    assert covered >= 17  # of 20 at 95%: fewer than 17 in 1.6% of all seeds, and the seeds are fixed
