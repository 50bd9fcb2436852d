from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from fergus.errors import InputError
from fergus.studies.page_client import LostConnectionError, PageClient, Response
from tests.studies.live_server import ScriptedServer as Server

HELLO = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
Visit = Callable[[PageClient], Awaitable[Response]]


def visit(server: Server, *visits: Visit, timeout_seconds: float = 5) -> list[Response]:
    async def run() -> list[Response]:
        listening, address = await server.listen()
        client = PageClient(f"{address}/s/any", timeout_seconds=timeout_seconds)
        try:
            return [await one(client) for one in visits]
        finally:
            client.close()
            await server.end(listening)

    return asyncio.run(run())


def test_one_connection_serves_many_requests() -> None:
    server = Server(HELLO, HELLO, HELLO)
    responses = visit(server, *[lambda client: client.get("/a?b=1#c")] * 3)
    assert [(r.status, r.text) for r in responses] == [(200, "hello")] * 3
    assert server.connections == 1
    assert server.requests[0].startswith(b"GET /a?b=1 HTTP/1.1\r\nHost: 127.0.0.1:")


@pytest.mark.parametrize(
    "answer",
    [
        HELLO,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\nhello",
    ],
    ids=["length", "chunked", "until the end"],
)
@pytest.mark.parametrize("pause_every", [0, 1, 7])
def test_answers_may_come_in_pieces(answer: bytes, pause_every: int) -> None:
    (response,) = visit(Server(answer, pause_every=pause_every), lambda client: client.get("/"))
    assert response.body == b"hello"


def test_forms_cookies_and_redirects() -> None:
    redirect = (
        b"HTTP/1.1 303 See Other\r\nLocation: /p/key\r\nSet-Cookie: a=1; Path=/\r\n"
        b"Set-Cookie: b=2; Max-Age=100\r\nContent-Length: 0\r\n\r\n"
    )
    forget = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=; Max-Age=0\r\nContent-Length: 0\r\n\r\n"
    server = Server(redirect, forget, HELLO)
    first, _ = visit(
        server, lambda client: client.post("/s/any", {"x": ["1", "ü"], "y": ["a b"]}), lambda client: client.get("/")
    )
    assert first.address.endswith("/p/key")
    assert server.requests[0].endswith(b"\r\n\r\nx=1&x=%C3%BC&y=a+b")
    assert b"Content-Type: application/x-www-form-urlencoded\r\n" in server.requests[0]
    assert b"Origin: http://127.0.0.1" in server.requests[0]
    assert server.requests[1].startswith(b"GET /p/key ")
    assert b"Cookie: a=1; b=2\r\n" in server.requests[1]
    assert b"Cookie: b=2\r\n" in server.requests[2]


def test_a_redirect_that_keeps_the_method_sends_the_form_again() -> None:
    again = b"HTTP/1.1 307 Again\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"
    server = Server(again, HELLO)
    visit(server, lambda client: client.post("/here", b"{}", headers={"Content-Type": "application/json"}))
    assert server.requests[1].startswith(b"POST /there ")
    assert server.requests[1].endswith(b"{}")
    assert b"Content-Type: application/json" in server.requests[1]


def test_a_redirect_to_another_server_is_shown_and_not_followed() -> None:
    away = b"HTTP/1.1 302 Found\r\nLocation: https://example.org/done\r\nContent-Length: 0\r\n\r\n"
    (response,) = visit(Server(away), lambda client: client.get("/"))
    assert (response.status, response.headers["location"]) == (302, "https://example.org/done")


def test_redirects_in_a_circle_come_to_an_end() -> None:
    circle = b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"
    with pytest.raises(LostConnectionError, match="from redirect to redirect"):
        visit(Server(*[circle] * 20), lambda client: client.get("/"))


def test_answers_without_a_body() -> None:
    responses = visit(Server(b"HTTP/1.1 204 Nothing\r\n\r\n", HELLO), *[lambda client: client.get("/")] * 2)
    assert [(r.status, r.body) for r in responses] == [(204, b""), (200, b"hello")]


@pytest.mark.parametrize("half", [None, b"HTTP/1.0 200 OK\r\nContent-Length: 50\r\n\r\nhello", b"HTTP/1.0 200"])
def test_a_connection_that_is_lost_before_the_answer_is_an_error(half: bytes | None) -> None:
    with pytest.raises(LostConnectionError, match="closed the connection"):
        visit(Server(half), lambda client: client.get("/"))


def test_after_a_lost_connection_another_one_is_opened() -> None:
    async def twice(client: PageClient) -> Response:
        with pytest.raises(LostConnectionError):
            await client.get("/")
        return await client.get("/")

    server = Server(None, HELLO)
    assert visit(server, twice)[0].text == "hello"
    assert server.connections == 2


def test_a_server_that_closes_after_each_answer_is_asked_anew() -> None:
    closing = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"
    server = Server(closing, closing)
    assert [r.text for r in visit(server, *[lambda client: client.get("/")] * 2)] == ["hi", "hi"]
    assert server.connections == 2


def test_a_server_that_does_not_answer_is_given_up() -> None:
    unfinished = b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello"
    with pytest.raises(LostConnectionError, match=r"did not answer for 0\.05 seconds"):
        visit(Server(unfinished, HELLO), lambda client: client.get("/"), timeout_seconds=0.05)


def test_nobody_listens() -> None:
    async def run() -> None:
        listening = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        listening.close()
        await listening.wait_closed()
        await PageClient(f"http://127.0.0.1:{port}").get("/")

    with pytest.raises(LostConnectionError, match="does not answer"):
        asyncio.run(run())


@pytest.mark.parametrize("base", ["127.0.0.1:8000", "ftp://example.org", "http://", "study.yaml"])
def test_what_is_no_address_is_refused(base: str) -> None:
    with pytest.raises(InputError, match="no address of a page"):
        PageClient(base)


def test_a_client_stays_on_its_server() -> None:
    with pytest.raises(InputError, match=r"“http://example\.org/” is not on http://127"):
        visit(Server(HELLO), lambda client: client.get("http://example.org/"))


def test_https_is_spoken() -> None:
    # The server does not speak it, so that the handshake fails: this shows that one was tried.
    async def run() -> None:
        server = Server(HELLO)
        listening, address = await server.listen()
        try:
            await PageClient(address.replace("http:", "https:"), timeout_seconds=0.2).get("/")
        finally:
            await server.end(listening)

    with pytest.raises(LostConnectionError):
        asyncio.run(run())
