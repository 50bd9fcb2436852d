"""HTTP connections on which a request must begin soon and end: what stands before and after its body has limits too."""

from __future__ import annotations

import asyncio
from asyncio.events import TimerHandle
from collections.abc import Callable
from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class Connection(HttpToolsProtocol):
    """uvicorn's connection, which by itself waits for the end of a request's headers however long and large they are.

    Bodies are the application's business, as it knows what an address takes and who may send it.
    """

    head_seconds = 30.0
    """How long the first line and the headers of a request may take to arrive."""
    largest_head = 64 * 1024
    """Bytes of them."""
    rest_seconds = 30.0
    """How long the rest of a request that has been answered already is thrown away; then the connection is closed."""

    _deadline: TimerHandle | None = None
    _is_in_head = False
    _is_whole = True
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there; who says nothing is not waited for longer than between two requests."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent, but not without end."""
        super().data_received(data)
        if self._is_in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > self.largest_head:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """The first byte of a request is there."""
        super().on_message_begin()
        self._is_in_head, self._is_whole, self._head_bytes = True, False, 0
        self._wait(self.head_seconds, lambda: self._refuse(HTTPStatus.REQUEST_TIMEOUT))

    def on_headers_complete(self) -> None:
        """All headers are there."""
        self._is_in_head = False
        self._wait(None)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._is_whole = True
        self._wait(None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is sent, perhaps before the request was: to close at once would take the answer back."""
        super().on_response_complete()
        if not (self._is_whole or self._is_in_head or self.transport.is_closing()):
            self._wait(self.rest_seconds, self.transport.close)

    def _wait(self, seconds: float | None, then: Callable[[], None] | None = None) -> None:
        """Do something after so long, and not what was to be done before."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None or then is None else self.loop.call_later(seconds, then)

    def _refuse(self, status: HTTPStatus) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:  # the request before this is being answered
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        words = f"{status.phrase}.\n".encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(words)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + words)
        self.transport.close()
