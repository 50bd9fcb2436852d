"""How a study is getting on: who is where, what has been judged, how long it takes; pure functions over stored rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from fergus.studies.assign import conditions_of, counted_pages, is_always, levels_of
from fergus.studies.flags import PersonProgress, look_at, times_by_block, typical_times
from fergus.studies.storage.answers import AnswerRow, Submission
from fergus.studies.storage.participants import ParticipantRow
from fergus.studies.study import Study

STATES = ("active", "completed", "declined", "withdrawn")


@dataclass(frozen=True)
class ConditionProgress:
    """Participants of a condition by state."""

    condition: str
    states: Mapping[str, int]


@dataclass(frozen=True)
class ItemProgress:
    """How many people have judged an item."""

    item: str
    text: str
    system: str
    judges: int
    target: int | None
    """None where the study names no number, and for items that everybody sees."""


@dataclass(frozen=True)
class BlockTime:
    """How long a page of a block takes."""

    block: str
    pages: int
    median_ms: int


@dataclass(frozen=True)
class Progress:
    """All of it."""

    states: Mapping[str, int]
    conditions: tuple[ConditionProgress, ...]
    items: tuple[ItemProgress, ...]
    blocks: tuple[BlockTime, ...]
    median_page_ms: int | None
    median_total_ms: int | None
    """Of those who completed it."""
    people: tuple[PersonProgress, ...]
    answers: int

    @property
    def straight_liners(self) -> int:
        """How many."""
        return sum(person.is_straight_liner for person in self.people)

    @property
    def too_fast(self) -> int:
        """How many."""
        return sum(person.is_too_fast for person in self.people)

    @property
    def failed_checks(self) -> int:
        """How many people answered an attention check wrongly."""
        return sum(person.failed > 0 for person in self.people)


def measure(
    study: Study,
    people: Sequence[ParticipantRow],
    answers: Iterable[AnswerRow],
    *,
    study_of: Callable[[ParticipantRow], Study],
) -> Progress:
    """The progress of a study in its current version; ``study_of`` gives the version that a participant saw."""
    by_person: dict[int, list[AnswerRow]] = defaultdict(list)
    for row in answers:
        by_person[row.participant_id].append(row)
    pages = {person.id: _pages(by_person[person.id]) for person in people}
    typical = typical_times(pages.values())
    found = tuple(
        look_at(person, by_person[person.id], pages[person.id], typical=typical, study=study_of(person))
        for person in people
    )
    states = Counter(person.state for person in people)
    times = times_by_block(pages.values())
    totals = [one.duration_ms for one in found if one.duration_ms is not None and one.participant.state == "completed"]
    return Progress(
        {state: states[state] for state in STATES},
        _conditions(study, people),
        _items(study, people, by_person),
        tuple(BlockTime(name, len(block), round(median(block))) for name, block in times.items()),
        round(median([time for block in times.values() for time in block])) if times else None,
        round(median(totals)) if totals else None,
        found,
        sum(map(len, by_person.values())),
    )


def target_of(study: Study) -> int | None:
    """How many people are to judge each item; None if the study does not say."""
    assignment = study.assignment
    if assignment.judgements is not None or assignment.participants is None or study.conditions:
        return assignment.judgements
    if assignment.design == "all":
        return assignment.participants
    if assignment.design == "latin-square":
        return assignment.participants // max(1, len(levels_of(study)))
    return None


def share_done(study: Study, completed: int, judged: Mapping[tuple[str, str], int]) -> float | None:
    """How much of what is wanted is there, from 0 to 1: judgements, or else participants; None if there is no aim.

    ``judged`` counts the participants of each block's pages, by key.
    """
    target = study.assignment.judgements
    if target:
        pages = counted_pages(study)
        return sum(min(target, judged.get(page, 0)) for page in pages) / (target * len(pages)) if pages else None
    if study.assignment.participants:
        return min(1.0, completed / study.assignment.participants)
    return None


def _pages(answers: Sequence[AnswerRow]) -> list[Submission]:
    return list({row.submission.page: row.submission for row in answers}.values())


def _conditions(study: Study, people: Sequence[ParticipantRow]) -> tuple[ConditionProgress, ...]:
    """In the study's order; those of earlier versions after them."""
    names = dict.fromkeys([*conditions_of(study), *(person.condition for person in people)])
    counts = Counter((person.condition, person.state) for person in people)
    return tuple(ConditionProgress(name, {state: counts[name, state] for state in STATES}) for name in names)


def _items(
    study: Study, people: Sequence[ParticipantRow], by_person: Mapping[int, Sequence[AnswerRow]]
) -> tuple[ItemProgress, ...]:
    """The items of blocks that are not practice, in the file's order; those who withdrew are not counted."""
    counts: Counter[str] = Counter()
    practice = {block.name for block in study.blocks if block.practice}
    for person in people:
        if person.state in ("active", "completed"):
            rows = by_person[person.id]
            counts.update({item for row in rows if row.submission.block not in practice for item in row.given.items})
    shown = {item.id for block in study.blocks if not block.practice for item in study.items_of(block)}
    by_all = {item.id for block in study.blocks if block.everyone for item in study.items_of(block)}
    target = target_of(study)
    return tuple(
        ItemProgress(
            item.id,
            item.text,
            item.system,
            counts[item.id],
            None if item.id in by_all or is_always(item) else target,
        )
        for item in study.items
        if item.id in shown
    )
