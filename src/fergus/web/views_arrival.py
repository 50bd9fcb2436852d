"""Arriving: the first page of open and private links, and the form that joins."""

from __future__ import annotations

import asyncio
import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.studies.join import RefusedError
from fergus.studies.questions.fields import clean
from fergus.studies.service import Service, View
from fergus.studies.storage import participants, studies
from fergus.studies.storage.studies import LinkRow, StudyRow
from fergus.studies.study import Study
from fergus.web.forms import KEY, NONCE, read_form
from fergus.web.showing import read, show

LONGEST_PARAMETER = 200
COOKIE_SECONDS = 180 * 24 * 60 * 60


async def first(request: Request) -> Response:
    """The first page of an open or a private link, and the form that joins."""
    service: Service = request.app.state.service
    row, link = await _study_of(request)
    study = service.study(row)
    known = await _known(request, row, link)
    if request.method == "POST":
        return await _join(request, row, study, link, known)
    message, is_refused = "", False
    if known is not None and not _may_return(request, study, link, known):
        known, message, is_refused = None, "already_taken_part", True
    elif known is not None:
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
    return show(request, "first.html", study, context)


async def _join(request: Request, row: StudyRow, study: Study, link: LinkRow | None, known: View | None) -> Response:
    service: Service = request.app.state.service
    form = await read_form(request)
    nonce = form.get("nonce", [""])[0]
    kind = "simulated" if form.get("kind") == ["simulated"] else "person"
    if kind == "simulated" and not request.app.state.settings.is_simulation:
        raise HTTPException(403)
    if known is not None and kind == "person":
        if _may_return(request, study, link, known):
            return _to_page(request, study, known.participant.key)
        return _refused(request, study, "already_taken_part")
    if not NONCE.fullmatch(nonce):
        raise HTTPException(400)
    try:
        joined = service.join_later(row, nonce=nonce, parameters=_parameters(request, study), link=link, kind=kind)
        key = await asyncio.wrap_future(joined)
    except RefusedError as refusal:
        return _refused(request, study, refusal.reason)
    return _to_page(request, study, key)


def _refused(request: Request, study: Study, reason: str) -> Response:
    context = {"message": reason, "is_refused": True, "key": "", "is_over": False, "nonce": ""}
    return show(request, "first.html", study, context, status=409)


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

    row, link = await read(request, find)
    if row is None:
        raise HTTPException(404)
    return row, link


async def _known(request: Request, row: StudyRow, link: LinkRow | None) -> View | None:
    """Who this is, if the link, the recruiter's name or the cookie tells."""
    service: Service = request.app.state.service
    study = service.study(row)
    external, key = _external(request, study), _cookie_key(request, study)
    if link is None and not external and not KEY.fullmatch(key):
        return None  # whoever comes for the first time, which is most, costs no second look into the database

    def find() -> View | None:
        with service.database.read() as transaction:
            found = participants.by_link(transaction, link.id) if link is not None else None
            if found is None and external:
                found = participants.by_external(transaction, row.id, "person", external)
            elif link is None:
                found = participants.by_key(transaction, key) if KEY.fullmatch(key) else None
        return service.view(found.key) if found is not None and found.study_id == row.id else None

    return await read(request, find)


def _may_return(request: Request, study: Study, link: LinkRow | None, known: View) -> bool:
    """Do they get the address of their pages?

    A recruiter's name for somebody may be known to others, or guessed. It is enough to go on after a lost cookie; the
    last page, with its code and what was answered, is for the browser that has been there.
    """
    is_by_link = link is not None and known.participant.link_id == link.id
    return known.page is not None or is_by_link or _cookie_key(request, study) == known.participant.key


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


def _cookie_key(request: Request, study: Study) -> str:
    return request.cookies.get(_cookie(study), "")


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
    Route("/s/{study}", first, methods=["GET", "POST"]),
    Route("/j/{token}", first, methods=["GET", "POST"]),
]
