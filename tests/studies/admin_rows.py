"""A small study and its rows, written out: six items of two systems, ratings, pairs, a check, comments, a task."""

from __future__ import annotations

from collections.abc import Sequence

from fergus.studies.model import Answer, Item
from fergus.studies.questions.choice import Choice
from fergus.studies.questions.comment import Comment
from fergus.studies.questions.pair import Pair
from fergus.studies.questions.rating import Dimension, Rating
from fergus.studies.questions.review import Review
from fergus.studies.questions.task import Task
from fergus.studies.storage.answers import AnswerRow, Given, Submission
from fergus.studies.storage.participants import ParticipantRow
from fergus.studies.study import Assignment, Block, Study

ITEMS = tuple(Item(f"i{n}", f"Text {n}.", {"group": f"g{n // 2}", "system": "ab"[n % 2]}) for n in range(6))
QUALITY = Rating("quality", dimensions={"fluent": Dimension("Is it fluent?"), "clear": Dimension("Is it clear?")})
CHECK = Choice("check", options=("red", "blue"), right="blue")
MAIN = Block("main", (QUALITY,), items={})
STUDY = Study(
    "small",
    "A small study",
    (
        Block("practice", (QUALITY, CHECK), items={"group": ("g0",)}, practice=True),
        MAIN,
        Block("sides", (Pair("which"),), items={}, page="group"),
        Block("about", (CHECK, Comment("why", categories={"order": "Word order", "words": "Choice of words"}))),
        Block("expert", (Review("look", categories={"good": "Good"}),), items={}),
        Block("work", (Task("sum", grading="by-hand", gold="four"),)),
    ),
    ITEMS,
    assignment=Assignment(judgements=2),
    version="v1",
)


def person(number: int, *, state: str = "active", condition: str = "", version: str = "v1") -> ParticipantRow:
    ended = 1000 if state == "completed" else None
    return ParticipantRow(
        number, 1, version, f"key{number}", None, None, {}, "person", state, condition, 0, (), 0, 0, 0, ended,
        "small", "open",
    )  # fmt: skip


def answer(
    number: int,
    page: int,
    value: Answer,
    *,
    block: str = "main",
    question: str = "quality",
    items: Sequence[str] = (),
    ms: int | None = None,
    opened_ms: int | None = None,
    shown_ms: int | None = None,
    submitted_ms: int | None = None,
    id: int = 0,
) -> AnswerRow:
    submission = Submission(page, block, tuple(items), opened_ms, shown_ms, submitted_ms, ms)
    return AnswerRow(id or 1000 * number + page, number, submission, Given(question, tuple(items), value))
