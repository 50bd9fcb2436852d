"""Who may use the workbench and the API: everybody on one's own machine, elsewhere those who are known.

Where it is open without anybody's having said so, a proxy on this machine must not open it to the world: what comes by
one, or by another name than this machine's own, is refused. The API takes no cookies: a page of another site cannot use
it by way of somebody's browser.
"""

from __future__ import annotations

import hmac
from ipaddress import ip_address

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from fergus.web.settings import Settings
from fergus.web.visits import session_of, to_login

BEARER = "bearer "
SHORTEST_TOKEN = 20
BY_PROXY = "forwarded", "x-forwarded-", "x-real-ip"
"""What the names of headers begin with that proxies add."""


class BehindProxyError(HTTPException):
    """The workbench is open by default, and somebody comes by a proxy."""

    def __init__(self) -> None:
        super().__init__(403)


async def page_visitor(request: Request) -> str | Response:
    """Whose work on a page of the workbench is counted; or what is answered to those who may not use it."""
    settings: Settings = request.app.state.settings
    check_is_here(request)
    if settings.workbench == "open":
        return address_of(request)
    session = await session_of(request)
    return to_login(request) if session is None else f"account {session.account.id}"


def api_visitor(request: Request) -> str | None:
    """Whose request to the API is counted; None if they are not known. Raises HTTPException if there is none here."""
    settings: Settings = request.app.state.settings
    check_is_here(request)
    if settings.workbench == "open":
        return address_of(request)
    given = request.headers.get("authorization", "")
    is_bearer = given[: len(BEARER)].lower() == BEARER
    token = given[len(BEARER) :].strip().encode("utf-8", "replace")
    is_right = hmac.compare_digest(token, settings.api_token.encode())
    return f"token from {address_of(request)}" if settings.api_token and is_bearer and is_right else None


def check_is_here(request: Request) -> None:
    """Raise HTTPException where there is no workbench: none at all, or none for those who come by a proxy."""
    settings: Settings = request.app.state.settings
    if settings.workbench == "off":
        raise HTTPException(404)
    if settings.is_open_by_default and not is_direct(request):
        raise BehindProxyError


def is_direct(request: Request) -> bool:
    """Does a request come from this machine to this machine, as far as its headers tell?

    A page elsewhere whose name was made to lead here (DNS rebinding) is told by the name.
    """
    host = (request.url.hostname or "").removesuffix(".")
    return is_loopback(host) and not any(name.lower().startswith(BY_PROXY) for name in request.headers)


def is_loopback(host: str) -> bool:
    """Can only this machine reach the address?"""
    try:
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""
