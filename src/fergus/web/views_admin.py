"""The studies: how each is getting on, and the upload of a new one or of a new version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fergus.errors import FergusError, InputError
from fergus.studies.items_file import decoded
from fergus.studies.model import Load
from fergus.studies.problems import Problem
from fergus.studies.progress import share_done
from fergus.studies.storage import participants, studies
from fergus.studies.storage.studies import StudyRow, VersionRow
from fergus.studies.study import Study
from fergus.studies.study_file import ITEMS_FILE, STUDY_FILE, Checked, check_texts
from fergus.web.forms import Upload
from fergus.web.security import UPLOADS
from fergus.web.visits import PATH, Visit, changing, looking

LONGEST_LABEL = 100
MOST_SHOWN = 200
"""Problems that a page shows; the command line tells all."""


@dataclass(frozen=True)
class StudyLine:
    """A study in the list."""

    row: StudyRow
    study: Study | None
    """None if this Fergus cannot read what an older one stored."""
    load: Load
    share: float | None
    """How much of what is wanted is there, from 0 to 1."""


def show_studies(visit: Visit) -> Response:
    """Every study with its state and its progress."""
    return visit.page("studies.html", {"studies": _lines(visit), "problems": (), "excerpts": {}})


def _lines(visit: Visit) -> list[StudyLine]:
    with visit.service.database.read() as transaction:
        rows = studies.all_studies(transaction)
        loads = {row.id: participants.loads(transaction, row.id, since_ms=0) for row in rows}
        judged = {row.id: participants.judged(transaction, row.id, since_ms=0) for row in rows}
    lines = []
    for row in rows:
        counts = loads[row.id].values()
        load = Load(sum(one.completed for one in counts), sum(one.active for one in counts))
        try:
            study = visit.service.study(row)
        except FergusError:
            lines.append(StudyLine(row, None, load, None))
            continue
        lines.append(StudyLine(row, study, load, share_done(study, load.completed, judged[row.id])))
    return lines


def upload(visit: Visit) -> Response:
    """Take a study's two files if nothing is wrong with them; otherwise show every mistake and change nothing."""
    study_file, items_file = visit.files.get("study"), visit.files.get("items")
    if study_file is None or not study_file.content:
        missing = Problem("no study file was sent", "", remedy="choose a file such as study.yaml")
        return _refused(visit, (missing,), {})
    name = label_of(study_file, STUDY_FILE)
    items_name = label_of(items_file, ITEMS_FILE)
    try:
        text = decoded(study_file.content, name=name)
        items_text = decoded(items_file.content, name=items_name) if items_file and items_file.content else None
    except InputError as error:
        found = Problem(error.problem, error.path, error.line, error.column, error.remedy)
        return _refused(visit, (found,), {})
    checked = check_texts(text, items_text, name=name, items_name=items_name)
    wanted = visit.field("name")
    if checked.study is not None and wanted and checked.study.name != wanted:
        problem = f"the file is of the study {checked.study.name}, not of {wanted}"
        mixed = Problem(problem, name, remedy="choose another file, or upload it on the page of all studies")
        checked = Checked(None, (mixed,))
    if checked.study is None:
        return _refused(visit, checked.problems, {name: text, items_name: items_text or ""})
    study = checked.study
    files = VersionRow(study.version, name, text, items_name, items_text or "", visit.service.now_ms())
    visit.service.database.write(lambda transaction: studies.add_version(transaction, study.name, files))
    warnings = any(problem.is_warning for problem in checked.problems)
    return visit.go(f"{PATH}/studies/{study.name}", done="warned" if warnings else "uploaded")


def _refused(visit: Visit, problems: tuple[Problem, ...], texts: dict[str, str]) -> Response:
    lines = {name: text.splitlines() for name, text in texts.items()}
    shown = problems[:MOST_SHOWN]
    excerpts = {
        (problem.path, problem.line): lines[problem.path][problem.line - 1]
        for problem in shown
        if problem.line is not None and 0 < problem.line <= len(lines.get(problem.path, ()))
    }
    context = {"studies": _lines(visit), "problems": shown, "excerpts": excerpts}
    return visit.page("studies.html", context, status=422)


def label_of(upload: Upload | None, default: str) -> str:
    """A file's name without folders and what cannot be printed; it is shown, and tells the format of items.

    >>> label_of(Upload("..\\\\..\\\\etc/pass\\nwd.csv", b""), "items.csv")
    'passwd.csv'
    """
    name = PurePosixPath((upload.name if upload else "").replace("\\", "/")).name
    kept = "".join(c for c in name if c.isprintable())[-LONGEST_LABEL:].strip()
    return kept if kept.strip(".") else default


ROUTES: list[BaseRoute] = [
    Route(PATH, looking(show_studies), methods=["GET"]),
    Route(UPLOADS, changing(upload, takes_files=True), methods=["POST"]),
]
