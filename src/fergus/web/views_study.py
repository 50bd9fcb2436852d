"""One study: live progress, its state and conditions, its participants, and a preview."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.studies.assign import conditions_of
from fergus.studies.flags import time_on
from fergus.studies.join import RefusedError
from fergus.studies.storage import answers, participants, studies
from fergus.studies.storage.erase import erase_participant
from fergus.studies.storage.participants import ParticipantRow
from fergus.studies.storage.studies import STATES, StudyRow
from fergus.studies.study import Study
from fergus.web.admin_words import as_text
from fergus.web.live import LiveProgress
from fergus.web.visits import PATH, Visit, changing, looking

STUDY = f"{PATH}/studies/{{name}}"
LARGEST_NUMBER = 2**31 - 1
NUMBER = re.compile(r"[0-9]{1,10}")


def study_context(visit: Visit, row: StudyRow, tab: str) -> dict[str, Any]:
    """What every page of a study shows."""
    study = visit.service.study(row)
    return {"row": row, "study": study, "tab": tab, "here": address_of(row)}


def address_of(row: StudyRow) -> str:
    """The page of a study."""
    return f"{PATH}/studies/{row.name}"


def live_of(visit: Visit) -> LiveProgress:
    """The progress of all studies."""
    live: LiveProgress = visit.request.app.state.live
    return live


def show_study(visit: Visit) -> Response:
    """How the study is getting on."""
    row = visit.study()
    context = study_context(visit, row, "progress")
    return visit.page("study.html", {**context, **_progress(visit, row, context["study"])})


def show_progress(visit: Visit) -> Response:
    """The part of the page that renews itself; nothing (204) if it is as it was."""
    row = visit.study()
    context = {**study_context(visit, row, "progress"), **_progress(visit, row, visit.service.study(row))}
    if context["seen"] == visit.query("seen"):
        return Response(status_code=204)
    return visit.page("progress.html", context)


def _progress(visit: Visit, row: StudyRow, study: Study) -> dict[str, Any]:
    progress = live_of(visit).of(row)
    with visit.service.database.read() as transaction:
        closed = studies.closed(transaction, row.id)
    marks = repr((row.state, row.version, sorted(closed), live_of(visit).mark(row))).encode()
    return {
        "progress": progress,
        "closed": closed,
        "seen": sha256(marks).hexdigest()[:16],
        "conditions": conditions_of(study),
    }


def set_state(visit: Visit) -> Response:
    """Open, pause or close."""
    row, state = visit.study(), visit.field("state")
    if state not in STATES:
        raise HTTPException(400)
    visit.service.database.write(lambda transaction: studies.set_state(transaction, row.id, state))
    return visit.go(address_of(row), done=state)


def set_condition(visit: Visit) -> Response:
    """Close a condition, or open it again."""
    row, condition = visit.study(), visit.field("condition")
    if condition not in conditions_of(visit.service.study(row)):
        raise HTTPException(400)
    is_closed = visit.field("closed") == "yes"
    visit.service.database.write(lambda t: studies.close_condition(t, row.id, condition, is_closed=is_closed))
    return visit.go(address_of(row), done="condition")


def preview(visit: Visit) -> Response:
    """Go through the study as a participant; what is answered is counted nowhere."""
    row, condition = visit.study(), visit.field("condition")
    if condition and condition not in conditions_of(visit.service.study(row)):
        raise HTTPException(400)
    try:
        key = visit.service.join(
            row, nonce=secrets.token_urlsafe(32), parameters={}, kind="preview", condition=condition or None
        )
    except RefusedError:  # pragma: no cover - previews are let in, whatever the state of the study
        raise HTTPException(409) from None
    return RedirectResponse(f"/p/{key}", 303)


def show_participants(visit: Visit) -> Response:
    """Everybody who takes part, and what is remarkable about their answers."""
    row, flag = visit.study(), visit.query("flag")
    everyone = live_of(visit).of(row).people
    chosen = {
        "straight": [one for one in everyone if one.is_straight_liner],
        "fast": [one for one in everyone if one.is_too_fast],
        "failed": [one for one in everyone if one.failed],
    }
    with visit.service.database.read() as transaction:
        labels = {link.id: link.label for link in studies.all_links(transaction, row.id)}
    context = {
        "people": chosen.get(flag, everyone),
        "counts": {name: len(found) for name, found in chosen.items()},
        "everyone": len(everyone),
        "flag": flag if flag in chosen else "",
        "labels": labels,
    }
    return visit.page("participants.html", {**study_context(visit, row, "participants"), **context})


def show_participant(visit: Visit) -> Response:
    """One participant's answers, and the way to delete them."""
    row = visit.study()
    person = _participant(visit, row)
    with visit.service.database.read() as transaction:
        rows = answers.of_participant(transaction, person.id)
    found = [one for one in live_of(visit).of(row).people if one.participant.id == person.id]
    seen = visit.service.study(person)
    context = {"person": person, "answers": rows, "seen_study": seen, "as_text": as_text, "time_on": time_on}
    context["flags"] = found[0] if found else None
    return visit.page("participant.html", {**study_context(visit, row, "participants"), **context})


def delete_participant(visit: Visit) -> Response:
    """Remove a participant with everything that hangs on them."""
    row = visit.study()
    person = _participant(visit, row)
    if visit.field("sure") != "yes":
        raise HTTPException(400)
    removed = erase_participant(visit.service.database, person.id)
    live_of(visit).forget(row)
    visit.request.app.state.analyses.forget(row)
    done = "deleted" if removed.is_gone_from_file else "deleted-but-log"
    return visit.go(f"{address_of(row)}/participants", done=done)


def _participant(visit: Visit, row: StudyRow) -> ParticipantRow:
    """The participant that the address names, if it is one of this study."""
    written = visit.request.path_params["number"]
    # Not {number:int}, which fails for more digits than Python reads.
    if not NUMBER.fullmatch(written) or int(written) > LARGEST_NUMBER:
        raise HTTPException(404)
    with visit.service.database.read() as transaction:
        person = participants.by_id(transaction, int(written))
    if person is None or person.study_id != row.id:
        raise HTTPException(404)
    return person


ROUTES: list[BaseRoute] = [
    Route(STUDY, looking(show_study), methods=["GET"]),
    Route(f"{STUDY}/progress", looking(show_progress), methods=["GET"]),
    Route(f"{STUDY}/state", changing(set_state), methods=["POST"]),
    Route(f"{STUDY}/condition", changing(set_condition), methods=["POST"]),
    Route(f"{STUDY}/preview", changing(preview), methods=["POST"]),
    Route(f"{STUDY}/participants", looking(show_participants), methods=["GET"]),
    Route(f"{STUDY}/participants/{{number}}", looking(show_participant), methods=["GET"]),
    Route(f"{STUDY}/participants/{{number}}/delete", changing(delete_participant), methods=["POST"]),
]
