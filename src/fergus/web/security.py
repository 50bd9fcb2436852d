"""What every request must satisfy and every response carries: same-origin forms, small sizes, strict headers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fergus.web.settings import Settings

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
ADMINISTRATION, UPLOADS = "/admin", "/admin/studies"
API, WORKBENCH = "/api/", "/workbench/"
STATIC = "/static/"
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer, by which browsers send "Origin: null" with forms, as a stranger's page would.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""On every response, errors included."""
FOREVER = b"public, max-age=31536000, immutable"
"""Static files have a hash of what is in them in their addresses."""


class Guard:
    """Refuses forms from other sites, and addresses and bodies that are too large; puts the headers on what is sent."""

    def __init__(self, app: ASGIApp, *, settings: Settings, refuse: Callable[[int, str], Response]) -> None:
        self.app, self.settings, self.refuse = app, settings, refuse
        self._added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, then pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_static = scope["path"].startswith(STATIC)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}  # a report brings its own policy, as strict as ours
                headers = [*message["headers"], *(one for one in self._added if one[0] not in own)]
                if not any(name == b"cache-control" for name, _ in headers):
                    is_kept = is_static and message["status"] < 400
                    headers.append((b"cache-control", FOREVER if is_kept else b"no-store"))
                message["headers"] = headers
            await send(message)

        if status := status_of_address(scope, longest=self.settings.longest_address):
            await self.refuse(status, scope["path"])(scope, receive, send_with_headers)
            return
        if scope["method"] in SAFE:
            await self.app(scope, receive, send_with_headers)
            return
        headers = Headers(scope=scope)
        is_administration = scope["path"].startswith(ADMINISTRATION)
        largest = self._largest(scope["path"])
        length = headers.get("content-length", "0")
        if is_from_elsewhere(headers, must_tell=is_administration, public_url=self.settings.public_url):
            await self.refuse(403, scope["path"])(scope, receive, send_with_headers)
        elif not length.isdecimal() or int(length[:20]) > largest:
            await self.refuse(413, scope["path"])(scope, receive, send_with_headers)
        else:
            await self.app(scope, _limited(receive, largest), send_with_headers)

    def _largest(self, path: str) -> int:
        """Bytes that a request to this address may have."""
        if path.startswith((API, WORKBENCH)):
            return self.settings.limits.body
        return self.settings.largest_upload if path == UPLOADS else self.settings.largest_form


def status_of_address(scope: Scope, *, longest: int) -> int:
    """What is answered to an address that no page looks at: one that is too long or not UTF-8; 0 if it is neither."""
    query: bytes = scope.get("query_string", b"")
    if len(scope.get("raw_path") or scope["path"].encode()) + len(query) > longest:
        return 414
    try:
        query.decode("utf-8")  # httptools refuses other bytes by itself, other parsers do not
    except UnicodeDecodeError:
        return 400
    return 0


def is_from_elsewhere(headers: Headers, *, must_tell: bool, public_url: str = "") -> bool:
    """Does a form come from another site; ``must_tell``: or not say from where?

    Programs say nothing. Participants' pages take that: what a stranger would need is the key in the address.
    ``public_url`` is a site of ours too: not every proxy passes on the name that people use.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        return True
    if origin is not None:
        known, given = urlsplit(public_url), origin.lower()
        is_public = bool(known.netloc) and given == f"{known.scheme}://{known.netloc}".lower()
        return not is_public and given.partition("://")[2] != headers.get("host", "").lower()
    return must_tell and site is None


def _limited(receive: Receive, largest: int) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > largest:
            raise HTTPException(413)
        return message

    return counted


async def read_body(request: Request, *, seconds: float, largest: int) -> bytes:
    """The whole body; a sender who takes too long, or sends too much, is told so as soon as it is known."""
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > largest:
                    raise HTTPException(413)
    except TimeoutError:
        raise HTTPException(408) from None
    except ClientDisconnect:  # nobody reads the answer, and it is no mistake of ours that the log should have
        raise HTTPException(400) from None
    return bytes(body)
