"""What strangers try: other people's data, forms of other sites, HTML, SQL, garbage."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.requests import Request

from fergus.studies.read_page import read_page
from fergus.studies.storage.database import DatabaseError
from fergus.web.app import create_app
from fergus.web.security import HEADERS, is_from_elsewhere, read_body
from fergus.web.settings import Settings
from tests.web.conftest import HX, Visitor

HTML = "</p><script>alert(1)</script>"
STUDY = (
    f"study: evil\ntitle: '{HTML}'\nwelcome: '{HTML}'\nitems: items.csv\nthanks: '[x](javascript:alert(1))'\n"
    "share: yes\nscore: yes\n"
    f"questions: {{q: {{type: pair, text: '{HTML}', right: {{author: human}}, tie: '{HTML}'}}, n: {{type: comment}}}}\n"
    f"blocks: [{{name: b, text: '{HTML}', items: all, page: group, questions: [q]}}, {{name: c, questions: [n]}}]\n"
)
ITEMS = f'item,text,group,author,context\na,"{HTML}",g,human,"{HTML}"\nb,"{HTML}2",g,"{HTML}","{HTML}"\n'


@pytest.fixture
def address(put_in: Any, visitor: Visitor) -> str:
    put_in(STUDY, ITEMS)
    return visitor.join("evil")


def test_the_headers_are_on_every_response(visitor: Visitor, address: str) -> None:
    responses = [
        visitor.get("/s/evil"),
        visitor.get(address),
        visitor.post(address, {"page": "0"}),
        visitor.post(address, {"page": "0", "page.q.choice": "0"}),
        visitor.post(address, {"page": "1"}, headers=HX),
        visitor.get("/nowhere"),
        visitor.post(address, {"page": "1"}, headers={"origin": "http://evil.example"}),
        visitor.request("DELETE", address),
        visitor.request("OPTIONS", address),
        visitor.request("HEAD", address),
        visitor.get("/static/style.css"),
        visitor.get("/static/../app.py"),
    ]
    assert [response.status_code for response in responses] == [
        200,
        200,
        422,
        303,
        200,
        404,
        403,
        405,
        405,
        200,
        200,
        404,
    ]
    for response in responses:
        for name, value in HEADERS.items():
            assert response.headers[name] == value
        is_kept = response.status_code == 200 and "css" in response.headers["content-type"]
        assert response.headers["cache-control"] == ("public, max-age=31536000, immutable" if is_kept else "no-store")


def test_an_error_of_ours_is_a_page_without_anything_of_the_inside(
    visitor: Visitor, address: str, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the inside")

    monkeypatch.setattr(service, "view", fail)
    response = visitor.get(address)
    assert response.status_code == 500
    assert "it is not your fault" in response.text
    assert "inside" not in response.text
    assert response.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
    assert response.headers["cache-control"] == "no-store"


def test_a_database_that_does_not_answer_is_not_the_participants_fault(
    visitor: Visitor, address: str, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise DatabaseError("secret.db: locked")

    monkeypatch.setattr(service, "view", fail)
    response = visitor.get(address)
    assert response.status_code == 503
    assert response.headers["retry-after"] == "5"
    assert "secret" not in response.text


def test_html_in_texts_is_shown_and_not_obeyed(visitor: Visitor, address: str) -> None:
    shown = [visitor.get("/s/evil").text, visitor.get(address).text]
    visitor.send(address, {"page.q.choice": "1"})
    problem = visitor.send(address, {"page.n.comment": HTML * 1000})
    assert problem.status_code == 422
    shown.append(problem.text)
    visitor.send(address, {"page.n.comment": HTML})
    shown.append(visitor.get(address).text)
    for text in shown:
        assert "<script>" not in text
        assert "alert(1)&lt;/script&gt;" in text
        assert 'href="javascript' not in text
    assert read_page(shown[1]).texts["0"].startswith("</p><script>")


def test_other_sites_cannot_send_forms(visitor: Visitor, address: str) -> None:
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://test.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "origin": "http://test"},
    ):
        assert visitor.post(address, {"page": "0", "page.q.choice": "0"}, headers=headers).status_code == 403
        assert visitor.post("/s/evil", {"nonce": "x" * 43}, headers=headers).status_code == 403
        assert visitor.post(f"{address}/withdraw", headers=headers).status_code == 403
    assert visitor.page(address).hidden["page"] == "0"
    own = {"origin": "http://test", "sec-fetch-site": "same-origin"}
    assert visitor.post(address, {"page": "0", "page.q.choice": "0"}, headers=own).status_code == 303


def test_administration_takes_no_form_that_does_not_say_where_it_is_from() -> None:
    nothing = Headers({"host": "test"})
    assert is_from_elsewhere(nothing, must_tell=True)
    assert not is_from_elsewhere(nothing, must_tell=False)
    assert not is_from_elsewhere(Headers({"host": "test", "origin": "https://TEST"}), must_tell=True)
    assert not is_from_elsewhere(Headers({"host": "test", "sec-fetch-site": "same-origin"}), must_tell=True)


def test_a_proxy_may_keep_the_name_that_people_use_to_itself(database: Any, put_in: Any, service: Any) -> None:
    put_in(STUDY, ITEMS)
    settings = Settings(public_url="https://Studies.example/there/")
    visitor = Visitor(create_app(database, settings=settings, service=service))
    form, login = {"nonce": "x" * 43}, {"name": "ann", "password": "wrong"}
    for origin, is_ours in {
        "https://studies.example": True,
        "http://studies.example": False,
        "https://studies.example:8443": False,
        "https://studies.example.evil.example": False,
        "https://evil.example": False,
    }.items():
        headers = {"origin": origin, "host": "127.0.0.1:8000"}
        assert visitor.post("/s/evil", form, headers=headers).status_code == (303 if is_ours else 403), origin
        assert visitor.post("/admin/login", login, headers=headers).status_code == (401 if is_ours else 403), origin
    visitor.close()
    assert is_from_elsewhere(Headers({"host": "test", "origin": "://"}), must_tell=True, public_url="")


def test_nobody_sees_the_pages_of_another(visitor: Visitor, other: Visitor, address: str) -> None:
    theirs = other.join("evil")
    assert theirs != address
    key = address.removeprefix("/p/")
    assert len(key) >= 32
    for guess in (key[:-1], key.swapcase(), f"{key}x", "%", "_", "1", key[:-1] + ("x" if key[-1] == "_" else "_")):
        assert other.get(f"/p/{guess}").status_code == 404
        assert other.post(f"/p/{guess}", {"page": "0", "page.q.choice": "0"}).status_code == 404
    assert visitor.page(address).hidden["page"] == "0"


@pytest.mark.parametrize(
    "attempt",
    [
        "' OR '1'='1",
        '" OR ""="',
        "1; DROP TABLE participants",
        "%00",
        "%27%20OR%201%3D1",
        "a" * 5000,
        "..",
        "%2e%2e%2f",
    ],
)
def test_sql_and_paths_in_addresses_are_unknown_names(visitor: Visitor, address: str, attempt: str) -> None:
    for place in (f"/p/{attempt}", f"/s/{attempt}", f"/j/{attempt}", f"/static/{attempt}", f"/p/{attempt}/withdraw"):
        response = visitor.get(place, follow_redirects=True)
        # "/p/.." is the root, which leads to the login.
        assert response.status_code == 404 or (
            ".." in str(place).replace("%2e", ".") and "/admin/" in response.url.path
        )
    assert visitor.get(f"/s/evil?PROLIFIC_PID={attempt}").status_code == 200
    assert visitor.page(address).hidden["page"] == "0"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "application/x-www-form-urlencoded", 400),
        (b"page=", "application/x-www-form-urlencoded", 400),
        (b"page=-1", "application/x-www-form-urlencoded", 400),
        (b"page=1e3", "application/x-www-form-urlencoded", 400),
        (b"page=" + b"9" * 400, "application/x-www-form-urlencoded", 400),
        (b"page=%ff%fe", "application/x-www-form-urlencoded", 400),
        ("page=é".encode(), "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a=1" for _ in range(3000)), "application/x-www-form-urlencoded", 400),
        (b"page=0", "text/plain", 415),
        (b'{"page": 0}', "application/json", 415),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 415),
        (b"page=0&page.q.choice=" + b"x" * 300_000, "application/x-www-form-urlencoded", 413),
    ],
)
def test_garbage_is_refused_and_changes_nothing(
    visitor: Visitor, address: str, body: bytes, kind: str, status: int
) -> None:
    for place in (address, "/s/evil") if status != 400 else (address,):
        visitor.client.cookies.clear()
        response = visitor.request("POST", place, content=body, headers={"content-type": kind})
        assert response.status_code == status
        assert "<h1>" in response.text
    assert visitor.page(address).hidden["page"] == "0"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200), prefix=st.sampled_from([b"", b"page=0&page.q.choice=", b"page=0&"]))
def test_no_form_breaks_the_server(visitor: Visitor, address: str, body: bytes, prefix: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    response = visitor.request("POST", address, content=prefix + body, headers=headers)
    assert response.status_code in (303, 400, 422)


def test_a_field_that_is_sent_twice_is_no_answer(visitor: Visitor, address: str) -> None:
    response = visitor.post(address, {"page": "0", "page.q.choice": ["0", "1"]})
    assert response.status_code == 422
    assert "more than once" in response.text


def test_a_body_without_a_length_is_counted_as_it_comes(visitor: Visitor, address: str) -> None:
    async def chunks() -> Any:
        for _ in range(100):
            yield b"page=" + b"9" * 10_000

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert visitor.request("POST", address, content=chunks(), headers=headers).status_code == 413
    headers["content-length"] = "many"
    assert visitor.request("POST", address, content=b"page=0", headers=headers).status_code == 413


def test_a_sender_who_takes_too_long_is_told() -> None:
    async def receive() -> Any:
        await asyncio.sleep(5)

    scope = {"type": "http", "method": "POST", "headers": [], "path": "/"}

    async def read() -> None:
        await read_body(Request(scope, receive), seconds=0.01, largest=100)

    with pytest.raises(Exception, match="Request Timeout"):
        asyncio.run(read())


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_somebody_who_hangs_up_in_the_middle_is_no_mistake_of_ours(app: Any, kind: str) -> None:
    """No traceback: the request ends as one that could not be read."""

    async def hang_up(path: str) -> list[int]:
        messages = iter([{"type": "http.request", "body": b"a=", "more_body": True}, {"type": "http.disconnect"}])
        told: list[int] = []

        async def receive() -> Any:
            return next(messages)

        async def send(message: Any) -> None:
            told.extend([message["status"]] if "status" in message else [])

        headers = [(b"host", b"test"), (b"origin", b"http://test"), (b"content-type", kind.encode())]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
        await app(scope | {"scheme": "http", "server": ("test", 80), "client": ("127.0.0.1", 1)}, receive, send)
        return told

    app.state.settings = Settings(workbench="open")
    is_form = "urlencoded" in kind
    assert asyncio.run(hang_up("/admin/login" if is_form else "/workbench/evaluate")) == [400]


def test_cookies_are_for_https_alone_where_people_come_by_it(database: Any, put_in: Any, service: Any) -> None:
    put_in(STUDY, ITEMS)
    visitor = Visitor(create_app(database, settings=Settings(public_url="https://s.example"), service=service))
    response = visitor.post("/s/evil", {"nonce": "x" * 43})
    visitor.close()
    assert "Secure" in response.headers["set-cookie"]


def test_other_kinds_of_connections_are_passed_on(app: Any) -> None:
    """The server's own messages (start, stop) are no requests."""

    async def start_and_stop() -> list[str]:
        messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
        sent: list[str] = []

        async def receive() -> Any:
            return next(messages)

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await app({"type": "lifespan", "state": {}}, receive, send)
        return sent

    assert asyncio.run(start_and_stop()) == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
