"""Whose answers need a look: straight lines, pages sent too fast, attention checks answered wrongly.

A flag is a reason to look at somebody's answers, never a verdict on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import TYPE_CHECKING

from fergus.studies.questions.choice import Choice
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Rating
from fergus.studies.study import Study

if TYPE_CHECKING:  # an analysis of tables names the flags without a database's packages
    from fergus.studies.storage.answers import AnswerRow, Submission
    from fergus.studies.storage.participants import ParticipantRow

FEWEST_ANSWERS = 8
"""Nobody is called a straight-liner on fewer answers."""
SAME_SHARE = 0.95
"""A straight-liner gave the same answer at least this often."""
FEWEST_PEOPLE = 5
"""Before this many have seen a block, its typical time is not known."""
MOST_SPEED = 3.0
TOO_FAST = 2.0
"""Twice as fast as is typical, on the average page; a page counts as at most three times as fast
(the relative speed index of Leiner, Too Fast, too Straight, too Weird, 2019)."""
FLAGS = {
    "straight": "gave nearly always the same answer",
    "fast": "sent pages much faster than others",
    "failed": "failed an attention check",
}
"""What can be remarkable about somebody, and in words: this is what whoever has the flag did."""


@dataclass(frozen=True)
class PersonProgress:
    """One participant: how far, how long, and what is remarkable."""

    participant: ParticipantRow
    duration_ms: int | None
    """Time on all pages so far; None if none was sent, or nothing is known of it."""
    speed: float | None
    """How much faster than is typical; None if that cannot be told."""
    same_share: float | None
    """How often the commonest answer was given; None if too few answers can be compared."""
    checks: int
    failed: int
    """Attention checks, and those answered wrongly."""

    @property
    def is_straight_liner(self) -> bool:
        """Was (nearly) every answer the same?"""
        return self.same_share is not None and self.same_share >= SAME_SHARE

    @property
    def is_too_fast(self) -> bool:
        """Were the pages sent much faster than others send them?"""
        return self.speed is not None and self.speed >= TOO_FAST

    @property
    def flags(self) -> frozenset[str]:
        """Those of ``FLAGS`` that the person has."""
        found = {"straight": self.is_straight_liner, "fast": self.is_too_fast, "failed": self.failed > 0}
        return frozenset(name for name, is_so in found.items() if is_so)


def time_on(page: Submission) -> int | None:
    """How long somebody was at a page: by the browser's word, or else from showing to sending."""
    if page.active_ms is not None:
        return page.active_ms
    since = page.shown_ms if page.shown_ms is not None else page.opened_ms
    return None if since is None or page.submitted_ms is None else max(0, page.submitted_ms - since)


def times_by_block(people: Iterable[Sequence[Submission]]) -> dict[str, list[int]]:
    """The times of all pages, by block, in the order in which blocks are met."""
    times: dict[str, list[int]] = {}
    for pages in people:
        for page in pages:
            if (time := time_on(page)) is not None:
                times.setdefault(page.block, []).append(time)
    return times


def typical_times(people: Iterable[Sequence[Submission]]) -> dict[str, float]:
    """The median time of a page by block, for blocks that enough people have seen."""
    people = list(people)
    seen = Counter(block for pages in people for block in {page.block for page in pages})
    return {block: median(times) for block, times in times_by_block(people).items() if seen[block] >= FEWEST_PEOPLE}


def look_at(
    person: ParticipantRow,
    answers: Sequence[AnswerRow],
    pages: Sequence[Submission],
    *,
    typical: Mapping[str, float],
    study: Study,
) -> PersonProgress:
    """What one participant's answers and pages show; the study is the version that the participant saw."""
    times = [(page.block, time) for page in pages if (time := time_on(page)) is not None]
    speeds = [min(MOST_SPEED, typical[block] / max(time, 1)) for block, time in times if block in typical]
    given, scores = _compared(answers, study)
    return PersonProgress(
        person,
        sum(time for _, time in times) if times else None,
        mean(speeds) if speeds else None,
        _same_share(given.values()),
        len(scores),
        sum(score < 1 for score in scores),
    )


def _same_share(given: Iterable[Sequence[object]]) -> float | None:
    """Over all questions: how often their commonest answers were given."""
    given = list(given)
    count = sum(map(len, given))
    if count < FEWEST_ANSWERS:
        return None
    return sum(Counter(answers).most_common(1)[0][1] for answers in given) / count


def _compared(answers: Sequence[AnswerRow], study: Study) -> tuple[dict[str, list[object]], list[float]]:
    """What shows a straight line (points of a scale, sides of a pair) by question, and scores of attention checks.

    The score of a pair or of a task is what the study finds out: to be wrong there is no lack of attention.
    """
    asked = {
        (block.name, question.name): question
        for block in study.blocks
        if not block.practice
        for question in block.questions
    }
    given: dict[str, list[object]] = {}
    scores: list[float] = []
    for row in answers:
        question = asked.get((row.submission.block, row.given.question))
        if isinstance(question, Pair):
            chosen = row.given.value.get("chosen")
            side = row.given.items.index(chosen) if isinstance(chosen, str) and chosen in row.given.items else None
            given.setdefault(question.name, []).append(side)
        elif isinstance(question, Rating | Choice):
            items = [study.by_id[item] for item in row.given.items if item in study.by_id]
            judged = question.judgements(row.given.value, items)
            right = [one.score for one in judged if one.score is not None]
            scores += right
            if isinstance(question, Rating) and row.given.items and not right:
                given.setdefault(question.name, []).append(tuple(str(one.value) for one in judged))
    return given, scores
