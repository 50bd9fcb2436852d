"""A study's links, its versions and its exports."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from fergus.studies import private_links
from fergus.studies.assign import conditions_of
from fergus.studies.export import FORMULA, Choice, export_study
from fergus.studies.private_links import LONGEST_LABEL, MOST_LINKS
from fergus.studies.storage import participants, studies
from fergus.studies.storage.studies import LinkRow, StudyRow
from fergus.studies.study import Study
from fergus.web.views_study import STUDY, address_of, study_context
from fergus.web.visits import Visit, changing, looking

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
"""What Prolific puts in for ``{{%NAME%}}``."""
FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson; charset=utf-8"}
CHOICES = ("completed_only", "withdrawn", "practice", "with_ids")
"""What an export can be asked for."""
_UNSAFE = re.compile(r"[^A-Za-z0-9-]+")


@dataclass(frozen=True)
class LinkLine:
    """A private link in the list."""

    link: LinkRow
    url: str
    state: str
    """Of the participant who used it; empty if nobody has."""


def base_url(visit: Visit) -> str:
    """Where people reach the server."""
    return (visit.settings.public_url or str(visit.request.base_url)).rstrip("/")


def open_link(study: Study, base: str) -> str:
    """The link for everybody, with the recruiter's parameters.

    Prolific fills in what stands in ``{{%…%}}``; what stands in angle brackets is for another recruiter to replace.
    """
    filled = [
        f"{quote(name)}={{{{%{name}%}}}}" if name in PROLIFIC else f"{quote(name)}=<{name}>"
        for name in study.recruitment.parameters
    ]
    return f"{base}/s/{study.name}" + (f"?{'&'.join(filled)}" if filled else "")


def show_links(visit: Visit, *, problem: str = "") -> Response:
    """The open link, and the private ones."""
    row = visit.study()
    study = visit.service.study(row)
    context = {
        "open_link": open_link(study, base_url(visit)),
        "links": _lines(visit, row),
        "conditions": conditions_of(study),
        "problem": problem,
        "most": MOST_LINKS,
    }
    return visit.page("links.html", {**study_context(visit, row, "links"), **context}, status=422 if problem else 200)


def _lines(visit: Visit, row: StudyRow) -> list[LinkLine]:
    with visit.service.database.read() as transaction:
        links = studies.all_links(transaction, row.id)
        everyone = participants.of_study(transaction, row.id) if links else []
    states = {person.link_id: person.state for person in everyone if person.link_id is not None}
    base = base_url(visit)
    return [LinkLine(link, f"{base}/j/{link.token}", states.get(link.id, "")) for link in links]


def make_links(visit: Visit) -> Response:
    """Make private links: a number of them, or one for each label."""
    row, condition = visit.study(), visit.field("condition")
    if condition and condition not in conditions_of(visit.service.study(row)):
        raise HTTPException(400)
    written = visit.form.get("labels", [""])[0]
    labels = [label for line in written.splitlines() if (label := _printable(line))]
    number = visit.field("number")
    if not labels:
        if not number.isdecimal() or not 1 <= int(number[:9]) <= MOST_LINKS:
            return show_links(visit, problem=f"Give a number from 1 to {MOST_LINKS}, or labels, one a line.")
        labels = [""] * int(number)
    if len(labels) > MOST_LINKS or max(map(len, labels)) > LONGEST_LABEL:
        problem = f"At most {MOST_LINKS} labels are taken, of {LONGEST_LABEL} characters each."
        return show_links(visit, problem=problem)
    service = visit.service
    private_links.make_links(
        service.database, row, service.study(row), labels, condition=condition or None, now_ms=service.now_ms()
    )
    return visit.go(f"{address_of(row)}/links", done="links")


def _printable(line: str) -> str:
    return "".join(c for c in line if c.isprintable()).strip()


def download_links(visit: Visit) -> Response:
    """The private links as a table, for a mail merge."""
    row = visit.study()
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["label", "condition", "link", "state"])
    for line in _lines(visit, row):
        label = line.link.label
        safe = f"'{label}" if label.startswith(FORMULA) else label
        writer.writerow([safe, line.link.condition or "", line.url, line.state or "unused"])
    return Response(text.getvalue(), headers=attachment(f"{row.name}-links.csv", FORMATS["csv"]))


def show_data(visit: Visit) -> Response:
    """Exports and versions."""
    row = visit.study()
    with visit.service.database.read() as transaction:
        versions = studies.all_versions(transaction, row.id)
        everyone = participants.of_study(transaction, row.id)
    counts = {one.version: sum(person.version == one.version for person in everyone) for one in versions}
    context = {"versions": list(reversed(versions)), "counts": counts}
    return visit.page("data.html", {**study_context(visit, row, "data"), **context})


def download_version(visit: Visit) -> Response:
    """A file of a version, as it was uploaded."""
    row, which, version = visit.study(), visit.request.path_params["which"], visit.request.path_params["version"]
    if which not in ("study", "items") or not version.isalnum():  # PostgreSQL does not take every character
        raise HTTPException(404)
    with visit.service.database.read() as transaction:
        files = studies.find_version(transaction, row.id, version)
    if files is None:
        raise HTTPException(404)
    name, text = (files.file_name, files.text) if which == "study" else (files.items_name, files.items_text)
    suffix = name.rpartition(".")[2].lower()
    suffix = suffix if suffix in ("csv", "tsv", "json", "jsonl") and which == "items" else "yaml"
    return Response(text, headers=attachment(f"{row.name}-{files.version}.{suffix}", "text/plain; charset=utf-8"))


def export(visit: Visit) -> Response:
    """One row a judgement, sent as it is read."""
    row, form = visit.study(), visit.request.path_params["form"]
    if form not in FORMATS:
        raise HTTPException(404)
    choice = Choice(**{name: visit.query(name) == "yes" for name in CHOICES})
    chunks = export_study(visit.service, row, form=form, choice=choice, is_safe=visit.query("is_safe") == "yes")
    return StreamingResponse(chunks, headers=attachment(f"{row.name}.{form}", FORMATS[form]))


def attachment(name: str, kind: str) -> dict[str, str]:
    """The headers of a file that is downloaded and not shown; its name has nothing in it that a shell would mind."""
    stem, _, suffix = name.rpartition(".")
    safe = f"{_UNSAFE.sub('-', stem)}.{_UNSAFE.sub('', suffix)}"
    return {"content-type": kind, "content-disposition": f'attachment; filename="{safe}"'}


ROUTES: list[BaseRoute] = [
    Route(f"{STUDY}/links", looking(show_links), methods=["GET"]),
    Route(f"{STUDY}/links", changing(make_links), methods=["POST"]),
    Route(f"{STUDY}/links.csv", looking(download_links, by_viewers=False), methods=["GET"]),
    Route(f"{STUDY}/data", looking(show_data), methods=["GET"]),
    Route(f"{STUDY}/export.{{form}}", looking(export), methods=["GET"]),
    Route(f"{STUDY}/versions/{{version}}/{{which}}", looking(download_version), methods=["GET"]),
]
