"""What a participant can do: arrive, join, see the next page, answer it, stop; each step is one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Unpack

from fergus.errors import FergusError
from fergus.studies.asked import Asked, asked_on
from fergus.studies.interface import Message
from fergus.studies.join import Arrival, Joining, RefusedError
from fergus.studies.model import Answer, Form, Item, PlannedPage
from fergus.studies.questions.base import AnswerError
from fergus.studies.questions.task import Task
from fergus.studies.storage import answers, participants, studies
from fergus.studies.storage.answers import Given, Submission
from fergus.studies.storage.database import Database, Transaction
from fergus.studies.storage.participants import ParticipantRow
from fergus.studies.storage.studies import StudyRow
from fergus.studies.study import Block, Study
from fergus.studies.study_file import parse_study


@dataclass(frozen=True)
class View:
    """What a participant sees now: a page to answer, or the end."""

    study: Study
    participant: ParticipantRow
    page: PlannedPage | None
    """None when there is nothing left to answer."""

    @property
    def block(self) -> Block:
        """The block of the page."""
        return self.study.by_name[self.page.block if self.page else ""]

    @property
    def items(self) -> tuple[Item, ...]:
        """The items on the page, in the order shown."""
        return tuple(self.study.by_id[item] for item in self.page.items) if self.page else ()

    @property
    def asked(self) -> tuple[Asked, ...]:
        """What the page asks: of each item, then of all of them."""
        return asked_on(self.block, self.items) if self.page else ()

    @property
    def seconds(self) -> int | None:
        """The time that the page has; None if there is no limit."""
        questions = self.block.questions if self.page else ()
        return min((q.seconds for q in questions if isinstance(q, Task) and q.seconds is not None), default=None)

    @property
    def opened_ms(self) -> int:
        """Since when the page could be answered: with a time limit since it was first shown, else since it is next."""
        row = self.participant
        return row.served_ms if row.served_ms is not None else row.seen_ms


@dataclass(frozen=True)
class Outcome:
    """What became of a page that was sent."""

    view: View
    problems: Mapping[str, str]
    """What is wrong, by full name of the field and in the study's words; nothing was written then."""
    is_repeated: bool = False
    """The page had been answered before: the first answer stands."""
    submitted: View | None = None
    """The page that was accepted, for the feedback of practice."""
    given: tuple[Given, ...] = ()


def parse_page(asked: tuple[Asked, ...], form: Form) -> tuple[list[Given], dict[str, Message]]:
    """The answers in a form, and what is wrong with it by full name of the field."""
    given: list[Given] = []
    problems: dict[str, Message] = {}
    for one in asked:
        own = {name.removeprefix(one.prefix): form[name] for name in form if name.startswith(one.prefix)}
        try:
            answer: Answer | None = one.question.parse(own, one.items)
        except AnswerError as error:
            problems |= {one.prefix + name: problem for name, problem in error.problems.items()}
            continue
        if answer is not None:
            given.append(Given(one.question.name, tuple(item.id for item in one.items), answer))
    return given, problems


class Service:
    """The steps of a participant on one database; ``now_ms`` is the clock."""

    def __init__(self, database: Database, *, now_ms: Callable[[], int] | None = None) -> None:
        self.database = database
        self.now_ms = now_ms or (lambda: time.time_ns() // 1_000_000)
        self._study = lru_cache(maxsize=64)(self._parsed)

    def study(self, row: StudyRow | ParticipantRow) -> Study:
        """A study in the version that a row names; versions never change, so they are parsed once."""
        number, name = (row.id, row.name) if isinstance(row, StudyRow) else (row.study_id, row.study)
        return self._study(number, name, row.version)

    def _parsed(self, study_id: int, name: str, version: str) -> Study:
        with self.database.read() as transaction:
            files = studies.find_version(transaction, study_id, version)
        if files is None:
            raise FergusError(f"version {version} of {name} is not in the database")
        return parse_study(files.text, files.items_text, name=files.file_name, items_name=files.items_name)

    def join(self, row: StudyRow, **arrival: Unpack[Arrival]) -> str:
        """Take part: the key of the new participant, or of the one who is known already; raises RefusedError."""
        return self.join_later(row, **arrival).result()

    def join_later(self, row: StudyRow, **arrival: Unpack[Arrival]) -> Future[str]:
        """As ``join``, without waiting."""
        joining = Joining.of(row, self.study(row), **arrival)
        return self.database.write_later(lambda transaction: joining.key(transaction, now_ms=self.now_ms()))

    def view(self, key: str) -> View | None:
        """What the participant sees now; None for an unknown key."""
        with self.database.read() as transaction:
            row = participants.by_key(transaction, key)
        return None if row is None else self._view(row)

    def serve_later(self, view: View, *, is_again: bool = False) -> Future[View]:
        """Start the clock of a page that is about to be shown, if it has one and it does not run yet.

        ``is_again`` starts it anew: the page was sent before, but did not arrive.
        """
        row = view.participant
        if view.seconds is None or (row.served_ms is not None and not is_again):
            done: Future[View] = Future()
            done.set_result(view)
            return done

        def work(transaction: Transaction) -> View:
            participants.set_served(transaction, row.id, page=row.page, now_ms=self.now_ms(), is_again=is_again)
            return self._view(participants.by_key(transaction, row.key) or row)

        return self.database.write_later(work)

    def _view(self, row: ParticipantRow) -> View:
        is_over = row.state != "active" or row.page >= len(row.plan)
        return View(self.study(row), row, None if is_over else row.plan[row.page])

    def submit(
        self, key: str, page: int, form: Form, *, shown_ms: int | None = None, active_ms: int | None = None
    ) -> Outcome | None:
        """Answer a page; what the outcome says is on disk. None for an unknown key; raises RefusedError when paused."""
        return self.submit_later(key, page, form, shown_ms=shown_ms, active_ms=active_ms).result()

    def submit_later(
        self, key: str, page: int, form: Form, *, shown_ms: int | None = None, active_ms: int | None = None
    ) -> Future[Outcome | None]:
        """As ``submit``, without waiting."""
        return self.database.write_later(
            lambda transaction: self._submit(transaction, key, page, form, shown_ms, active_ms)
        )

    def _submit(
        self, transaction: Transaction, key: str, page: int, form: Form, shown_ms: int | None, active_ms: int | None
    ) -> Outcome | None:
        row = participants.by_key(transaction, key, locked=True)
        if row is None:
            return None
        view = self._view(row)
        if view.page is None or page != row.page:
            return Outcome(view, {}, is_repeated=True)
        if row.study_state == "paused" and row.kind == "person":
            raise RefusedError("paused")
        given, problems = parse_page(view.asked, form)
        if problems:
            words = view.study.interface
            return Outcome(view, {name: problem.said(words) for name, problem in problems.items()})
        now = self.now_ms()
        opened = view.opened_ms
        shown = min(max(shown_ms, opened), now) if shown_ms is not None else None
        active = min(max(active_ms, 0), max(now - opened, 0)) if active_ms is not None else None
        answers.add_submission(
            transaction,
            row.id,
            Submission(page, view.page.block, view.page.items, opened, shown, now, active),
            given,
        )
        by_name = {question.name: question for question in view.block.questions}
        declined = any(by_name[one.question].ends(one.value) for one in given)
        is_last = page + 1 == len(row.plan)
        state = "declined" if declined else "completed" if is_last else "active"
        participants.set_page(transaction, row.id, page=page + 1, state=state, now_ms=now)
        after = replace(
            row,
            page=page + 1,
            state=state,
            seen_ms=now,
            served_ms=None,
            completed_ms=now if state == "completed" else None,
        )
        if declined:
            participants.forget(transaction, row.id)
            after = replace(after, external=None, parameters={})
        return Outcome(self._view(after), {}, submitted=view, given=tuple(given))

    def withdraw(self, key: str) -> bool:
        """Stop taking part; what was answered stays, marked as withdrawn. False for an unknown key."""

        def work(transaction: Transaction) -> bool:
            row = participants.by_key(transaction, key, locked=True)
            if row is not None and row.state == "active":
                participants.set_page(transaction, row.id, page=row.page, state="withdrawn", now_ms=self.now_ms())
            return row is not None

        return self.database.write(work)
