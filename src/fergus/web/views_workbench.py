"""The workbench: its home page, and what its pages have in common."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from fergus.errors import FergusError, InputError
from fergus.models import public_name
from fergus.web.access import check_is_here, page_visitor
from fergus.web.engine import BrokenError, BusyError, Engine
from fergus.web.settings import Settings
from fergus.web.visits import session_of

PATH = "/workbench"
SECTIONS = {
    f"{PATH}/realize": "Realize",
    f"{PATH}/text": "Text to tree to text",
    f"{PATH}/evaluate": "Evaluate",
}
logger = logging.getLogger(__name__)

View = Callable[[Request, str], Awaitable[Response]]
"""A page for a visitor, who is named so that nobody has more under way than one may."""


@dataclass(frozen=True)
class Problem:
    """What is wrong with what was typed, where, and what would be right."""

    words: str
    line: int | None = None
    remedy: str = ""
    status: int = 422

    @property
    def is_ours(self) -> bool:
        """Is it the server's fault, or just too much to do?"""
        return self.status >= 500


def for_visitors(view: View) -> Callable[[Request], Awaitable[Response]]:
    """A page for those who may use the workbench."""

    async def endpoint(request: Request) -> Response:
        visitor = await page_visitor(request)
        return visitor if isinstance(visitor, Response) else await view(request, visitor)

    return endpoint


def engine_of(request: Request) -> Engine:
    """What does the work; 404 where there is no workbench."""
    engine: Engine | None = request.app.state.engine
    if engine is None:
        raise HTTPException(404)
    return engine


def settings_of(request: Request) -> Settings:
    """How the server is run."""
    settings: Settings = request.app.state.settings
    return settings


def models_of(request: Request) -> dict[str, str]:
    """The models by the names that visitors use, with what the command line calls them; where they are is not told."""
    return {name: public_name(place) for name, place in settings_of(request).models}


def problem_of(error: FergusError | BrokenError) -> Problem:
    """An error for people; lines are those of what they typed."""
    if isinstance(error, BrokenError):
        return Problem("Something went wrong here; it is not your fault, and the server’s log has it", status=500)
    if isinstance(error, BusyError):
        return Problem(sentence(str(error)), status=503)
    if isinstance(error, InputError):
        return Problem(sentence(error.problem), error.line, error.remedy)
    return Problem(sentence(str(error)))


def sentence(text: str) -> str:
    """The text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def page(request: Request, template: str, context: Mapping[str, Any], *, problem: Problem | None = None) -> Response:
    """A page of the workbench."""
    shared = {
        "sections": SECTIONS,
        "here": request.url.path,
        "problem": problem,
        "limits": settings_of(request).limits,
    }
    headers = {"Retry-After": str(BusyError.retry_s)} if problem and problem.status == 503 else None
    response: Response = request.app.state.pages.response(
        f"workbench/{template}", {**shared, **context}, status=problem.status if problem else 200, headers=headers
    )
    return response


async def home(request: Request) -> Response:
    """What one can do here; where nobody may, or not everybody, the studies' administration asks who it is.

    Participants of studies never come by: they have their links, and which studies there are is nobody's business.
    """
    settings = settings_of(request)
    if settings.workbench == "off" or (settings.workbench == "accounts" and await session_of(request) is None):
        return RedirectResponse("/admin", 303)
    check_is_here(request)
    return page(request, "home.html", {})


def shortcut(address: str) -> Callable[[Request], Awaitable[Response]]:
    """A short address that leads to a page, with whatever stands behind its question mark."""

    async def endpoint(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(address + query, 303)

    return endpoint


ROUTES: list[BaseRoute] = [
    Route("/", home, methods=["GET"]),
    Route(PATH, shortcut("/"), methods=["GET"]),
    *(Route(address.removeprefix(PATH), shortcut(address), methods=["GET"]) for address in SECTIONS),
]
