"""Choices between texts, coded comments and tasks in plain language: what was found, and what it does not show."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING

from fergus.analysis.choice_share import CHANCE
from fergus.analysis.comment_tables import agreement_of
from fergus.analysis.many_tests import LEVEL
from fergus.analysis.preference_tables import preferred
from fergus.analysis.task_tables import DECIMALS, SIGN, UNTIMED, compared, completed_bounds, factor_title
from fergus.analysis.tasks import TITLES
from fergus.analysis.turing_tables import group_title
from fergus.analysis.written import counted, figure, interval, is_p, listed, people, percent, percents

if TYPE_CHECKING:
    from fergus.analysis.comments import CodedComments
    from fergus.analysis.of_study import Findings
    from fergus.analysis.tasks import TaskComparison, Tasks
    from fergus.analysis.turing import Turing

MOST = 4
"""So many levels of a task are told in words; the tables have all."""


def study_paragraphs(found: Findings) -> Iterator[str]:
    """A paragraph or two for everything that a study found besides ratings."""
    for test in found.turing:
        begin = f"Question “{test.question}”. " if len(found.turing) > 1 else ""
        yield begin + _identified(test)
        yield from filter(None, (_groups(test), _pairs_and_sides(test)))
    for liked in found.preferences:
        yield preferred(liked)
    for comments in found.comments:
        yield _comments(comments)
    for tasks in found.tasks:
        yield from filter(None, (_levels(tasks, several=len(found.tasks) > 1), _compared(tasks)))


def _identified(test: Turing) -> str:
    share, own = test.share, test.share.choices
    is_one, interval_of = len(test.people) == 1, percents(*share.told_bounds)
    what = "95% interval" if not isnan(share.crossed.low) else "95% interval, choices taken to be independent,"
    text = (
        f"{people(len(test.people))} told machine from human in {percent(own.value)} of {counted(own.n, 'choice')} "
        f"({what} {interval_of}) over {counted(share.crossed.texts, 'pair')}; 50% would be guessing, and 100% if "
        "everybody could always tell."
    )
    if is_one:
        text += " One person’s choices say nothing of what others can tell."
    if own.value == 1:
        return f"{text} Nobody was fooled once."
    p = share.told_p
    if p >= LEVEL:
        low, high = share.told_bounds
        verdict = (
            f" That cannot be told from guessing ({is_p(p)}), which does not show that it is: {percent(low)} or "
            f"{percent(high)} would fit as well."
        )
    elif own.value > CHANCE:
        who = "this person" if is_one else "people"
        verdict = f" That is more than guessing ({is_p(p)}): {who} can tell, though not always."
    else:
        verdict = f" That is less than guessing ({is_p(p)}): the machine’s texts were taken for a person’s."
    own_interval = interval(test.pooled.low, test.pooled.high, 2)
    bounds = "" if isnan(test.pooled.low) else f" (95% interval for other people {own_interval})"
    return f"{text}{verdict} Sensitivity d' is {figure(test.pooled.d_prime, 2)}{bounds}, of all choices together."


def _groups(test: Turing) -> str:
    if not test.groups:
        return ""
    told = [
        f"{own.group} {percent(own.share.choices.value)} ({percents(*own.share.told_bounds)}, {people(own.people)})"
        for own in test.groups
    ]
    clear = [own for own in test.differences if own.corrected_p < LEVEL]
    untested = [f"{own.first} and {own.second}" for own in test.differences if isnan(own.corrected_p)]
    text = f"By {group_title(test)}: {listed(told, most=6)}."
    if untested:
        text += f" Of one person, or one pair, a group cannot be compared: {'; '.join(untested[:3])}"
        text += f"; and {len(untested) - 3:,} more." if len(untested) > 3 else "."
    if not clear:
        which = "other difference" if untested else "difference"
        is_tested = len(untested) < len(test.differences)
        return f"{text} No {which} between groups is significant." if is_tested else text
    parts = []
    for own in clear:
        better, worse = (own.first, own.second) if own.difference.value > 0 else (own.second, own.first)
        parts.append(f"{better} found more than {worse} ({is_p(own.corrected_p)})")
    return f"{text} Significantly, {listed(parts, most=3)}."


def _pairs_and_sides(test: Turing) -> str:
    fooled, number = len(test.fooled), len(test.pairs)
    text = f"{fooled:,} of {counted(number, 'pair')} fooled more than half of those who judged them."
    if fooled == 0:
        text = f"No pair of {number:,} fooled more than half of those who judged it."
    controls = [own for own in test.sides if own.kind]
    if controls:
        told = [
            f"{percent(own.first.choices.value)} in {counted(own.pairs, 'pair')} of kind {own.kind} "
            f"({percents(*own.first.told_bounds)})"
            for own in controls
        ]
        text += f" In control pairs, where there is nothing to find, the first text was chosen in {listed(told)}."
        biased = [own for own in test.sides if own.first.told_p < LEVEL]
        who = "People prefer" if len(test.people) > 1 else "This person prefers"
        text += f" {who} a side: see the table." if biased else " No side was certainly preferred."
    return text


def _comments(found: CodedComments) -> str:
    top = [
        f"{own.code} ({percent(own.people.value)}, {percents(own.people.low, own.people.high)})"
        for own in found.categories[:3]
    ]
    who = people(found.categories[0].people.n)
    return (
        f"Of {counted(found.comments, 'comment')} on “{found.question}” {found.coded:,} were coded, of {who}. Most "
        f"spoke of {listed(top)}. {agreement_of(found)}"
    )


def _levels(found: Tasks, *, several: bool) -> str:
    begin = f"Task “{found.question}”, by {factor_title(found)}: " if several else f"By {factor_title(found)}: "
    told = []
    for own in found.levels[:MOST]:
        quality = f"quality {figure(own.quality.value, 2)} ({interval(own.quality.low, own.quality.high, 2)})"
        if isnan(own.quality.low):
            quality = f"quality {figure(own.quality.value, 2)}"
        seconds = f"{figure(own.seconds.value, 2)} seconds"
        if not isnan(own.seconds.low):
            seconds += f" ({interval(own.seconds.low, own.seconds.high, 2)})"
        done = f"{percent(own.completed.value)} of {counted(own.solutions, 'task')} completed"
        parts = f"{done} ({percents(*completed_bounds(own))})", quality, *([seconds] if found.is_timed else [])
        told.append(f"{own.level}, {', '.join(parts)}")
    more = len(found.levels) - MOST
    text = begin + "; ".join(told) + (f"; and {more:,} more." if more > 0 else ".") + " Intervals are of 95%."
    if alone := [own.level for own in found.levels if own.people == 1]:
        text += f" One person alone worked with {listed(alone, most=MOST)}, and says nothing of others."
    return text if found.is_timed else f"{text} {UNTIMED}"


def _compared(found: Tasks) -> str:
    if not found.comparisons:
        return ""
    tested = [own for own in compared(found) if not isnan(own.corrected_p)]
    what, either = ("quality, time or quality by time", "quality or time") if found.is_timed else ("quality",) * 2
    if not tested:
        return f"No difference could be tested: that takes two people or more with {either} on either side."
    clear = [own for own in tested if own.corrected_p < LEVEL]
    if not clear:
        fewest = min(min(own.people) for own in tested)
        return (
            f"No difference in {what} is significant ({counted(fewest, 'participant')} or "
            "more a comparison); that does not show that there is none."
        )
    return f"Significant are: {'; '.join(map(_difference, clear[:6]))}."


def _difference(own: TaskComparison) -> str:
    places = DECIMALS[own.measure]
    better, worse = own.first, own.second
    if SIGN[own.measure] * own.difference < 0:
        better, worse = worse, better
    size = figure(abs(own.difference), places)
    words = {
        "quality": f"{better} gives a better quality than {worse} (by {size}",
        "seconds": f"{better} takes less time than {worse} (by {size} seconds",
        "per_minute": f"{better} gives more {TITLES['per_minute']} than {worse} (by {size}",
    }
    return f"{words[own.measure]}, {is_p(own.corrected_p)})"
