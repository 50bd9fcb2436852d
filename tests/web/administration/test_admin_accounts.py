from __future__ import annotations

import pytest

from fergus.studies.storage import accounts
from fergus.web.login import MOST_FOR_BOTH
from fergus.web.visits import COOKIE
from tests.web.administration.admin_site import PASSWORD, Site, post

NEW = "another password"


def roles(site: Site) -> dict[str, str]:
    with site.database.read() as transaction:
        return {row.name: row.role for row in accounts.all_accounts(transaction)}


def test_an_account_is_made(site: Site) -> None:
    client = site.logged_in()
    answer = post(client, "/admin/accounts", {"name": "eve", "password": NEW, "role": "viewer"})
    assert answer.headers["location"] == "/admin/accounts?done=account"
    assert "The account is made." in client.get("/admin/accounts?done=account").text
    assert roles(site)["eve"] == "viewer"
    assert site.logged_in("eve", NEW).get("/admin").status_code == 200


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"name": "bob", "password": NEW, "role": "admin"}, "There is an account “bob” already"),
        ({"name": "eve", "password": "short", "role": "admin"}, "The password has 5 characters"),
        ({"name": "eve", "password": NEW, "role": "king"}, "“king” is no role"),
        ({"name": "", "password": NEW, "role": "admin"}, "cannot be a name"),
    ],
)
def test_accounts_that_are_not_made(site: Site, data: dict[str, str], problem: str) -> None:
    before = roles(site)
    answer = post(site.logged_in(), "/admin/accounts", data)
    assert answer.status_code == 422
    assert problem in answer.text
    assert roles(site) == before


def test_roles_passwords_and_accounts_are_changed(site: Site) -> None:
    client = site.logged_in()
    post(client, "/admin/accounts/change", {"what": "role", "name": "vera", "role": "admin"})
    assert roles(site)["vera"] == "admin"
    post(client, "/admin/accounts/change", {"what": "password", "name": "vera", "password": NEW})
    assert site.logged_in("vera", NEW).get("/admin").status_code == 200
    post(client, "/admin/accounts/change", {"what": "remove", "name": "vera"})
    assert "vera" not in roles(site)


def test_a_role_that_is_taken_away_is_gone_at_once(site: Site) -> None:
    bob = site.logged_in("bob")
    post(site.logged_in(), "/admin/accounts/change", {"what": "role", "name": "bob", "role": "viewer"})
    assert post(bob, "/admin/studies/small/state", {"state": "closed"}).status_code == 403


def test_the_last_admin_cannot_go(site: Site) -> None:
    client = site.logged_in()
    post(client, "/admin/accounts/change", {"what": "remove", "name": "bob"})
    answer = post(client, "/admin/accounts/change", {"what": "remove", "name": "ann"})
    assert answer.status_code == 422
    assert "“ann” is the only admin" in answer.text


def test_an_unknown_change_is_refused(site: Site) -> None:
    assert post(site.logged_in(), "/admin/accounts/change", {"what": "x", "name": "bob"}).status_code == 400


def test_ones_own_password(site: Site) -> None:
    client, elsewhere = site.logged_in("vera"), site.logged_in("vera")
    old_token = client.cookies[COOKIE]
    answer = post(client, "/admin/password", {"old": PASSWORD, "password": NEW, "again": NEW})
    assert answer.headers["location"] == "/admin/accounts?done=password"
    assert client.cookies[COOKIE] != old_token
    assert client.get("/admin").status_code == 200
    assert elsewhere.get("/admin").status_code == 303


@pytest.mark.parametrize(
    ("old", "new", "again", "problem"),
    [
        ("wrong", NEW, NEW, "present password is wrong"),
        (PASSWORD, NEW, "x", "not the same"),
        (PASSWORD, "short", "short", "5 characters"),
    ],
)
def test_mistakes_in_ones_own_password(site: Site, old: str, new: str, again: str, problem: str) -> None:
    client = site.logged_in("vera")
    answer = post(client, "/admin/password", {"old": old, "password": new, "again": again})
    assert answer.status_code == 422
    assert problem in answer.text
    assert site.logged_in("vera").get("/admin").status_code == 200


def test_a_stolen_session_cannot_guess_the_password(site: Site) -> None:
    client = site.logged_in("vera")
    for _ in range(MOST_FOR_BOTH):
        post(client, "/admin/password", {"old": "guess", "password": NEW, "again": NEW})
    answer = post(client, "/admin/password", {"old": PASSWORD, "password": NEW, "again": NEW})
    assert answer.status_code == 422
    assert "Too many logins have failed" in answer.text


def test_names_are_escaped(site: Site) -> None:
    client = site.logged_in()
    name = "<script>alert('x')</script>"
    post(client, "/admin/accounts", {"name": name, "password": NEW, "role": "viewer"})
    page = client.get("/admin/accounts").text
    assert name not in page
    assert "&lt;script&gt;" in page
