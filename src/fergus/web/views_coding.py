"""Coding: comments, reviews and hand-graded tasks, by several coders who do not see one another's codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fergus.analysis.codes import CodingReport, report_codings
from fergus.studies.coding import Codable, CodeBook, codables, code_books
from fergus.studies.storage import answers, codings, participants
from fergus.studies.storage.codings import CodingRow
from fergus.studies.storage.studies import StudyRow
from fergus.web.views_study import STUDY, address_of, study_context
from fergus.web.visits import Visit, changing, looking

GRADES = (0.0, 0.25, 0.5, 0.75, 1.0)
ON_A_PAGE = 50


@dataclass(frozen=True)
class Desk:
    """Everything to code in a study, and what has been said of it."""

    books: dict[str, CodeBook]
    everything: list[Codable]
    said: dict[tuple[int, int], dict[str, CodingRow]]
    """By answer and part, then by coder."""

    def of(self, question: str) -> list[Codable]:
        """What is to be coded of one question."""
        return [one for one in self.everything if one.question == question]

    def report(self, question: str) -> CodingReport:
        """What coders made of one question."""
        rows = (row for by_coder in self.said.values() for row in by_coder.values())
        return report_codings(self.books[question], self.of(question), rows)

    def coded_by(self, coder: str, one: Codable) -> CodingRow | None:
        """What a coder said."""
        return self.said.get(one.key, {}).get(coder)


def _desk(visit: Visit, row: StudyRow) -> Desk:
    """Read it all; a question that only an earlier version asked keeps that version's book."""
    service = visit.service
    with service.database.read() as transaction:
        people = {person.id: person for person in participants.of_study(transaction, row.id)}
        everything = codables(
            answers.of_study(transaction, row.id), study_of=lambda number: service.study(people[number])
        )
        said: dict[tuple[int, int], dict[str, CodingRow]] = {}
        for coding in codings.of_study(transaction, row.id):
            said.setdefault((coding.answer_id, coding.part), {})[coding.coder] = coding
    books = code_books(service.study(row))
    for person in people.values():
        books = {**code_books(service.study(person)), **books} if person.version != row.version else books
    return Desk(books, everything, said)


def show_comments(visit: Visit) -> Response:
    """Every question that is coded: how far each coder is, and how far they agree."""
    row = visit.study()
    desk = _desk(visit, row)
    coder = visit.session.account.name
    reports = [desk.report(question) for question in desk.books]
    context = {"reports": reports, "coder": coder}
    return visit.page("comments.html", {**study_context(visit, row, "comments"), **context})


def show_question(visit: Visit) -> Response:
    """The answers to one question with their codes; those of others only where one's own are given."""
    row = visit.study()
    desk, question = _question(visit, row)
    coder, show = visit.session.account.name, visit.query("show")
    is_revealed = visit.query("reveal") == "yes" or not visit.session.may_change
    report = desk.report(question)
    listed = desk.of(question)
    if show == "disagreements":
        listed = [one.codable for one in report.disagreements]
        listed = [one for one in listed if is_revealed or desk.coded_by(coder, one)]
    page = int(visit.query("page")) if visit.query("page").isdecimal() and len(visit.query("page")) < 7 else 1
    pages = max(1, -(-len(listed) // ON_A_PAGE))
    page = min(max(page, 1), pages)
    lines = [
        (one, desk.said.get(one.key, {}) if is_revealed or desk.coded_by(coder, one) else {})
        for one in listed[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    ]
    context = {
        "report": report, "lines": lines, "coder": coder, "show": show if show == "disagreements" else "",
        "is_revealed": is_revealed, "page": page, "pages": pages, "listed": len(listed),
    }  # fmt: skip
    return visit.page("question.html", {**study_context(visit, row, "comments"), **context})


def show_code(visit: Visit, *, problem: str = "") -> Response:
    """One answer to code: the one that is asked for, or the next without a code of one's own."""
    row = visit.study()
    desk, question = _question(visit, row)
    if not visit.session.may_change:
        return visit.go(f"{address_of(row)}/comments/{question}")
    coder, book = visit.session.account.name, desk.books[question]
    every = desk.of(question)
    current = _asked_for(visit, every)
    if current is None:
        current = next((one for one in every if desk.coded_by(coder, one) is None), None)
    own = desk.coded_by(coder, current) if current else None
    place = every.index(current) if current else len(every)
    context: dict[str, Any] = {
        "book": book, "codes": list(book.categories.items()), "grades": GRADES, "current": current, "own": own,
        "others": _others(desk, current, coder) if current and own else {},
        "place": place + 1, "total": len(every),
        "left": sum(desk.coded_by(coder, one) is None for one in every),
        "previous": every[place - 1] if place > 0 else None,
        "following": every[place + 1] if own and place + 1 < len(every) else None,
        "problem": problem,
    }  # fmt: skip
    return visit.page("code.html", {**study_context(visit, row, "comments"), **context}, status=422 if problem else 200)


def _others(desk: Desk, one: Codable, coder: str) -> dict[str, CodingRow]:
    return {name: said for name, said in desk.said.get(one.key, {}).items() if name != coder}


def code(visit: Visit) -> Response:
    """Keep what a coder says of an answer, and go on to the next."""
    row = visit.study()
    desk, question = _question(visit, row)
    book, coder = desk.books[question], visit.session.account.name
    current = _asked_for(visit, desk.of(question))
    if current is None:
        raise HTTPException(404)
    given = visit.form.get("code", [])
    grade = visit.field("grade")
    if any(one not in book.categories for one in given) or (grade and grade not in map(str, GRADES)):
        raise HTTPException(400)
    if book.is_graded and not grade:
        return show_code(visit, problem="Please choose a grade.")
    if not book.is_graded and not given and visit.field("none") != "yes":
        return show_code(visit, problem="Please choose a category, or “none of these”.")
    kept = [one for one in book.categories if one in given]
    visit.service.database.write(
        lambda transaction: codings.add_coding(
            transaction,
            current.answer_id,
            coder=coder,
            codes=kept,
            now_ms=visit.service.now_ms(),
            part=current.part,
            grade=float(grade) if book.is_graded else None,
        )
    )
    rest = [one for one in desk.of(question) if one.key != current.key and desk.coded_by(coder, one) is None]
    here = f"{address_of(row)}/comments/{question}"
    return visit.go(f"{here}/code") if rest else visit.go(here, done="coded")


def _question(visit: Visit, row: StudyRow) -> tuple[Desk, str]:
    desk, question = _desk(visit, row), visit.request.path_params["question"]
    if question not in desk.books:
        raise HTTPException(404)
    return desk, question


def _asked_for(visit: Visit, every: list[Codable]) -> Codable | None:
    """The answer that the form or the address names; None if it names none, 404 if there is no such answer."""
    answer, part = (visit.field(name) or visit.query(name) for name in ("answer", "part"))
    if not answer:
        return None
    found = [one for one in every if (str(one.answer_id), str(one.part)) == (answer, part or "0")]
    if not found:
        raise HTTPException(404)
    return found[0]


ROUTES: list[BaseRoute] = [
    Route(f"{STUDY}/comments", looking(show_comments), methods=["GET"]),
    Route(f"{STUDY}/comments/{{question}}", looking(show_question), methods=["GET"]),
    Route(f"{STUDY}/comments/{{question}}/code", looking(show_code), methods=["GET"]),
    Route(f"{STUDY}/comments/{{question}}/code", changing(code), methods=["POST"]),
]
