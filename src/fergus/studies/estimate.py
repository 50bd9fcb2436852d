"""What a study will be like: pages and judgements of a participant, how long it takes, how many people it needs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from fergus.studies.assign import conditions_of, plan
from fergus.studies.model import PlannedPage
from fergus.studies.questions.base import Question
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Rating
from fergus.studies.questions.review import Review
from fergus.studies.questions.task import Task
from fergus.studies.study import Study

WORDS_A_MINUTE = 230
"""Silent reading of English by adults."""
SECONDS_A_PAGE = 2.0
_SECONDS: dict[type[Question], float] = {Choice: 5.0, Comment: 25.0, Pair: 4.0, Review: 90.0, Task: 45.0}
_OTHER_SECONDS = 6.0


@dataclass(frozen=True)
class Estimate:
    """The figures of a study; those of a participant are of the first condition."""

    items: int
    pages: int
    """That a participant answers or reads, practice included."""
    judgements: int
    """Answers about items that a participant gives, practice left out; every scale of a rating counts."""
    minutes: float
    conditions: int
    participants: int | None
    """How many are needed for what the study asks for; None if it does not say."""


def estimate(study: Study) -> Estimate:
    """Count one participant's plan; times are rules of thumb."""
    conditions = conditions_of(study)
    pages = plan(study, conditions[0], seed=0, judged={})
    words, seconds, judgements = len(study.welcome.split()), 0.0, 0
    for page in pages:
        block = study.by_name[page.block]
        items = [study.by_id[name] for name in page.items]
        contexts = {item.context for item in items}
        words += sum(len(text.split()) for text in (*contexts, *(item.text for item in items), block.text))
        seconds += SECONDS_A_PAGE
        for question in block.questions:
            times = len(items) if items and not question.compares and question.ask == "item" else 1
            scales = len(question.dimensions) if isinstance(question, Rating) else 1
            words += len(question.text.split())
            seconds += _seconds(question) * times * scales
            if items and not block.practice:
                judgements += times * scales
    minutes = words / WORDS_A_MINUTE + seconds / 60
    return Estimate(
        len(study.items), len(pages), judgements, minutes, len(conditions), _participants(study, pages, len(conditions))
    )


def _seconds(question: Question) -> float:
    if isinstance(question, Task) and question.seconds is not None:
        return min(question.seconds, 2 * _SECONDS[Task])
    return _SECONDS.get(type(question), _OTHER_SECONDS)


def _participants(study: Study, pages: tuple[PlannedPage, ...], conditions: int) -> int | None:
    """As many as the file says, or as give every page the judgements that it is to have."""
    assignment = study.assignment
    if assignment.participants is not None or assignment.judgements is None:
        return assignment.participants
    needed = 0
    for block in study.blocks:
        seen = sum(page.block == block.name for page in pages)
        if block.items is not None and not (block.practice or block.everyone) and seen:
            # All rows of a Latin square together show every variant once.
            rounds = conditions if assignment.design == "latin-square" else len(study.pages_of(block)) / seen
            needed = max(needed, ceil(assignment.judgements * rounds))
    return needed or None
