"""The first page: what one can do here, for those who may."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fergus.web.login import Logins
from fergus.web.visits import COOKIE
from tests.web.workbench.conftest import Workbench

Make = Callable[..., Workbench]


def test_everything_is_named_and_there(workbench: Workbench) -> None:
    response = workbench.get("/")
    assert response.status_code == 200
    for name in ("Realize", "Text to tree to text", "Evaluate", "Studies", "Analysis", "API"):
        assert f"<strong>{name}</strong>" in response.text
    for address in ("/workbench/realize", "/workbench/text", "/workbench/evaluate", "/api"):
        assert f'href="{address}"' in response.text
        assert workbench.get(address).status_code == 200


@pytest.mark.parametrize("who", ["off", "accounts"])
def test_strangers_are_asked_who_they_are(make_workbench: Make, who: str) -> None:
    response = make_workbench(workbench=who).get("/")
    assert (response.status_code, response.headers["location"]) == (303, "/admin")


@pytest.mark.parametrize("section", ["realize", "text", "evaluate"])
def test_pages_of_a_workbench_that_is_off_or_for_accounts(make_workbench: Make, section: str) -> None:
    assert make_workbench(workbench="off").get(f"/workbench/{section}").status_code == 404
    response = make_workbench(workbench="accounts").get(f"/workbench/{section}?tree=a")
    assert response.headers["location"].startswith("/admin/login?next=%2Fworkbench%2F")


def test_those_with_an_account_see_it(make_workbench: Make) -> None:
    made = make_workbench(workbench="accounts")
    logins: Logins = made.app.state.logins
    session = logins.set_up("ann", "four words in a row")
    assert session is not None
    made.visitor.client.cookies.set(COOKIE, session.token)
    assert "<h1>Fergus</h1>" in made.get("/").text
    assert made.get("/workbench/realize").status_code == 200
    assert '<a href="/">Workbench</a>' in made.get("/admin").text


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("/realize?tree=saw%28I%29", "/workbench/realize?tree=saw%28I%29"),
        ("/text", "/workbench/text"),
        ("/evaluate", "/workbench/evaluate"),
        ("/workbench", "/"),
    ],
)
def test_short_addresses(workbench: Workbench, short: str, long: str) -> None:
    assert workbench.get(short).headers["location"] == long
