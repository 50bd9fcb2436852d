"""Limits of size and time on every address that takes something: too much is 413, too slow is 408 or told in words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from fergus.web import api_work
from fergus.web.app import create_app
from fergus.web.engine_limits import Limits, TookTooLongError
from fergus.web.settings import Settings
from fergus.web.workbench import changes, evaluated, realized, retold
from tests.web.conftest import Visitor
from tests.web.inline_engine import InlineEngine

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
UPLOAD = "multipart/form-data; boundary=x"
STUDY = "study: tiny\ntitle: Tiny\nquestions: {q: {type: comment, text: Well}}\nblocks: [{name: a, questions: [q]}]\n"
ADDRESSES = [
    ("/api/v1/realize", JSON),
    ("/api/v1/parse", JSON),
    ("/api/v1/evaluate", JSON),
    ("/workbench/realize", FORM),
    ("/workbench/text", FORM),
    ("/workbench/evaluate", FORM),
    ("/workbench/evaluate", UPLOAD),
    ("/s/tiny", FORM),
    ("/p/KEY", FORM),
    ("/admin/login", FORM),
    ("/admin/setup", FORM),
]
"""All that anybody can send something to; what those with an account send goes by the same two functions."""
LIMITS = Limits(body=20_000)


@pytest.fixture
def visitor(database: Any, service: Any, pages: Any, put_in: Any) -> Iterator[Visitor]:
    put_in(STUDY)
    settings = Settings(workbench="open", limits=LIMITS, largest_form=10_000, body_seconds=0.1, longest_address=2000)
    app = create_app(database, settings=settings, service=service, pages=pages)
    app.state.engine = InlineEngine(limits=LIMITS)
    found = Visitor(app)
    yield found
    found.close()


def send(visitor: Visitor, address: str, kind: str, content: Any) -> Any:
    headers = {"content-type": kind, "origin": "http://test"}
    if address == "/p/KEY":
        address = visitor.join("tiny")
    return visitor.request("POST", address, content=content, headers=headers)


def is_told(response: Any, address: str) -> bool:
    """Does the answer say what is wrong, as programs or as people read it?"""
    if address.startswith("/api/"):
        return response.headers["content-type"] == "application/problem+json" and bool(response.json()["detail"])
    return "<h1" in response.text


def too_much(kind: str) -> bytes:
    """More than any of the limits above."""
    if kind == JSON:
        return json.dumps({"trees": "x" * 100_000}).encode()
    if kind == FORM:
        return b"tree=" + b"x" * 100_000
    return (
        b'--x\r\nContent-Disposition: form-data; name="outputs"; filename="a"\r\n\r\n'
        + b"x" * 100_000
        + b"\r\n--x--\r\n"
    )


@pytest.mark.parametrize(("address", "kind"), ADDRESSES)
def test_too_large_a_body_is_refused_whether_or_not_its_length_is_told(
    visitor: Visitor, address: str, kind: str
) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        body = too_much(kind)
        for at in range(0, len(body), 5000):
            yield body[at : at + 5000]

    for content in (too_much(kind), pieces()):
        response = send(visitor, address, kind, content)
        assert response.status_code == 413
        assert is_told(response, address)


@pytest.mark.parametrize(("address", "kind"), ADDRESSES)
def test_a_body_that_takes_too_long_is_not_waited_for(visitor: Visitor, address: str, kind: str) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield too_much(kind)[:10]
        await asyncio.sleep(20)
        yield b"never"

    response = send(visitor, address, kind, pieces())
    assert response.status_code == 408
    assert is_told(response, address)


@pytest.mark.parametrize(
    ("address", "work", "asked"),
    [
        ("/api/v1/realize", api_work.begin_realizing, {"trees": ["x"]}),
        ("/api/v1/parse", api_work.parse, {"text": "x"}),
        ("/api/v1/evaluate", api_work.evaluate, {"systems": {"a": ["x"]}, "references": [["x"]]}),
        ("/api/v1/models", api_work.models, None),
        ("/workbench/realize?tree=x", realized.shown, None),
        ("/workbench/realize", realized.shown, {"tree": "x" * 7000}),
        ("/workbench/realize", changes.changed_text, {"tree": "x", "change": "before:0:1", "seen": "2d711642b726b044"}),
        ("/workbench/text?text=x", retold.retold, None),
        ("/workbench/evaluate", evaluated.page_of, {"outputs_text": "x", "metrics": "paper"}),
        ("/workbench/evaluate", evaluated.file_of, {"outputs_text": "x", "metrics": "paper", "answer": "report.json"}),
    ],
)
def test_work_that_takes_too_long_is_stopped_and_told(
    visitor: Visitor, address: str, work: Any, asked: dict[str, Any] | None
) -> None:
    engine = visitor.client._transport.app.state.engine  # type: ignore[attr-defined]
    engine.failing[work] = TookTooLongError("this takes longer than 10 seconds")
    if asked is None:
        response = visitor.get(address)
    else:
        is_json = address.startswith("/api/")
        content = json.dumps(asked) if is_json else urlencode(asked)
        response = send(visitor, address, JSON if is_json else FORM, content)
    assert response.status_code == 422
    assert "akes longer than 10 seconds" in response.text
    assert is_told(response, address)


def test_an_address_is_neither_endless_nor_anything_but_utf_8(visitor: Visitor) -> None:
    for path in ("/", "/s/tiny", "/workbench/realize", "/api", "/admin/login"):
        assert visitor.get(f"{path}?q={'x' * 1900}").status_code in (200, 303)
        for address, status in ((f"{path}?q={'x' * 3000}", 414), (f"{path}{'x' * 3000}", 414)):
            response = visitor.get(address)
            assert response.status_code == status
            assert is_told(response, path)


def test_bytes_that_are_no_utf_8_behind_the_question_mark_are_refused(visitor: Visitor) -> None:
    async def ask(query: bytes) -> int:
        told: list[int] = []

        async def send(message: Any) -> None:
            told.extend([message["status"]] if "status" in message else [])

        scope = {
            "type": "http", "method": "GET", "path": "/workbench/text", "raw_path": b"/workbench/text", "headers": [],
            "query_string": query, "scheme": "http", "server": ("test", 80), "client": ("127.0.0.1", 1),
        }  # fmt: skip
        app = visitor.client._transport.app  # type: ignore[attr-defined]
        await app(scope, None, send)
        return told[0]

    found = [visitor.loop.run_until_complete(ask(query)) for query in (b"x=\xff", b"x=%ff", "x=é".encode())]
    assert found == [400, 200, 200]
