"""Who gets in: every page without login, viewers, forged forms, guessed passwords, fixed sessions."""

from __future__ import annotations

import re

import httpx
import pytest
from starlette.routing import Route

from fergus.web import views_accounts, views_admin, views_analysis, views_coding, views_data, views_study
from fergus.web.login import MOST_FOR_BOTH, MOST_FOR_NAME, MOST_FROM_ADDRESS, SESSION_MS
from fergus.web.visits import COOKIE, KNOWN, is_within
from tests.web.administration.admin_site import PASSWORD, TOKEN, Site, csrf_of, post

VIEWS = (views_accounts, views_admin, views_analysis, views_coding, views_data, views_study)
ROUTES = [route for views in VIEWS for route in views.ROUTES if isinstance(route, Route)]
BEFORE_LOGIN = ("/admin/login", "/admin/setup")
OWN = ("/admin/logout", "/admin/password")
FILLED = {
    "name": "small",
    "number": "1",
    "question": "why",
    "form": "csv",
    "version": "x",
    "which": "study",
    "file": "report.json",
}


def addresses(method: str, *, but: tuple[str, ...] = ()) -> list[str]:
    paths = [route.path for route in ROUTES if method in (route.methods or ()) and route.path not in but]
    return [re.sub(r"\{([^}]*)\}", lambda found: FILLED[found[1]], path) for path in paths]


GETS = addresses("GET", but=BEFORE_LOGIN)
POSTS = addresses("POST", but=BEFORE_LOGIN)


def rows(site: Site) -> list[object]:
    """Everything that a change could have changed."""
    tables = ("studies", "versions", "links", "closed_conditions", "participants", "codings", "accounts")
    with site.database.read() as transaction:
        return [transaction.exec_driver_sql(f"SELECT * FROM {table}").all() for table in tables]


def test_there_are_pages_to_test() -> None:
    assert len(GETS) >= 13
    assert len(POSTS) >= 11


@pytest.mark.parametrize("path", GETS)
def test_no_page_without_login(site: Site, path: str) -> None:
    answer = site.client().get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/admin/login")
    assert answer.headers["cache-control"] == "no-store"
    assert not answer.text


@pytest.mark.parametrize("path", GETS)
def test_no_page_by_an_invented_cookie(site: Site, path: str) -> None:
    client = site.client()
    client.cookies.set(COOKIE, "x" * 43)
    assert client.get(path).status_code == 303


def test_a_part_of_a_page_without_login_is_refused_and_leads_to_the_login(site: Site) -> None:
    answer = site.client().get("/admin/studies/small/progress", headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert answer.headers["hx-redirect"] == "/admin/login"


@pytest.mark.parametrize("path", POSTS)
def test_no_change_without_login(site: Site, path: str) -> None:
    before = rows(site)
    answer = site.client().post(path, data={"state": "closed"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/login")
    assert rows(site) == before


@pytest.mark.parametrize("path", [path for path in POSTS if path not in OWN])
def test_viewers_change_nothing(busy: Site, path: str) -> None:
    before = rows(busy)
    client = busy.logged_in("vera")
    data = {"state": "closed", "name": "ann", "what": "remove", "sure": "yes", "number": "5", "answer": "1"}
    answer = post(client, path, data)
    assert answer.status_code == 403
    assert "may look, but not change" in answer.text
    assert rows(busy) == before


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in GETS
        if not path.endswith(("/code", "/versions/x/study", "/links.csv", "/analysis/report", "/analysis/report.json"))
    ],
)
def test_viewers_see_every_page(busy: Site, path: str) -> None:
    answer = busy.logged_in("vera").get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"


def test_viewers_see_no_forms_but_their_own(busy: Site) -> None:
    client = busy.logged_in("vera")
    for path in GETS:
        forms = re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', client.get(path).text)
        assert set(forms) <= set(OWN), path
    assert ">bob<" not in client.get("/admin/accounts").text


@pytest.mark.parametrize("path", POSTS)
def test_forms_without_the_sessions_word_change_nothing(busy: Site, path: str) -> None:
    before = rows(busy)
    client = busy.logged_in()
    other = csrf_of(busy.logged_in().get("/admin").text)
    data = {"state": "closed", "name": "bob", "what": "remove", "sure": "yes", "number": "5", "answer": "1"}
    for word in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": other}):
        answer = client.post(path, data={**data, **word})
        assert answer.status_code == 403
        assert "not of your present session" in answer.text
    assert rows(busy) == before
    assert client.get("/admin").status_code == 200  # still logged in


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {},
    ],
)
def test_forms_of_other_sites_change_nothing(site: Site, headers: dict[str, str]) -> None:
    client = site.logged_in()
    word = csrf_of(client.get("/admin").text)
    before = rows(site)
    del client.client.headers["origin"]  # whatever the browser says follows
    for path in (*POSTS, *BEFORE_LOGIN):
        answer = client.post(path, data={"csrf": word, "state": "closed"}, headers=headers)
        assert answer.status_code == 403, path
    assert rows(site) == before
    told = {"sec-fetch-site": "same-origin"}
    assert client.post(POSTS[-1].replace("small", "none"), data={"csrf": word}, headers=told).status_code == 404


def test_the_sessions_word_may_come_in_a_header(site: Site) -> None:
    client = site.logged_in()
    word = csrf_of(client.get("/admin").text)
    answer = client.post("/admin/studies/small/state", data={"state": "paused"}, headers={"X-CSRF": word})
    assert answer.status_code == 303
    assert site.study().state == "paused"


def cookie_of(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].lower()


def test_the_cookie_is_out_of_reach(site: Site) -> None:
    answer = site.client().post("/admin/login", data={"name": "ann", "password": PASSWORD})
    cookie = cookie_of(answer)
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/admin" in cookie
    assert "secure" not in cookie  # this was plain http


def test_over_https_the_cookie_is_secure(site: Site) -> None:
    client = site.client(base="https://testserver", origin="https://testserver")
    answer = client.post("/admin/login", data={"name": "ann", "password": PASSWORD})
    assert "secure" in cookie_of(answer)


def test_a_session_is_new_at_login(site: Site) -> None:
    client = site.client()
    client.cookies.set(COOKIE, "fixed-by-somebody-else" * 2, domain="testserver.local", path="/admin")
    answer = client.post("/admin/login", data={"name": "ann", "password": PASSWORD})
    assert "fixed-by-somebody-else" not in cookie_of(answer)
    thief = site.client()
    thief.cookies.set(COOKIE, "fixed-by-somebody-else" * 2)
    assert thief.get("/admin").status_code == 303


def test_logging_out_ends_the_session_everywhere(site: Site) -> None:
    client = site.logged_in()
    token = client.cookies[COOKIE]
    answer = post(client, "/admin/logout")
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/login")
    assert COOKIE not in client.cookies
    thief = site.client()
    thief.cookies.set(COOKIE, token)
    assert thief.get("/admin").status_code == 303


def test_a_session_that_is_over_leads_to_the_login(site: Site) -> None:
    client = site.logged_in()
    site.clock[0] += SESSION_MS
    assert client.get("/admin").status_code == 303


def test_a_wrong_password_and_an_unknown_name_look_the_same(site: Site) -> None:
    known, unknown = (
        site.client().post("/admin/login", data={"name": name, "password": "wrong"}) for name in ("ann", "xyz")
    )
    assert known.status_code == unknown.status_code == 401
    assert known.text.replace("ann", "xyz") == unknown.text
    assert "set-cookie" not in known.headers


@pytest.mark.parametrize("name", ["ann", "nobody"])
def test_guessing_is_stopped(site: Site, name: str) -> None:
    client = site.client()
    for _ in range(MOST_FOR_BOTH):
        assert client.post("/admin/login", data={"name": name, "password": "guess"}).status_code == 401
    answer = client.post("/admin/login", data={"name": name, "password": PASSWORD})
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "900"
    assert "15 minutes" in answer.text
    assert "set-cookie" not in answer.headers


def test_who_was_there_is_not_kept_out_by_guesses_from_everywhere(site: Site) -> None:
    client = site.logged_in()
    post(client, "/admin/logout")
    for number in range(MOST_FOR_NAME):
        guesser = site.client(address=f"198.51.100.{number // 2}")
        guesser.post("/admin/login", data={"name": "ann", "password": "guess"})
    right = {"name": "ann", "password": PASSWORD}
    assert site.client(address="203.0.113.1").post("/admin/login", data=right).status_code == 429
    answer = client.post("/admin/login", data=right)
    assert answer.status_code == 303
    cookies = answer.headers.get_list("set-cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == [COOKIE, KNOWN]
    assert all("HttpOnly" in cookie and "SameSite=strict" in cookie for cookie in cookies)


def test_guessing_names_is_stopped_by_address(site: Site) -> None:
    client = site.client(address="192.0.2.7")
    for number in range(MOST_FROM_ADDRESS):
        client.post("/admin/login", data={"name": f"n{number}", "password": "guess"})
    assert client.post("/admin/login", data={"name": "ann", "password": PASSWORD}).status_code == 429
    assert site.logged_in().get("/admin").status_code == 200  # from another address


@pytest.mark.parametrize("name", ["' OR 1=1 --", 'ann"; DROP TABLE accounts; --', "ann\0", "%", "x" * 5000, "\ud7ff"])
def test_names_are_only_names(site: Site, name: str) -> None:
    assert site.client().post("/admin/login", data={"name": name, "password": "x"}).status_code == 401
    assert site.logged_in().get("/admin").status_code == 200


def test_after_the_login_one_is_where_one_wanted_to_be(site: Site) -> None:
    client = site.client()
    login = client.get("/admin/studies/small/participants?flag=fast").headers["location"]
    page = client.get(login)
    wanted = "/admin/studies/small/participants?flag=fast"
    assert f'value="{wanted}"' in page.text
    answer = client.post("/admin/login", data={"name": "ann", "password": PASSWORD, "next": wanted})
    assert answer.headers["location"] == wanted


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example", "//evil.example", "/\\evil.example", "/admin//evil.example", "/admin/../s/x",
        "/administrator", "javascript:alert(1)", "/admin\r\nX: y", "",
    ],
)  # fmt: skip
def test_the_login_leads_nowhere_else(site: Site, address: str) -> None:
    answer = site.client().post("/admin/login", data={"name": "ann", "password": PASSWORD, "next": address})
    if address == "/admin/../s/x":  # no browser leaves it like that, but it is still this site
        assert answer.headers["location"].startswith("/admin")
    else:
        assert answer.headers["location"] == "/admin"


def test_addresses_of_the_administration() -> None:
    assert is_within("/admin")
    assert is_within("/admin/studies/a-b/comments/why?show=disagreements&page=2")
    assert not is_within("/admin?x=<script>")


def test_the_first_account(bare: Site) -> None:
    client = bare.client()
    page = client.get(f"/admin/setup?token={TOKEN}")
    assert page.status_code == 200
    assert "first account" in page.text
    data = {"token": TOKEN, "name": "ann", "password": PASSWORD, "again": PASSWORD}
    answer = client.post("/admin/setup", data=data)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    assert client.get("/admin").status_code == 200
    # The link is used up.
    other = bare.client()
    assert other.get(f"/admin/setup?token={TOKEN}").headers["location"] == "/admin/login"
    assert other.post("/admin/setup", data={**data, "name": "eve"}).status_code == 404


@pytest.mark.parametrize("token", ["", "wrong", TOKEN + "x", "é"])
def test_no_account_without_the_servers_word(bare: Site, token: str) -> None:
    client = bare.client()
    assert client.get("/admin/setup", params={"token": token}).status_code == 303
    data = {"token": token, "name": "eve", "password": PASSWORD, "again": PASSWORD}
    assert client.post("/admin/setup", data=data).status_code == 404
    assert bare.app.state.logins.is_new()


def test_an_empty_word_is_no_word(bare: Site) -> None:
    from dataclasses import replace

    bare.app.state.settings = replace(bare.app.state.settings, setup_token="")
    assert bare.client().get("/admin/setup?token=").status_code == 303


@pytest.mark.parametrize(
    ("name", "password", "again", "problem"),
    [
        ("ann", PASSWORD, "another", "not the same"),
        ("ann", "short", "short", "5 characters"),
        (" ", PASSWORD, PASSWORD, "cannot be a name"),
    ],
)
def test_mistakes_in_the_first_account(bare: Site, name: str, password: str, again: str, problem: str) -> None:
    data = {"token": TOKEN, "name": name, "password": password, "again": again}
    answer = bare.client().post("/admin/setup", data=data)
    assert answer.status_code == 422
    assert problem in answer.text
    assert bare.app.state.logins.is_new()


def test_forms_that_are_none(site: Site) -> None:
    client = site.client()
    assert client.post("/admin/login", content=b"{}", headers={"content-type": "application/json"}).status_code == 415
    large = {"name": "ann", "password": "x" * 100_000}
    assert client.post("/admin/login", data=large).status_code == 413
    many = {f"f{number}": "x" for number in range(300)}
    assert client.post("/admin/login", data=many).status_code == 400
    raw = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/admin/login", content=b"name=\xff", headers=raw).status_code == 400


@pytest.mark.parametrize("path", BEFORE_LOGIN)
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_strangers_cannot_send_large_forms(site: Site, path: str, kind: str) -> None:
    sent = 0

    async def file():
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        for _ in range(100):
            sent += 10_000
            yield b"f" * 10_000

    answer = site.client().post(path, content=file(), headers={"content-type": kind})
    assert answer.status_code == (415 if "multipart" in kind else 413)
    assert sent <= 80_000
    declared = {"content-type": kind, "content-length": str(1024 * 1024)}
    assert site.client().post(path, content=b"x", headers=declared).status_code == 413


def test_only_the_upload_takes_files(site: Site) -> None:
    client = site.logged_in()
    for path in POSTS:
        answer = client.post(path, data={"csrf": "x"}, files={"f": ("f", b"x")})
        assert answer.status_code == (403 if path == "/admin/studies" else 415), path
    broken = {"content-type": "multipart/form-data"}
    assert client.post("/admin/studies", content=b"--x", headers=broken).status_code == 400


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/admin/login", "application/x-www-form-urlencoded"), ("/admin/studies", "multipart/form-data; boundary=x")],
)
def test_a_form_that_does_not_arrive_is_given_up(site: Site, path: str, kind: str) -> None:
    from dataclasses import replace

    client = site.logged_in()
    site.app.state.settings = replace(site.app.state.settings, body_seconds=0.05)

    async def slow():
        import asyncio

        yield b"--x"
        await asyncio.sleep(5)

    assert client.post(path, content=slow(), headers={"content-type": kind}).status_code == 408
