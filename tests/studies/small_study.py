"""A small study to put into databases, and people who take part in it."""

from __future__ import annotations

from fergus.studies.service import Service, View
from fergus.studies.storage import studies
from fergus.studies.storage.database import Database
from fergus.studies.storage.studies import LinkRow, StudyRow, VersionRow
from fergus.studies.study_file import version_of

QUESTIONS = """\
questions:
  good:
    type: rating
    points: 5
    dimensions:
      good: {text: "How good is it?"}
  why:
    type: comment
    ask: page
    text: Why?
"""
MAIN = """\
blocks:
  - name: main
    items: all
    page: group
    questions: [good, why]
"""
ITEMS = "group,system,text,tree\n" + "".join(
    f'{group},{system},"Text {group}, by {system}.",t{group}\n' for group in (1, 2, 3) for system in ("x", "y")
)
"""Three sentences by two systems: 1-x, 1-y, 2-x and so on."""


def study_text(settings: str = "", *, blocks: str = MAIN, name: str = "small") -> str:
    return f"study: {name}\ntitle: A small study\nitems: items.csv\n{settings}{QUESTIONS}{blocks}"


def put(
    database: Database, settings: str = "", *, blocks: str = MAIN, name: str = "small", items: str = ITEMS
) -> StudyRow:
    """Put the study into a database."""
    text = study_text(settings, blocks=blocks, name=name)
    files = VersionRow(version_of(text, items), "study.yaml", text, "items.csv", items, 1)
    return database.write(lambda transaction: studies.add_version(transaction, name, files))


def link(database: Database, row: StudyRow, token: str, condition: str | None = None) -> LinkRow:
    """Make a private link."""

    def work(transaction: object) -> LinkRow | None:
        studies.add_link(transaction, row.id, token=token, label="", condition=condition, now_ms=0)  # type: ignore[arg-type]
        return studies.find_link(transaction, token)  # type: ignore[arg-type]

    made = database.write(work)
    assert made is not None
    return made


def set_state(database: Database, row: StudyRow, state: str) -> None:
    """Open, pause or close the study."""
    database.write(lambda transaction: studies.set_state(transaction, row.id, state))


def form_of(view: View, point: int = 3, comment: str = "so") -> dict[str, list[str]]:
    """The form of a page, filled in."""
    form: dict[str, list[str]] = {}
    for asked in view.asked:
        if asked.question.type == "rating":
            form[f"{asked.prefix}good"] = [str(point)]
        elif asked.question.type == "comment":
            form[f"{asked.prefix}comment"] = [comment]
        else:
            form[f"{asked.prefix}choice"] = ["agree"]
    return form


def answer_all(service: Service, key: str, *, pages: int | None = None) -> None:
    """Answer every page, or the next few."""
    left = 1000 if pages is None else pages
    while left:
        view = service.view(key)
        assert view is not None
        if view.page is None:
            return
        outcome = service.submit(key, view.participant.page, form_of(view))
        assert outcome is not None
        assert not outcome.problems, outcome.problems
        left -= 1
