"""What is said of Turing-style tests and tasks is what was found, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fergus.analysis.comments import coded_comments
from fergus.analysis.of_study import Findings
from fergus.analysis.study_plots import MOST_PAIRS, tasks_figure, turing_figure
from fergus.analysis.study_summary import study_paragraphs
from fergus.analysis.task_tables import better, comparisons_table, measures_table, people_of, task_tables
from fergus.analysis.tasks import Tasks, analyse_tasks
from fergus.analysis.turing import Turing, analyse_turing
from fergus.analysis.turing_tables import detection_table, share_table, sides_table

from .pair_rows_made import about_person, pair_row, simulated_rows
from .test_tasks import solution


def told(**found: Any) -> str:
    return " ".join(study_paragraphs(Findings(**{name: tuple(own) for name, own in found.items()})))


def turing_with(share: float, *, people: int = 20, pairs: int = 20, seed: int = 1) -> Turing:
    return analyse_turing(simulated_rows(share, people=people, pairs=pairs, seed=seed), samples=100)


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.75, "That is more than guessing (p < .001): people can tell, though not always."),
        (0.25, "That is less than guessing (p < .001): the machine’s texts were taken for a person’s."),
        (0.5, "would fit as well."),
    ],
)
def test_the_verdict(share: float, said: str) -> None:
    text = told(turing=[turing_with(share)])
    assert said in text
    assert "20 people told machine from human in" in text
    assert "over 20 pairs; 50% would be guessing" in text


def test_no_control_pairs_and_no_groups_are_not_spoken_of() -> None:
    text = told(turing=[turing_with(0.75)])
    assert "control" not in text
    assert "By " not in text


def test_nobody_is_fooled_where_all_pairs_are_found() -> None:
    rows = [pair_row(f"p{i}", f"x{j}", 1.0, first=bool((i + j) % 2)) for i in range(4) for j in range(5)]
    text = told(turing=[analyse_turing(rows, samples=50)])
    assert "100.0% of 20 choices (95% interval, choices taken to be independent, 83.9 to 100.0%)" in text
    assert "Nobody was fooled once. No pair of 5 fooled more than half of those who judged it." in text


def grouped(*, first: float, second: float) -> Turing:
    """Readers and experts on the same pairs."""
    rows = simulated_rows(first, people=15, pairs=20, seed=1, ease=0)
    more = [
        {**row, "participant": f"q{row['participant']}"}
        for row in simulated_rows(second, people=15, pairs=20, seed=2, ease=0)
    ]
    asked = [about_person(str(name), "who", "reader") for name in dict.fromkeys(row["participant"] for row in rows)]
    asked += [about_person(str(name), "who", "expert") for name in dict.fromkeys(row["participant"] for row in more)]
    return analyse_turing([*rows, *more, *asked], group="who", samples=100)


def test_groups_that_differ_and_groups_that_do_not() -> None:
    found = grouped(first=0.5, second=0.9)
    text = told(turing=[found])
    assert "By answers to “who”: expert " in text
    assert "Significantly, expert found more than reader (p < .001)." in text
    assert [row[0] for row in share_table(found).rows[:3]] == ["everybody", "who: expert", "who: reader"]
    assert "No difference between groups is significant." in told(turing=[grouped(first=0.7, second=0.7)])


def test_a_side_that_is_preferred_is_told() -> None:
    rows = [pair_row(f"p{i}", f"x{j}", float(j % 2), first=True) for i in range(8) for j in range(6)]
    rows += [pair_row(f"p{i}", f"c{j}", None, first=i != 0) for i in range(8) for j in range(6)]
    text = told(turing=[analyse_turing(rows, samples=50)])
    assert "the first text was chosen in 87.5% in 6 pairs of kind control" in text
    assert "People prefer a side: see the table." in text


def test_a_side_that_everybody_always_chose_is_preferred() -> None:
    rows = [pair_row(f"p{i}", f"x{j}", float((i + j) % 2), first=bool(j % 3)) for i in range(8) for j in range(6)]
    rows += [pair_row(f"p{i}", f"c{j}", None) for i in range(8) for j in range(6)]
    found = analyse_turing(rows, samples=50)
    assert "the first text was chosen in 100.0% in 6 pairs of kind control" in told(turing=[found])
    assert "People prefer a side: see the table." in told(turing=[found])
    assert sides_table(found).rows[1][5] == "< .001"
    assert "take them to be independent" in sides_table(found).caption


def conditions(**people: tuple[int, float]) -> Turing:
    """Groups of so many people, each with its share; all of them alike."""
    rows = [
        {**pair_row(f"{name}{i}", f"x{j}", float(10 * share > j)), "condition": name}
        for name, (number, share) in people.items()
        for i in range(number)
        for j in range(10)
    ]
    return analyse_turing(rows, samples=50)


def test_groups_that_are_apart_altogether_differ() -> None:
    text = told(turing=[conditions(experts=(6, 1.0), readers=(6, 0.0))])
    assert "Significantly, experts found more than readers (p = .002)." in text  # 2 of 924 ways to make the groups


def test_a_group_of_one_person_is_said_not_to_be_comparable() -> None:
    found = conditions(expert=(1, 0.9), readers=(6, 0.3))
    text = told(turing=[found])
    assert "Of one person, or one pair, a group cannot be compared: expert and readers." in text
    assert "significant" not in text
    assert "Wilson’s: nothing is said of other people." in turing_figure(found).caption
    text = told(turing=[conditions(expert=(1, 0.9), readers=(6, 0.3), fans=(6, 0.3))])
    assert "cannot be compared: expert and fans; expert and readers. No other difference between groups is" in text
    text = told(turing=[conditions(a=(1, 0.9), b=(1, 0.9), c=(1, 0.3), d=(1, 0.3))])
    assert "cannot be compared: a and b; a and c; a and d; and 3 more." in text


def test_one_person_says_nothing_of_others() -> None:
    rows = [pair_row("ann", f"x{j}", float(j > 0), first=bool(j % 2)) for j in range(12)]
    rows += [pair_row("ann", f"c{j}", None) for j in range(12)]
    text = told(turing=[analyse_turing(rows)])
    assert "One person’s choices say nothing of what others can tell. That is more than guessing" in text
    assert "this person can tell, though not always" in text
    assert "This person prefers a side" in text


def test_several_questions_are_named() -> None:
    one = turing_with(0.75)
    assert told(turing=[one, one]).count("Question “which”. ") == 2


def test_coders_who_cannot_be_compared() -> None:
    def comment(person: str, **codes: list[str]) -> dict[str, Any]:
        return {**about_person(person, "why", "so", type="comment"), "codes": codes}

    apart = coded_comments([comment("a", ann=["flow"]), comment("b", bob=["flow"])])
    assert "How far ann and bob agree cannot be told." in told(comments=apart)


def tasks_with(effect: float) -> Tasks:
    """Ten people with both systems; the phone is quicker and better by so much."""
    rows, random = [], np.random.default_rng(1)
    for i in range(10):
        for j in range(4):
            system, wave = ("phone", "browser")[(i + j) % 2], random.uniform(0, 0.2)
            gain = effect * (system == "phone")
            rows.append(solution(f"p{i}", f"t{j}", system, 0.4 + gain + wave, 40 - 30 * gain + i + 20 * wave))
    return analyse_tasks(rows, samples=50)


def test_differences_between_tasks() -> None:
    found = tasks_with(0.4)
    text = told(tasks=[found])
    assert "By system: browser, 100.0% of 20 tasks completed (83.9 to 100.0%), quality " in text
    assert "phone gives a better quality than browser (by ." in text
    assert "phone takes less time than browser (by 1" in text
    assert "phone gives more quality a minute than browser (by " in text
    assert {better(own) for own in found.comparisons} == {"phone"}
    assert "does not show that there is none" in told(tasks=[tasks_with(0.0)])
    assert told(tasks=[found, found]).count("Task “") == 2


def test_two_groups_of_people_and_many_levels() -> None:
    rows = [
        solution(f"{level}{i}", f"t{j}", level, (i + j) % 2, 30.0 + i)
        for level in "abcdef"
        for i in range(2)
        for j in range(2)
    ]
    found = analyse_tasks(rows, samples=20, trials=20)
    assert people_of(found.comparisons[0]) == "2 and 2"
    assert "2 and 2, between" in comparisons_table(found).rows[0]
    assert "; and 2 more. Intervals are of 95%." in told(tasks=[found])


def test_one_level_has_nothing_to_compare_and_ungraded_ones_no_quality() -> None:
    found = analyse_tasks([solution("ann", "a", "phone", None, None)], samples=20)
    text = told(tasks=[found])
    assert "quality –. Intervals" in text
    assert "significant" not in text
    assert tasks_figure(found).name == "tasks-by-system-tasks"


def test_without_time_nothing_is_said_of_it() -> None:
    rows = [
        solution(f"p{i}", f"t{j}", ("phone", "browser")[(i + j) % 2], (i + j) % 3 / 2, 0)
        for i in range(6)
        for j in range(4)
    ]
    found = analyse_tasks(rows, samples=50, trials=100)
    text = told(tasks=[found])
    assert "No time was measured, so that time and quality by time cannot be analysed." in text
    assert "seconds" not in text
    assert "No difference in quality is significant (6 participants or more a comparison)" in text
    assert {row[0] for row in comparisons_table(found).rows} == {"quality"}
    assert {row[0] for row in measures_table(found).rows} == {"quality, mean"}
    assert "No time was measured" in measures_table(found).caption
    drawn = tasks_figure(found)
    assert [axes.get_xlabel() for axes in drawn.figure.axes] == ["completed (%)", "quality"]
    assert "No time was measured" in drawn.caption
    timed = tasks_figure(tasks_with(0.4))
    assert [axes.get_xlabel() for axes in timed.figure.axes][2:] == ["seconds", "quality a minute"]


def test_all_quality_by_all_time_has_an_interval() -> None:
    (row, *_) = [row for row in measures_table(tasks_with(0.4)).rows if row[0] == "quality a minute, in all"]
    assert " to " in row[3]


def test_where_nothing_is_graded_nothing_is_compared() -> None:
    rows = [solution(f"p{i}", f"t{j}", "ab"[(i + j) % 2], None, 0) for i in range(4) for j in range(2)]
    found = analyse_tasks(rows, samples=20)
    assert [table.title for table in task_tables(found)] == ["Tasks completed", "Quality"]
    assert "No difference could be tested: that takes two people or more with quality on either side." in told(
        tasks=[found]
    )


def test_control_pairs_stand_beside_and_every_row_has_its_n() -> None:
    rows = [pair_row(f"p{i}", f"x{j}", float((i + j) % 3 > 0), first=bool(j % 2)) for i in range(8) for j in range(6)]
    without = turing_figure(analyse_turing(rows, samples=50))
    assert [axes.get_title() for axes in without.figure.axes] == [
        "identified, by people",
        "identified, by pair",
    ]
    rows += [pair_row(f"p{i}", f"c{j}", None, first=i % 3 != 0) for i in range(8) for j in range(2)]
    drawn = turing_figure(analyse_turing(rows, samples=50))
    people, controls, pairs = drawn.figure.axes
    assert [label.get_text() for label in controls.get_yticklabels()] == ["one text is a person’s", "control"]
    assert [text.get_text() for text in controls.texts] == ["48", "16", "n"]
    assert [text.get_text() for text in people.texts] == ["48", "n"]
    assert [text.get_text() for text in pairs.texts] == ["8"] * 6 + ["n"]
    assert "Control pairs have no right answer" in drawn.caption


def test_the_question_that_divides_people_is_given_in_full() -> None:
    found = replace(grouped(first=0.6, second=0.8), group_text="Do you write for a living?")
    assert "By answers to “Do you write for a living?” (who): expert " in told(turing=[found])
    assert "“Do you write for a living?” (who)" in turing_figure(found).caption


def test_sensitivity_has_an_interval() -> None:
    found = turing_with(0.75)
    assert f"Sensitivity d' is {found.pooled.d_prime:.2f}".replace(" 0.", " .") in told(turing=[found])
    assert "(95% interval for other people " in told(turing=[found])
    assert [" to " in row[2] for row in detection_table(found).rows] == [True, True]


def test_one_person_with_a_system_says_nothing_of_others() -> None:
    rows = [
        solution(f"p{system}", f"t{j}", system, j / 4, 30.0 + j) for system in ("phone", "browser") for j in range(4)
    ]
    found = analyse_tasks(rows, samples=20)
    text = told(tasks=[found])
    assert "One person alone worked with browser and phone, and says nothing of others." in text
    assert "No difference could be tested" in text
    assert "From one person there is no interval" in tasks_figure(found).caption


def test_of_very_many_pairs_the_hardest_are_drawn() -> None:
    drawn = turing_figure(turing_with(0.7, people=2, pairs=MOST_PAIRS + 5))
    assert f"each of the {MOST_PAIRS} of {MOST_PAIRS + 5} pairs that fooled most people" in drawn.caption
    assert len(drawn.figure.axes[1].get_yticklabels()) == MOST_PAIRS
