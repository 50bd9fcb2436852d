"""Tasks: quality, time and their quotient, by hand and against scipy."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fergus.analysis.compare_people import compare_between, compare_within
from fergus.analysis.tasks import analyse_tasks
from fergus.errors import InputError


def solution(
    person: str, text: str, system: str, score: float | None, seconds: float | None, **more: Any
) -> dict[str, Any]:
    return {
        "participant": person, "condition": "", "practice": False, "page": f"{text}-{system}",
        "item": f"{text}-{system}", "group": text, "system": system,
        "question": "fact", "type": "task", "value": "an answer", "score": score,
        "late": False, "duration_ms": None if seconds is None else seconds * 1000 + 500,
        "active_ms": None if seconds is None else seconds * 1000, "grades": None, **more,
    }  # fmt: skip


# Three people, each two texts by phone and two by the browser: quality and seconds.
ROWS = [
    solution("ann", "a", "phone", 1.0, 60), solution("ann", "b", "phone", 0.0, 40),
    solution("ann", "c", "browser", 1.0, 30), solution("ann", "d", "browser", 1.0, 20),
    solution("bob", "c", "phone", 1.0, 50), solution("bob", "d", "phone", 0.5, 50),
    solution("bob", "a", "browser", 1.0, 40), solution("bob", "b", "browser", 0.5, 30),
    solution("cem", "a", "phone", 0.5, 90), solution("cem", "b", "phone", 0.5, 70, late=True),
    solution("cem", "c", "browser", 1.0, 60), solution("cem", "d", "browser", 0.0, 60, value=" "),
]  # fmt: skip


def test_summaries_by_hand() -> None:
    browser, phone = analyse_tasks(ROWS).levels
    assert (browser.level, phone.level) == ("browser", "phone")
    assert (browser.solutions, browser.people, browser.late, phone.late) == (6, 3, 0, 1)
    assert (browser.completed.hits, phone.completed.hits) == (5, 5)  # one wrote nothing, one came late
    assert browser.completed_crossed.value == browser.completed.value == pytest.approx(5 / 6)
    assert browser.quality.value == pytest.approx(4.5 / 6)
    assert (browser.seconds.value, browser.median_seconds) == (40, 35)
    assert (phone.seconds.value, phone.median_seconds) == (60, 55)
    # Quality a minute: 2, 3, 1.5, 1, 1, 0 by the browser; 1, 0, 1.2, .6, 1/3, 3/7 by phone.
    assert browser.per_minute.value == pytest.approx(8.5 / 6)
    assert phone.per_minute.value == pytest.approx((2.8 + 1 / 3 + 3 / 7) / 6)
    assert browser.throughput.value == pytest.approx(4.5 / 4)
    assert 0 <= browser.throughput.low < 4.5 / 4 < browser.throughput.high
    assert (browser.throughput.n, browser.throughput.people, browser.throughput.texts) == (6, 3, 4)
    assert 0 <= browser.quality.low < browser.quality.value < browser.quality.high <= 1


def test_all_quality_by_all_time_varies_as_a_resampled_quotient() -> None:
    random = np.random.default_rng(5)
    rows, people = [], 60
    for i in range(people):
        pace = random.uniform(20, 60)
        rows += [solution(f"p{i}", "a", "phone", random.uniform(0.2, 1), pace + random.uniform(0, 20))]
    found = analyse_tasks(rows).levels[0].throughput
    quality, minutes = (np.array([row[k] for row in rows]) for k in ("score", "active_ms"))
    drawn = random.integers(0, people, (4000, people))
    quotients = quality[drawn].sum(axis=1) / (minutes[drawn].sum(axis=1) / 60_000)
    assert found.value == pytest.approx(quality.sum() / minutes.sum() * 60_000)
    assert found.error == pytest.approx(quotients.std(), rel=0.1)


def test_comparisons_are_those_of_scipy_on_the_means_of_people() -> None:
    found = {one.measure: one for one in analyse_tasks(ROWS).comparisons}
    assert list(found) == ["quality", "seconds", "per_minute"]
    seconds = found["seconds"]
    x, y = np.array([25.0, 35.0, 60.0]), np.array([50.0, 50.0, 80.0])
    told = stats.ttest_rel(x, y)
    assert (seconds.first, seconds.second, seconds.design, seconds.people) == ("browser", "phone", "within", (3, 3))
    assert (seconds.means, seconds.difference) == ((40, 60), -20)
    assert (seconds.t, seconds.df, seconds.t_p) == pytest.approx((told.statistic, 2, told.pvalue), abs=1e-9)
    assert (seconds.low, seconds.high) == pytest.approx(tuple(told.confidence_interval()), abs=1e-9)
    # Differences -25, -15, -20: of the eight ways to exchange only all and none give a sum as large.
    assert seconds.permutation_p == seconds.corrected_p == pytest.approx(2 / 8)
    assert seconds.rank_p == pytest.approx(2 / 8)


def test_three_systems_are_corrected_for_by_measure() -> None:
    rows = [*ROWS, *({**row, "system": "radio", "page": f"r{n}"} for n, row in enumerate(ROWS[:6]))]
    seconds = [one for one in analyse_tasks(rows).comparisons if one.measure == "seconds"]
    assert len(seconds) == 3
    least = min(seconds, key=lambda one: one.permutation_p)
    assert least.corrected_p == pytest.approx(min(1, 3 * least.permutation_p))


def test_between_people_and_by_condition() -> None:
    rows = [
        solution(f"{n}", "a", "s", float(n % 2), 20.0 + 5 * n, condition="phone/1" if n < 5 else "browser/2")
        for n in range(10)
    ]
    result = analyse_tasks(rows, factor="condition", trials=20_000)
    seconds = next(one for one in result.comparisons if one.measure == "seconds")
    x, y = 20.0 + 5 * np.arange(5, 10), 20.0 + 5 * np.arange(5)
    told = stats.ttest_ind(x, y, equal_var=False)
    assert (seconds.first, seconds.second, seconds.design, seconds.people) == ("browser", "phone", "between", (5, 5))
    assert (seconds.t, seconds.df, seconds.t_p) == pytest.approx((told.statistic, told.df, told.pvalue), abs=1e-9)
    assert (seconds.low, seconds.high) == pytest.approx(tuple(told.confidence_interval()), abs=1e-9)
    assert seconds.rank_p == pytest.approx(stats.mannwhitneyu(x, y).pvalue, abs=1e-9)
    # Apart altogether: 2 of 252 ways to make two groups of five.
    assert seconds.permutation_p == pytest.approx(2 / 252, abs=0.002)


class TestDesign:
    ALONE = tuple(
        solution(f"{system}{n}", "a", system, 0.1 * n, 20.0 + n + 30 * (system == "phone"))
        for system in ("browser", "phone")
        for n in range(5)
    )

    @staticmethod
    def with_both(people: int) -> list[dict[str, Any]]:
        return [
            solution(f"both{n}", "a", s, 0.5 + 0.1 * n, 30.0 + n) for s in ("browser", "phone") for n in range(people)
        ]

    def test_two_people_with_both_do_not_leave_ten_out(self) -> None:
        found = analyse_tasks([*self.ALONE, *self.with_both(2)])
        assert {(one.design, one.people) for one in found.comparisons} == {("between", (5, 5))}
        assert next(one for one in found.comparisons if one.measure == "seconds").difference == -30
        (notice,) = [one for one in found.notices if one.kind == "both levels"]
        assert notice.count == 2
        assert notice.message.startswith("quality, seconds and quality a minute: participants worked with both")

    def test_as_many_with_both_as_without_are_compared_within(self) -> None:
        found = analyse_tasks([*self.ALONE, *self.with_both(10)])
        assert {(one.design, one.people) for one in found.comparisons} == {("within", (10, 10))}
        assert [(one.kind, one.count) for one in found.notices if "level" in one.kind] == [("one level only", 10)]

    def test_one_person_in_a_group_is_no_group(self) -> None:
        found = analyse_tasks([*self.ALONE[4:], *self.with_both(2)])
        assert {one.design for one in found.comparisons} == {"within"}

    def test_what_is_left_out_is_told_by_measure(self) -> None:
        # Of those with both, nobody's work by phone was graded: quality is compared between, time within people.
        rows = [{**row, "score": None} if row["system"] == "phone" else row for row in self.with_both(10)]
        found = analyse_tasks([*self.ALONE, *rows])
        assert [one.design for one in found.comparisons] == ["between", "within", "between"]
        told = [one for one in found.notices if "level" in one.kind]
        assert [(one.kind, one.count, one.message.partition(":")[0]) for one in told] == [
            ("one level only", 10, "seconds")
        ]

    def test_one_person_alone_and_one_text_alone(self) -> None:
        found = analyse_tasks([*ROWS[:4], *self.ALONE])
        assert not math.isnan(found.levels[0].quality.low)
        one = analyse_tasks([*ROWS[:2], *self.ALONE[:5]])
        browser, phone = one.levels
        assert all(map(math.isnan, (phone.quality.low, phone.seconds.high, phone.completed_crossed.low)))
        assert [(n.kind, n.message.partition(":")[0]) for n in one.notices] == [
            ("one person", "phone"),
            ("one text", "browser"),
        ]
        assert browser.seconds.high > browser.seconds.low


class TestWhatIsOdd:
    def test_it_is_counted_and_named(self) -> None:
        rows = [
            *ROWS,
            solution("dan", "a", "phone", None, 30, grades={"x": 0.5, "y": 1}),
            solution("dan", "b", "phone", None, 30),
            solution("dan", "c", "phone", 1.0, None, value=None),
            solution("dan", "d", "phone", 1.0, 0, duration_ms=10),
            solution("eva", "a", "phone", 1.0, 30, active_ms=None),
            solution("eva", "b", "", 1.0, 30),
            solution("fay", "a", "phone", 1.0, 30, page=1),
            solution("fay", "b", "phone", 1.0, 30, page=1),
            solution("fay", "b", "phone", 0.0, 999, practice=True),
        ]
        found = analyse_tasks(rows)
        assert {one.kind: one.count for one in found.notices} == {
            "no level": 1, "ungraded": 1, "no time": 1, "no time at all": 1, "late": 1,
            "several tasks a page": 1, "server's clock": 1, "one level only": 3,
        }  # fmt: skip
        phone = found.levels[1]
        # 6 of before, dan's four, eva's one, fay's two; fay's share their 30 seconds.
        assert (phone.solutions, phone.quality.n, phone.seconds.n, phone.per_minute.n) == (13, 12, 12, 10)
        assert phone.quality.value == pytest.approx((3.5 + 0.75 + 2 + 1 + 2) / 12)
        assert phone.seconds.value == pytest.approx((360 + 30 + 30 + 0 + 30.5 + 15 + 15) / 12)

    def test_the_servers_clock(self) -> None:
        found = analyse_tasks(ROWS, clock="server")
        assert found.levels[0].seconds.value == 40.5
        assert "server's clock" not in {one.kind for one in found.notices}

    def test_nothing_graded_or_timed(self) -> None:
        rows = [{**row, "score": None, "duration_ms": None, "active_ms": None} for row in ROWS]
        found = analyse_tasks(rows)
        assert math.isnan(found.levels[0].quality.value)
        assert math.isnan(found.levels[0].throughput.value)
        assert not found.is_timed
        assert math.isnan(found.levels[0].median_seconds)
        assert all(math.isnan(one.difference) and math.isnan(one.corrected_p) for one in found.comparisons)
        assert found.levels[0].completed.hits == 5

    def test_no_time_at_all_is_no_time(self) -> None:
        assert analyse_tasks(ROWS).is_timed
        assert not analyse_tasks([{**row, "duration_ms": 0, "active_ms": 0} for row in ROWS]).is_timed

    def test_one_system_is_summarised_only(self) -> None:
        found = analyse_tasks([row for row in ROWS if row["system"] == "phone"])
        assert len(found.levels) == 1
        assert found.comparisons == ()

    def test_no_tasks_no_column_no_values(self) -> None:
        with pytest.raises(InputError, match="no answers to questions of type task"):
            analyse_tasks([{**row, "type": "comment"} for row in ROWS])
        with pytest.raises(InputError, match="no answers to questions of type task"):
            analyse_tasks(ROWS, question="other")
        with pytest.raises(InputError, match="the rows have no column “item_colour”"):
            analyse_tasks(ROWS, factor="item_colour")
        with pytest.raises(InputError, match="the column “condition” is empty"):
            analyse_tasks(ROWS, factor="condition")


@pytest.mark.parametrize("n", [5, 13, 20])
def test_signed_ranks_are_those_of_scipy(n: int) -> None:
    x = np.random.default_rng(n).normal(0.5, 1, n)
    found = compare_within(x, np.zeros(n), trials=10, random=RANDOM)
    assert found[5] == pytest.approx(stats.wilcoxon(x, method="exact").pvalue, abs=1e-9)


RANDOM = np.random.default_rng(0)


def test_people_who_all_differ_alike() -> None:
    # Five times the same difference: t has no error; only 2 of 32 exchanges are as large.
    x = np.arange(5.0)
    assert compare_within(x + 2, x, trials=10, random=RANDOM)[-2:] == (2 / 32, 2 / 32)
    assert compare_within(x, x, trials=10, random=RANDOM)[-2:] == (1, 1)
    assert math.isnan(compare_within(x, x, trials=10, random=RANDOM)[2])
    assert all(map(math.isnan, compare_within(x[:1] + 2, x[:1], trials=10, random=RANDOM)))  # one person


def test_groups_without_spread() -> None:
    alike = compare_between(np.ones(3), np.ones(4), trials=10, random=RANDOM)
    assert alike[-2:] == (1, 1)
    assert all(map(math.isnan, alike[:-2]))
    assert all(map(math.isnan, compare_between(np.ones(1), np.arange(4.0), trials=10, random=RANDOM)))
    apart = compare_between(np.ones(4), np.zeros(4), trials=4000, random=RANDOM)
    assert math.isnan(apart[2])
    assert apart[-1] == pytest.approx(2 / 70, abs=0.01)  # 70 ways to choose four of eight


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=16), st.integers(0, 99))
def test_exchanging_the_systems_turns_signs_only(pairs: list[tuple[int, int]], seed: int) -> None:
    x, y = np.array(pairs, float).T
    one = compare_within(x, y, trials=300, random=np.random.default_rng(seed))
    two = compare_within(y, x, trials=300, random=np.random.default_rng(seed))
    assert one[4:] == pytest.approx(two[4:], abs=1e-9, nan_ok=True)
    assert (one[0], one[2]) == pytest.approx((-two[1], -two[2]), abs=1e-9, nan_ok=True)
    assert all(0 < p <= 1 for p in one[5:])


def test_many_people_are_sampled_and_agree_with_the_t_test() -> None:
    random = np.random.default_rng(1)
    x = random.normal(0.4, 1, 40)
    found = compare_within(x, np.zeros(40), trials=4000, random=random)
    assert found[-1] == pytest.approx(found[4], abs=0.02)


def test_the_same_on_every_run_and_plain_data() -> None:
    assert asdict(analyse_tasks(ROWS)) == asdict(analyse_tasks(iter(ROWS)))
