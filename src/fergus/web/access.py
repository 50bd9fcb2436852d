"""Who may use the workbench and the API: everybody on one's own machine, elsewhere those who are known.

The API takes no cookies: a page of another site cannot use it by way of somebody's browser.
"""

from __future__ import annotations

import hmac

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fergus.web.settings import Settings
from fergus.web.visits import session_of, to_login

BEARER = "bearer "
SHORTEST_TOKEN = 20


async def page_visitor(request: Request) -> str | Response:
    """Whose work on a page of the workbench is counted; or what is answered to those who may not use it."""
    settings: Settings = request.app.state.settings
    if settings.workbench == "off":
        raise HTTPException(404)
    if settings.workbench == "open":
        return address_of(request)
    session = await session_of(request)
    return to_login(request) if session is None else f"account {session.account.id}"


def api_visitor(request: Request) -> str | None:
    """Whose request to the API is counted; None if they are not known. Raises HTTPException(404) if there is none."""
    settings: Settings = request.app.state.settings
    if settings.workbench == "off":
        raise HTTPException(404)
    if settings.workbench == "open":
        return address_of(request)
    given = request.headers.get("authorization", "")
    is_bearer = given[: len(BEARER)].lower() == BEARER
    token = given[len(BEARER) :].strip().encode("utf-8", "replace")
    is_right = hmac.compare_digest(token, settings.api_token.encode())
    return f"token from {address_of(request)}" if settings.api_token and is_bearer and is_right else None


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""
