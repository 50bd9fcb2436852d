"""What practice tells: whether an answer was right, and which one would have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fergus.studies.asked import Asked
from fergus.studies.model import Item
from fergus.studies.questions.base import Question
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.grading import alternatives
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Rating
from fergus.studies.questions.task import Task
from fergus.studies.storage.answers import Given


@dataclass(frozen=True)
class Feedback:
    """On one answer that can be right or wrong."""

    question: str
    about: str
    """The text that was judged, where there was one."""
    is_right: bool
    answer: str
    """The right answer as people read it."""


def feedback_on(asked: Sequence[Asked], given: Sequence[Given]) -> list[Feedback]:
    """On the answers of a page, where there is a right answer."""
    by_place = {(one.question.name, tuple(item.id for item in one.items)): one for one in asked}
    found = []
    for answer in given:
        one = by_place[answer.question, answer.items]
        about = one.items[0].text if len(one.items) == 1 else ""
        for judgement in one.question.judgements(answer.value, one.items):
            if judgement.score is not None:
                right = right_answer(one.question, one.items, judgement.dimension)
                text = _text_of(one.question, judgement.dimension)
                found.append(Feedback(text, about, judgement.score == 1, right))
    return found


def right_answer(question: Question, items: Sequence[Item], dimension: str) -> str:
    """What would have been right, in words; "" if the question's type has nothing to say."""
    if isinstance(question, Pair):
        right = question.right_item(items)
        return right.text if right is not None else ""
    if isinstance(question, Rating):
        scale = question.dimensions[dimension]
        own = items[0].values.get(f"right_{dimension}", "").strip() if items else ""
        point = int(own) if own else scale.right
        label = scale.labels.get(point, "") if point is not None else ""
        return f"{point} ({label})" if label else str(point)
    if isinstance(question, Choice):
        return ", ".join(question.labels[value] for value in question.right_values)
    if isinstance(question, Task):
        return (alternatives(question.gold_of(items)) or [""])[0]
    return ""


def _text_of(question: Question, dimension: str) -> str:
    if isinstance(question, Rating):
        return question.dimensions[dimension].text
    return question.text
