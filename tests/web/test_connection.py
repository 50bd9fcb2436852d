"""Connections: what stands before a body, and what comes after an answer, is neither endless nor takes for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from fergus.web.connection import Connection

Work = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"


class Hasty(Connection):
    """With less patience than the real one."""

    head_seconds = rest_seconds = 0.1
    largest_head = 1000


class Patient(Hasty):
    """With more, where something must come in time whatever else the machine does."""

    rest_seconds = 1.0


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers without a look at the body; at /slow after a while."""
    if scope["path"] == "/slow":
        await asyncio.sleep(0.3)
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


def talk(work: Work, *, keep_alive: float = 5, kind: type[Connection] = Hasty) -> None:
    """Talk to a server that has such connections."""

    async def main() -> None:
        config = uvicorn.Config(app, http=Hasty, lifespan="off", log_config=None)
        config.timeout_keep_alive = keep_alive  # type: ignore[assignment]
        config.load()
        state, loop = ServerState(), asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: kind(config=config, server_state=state, app_state={}, _loop=loop), "127.0.0.1", 0
        )
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            async with asyncio.timeout(10):
                await work(reader, writer)
        finally:
            writer.close()
            server.close()
            await server.wait_closed()

    asyncio.run(main())


async def status(reader: asyncio.StreamReader) -> int:
    """The status of the next answer, which is read to its end."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    await reader.readexactly(length)
    return int(head.split()[1])


def test_requests_are_answered_one_after_the_other() -> None:
    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(3):
            writer.write(HEAD + b"\r\n")
            assert await status(reader) == 200
        writer.write(2 * (HEAD + b"\r\n"))  # the second before the first is answered
        assert [await status(reader), await status(reader)] == [200, 200]
        await asyncio.sleep(0.2)  # longer than a head may take: nothing has begun, nothing is late
        writer.write(HEAD + b"Content-Length: 3\r\n\r\nabc")
        assert await status(reader) == 200

    talk(work)


def test_a_head_that_does_not_end_is_refused_and_the_connection_closed() -> None:
    async def late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD)
        assert await status(reader) == 408
        assert await reader.read() == b""

    async def drop_by_drop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"X: ")
        answer = asyncio.create_task(status(reader))
        while not answer.done():
            writer.write(b"x")
            await asyncio.sleep(0.02)
        assert answer.result() == 408

    async def large(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"X: " + 1000 * b"x")  # one header without an end
        assert await status(reader) == 431
        assert await reader.read() == b""

    for work in (late, drop_by_drop, large):
        talk(work)


def test_who_says_nothing_is_not_waited_for() -> None:
    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.read() == b""

    talk(work, keep_alive=0.1)


def test_the_rest_of_a_request_that_has_been_answered_is_not_read_for_ever() -> None:
    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        assert await status(reader) == 200
        assert await reader.read() == b""

    async def soon(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        assert await status(reader) == 200
        writer.write(b"0\r\n\r\n")
        await asyncio.sleep(1.2)
        writer.write(HEAD + b"\r\n")  # the connection is still good
        assert await status(reader) == 200

    talk(work)
    talk(soon, kind=Patient)


def test_a_late_head_does_not_take_back_the_answer_to_the_request_before() -> None:
    async def work(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + HEAD)
        assert await status(reader) == 200
        assert await reader.read() == b""

    talk(work)
