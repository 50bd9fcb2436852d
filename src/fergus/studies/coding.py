"""What coders code: comments, the remarks of reviews, and the solutions of tasks that are graded by hand.

The code book is the question's ``categories``. What was coded comes as rows, of which the newest of a coder counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from fergus.studies.model import Item, Json
from fergus.studies.questions.base import Question
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.review import OVERALL, Review
from fergus.studies.questions.task import Task
from fergus.studies.storage.answers import AnswerRow
from fergus.studies.study import Study


@dataclass(frozen=True)
class Codable:
    """Something that somebody wrote and that is to be coded, once by each coder."""

    answer_id: int
    part: int
    """Which remark of a review, the comment on the whole after the last; otherwise 0."""
    participant_id: int
    block: str
    question: str
    written: str
    """What is coded."""
    about: str = ""
    """The words that a remark is on; empty where it is on all of the text."""
    own: str = ""
    """The category that the expert chose, where experts choose."""
    gold: str = ""
    """The right solution, where a task has one."""
    item: Item | None = None

    @property
    def key(self) -> tuple[int, int]:
        """What tells it from all others."""
        return self.answer_id, self.part


@dataclass(frozen=True)
class CodeBook:
    """How the answers to one question are coded."""

    question: str
    text: str
    categories: Mapping[str, str]
    """What each code means."""
    is_graded: bool
    """Are they given a grade from 0 to 1, rather than codes?"""


def code_book(question: Question) -> CodeBook | None:
    """How the answers to a question are coded; None if they are not."""
    if isinstance(question, Comment | Review):
        return CodeBook(question.name, question.text, question.categories, is_graded=False)
    if isinstance(question, Task) and question.grading == "by-hand":
        return CodeBook(question.name, question.text, {}, is_graded=True)
    return None


def code_books(study: Study) -> dict[str, CodeBook]:
    """Those of a study, by question, in the order in which they are asked; questions of practice have none."""
    asked = [question for block in study.blocks if not block.practice for question in block.questions]
    return {question.name: book for question in asked if (book := code_book(question)) is not None}


def codables(answers: Iterable[AnswerRow], *, study_of: Callable[[int], Study]) -> list[Codable]:
    """Everything to code; ``study_of`` gives the version that a participant saw."""
    return [one for row in answers for one in _parts(row, study_of(row.participant_id))]


def _parts(row: AnswerRow, study: Study) -> list[Codable]:
    block = study.by_name.get(row.submission.block)
    asked = {question.name: question for question in block.questions} if block and not block.practice else {}
    question = asked.get(row.given.question)
    value = row.given.value
    item = study.by_id.get(row.given.items[0]) if row.given.items else None

    def codable(part: int, written: object, *, about: str = "", own: str = "", gold: str = "") -> Codable:
        number, person, block = row.id, row.participant_id, row.submission.block
        return Codable(number, part, person, block, row.given.question, str(written), about, own, gold, item)

    if isinstance(question, Comment):
        return [codable(0, value["comment"])]
    if isinstance(question, Task) and question.grading == "by-hand":
        return [codable(0, value["solution"], gold=question.gold_of([item] if item else []))]
    if not isinstance(question, Review):
        return []
    remarks = cast("list[dict[str, Json]]", value["remarks"])
    found = [
        codable(part, one["comment"], about=str(one["part"] or ""), own=str(one["category"] or ""))
        for part, one in enumerate(remarks)
    ]
    return [*found, *([codable(len(remarks), value[OVERALL])] if OVERALL in value else [])]
