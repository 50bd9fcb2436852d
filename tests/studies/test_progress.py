from __future__ import annotations

from dataclasses import replace

import pytest

from fergus.studies.flags import look_at, time_on
from fergus.studies.model import Item
from fergus.studies.progress import measure, share_done, target_of
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.storage.answers import Submission
from fergus.studies.study import Assignment, Block
from tests.studies.admin_rows import ITEMS, MAIN, QUALITY, STUDY, answer, person


def measured(people, answers, study=STUDY):
    return measure(study, people, answers, study_of=lambda _: study)


def flags(answers, *, typical=(), study=STUDY):
    pages = list({row.submission.page: row.submission for row in answers}.values())
    return look_at(person(1), answers, pages, typical=dict(typical), study=study)


def points(fluent: int, clear: int):
    return {"fluent": fluent, "clear": clear}


def test_an_empty_study_says_so() -> None:
    found = measured([], [])
    assert found.states == {"active": 0, "completed": 0, "declined": 0, "withdrawn": 0}
    assert [(one.condition, sum(one.states.values())) for one in found.conditions] == [("", 0)]
    assert [(one.item, one.judges, one.target) for one in found.items] == [(f"i{n}", 0, 2) for n in range(6)]
    assert (found.median_page_ms, found.median_total_ms, found.blocks, found.answers) == (None, None, (), 0)


def test_participants_by_state_and_condition() -> None:
    study = replace(STUDY, conditions=("readers", "listeners"))
    people = [
        person(1, state="completed", condition="readers"),
        person(2, condition="listeners"),
        person(3, state="withdrawn", condition="listeners"),
        person(4, state="completed", condition="writers"),  # of an earlier version
    ]
    found = measured(people, [], study)
    assert found.states == {"active": 1, "completed": 2, "declined": 0, "withdrawn": 1}
    assert [(one.condition, one.states["active"], one.states["completed"]) for one in found.conditions] == [
        ("readers", 0, 1),
        ("listeners", 1, 0),
        ("writers", 0, 1),
    ]


def test_an_item_is_counted_once_a_person_and_not_for_those_who_withdrew() -> None:
    people = [person(1, state="completed"), person(2), person(3, state="withdrawn")]
    answers = [
        answer(1, 0, points(1, 1), items=["i0"]),
        answer(1, 0, {"comment": "no"}, question="why", items=["i0"]),
        answer(2, 0, points(1, 1), items=["i0"]),
        answer(2, 1, points(1, 1), items=["i1"]),
        answer(3, 0, points(1, 1), items=["i0"]),
        answer(1, 1, points(1, 1), items=["i2"], block="practice"),
    ]
    counts = {one.item: one.judges for one in measured(people, answers).items}
    assert counts == {"i0": 2, "i1": 1, "i2": 0, "i3": 0, "i4": 0, "i5": 0}


def test_items_that_everybody_sees_have_no_target() -> None:
    always = Item("check", "Choose 1.", {"always": "yes"})
    anchor = Item("anchor", "An anchor.", {"kind": "anchor"})
    blocks = (MAIN, Block("anchors", (QUALITY,), items={"kind": ("anchor",)}, everyone=True))
    study = replace(STUDY, items=(*ITEMS[:1], always, anchor), blocks=blocks)
    assert {one.item: one.target for one in measured([], [], study).items} == {"i0": 2, "check": None, "anchor": None}


def test_only_practice_items_are_not_listed() -> None:
    study = replace(STUDY, blocks=STUDY.blocks[:1])
    assert measured([], [], study).items == ()


@pytest.mark.parametrize(
    ("assignment", "target"),
    [
        (Assignment(), None),
        (Assignment(judgements=3, participants=100), 3),
        (Assignment(participants=20), 20),
        (Assignment("latin-square", participants=20), 10),  # two systems: each item goes to every second participant
        (Assignment("subsets", pages=2, participants=20), None),
    ],
)
def test_the_target_of_an_item(assignment, target) -> None:
    assert target_of(replace(STUDY, assignment=assignment)) == target


def test_conditions_make_the_target_unknown() -> None:
    assert target_of(replace(STUDY, conditions=("x", "y"), assignment=Assignment(participants=20))) is None


def test_median_times() -> None:
    people = [person(1, state="completed"), person(2, state="completed"), person(3)]
    answers = [
        answer(1, 0, points(1, 1), items=["i0"], ms=1000),
        answer(1, 0, {"comment": "x"}, question="why", items=["i0"], ms=1000),  # the same page
        answer(1, 1, {"chosen": "blue"}, block="about", question="check", ms=3000),
        answer(2, 0, points(1, 1), items=["i0"], ms=6000),
        answer(3, 0, points(1, 1), items=["i0"], ms=2000),
        answer(3, 1, points(1, 1), items=["i1"]),  # nothing is known of its time
    ]
    found = measured(people, answers)
    assert [(one.block, one.pages, one.median_ms) for one in found.blocks] == [("main", 3, 2000), ("about", 1, 3000)]
    assert found.median_page_ms == 2500  # of 1000, 2000, 3000, 6000
    assert found.median_total_ms == 5000  # of 4000 and 6000; the third is not done
    assert [one.duration_ms for one in found.people] == [4000, 6000, 2000]
    assert found.answers == 6


@pytest.mark.parametrize(
    ("opened", "shown", "submitted", "active", "time"),
    [
        (100, 200, 900, 300, 300),
        (100, 200, 900, None, 700),
        (100, None, 900, None, 800),
        (None, None, 900, None, None),
        (100, None, None, None, None),
        (900, None, 100, None, 0),  # a clock that was set back
    ],
)
def test_time_on_a_page(opened, shown, submitted, active, time) -> None:
    assert time_on(Submission(0, "main", (), opened, shown, submitted, active)) == time


def test_the_same_point_everywhere_is_a_straight_line() -> None:
    same = flags([answer(1, n, points(4, 4), items=[f"i{n % 6}"]) for n in range(8)])
    assert same.same_share == 1
    assert same.is_straight_liner


def test_seven_answers_are_too_few_to_tell() -> None:
    few = flags([answer(1, n, points(4, 4), items=[f"i{n % 6}"]) for n in range(7)])
    assert few.same_share is None
    assert not few.is_straight_liner


def test_one_answer_in_twenty_may_differ() -> None:
    rows = [answer(1, n, points(4, 4), items=["i0"]) for n in range(18)]
    odd = answer(1, 30, points(5, 4), items=["i0"])
    assert flags([*rows, answer(1, 29, points(4, 4), items=["i0"]), odd]).is_straight_liner
    assert not flags([*rows, odd]).is_straight_liner  # 18 of 19 are 94.7 %


def test_always_the_same_side_of_a_pair_is_a_straight_line() -> None:
    def pair(n, chosen):
        return answer(1, n, {"chosen": chosen}, block="sides", question="which", items=["i0", "i1"])

    assert flags([pair(n, "i0") for n in range(8)]).is_straight_liner
    assert flags([pair(n, "i0" if n % 2 else "i1") for n in range(8)]).same_share == 0.5
    assert flags([pair(n, None) for n in range(8)]).is_straight_liner  # always “I cannot tell”


def test_practice_and_questions_about_the_person_show_no_line() -> None:
    practice = [answer(1, n, points(4, 4), items=["i0"], block="practice") for n in range(9)]
    about = [answer(1, n, points(4, 4)) for n in range(9)]
    assert flags(practice).same_share is None
    assert flags(about).same_share is None


def test_attention_checks() -> None:
    def check(n, chosen, block="about"):
        return answer(1, n, {"chosen": chosen}, block=block, question="check")

    found = flags([check(0, "blue"), check(1, "red"), check(2, "red", block="practice")])
    assert (found.checks, found.failed) == (2, 1)
    assert measured([person(1)], [check(0, "red")]).failed_checks == 1


def test_a_rating_with_a_right_answer_is_a_check_and_no_part_of_a_line() -> None:
    told = Rating("quality", dimensions={"fluent": Dimension("Choose 2.", right=2)})
    study = replace(STUDY, blocks=(Block("main", (told,), items={}),))
    found = flags([answer(1, n, {"fluent": 2 if n else 7}, items=["i0"]) for n in range(9)], study=study)
    assert (found.checks, found.failed, found.same_share) == (9, 1, None)


def test_speed_is_relative_to_what_is_typical_of_the_block() -> None:
    rows = [answer(1, 0, points(1, 2), items=["i0"], ms=500), answer(1, 1, points(1, 3), items=["i1"], ms=100)]
    # Typical is 1000 ms: twice as fast, and ten times, which counts as three times: 2.5 on average.
    fast = flags(rows, typical={"main": 1000})
    assert fast.speed == 2.5
    assert fast.is_too_fast
    assert flags(rows, typical={"main": 600}).speed == pytest.approx((1.2 + 3) / 2)
    assert flags(rows, typical={"about": 600}).speed is None


def test_nobody_is_too_fast_before_five_have_seen_a_block() -> None:
    rows = [answer(n, 0, points(1, 1), items=["i0"], ms=100 if n == 1 else 9000) for n in range(1, 6)]
    four = measured([person(n) for n in range(1, 5)], rows[:4])
    five = measured([person(n) for n in range(1, 6)], rows)
    assert four.too_fast == 0
    assert [one.is_too_fast for one in five.people] == [True, False, False, False, False]
    assert (five.too_fast, five.straight_liners) == (1, 0)


def test_an_answer_that_took_no_time_divides_by_nothing() -> None:
    assert flags([answer(1, 0, points(1, 1), items=["i0"], ms=0)], typical={"main": 1000}).speed == 3


def test_answers_of_a_block_or_a_version_that_is_gone_are_passed_over() -> None:
    rows = [answer(1, n, points(4, 4), block="gone", items=["x"]) for n in range(9)]
    assert flags(rows).same_share is None


def test_how_much_is_done_by_judgements() -> None:
    # Two judgements of six items each, in three blocks whose items count: 6 + 3 (pairs) + 6 pages.
    assert share_done(STUDY, 0, {}) == 0
    judged = {("main", "i0"): 2, ("main", "i1"): 1, ("sides", "g0"): 9, ("practice", "i2"): 5, ("gone", "x"): 5}
    assert share_done(STUDY, 99, judged) == pytest.approx((2 + 1 + 2) / (2 * 15))


def test_how_much_is_done_by_participants() -> None:
    study = replace(STUDY, assignment=Assignment(participants=8))
    assert [share_done(study, completed, {}) for completed in (0, 6, 9)] == [0, 0.75, 1]
    assert share_done(replace(STUDY, assignment=Assignment()), 6, {}) is None
    assert share_done(replace(STUDY, blocks=STUDY.blocks[:1]), 6, {}) is None  # only practice
