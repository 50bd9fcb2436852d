"""Who may use the API and the workbench, and whether a process is ready."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response

from fergus.studies.storage.database import DatabaseError
from fergus.web.access import address_of, page_visitor
from fergus.web.app import create_app
from fergus.web.login import Logins
from fergus.web.settings import Settings
from fergus.web.visits import COOKIE, is_within
from tests.web.conftest import Visitor
from tests.web.inline_engine import InlineEngine

TOKEN = "a-token-that-nobody-guesses"


class Site:
    """An application with a way of deciding who may use it."""

    def __init__(self, database: Any, service: Any, pages: Any, **options: Any) -> None:
        self.app = create_app(database, settings=Settings(**options), service=service, pages=pages)
        self.engine = InlineEngine()
        if self.app.state.engine is not None:
            self.app.state.engine = self.engine
        self.visitor = Visitor(self.app)

    def send(self, headers: dict[str, str] | None = None) -> httpx.Response:
        sent = {"Content-Type": "application/json", **(headers or {})}
        return self.visitor.request(
            "POST", "/api/v1/realize", content=json.dumps({"trees": ["saw(I her)"]}), headers=sent
        )

    def page_visitor(self, cookie: str = "", path: str = "/workbench") -> str | Response:
        headers = [(b"cookie", f"{COOKIE}={cookie}".encode()), (b"host", b"test")]
        scope = {
            "type": "http", "method": "GET", "path": path, "headers": headers, "app": self.app, "query_string": b"",
            "client": ("192.0.2.1", 1), "scheme": "http", "server": ("test", 80),
        }  # fmt: skip
        return self.visitor.loop.run_until_complete(page_visitor(Request(scope)))


@pytest.fixture
def site(database: Any, service: Any, pages: Any) -> Iterator[Any]:
    made: list[Site] = []

    def make(**options: Any) -> Site:
        made.append(Site(database, service, pages, **options))
        return made[-1]

    yield make
    for one in made:
        one.visitor.close()


def test_where_it_is_open_everybody_may(site: Any) -> None:
    found = site(workbench="open")
    assert found.send().status_code == 200
    assert found.engine.visitors == ["127.0.0.1"]
    assert found.page_visitor() == "192.0.2.1"


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "192.0.2.7"},
        {"x-forwarded-proto": "https"},
        {"Forwarded": "for=192.0.2.7"},
        {"X-Real-IP": "192.0.2.7"},
        {"Host": "studies.example.org"},
    ],
)
def test_where_it_is_open_by_default_a_proxy_does_not_open_it(site: Any, headers: dict[str, str]) -> None:
    found = site(workbench="open", is_open_by_default=True)
    for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "fergus.localhost"):
        assert found.visitor.get("/api/v1/models", headers={"Host": host}).status_code == 200, host
    sent = {"Host": "localhost", **headers}
    refused = found.send(sent)
    assert (refused.status_code, refused.json()["type"]) == (403, "/api#behind-proxy")
    assert "--workbench open" in refused.json()["detail"]
    for address in ("/", "/workbench/realize", "/api"):
        page = found.visitor.get(address, headers=sent)
        assert page.status_code == 403, address
        assert "--public-url" in page.text
        assert "--workbench open" in page.text
    assert found.visitor.get("/api/v1/openapi.json", headers=sent).status_code == 403
    # Studies are for everybody, and so is what somebody has opened.
    assert found.visitor.get("/admin/login", headers=sent).status_code != 403
    assert site(workbench="open").send(sent).status_code == 200


def test_programs_show_the_token(site: Any) -> None:
    found = site(workbench="accounts", api_token=TOKEN)
    for headers in (
        {},
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": "Bearer "},
        {"Cookie": f"{COOKIE}={TOKEN}"},
    ):
        response = found.send(headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json()["type"] == "/api#no-token"
    assert found.visitor.get("/api/v1/models").status_code == 401
    assert found.send({"Authorization": f"bearer {TOKEN}"}).status_code == 200
    assert found.engine.visitors == ["token from 127.0.0.1"]
    # What there is to know is no secret.
    assert found.visitor.get("/api").status_code == 200
    assert "401" in found.visitor.get("/api/v1/openapi.json").json()["paths"]["/api/v1/realize"]["post"]["responses"]


def test_without_a_token_no_program_may(site: Any) -> None:
    found = site(workbench="accounts")
    for headers in ({}, {"Authorization": "Bearer "}):
        response = found.send(headers)
        assert response.status_code == 401
        assert "FERGUS_API_TOKEN" in response.json()["detail"]


def test_a_session_opens_pages_and_not_the_api(site: Any, database: Any, clock: Any) -> None:
    session = Logins(database, now_ms=clock).set_up("ann", "four words in a row")
    assert session is not None
    found = site(workbench="accounts", api_token=TOKEN)
    assert found.page_visitor(session.token) == f"account {session.account.id}"
    stranger = found.page_visitor("x" * 43)
    assert isinstance(stranger, Response)
    assert stranger.headers["location"] == "/admin/login?next=%2Fworkbench"
    # A page of another site could send the cookie along: the API does not look at it.
    assert found.send({"Cookie": f"{COOKIE}={session.token}"}).status_code == 401
    assert is_within("/workbench")
    assert is_within("/workbench/realize?tree=x")
    assert not is_within("/workbenches")


def test_where_it_is_off_there_is_nothing(site: Any) -> None:
    found = site(workbench="off")
    assert found.app.state.engine is None
    for address in ("/api", "/api/v1/models", "/api/v1/openapi.json"):
        assert found.visitor.get(address).status_code == 404
    assert found.send().status_code == 404
    with pytest.raises(Exception, match="404"):
        found.page_visitor()
    assert found.visitor.get("/readyz").json() == {"ready": True, "database": "ready", "realizer": "off"}


def test_readiness(site: Any, service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = site(workbench="open")
    assert found.visitor.get("/readyz").json() == {"ready": True, "database": "ready", "realizer": "ready"}
    found.engine.state = "starting"
    starting = found.visitor.get("/readyz")
    assert (starting.status_code, starting.json()["realizer"]) == (503, "starting")
    assert starting.headers["retry-after"] == "1"
    found.engine.state = "ready"

    def fail() -> None:
        raise DatabaseError("locked")

    monkeypatch.setattr(service.database, "read", fail)
    broken = found.visitor.get("/readyz")
    assert (broken.status_code, broken.json()["database"]) == (503, "not answering")


def test_requests_from_nowhere() -> None:
    assert address_of(Request({"type": "http", "headers": [], "client": None})) == ""
