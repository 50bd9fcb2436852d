"""What a page of the administration asks of its visitor: a session, a role, and with changes a form of that session."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fergus.errors import InputError
from fergus.studies.service import Service
from fergus.studies.storage import studies
from fergus.studies.storage.studies import StudyRow
from fergus.web.admin_words import DONE, STATES, coefficient, duration, moment, percent
from fergus.web.forms import Upload, read_form, read_upload
from fergus.web.login import KNOWN_MS, Logins, Session
from fergus.web.rendering import Pages
from fergus.web.settings import Settings

COOKIE, KNOWN = "fergus_admin", "fergus_admin_known"
"""The session, and the mark of a browser that has logged in before."""
PATH = "/admin"
CSRF_FIELD, CSRF_HEADER = "csrf", "X-CSRF"
_WITHIN = re.compile(r"/(admin|workbench)(/[A-Za-z0-9._~%-]+)*(\?[A-Za-z0-9._~%=&-]*)?")

View = Callable[["Visit"], Response]
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Visit:
    """A request of somebody who is logged in."""

    request: Request
    session: Session
    form: Mapping[str, list[str]] = field(default_factory=dict)
    files: Mapping[str, Upload] = field(default_factory=dict)

    @property
    def service(self) -> Service:
        """The studies."""
        service: Service = self.request.app.state.service
        return service

    @property
    def settings(self) -> Settings:
        """How the server is run."""
        settings: Settings = self.request.app.state.settings
        return settings

    @property
    def logins(self) -> Logins:
        """The accounts."""
        return logins_of(self.request)

    def study(self) -> StudyRow:
        """The study that the address names; there may be none."""
        with self.service.database.read() as transaction:
            row = studies.find_study(transaction, self.request.path_params["name"])
        if row is None:
            raise HTTPException(404)
        return row

    def field(self, name: str) -> str:
        """The one value of a form's field, "" if it is absent."""
        return self.form.get(name, [""])[0].strip()

    def query(self, name: str) -> str:
        """A parameter of the address, "" if it is absent."""
        return self.request.query_params.get(name, "")

    def page(self, template: str, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """A page of the administration."""
        shared = {
            "session": self.session, "done": DONE.get(self.query("done"), ""), "states": STATES, "duration": duration,
            "moment": moment, "percent": percent, "coefficient": coefficient,
            "has_workbench": self.settings.workbench != "off",
        }  # fmt: skip
        pages: Pages = self.request.app.state.pages
        return pages.response(f"admin/{template}", {**shared, **context}, status=status)

    def go(self, address: str, *, done: str = "") -> Response:
        """On to a page, which tells what was done."""
        return RedirectResponse(address + (f"?done={done}" if done else ""), 303)


def logins_of(request: Request) -> Logins:
    """The accounts."""
    logins: Logins = request.app.state.logins
    return logins


async def _allowed(request: Request, *, by_viewers: bool) -> Session | Response:
    """The session, or what is answered to those who have none or may not do this."""
    session = await session_of(request)
    if session is None:
        return to_login(request)
    if not (session.may_change or by_viewers):
        return Visit(request, session).page("refused.html", {"why": "viewer"}, status=403)
    return session


def looking(view: View, *, by_viewers: bool = True) -> Endpoint:
    """A page for everybody who is logged in, or for admins alone if it holds what others could use."""

    async def endpoint(request: Request) -> Response:
        session = await _allowed(request, by_viewers=by_viewers)
        if isinstance(session, Response):
            return session
        return await run_in_threadpool(_answer, view, Visit(request, session))

    return endpoint


def changing(view: View, *, by_viewers: bool = False, hashes: bool = False, takes_files: bool = False) -> Endpoint:
    """What changes something: for admins, and only from forms of their own session.

    ``by_viewers`` is for what is their own, such as their password; ``hashes`` is for what hashes passwords;
    ``takes_files`` is for uploads, which may be large: they are read when it is known who sends them.
    """

    async def endpoint(request: Request) -> Response:
        session = await _allowed(request, by_viewers=by_viewers)
        if isinstance(session, Response):
            return session
        form, files = await read_upload(request) if takes_files else (await read_form(request), {})
        given = request.headers.get(CSRF_HEADER) or form.get(CSRF_FIELD, [""])[0]
        if not session.is_own(given):
            return Visit(request, session).page("refused.html", {"why": "form"}, status=403)
        visit = Visit(request, session, form, files)
        if hashes:
            return await asyncio.get_running_loop().run_in_executor(visit.logins.threads, _answer, view, visit)
        return await run_in_threadpool(_answer, view, visit)

    return endpoint


def _answer(view: View, visit: Visit) -> Response:
    """The view's answer; a study that an older Fergus stored and this one cannot read is explained."""
    try:
        return view(visit)
    except InputError as error:
        return visit.page("refused.html", {"why": "broken", "problem": str(error)}, status=500)


async def session_of(request: Request) -> Session | None:
    """The session of whoever asks, if they are logged in."""
    return await run_in_threadpool(logins_of(request).session, request.cookies.get(COOKIE, ""))


def to_login(request: Request) -> Response:
    """On to the page of login, and from there back to here."""
    address = f"{PATH}/login"
    if request.headers.get("HX-Request") == "true":
        return Response(status_code=401, headers={"HX-Redirect": address})
    if request.method != "GET":
        return RedirectResponse(address, 303)
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"{address}?next={quote(here, safe='')}" if here != PATH else address, 303)


def is_within(address: str) -> bool:
    """Is it an address of the administration or the workbench, and of no other site?"""
    return _WITHIN.fullmatch(address) is not None


def set_cookie(response: Response, request: Request, session: Session) -> None:
    """Give a browser its session and its mark: out of reach of scripts and of other sites."""
    secure = request.url.scheme == "https" or request.app.state.settings.is_secure
    # Everywhere: the workbench is for those who are logged in, too.
    response.set_cookie(COOKIE, session.token, path="/", httponly=True, samesite="strict", secure=secure)
    mark = logins_of(request).mark(session.account)
    response.set_cookie(
        KNOWN, mark, max_age=KNOWN_MS // 1000, path=PATH, httponly=True, samesite="strict", secure=secure
    )
