"""A browser without a window: cookies, forms, and one connection that is kept open.

Written for load: a simulation shares the machine's cores with the server that it is to test, so that a request must
cost next to nothing here. HTTP/1.1 with ``Content-Length``, chunks, or an end of the connection.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode, urljoin, urlsplit

from fergus.errors import InputError

MOST_REDIRECTS = 10
Form = Mapping[str, Sequence[str]]


class LostConnectionError(ConnectionError):
    """The server went away before its answer was complete; whether it did what it was asked is not known."""


@dataclass(frozen=True)
class Response:
    """What a server answered, and where it was found in the end."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters; of several of one name, the last."""
    body: bytes
    address: str

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode(errors="replace")


class PageClient:
    """One visitor of one server; ``base`` is any address on it."""

    def __init__(self, base: str, *, timeout_seconds: float = 30.0) -> None:
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                f"“{base}” is no address of a page", remedy="give one such as http://127.0.0.1:8000/s/name"
            )
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.cookies: dict[str, str] = {}
        self.timeout_seconds = timeout_seconds
        self._host, self._tls = parts.hostname, parts.scheme == "https"
        self._port = parts.port or (443 if self._tls else 80)
        self._netloc = parts.netloc.rpartition("@")[2]
        self._connection: _Connection | None = None

    async def get(self, address: str) -> Response:
        """Open a page; redirects on the same server are followed."""
        return await self._follow("GET", address, b"", {})

    async def post(self, address: str, form: Form | bytes, *, headers: Mapping[str, str] | None = None) -> Response:
        """Send a form, or bytes whose ``Content-Type`` is among the headers; redirects are followed."""
        own = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        body = form if isinstance(form, bytes) else urlencode(form, doseq=True).encode()
        return await self._follow("POST", address, body, own)

    def close(self) -> None:
        """Let go of the connection; the next request opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _follow(self, method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Response:
        address = urljoin(self.origin, address)
        for _ in range(MOST_REDIRECTS):
            response = await self._request(method, address, body, headers)
            location = urljoin(address, response.headers.get("location", ""))
            if response.status not in (301, 302, 303, 307, 308) or not location.startswith(f"{self.origin}/"):
                return response
            address = location
            if response.status < 307:
                method, body, headers = "GET", b"", {}
        raise LostConnectionError(f"{address} leads from redirect to redirect")

    async def _request(self, method: str, address: str, body: bytes, headers: Mapping[str, str]) -> Response:
        if not address.startswith(self.origin):
            raise InputError(f"“{address}” is not on {self.origin}", remedy="a client stays on its server")
        target = address.removeprefix(self.origin).partition("#")[0] or "/"
        lines = [f"{method} {target} HTTP/1.1", f"Host: {self._netloc}", *(f"{k}: {v}" for k, v in headers.items())]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if method == "POST":
            lines += [f"Content-Length: {len(body)}", f"Origin: {self.origin}"]
        try:
            async with asyncio.timeout(self.timeout_seconds):
                connection = await self._open()
                status, found = await connection.exchange("\r\n".join([*lines, "\r\n"]).encode() + body)
        except TimeoutError:
            self.close()
            raise LostConnectionError(f"{address} did not answer for {self.timeout_seconds:g} seconds") from None
        except LostConnectionError:
            self.close()
            raise
        except OSError as error:  # asyncio gives no reason where several addresses of a host were tried
            raise LostConnectionError(f"{self.origin} does not answer ({error})") from None
        for name, value in found:
            if name == "set-cookie":
                self._remember(value)
        return Response(status, dict(found), connection.body, address)

    def _remember(self, cookie: str) -> None:
        pair, _, attributes = cookie.partition(";")
        name, _, value = pair.strip().partition("=")
        if "max-age=0" in attributes.lower().replace(" ", ""):
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value

    async def _open(self) -> _Connection:
        if self._connection is None or not self._connection.is_open:
            loop = asyncio.get_running_loop()
            tls = ssl.create_default_context() if self._tls else None
            _, self._connection = await loop.create_connection(_Connection, self._host, self._port, ssl=tls)
        return self._connection


class _Connection(asyncio.Protocol):
    """One connection: an answer is put together as its bytes come in, without a task of its own."""

    def __init__(self) -> None:
        self.is_open = False
        self.body = b""
        self._received = bytearray()
        self._start: int | None = None
        self._length: int | None = None
        self._is_chunked = False
        self._status, self._headers = 0, list[tuple[str, str]]()
        self._waiter: asyncio.Future[tuple[int, list[tuple[str, str]]]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is open."""
        self._transport = cast("asyncio.WriteTransport", transport)  # uvloop's is one without being told so
        self.is_open = True

    async def exchange(self, request: bytes) -> tuple[int, list[tuple[str, str]]]:
        """Send a request, wait for status and headers; the body is in ``body`` then."""
        if not self.is_open:
            raise LostConnectionError("the connection is closed")
        self._received.clear()
        self._start, self._length, self._is_chunked = None, None, False
        self._waiter = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._waiter

    def data_received(self, data: bytes) -> None:
        """Some more of the answer."""
        self._received += data
        if self._start is None:
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                return
            self._read_head(bytes(self._received[:end]))
            self._start = end + 4
        if self._is_chunked:
            body = _unchunked(self._received, self._start)
            if body is not None:
                self._finish(body)
        elif self._length is not None and len(self._received) >= self._start + self._length:
            self._finish(bytes(self._received[self._start : self._start + self._length]))

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of the connection: of the answer too, if that had no length."""
        self.is_open = False
        if self._waiter is None or self._waiter.done():
            return
        if self._start is not None and self._length is None and not self._is_chunked:
            self._finish(bytes(self._received[self._start :]))
        else:
            self._waiter.set_exception(LostConnectionError("the server closed the connection before it had answered"))

    def close(self) -> None:
        """Close it at once."""
        self.is_open = False
        self._transport.abort()

    def _read_head(self, head: bytes) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        self._status = int(first.split(" ", 2)[1])
        self._headers = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        found = dict(self._headers)
        self._is_chunked = found.get("transfer-encoding", "").lower() == "chunked"
        if "content-length" in found:
            self._length = int(found["content-length"])
        elif self._status in (204, 304):
            self._length = 0
        if found.get("connection", "").lower() == "close" or first.startswith("HTTP/1.0"):
            self.is_open = False  # it is about to be

    def _finish(self, body: bytes) -> None:
        self.body = body
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result((self._status, self._headers))


def _unchunked(received: bytearray, start: int) -> bytes | None:
    """The body of which all chunks have come in; None before."""
    parts: list[bytes] = []
    while True:
        end = received.find(b"\r\n", start)
        if end < 0:
            return None
        size = int(received[start:end].split(b";")[0], 16)
        if len(received) < end + 4 + size:
            return None
        if size == 0:
            return b"".join(parts)
        parts.append(bytes(received[end + 2 : end + 2 + size]))
        start = end + 4 + size
