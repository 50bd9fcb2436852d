"""The pages of participants: the first one, every page of the plan, the last one, and the way out."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.studies.feedback import Feedback, feedback_on
from fergus.studies.questions.fields import clean
from fergus.studies.service import RefusedError, Service, View, asked_on
from fergus.studies.storage import answers, participants, studies
from fergus.studies.storage.studies import LinkRow, StudyRow
from fergus.studies.study import Study
from fergus.web.forms import read_form, whole_number
from fergus.web.last_page import last_context
from fergus.web.participant_page import page_context
from fergus.web.question_html import NOTHING, words_of

Result = TypeVar("Result")
AWAY_MS = 15 * 60 * 1000
"""Who comes back after so long is welcomed."""
LONGEST_PARAMETER = 200
COOKIE_SECONDS = 180 * 24 * 60 * 60
NONCE = re.compile(r"[A-Za-z0-9_-]{43}")
KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")


async def first(request: Request) -> Response:
    """The first page of an open or a private link, and the form that joins."""
    service: Service = request.app.state.service
    row, link = await _study_of(request)
    study = service.study(row)
    known = await _known(request, row, link)
    if request.method == "POST":
        return await _join(request, row, study, link, known)
    message, is_refused = "", False
    if known is not None:
        message = "already_taken_part" if known.page is None else "resume"
    elif row.state != "open":
        message, is_refused = row.state, True
    elif link is None and study.recruitment.required and not _external(request, study):
        message, is_refused = "wrong_link", True
    context = {
        "message": message,
        "is_refused": is_refused,
        "key": known.participant.key if known is not None else "",
        "is_over": known is not None and known.page is None,
        "nonce": secrets.token_urlsafe(32),
    }
    return _show(request, "first.html", study, context)


async def _join(request: Request, row: StudyRow, study: Study, link: LinkRow | None, known: View | None) -> Response:
    service: Service = request.app.state.service
    form = await read_form(request)
    nonce = form.get("nonce", [""])[0]
    if known is not None and form.get("kind") != ["simulated"]:
        return _to_page(request, study, known.participant.key)
    if not NONCE.fullmatch(nonce):
        raise HTTPException(400)
    kind = "simulated" if form.get("kind") == ["simulated"] else "person"
    try:
        joined = service.join_later(row, nonce=nonce, parameters=_parameters(request, study), link=link, kind=kind)
        key = await asyncio.wrap_future(joined)
    except RefusedError as refusal:
        context = {"message": refusal.reason, "is_refused": True, "key": "", "is_over": False, "nonce": ""}
        return _show(request, "first.html", study, context, status=409)
    return _to_page(request, study, key)


async def page(request: Request) -> Response:
    """Where the participant is: the page to answer, or the last one."""
    service: Service = request.app.state.service
    view = await _view(request)
    if view.page is None:
        return await _last(request, view)
    row = view.participant
    if row.study_state == "paused" and row.kind == "person":
        return _show(request, "paused.html", view.study, {"key": row.key}, status=503)
    notice, feedback = "", list[Feedback]()
    if "again" in request.query_params:
        notice = "already_answered"
    elif row.page and service.now_ms() - row.seen_ms > AWAY_MS:
        notice = "resume"
    if request.query_params.get("after", "") == str(row.page - 1):
        feedback = await _feedback_after(request, view)
    return _show_page(request, view, notice=notice, feedback=feedback)


async def answer(request: Request) -> Response:
    """Take a page that was filled in: on disk when the next page is shown."""
    service: Service = request.app.state.service
    form, key = await read_form(request), _key(request)
    number = whole_number(form, "page")
    if number is None:
        raise HTTPException(400)
    times = {"shown_ms": whole_number(form, "shown_ms"), "active_ms": whole_number(form, "active_ms")}
    is_fragment = request.headers.get("hx-request") == "true"
    try:
        outcome = await asyncio.wrap_future(service.submit_later(key, number, form, **times))
    except RefusedError as refusal:
        view = await _view(request)
        return _show_page(request, view, form=form, notice=refusal.reason, status=409)
    if outcome is None:
        raise HTTPException(404)
    if outcome.problems:
        return _show_page(request, outcome.view, form=form, problems=outcome.problems, status=422)
    # A page that was sent again because its first answer got lost on the way needs no explanation.
    notice = "already_answered" if outcome.is_repeated and "retried" not in form else ""
    feedback = list[Feedback]()
    if outcome.submitted is not None and outcome.submitted.block.practice:
        feedback = feedback_on(outcome.submitted.asked, outcome.given)
    if not is_fragment:
        query = "?again" if notice else f"?after={number}" if feedback else ""
        return RedirectResponse(f"/p/{key}{query}", 303)
    if outcome.view.page is None:
        return await _last(request, outcome.view, notice=notice)
    return _show_page(request, outcome.view, notice=notice, feedback=feedback)


async def withdraw(request: Request) -> Response:
    """Ask whether somebody really wants to stop; stop."""
    service: Service = request.app.state.service
    view = await _view(request)
    key = view.participant.key
    if request.method == "POST":
        await to_thread.run_sync(service.withdraw, key)
        return RedirectResponse(f"/p/{key}", 303)
    if view.page is None:
        return RedirectResponse(f"/p/{key}", 303)
    return _show(request, "withdraw.html", view.study, {"key": key})


async def _read(request: Request, work: Callable[[], Result]) -> Result:
    """Read from the database: at once if it is a file, as that is faster than to change threads."""
    service: Service = request.app.state.service
    return work() if service.database.is_sqlite else await to_thread.run_sync(work)


async def _view(request: Request) -> View:
    service: Service = request.app.state.service
    key = _key(request)
    view = await _read(request, lambda: service.view(key))
    if view is None:
        raise HTTPException(404)
    return view


def _key(request: Request) -> str:
    """The secret in the address; what cannot be one is never looked up."""
    key: str = request.path_params["key"]
    if not KEY.fullmatch(key):
        raise HTTPException(404)
    return key


async def _study_of(request: Request) -> tuple[StudyRow, LinkRow | None]:
    service: Service = request.app.state.service
    is_private = "token" in request.path_params
    name = request.path_params["token" if is_private else "study"]
    if not KEY.fullmatch(name):
        raise HTTPException(404)

    def find() -> tuple[StudyRow | None, LinkRow | None]:
        with service.database.read() as transaction:
            if not is_private:
                return studies.find_study(transaction, name), None
            link = studies.find_link(transaction, name)
            rows = studies.all_studies(transaction) if link is not None else []
        return next((row for row in rows if link and row.id == link.study_id), None), link

    row, link = await _read(request, find)
    if row is None:
        raise HTTPException(404)
    return row, link


async def _known(request: Request, row: StudyRow, link: LinkRow | None) -> View | None:
    """Who this is, if the link, the recruiter's name or the cookie tells."""
    service: Service = request.app.state.service
    study = service.study(row)
    external = _external(request, study)

    def find() -> View | None:
        key = request.cookies.get(_cookie(study), "") if link is None and not external else ""
        with service.database.read() as transaction:
            if link is not None:
                found = participants.by_link(transaction, link.id)
            elif external:
                found = participants.by_external(transaction, row.id, "person", external)
            else:
                found = participants.by_key(transaction, key) if KEY.fullmatch(key) else None
        return service.view(found.key) if found is not None and found.study_id == row.id else None

    return await _read(request, find)


async def _feedback_after(request: Request, view: View) -> list[Feedback]:
    """On the page before this one, if it was practice."""
    service: Service = request.app.state.service
    row, study = view.participant, view.study
    before = row.plan[row.page - 1]
    block = study.by_name[before.block]
    if not block.practice:
        return []

    def find() -> list[answers.AnswerRow]:
        with service.database.read() as transaction:
            return answers.of_participant(transaction, row.id)

    given = [one.given for one in await _read(request, find) if one.submission.page == row.page - 1]
    return feedback_on(asked_on(block, tuple(study.by_id[item] for item in before.items)), given)


async def _last(request: Request, view: View, *, notice: str = "") -> Response:
    state = request.app.state
    score = await to_thread.run_sync(state.scores.of, view) if view.study.score else None
    base_url = state.settings.public_url.rstrip("/") or str(request.base_url).rstrip("/")
    context = last_context(view, score=score, base_url=base_url, notice=notice)
    return _show(request, "last.html", view.study, context, is_preview=view.participant.kind == "preview")


def _show_page(
    request: Request,
    view: View,
    *,
    form: Mapping[str, list[str]] | None = None,
    problems: Mapping[str, str] | None = None,
    notice: str = "",
    feedback: list[Feedback] | None = None,
    status: int = 200,
) -> Response:
    state = request.app.state
    context = page_context(
        view,
        state.question_html,
        now_ms=state.service.now_ms(),
        form=NOTHING if form is None else form,
        problems=problems,
        notice=notice,
        feedback=feedback or (),
    )
    is_preview = view.participant.kind == "preview"
    return _show(request, "page.html", view.study, context, is_preview=is_preview, status=status)


def _show(
    request: Request,
    fragment: str,
    study: Study,
    context: Mapping[str, Any],
    *,
    is_preview: bool = False,
    status: int = 200,
) -> Response:
    """A page, or only its content if the page's script asks for it."""
    pages = request.app.state.pages
    everything = {"words": words_of(study), "study": study, **context}
    if request.headers.get("hx-request") == "true":
        response: Response = pages.response(fragment, everything, status=status)
        return response
    everything |= {"language": study.language, "direction": study.direction, "is_preview": is_preview}
    heading = context.get("heading")
    everything |= {"fragment": fragment, "title": f"{heading} · {study.title}" if heading else study.title}
    response = pages.response("participant.html", everything, status=status)
    return response


def _to_page(request: Request, study: Study, key: str) -> Response:
    response = RedirectResponse(f"/p/{key}", 303)
    is_secure = request.app.state.settings.is_secure or request.url.scheme == "https"
    path = f"/s/{study.name}"
    response.set_cookie(
        _cookie(study), key, max_age=COOKIE_SECONDS, path=path, secure=is_secure, httponly=True, samesite="lax"
    )
    return response


def _cookie(study: Study) -> str:
    return f"fergus-{study.name}"


def _parameters(request: Request, study: Study) -> dict[str, str]:
    """The parameters of the link that the study records."""
    return {
        name: clean(request.query_params[name])[:LONGEST_PARAMETER]
        for name in study.recruitment.parameters
        if name in request.query_params
    }


def _external(request: Request, study: Study) -> str:
    """The recruiter's name for the person; "" if the link tells none."""
    names = study.recruitment.parameters[:1]
    return _parameters(request, study).get(names[0], "").strip() if names else ""


ROUTES: list[BaseRoute] = [
    Route("/p/{key}", page, methods=["GET"]),
    Route("/p/{key}", answer, methods=["POST"]),
    Route("/p/{key}/withdraw", withdraw, methods=["GET", "POST"]),
    Route("/s/{study}", first, methods=["GET", "POST"]),
    Route("/j/{token}", first, methods=["GET", "POST"]),
]
