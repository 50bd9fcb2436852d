"""Arriving: open and private links, cookies, recruiters' parameters, studies that take nobody."""

from __future__ import annotations

from typing import Any

import pytest

from fergus.studies.read_page import read_page
from fergus.studies.storage import participants
from fergus.studies.storage.studies import add_link, find_study
from fergus.web.settings import Settings
from tests.web.conftest import Visitor

PLAIN = "study: plain\ntitle: Plain\nwelcome: Hello *there*.\nblocks: [{name: a, text: One.}, {name: b, text: Two.}]\n"
RECRUITED = PLAIN.replace("plain", "paid") + (
    "recruitment:\n  parameters: [PROLIFIC_PID, STUDY_ID]\n  required: yes\n  completion_code: 'C1 & 2'\n"
    "  completion_url: 'https://example.org/done?cc={code}&pid={PROLIFIC_PID}'\n"
)


@pytest.fixture
def private(put_in: Any, database: Any) -> str:
    name = put_in(PLAIN)

    def work(transaction: Any) -> None:
        row = find_study(transaction, name)
        assert row is not None
        add_link(transaction, row.id, token="secret-token", label="Ada", condition=None, now_ms=0)

    database.write(work)
    return "/j/secret-token"


def everybody(database: Any, study: str) -> list[participants.ParticipantRow]:
    with database.read() as transaction:
        row = find_study(transaction, study)
        assert row is not None
        return participants.of_study(transaction, row.id)


def test_the_first_page_welcomes_and_starts(visitor: Visitor, put_in: Any) -> None:
    put_in(PLAIN)
    response = visitor.get("/s/plain")
    assert response.status_code == 200
    assert "Hello <em>there</em>." in response.text
    assert visitor.join("plain").startswith("/p/")


def test_the_cookie_leads_back_and_only_there(visitor: Visitor, put_in: Any) -> None:
    put_in(PLAIN)
    address = visitor.join("plain")
    response = visitor.get("/s/plain")
    assert f'href="{address}"' in response.text
    assert "Go on where you were" in response.text
    assert not read_page(response.text).has_form
    cookie = visitor.post("/s/plain").headers["set-cookie"]
    for wanted in ("HttpOnly", "SameSite=lax", "Path=/s/plain"):
        assert wanted in cookie


def test_who_has_a_cookie_joins_once(visitor: Visitor, put_in: Any, database: Any) -> None:
    put_in(PLAIN)
    form = read_page(visitor.get("/s/plain").text).hidden
    other_tab = read_page(visitor.get("/s/plain").text).hidden
    first = visitor.post("/s/plain", form).headers["location"]
    assert visitor.post("/s/plain", other_tab).headers["location"] == first
    assert len(everybody(database, "plain")) == 1


def test_a_form_that_is_sent_twice_joins_once_even_without_cookies(
    visitor: Visitor, put_in: Any, database: Any
) -> None:
    put_in(PLAIN)
    form = read_page(visitor.get("/s/plain").text).hidden
    addresses = []
    for _ in range(2):
        addresses.append(visitor.post("/s/plain", form).headers["location"])
        visitor.client.cookies.clear()
    assert addresses[0] == addresses[1]
    assert len(everybody(database, "plain")) == 1


def test_a_lost_cookie_loses_nothing_as_the_address_is_the_key(visitor: Visitor, put_in: Any) -> None:
    put_in(PLAIN)
    address = visitor.join("plain")
    visitor.client.cookies.clear()
    assert visitor.send(address, {}).status_code == 303
    assert visitor.page(address).hidden["page"] == "1"


def test_who_is_done_is_not_let_in_again(visitor: Visitor, put_in: Any, database: Any) -> None:
    put_in(PLAIN)
    address = visitor.join("plain")
    visitor.send(address, {})
    visitor.send(address, {})
    text = visitor.get("/s/plain").text
    assert "You have taken part already." in text
    assert "See the last page again" in text
    assert visitor.post("/s/plain", {"nonce": "x" * 43}).headers["location"] == address


def test_a_cookie_of_another_study_says_nothing(visitor: Visitor, put_in: Any) -> None:
    put_in(PLAIN)
    put_in(PLAIN.replace("plain", "other"))
    key = visitor.join("plain").removeprefix("/p/")
    text = visitor.get("/s/other", headers={"cookie": f"fergus-other={key}"}).text
    assert read_page(text).has_form
    assert key not in text


@pytest.mark.parametrize("cookie", ["", "unknown", "\u00e9\u00e9", "' OR 1=1 --", "x" * 5000])
def test_a_forged_cookie_is_nobodys(visitor: Visitor, put_in: Any, cookie: str) -> None:
    put_in(PLAIN)
    response = visitor.get("/s/plain", headers={"cookie": f"fergus-plain={cookie}".encode()})
    assert read_page(response.text).has_form


@pytest.mark.parametrize(("state", "words"), [("paused", "is paused"), ("closed", "is closed")])
def test_a_study_that_is_not_open_takes_nobody(
    visitor: Visitor, put_in: Any, state: str, words: str, database: Any
) -> None:
    put_in(PLAIN, "", state)
    response = visitor.get("/s/plain")
    assert words in response.text
    assert not read_page(response.text).has_form
    refused = visitor.post("/s/plain", {"nonce": "x" * 43})
    assert refused.status_code == 409
    assert words in refused.text
    assert everybody(database, "plain") == []


def test_a_study_that_has_enough_says_so(visitor: Visitor, other: Visitor, put_in: Any) -> None:
    put_in(PLAIN + "assignment: {participants: 1}\n")
    address = visitor.join("plain")
    visitor.send(address, {})
    visitor.send(address, {})
    response = other.post("/s/plain", {"nonce": "x" * 43})
    assert response.status_code == 409
    assert "has all the answers that it needs" in response.text


def test_a_recruiters_link_tells_people_apart(visitor: Visitor, other: Visitor, put_in: Any, database: Any) -> None:
    put_in(RECRUITED)
    first = visitor.join("paid", "?PROLIFIC_PID=ada&STUDY_ID=7&more=x")
    # The same computer, another person; another computer, the same person.
    second = visitor.join("paid", "?PROLIFIC_PID=bob")
    assert first != second
    assert f'href="{first}"' in other.get("/s/paid?PROLIFIC_PID=ada").text
    assert other.post("/s/paid?PROLIFIC_PID=ada", {"nonce": "x" * 43}).headers["location"] == first
    rows = everybody(database, "paid")
    assert [(row.external, dict(row.parameters)) for row in rows] == [
        ("ada", {"PROLIFIC_PID": "ada", "STUDY_ID": "7"}),
        ("bob", {"PROLIFIC_PID": "bob"}),
    ]


def test_a_recruiters_link_that_lacks_its_parameter_is_told(visitor: Visitor, put_in: Any) -> None:
    put_in(RECRUITED)
    for query in ("", "?PROLIFIC_PID=", "?PROLIFIC_PID=%00"):
        response = visitor.get(f"/s/paid{query}")
        assert "This link is not complete." in response.text
        assert not read_page(response.text).has_form
        assert visitor.post(f"/s/paid{query}", {"nonce": "x" * 43}).status_code == 409


def test_who_is_done_gets_the_code_and_the_way_back(visitor: Visitor, put_in: Any) -> None:
    put_in(RECRUITED)
    address = visitor.join("paid", "?PROLIFIC_PID=a%26b%22%3E")
    visitor.send(address, {})
    assert 'id="code"' not in visitor.get(address).text
    visitor.send(address, {})
    text = visitor.get(address).text
    assert '<code id="code">C1 &amp; 2</code>' in text
    assert 'href="https://example.org/done?cc=C1%20%26%202&amp;pid=a%26b%22%3E"' in text


def test_a_recruiters_name_alone_does_not_show_what_somebody_answered(
    visitor: Visitor, other: Visitor, put_in: Any, database: Any
) -> None:
    put_in(RECRUITED)
    link = "/s/paid?PROLIFIC_PID=ada"
    address = visitor.join("paid", "?PROLIFIC_PID=ada")
    visitor.send(address, {})
    assert f'href="{address}"' in other.get(link).text  # a lost cookie: they go on
    visitor.send(address, {})
    for cookie in ({}, {"cookie": "fergus-paid=guess"}):
        text = other.get(link, headers=cookie).text
        assert "You have taken part already." in text
        assert address not in text
        assert not read_page(text).has_form
        refused = other.post(link, {"nonce": "x" * 43}, headers=cookie)
        assert refused.status_code == 409
        assert "set-cookie" not in refused.headers
        assert address not in refused.text
    assert f'href="{address}"' in visitor.get(link).text  # the browser that was there
    assert visitor.post(link, {"nonce": "x" * 43}).headers["location"] == address
    assert len(everybody(database, "paid")) == 1


def test_a_private_link_with_somebody_elses_name_does_not_show_what_they_answered(
    visitor: Visitor, other: Visitor, put_in: Any, database: Any
) -> None:
    put_in(RECRUITED)
    address = visitor.join("paid", "?PROLIFIC_PID=ada")
    for _ in range(2):
        visitor.send(address, {})
    database.write(lambda t: add_link(t, find_study(t, "paid").id, token="mine", label="", condition=None, now_ms=0))
    assert address not in other.get("/j/mine?PROLIFIC_PID=ada").text
    assert other.post("/j/mine?PROLIFIC_PID=ada", {"nonce": "x" * 43}).status_code == 409
    assert other.post("/j/mine", {"nonce": "x" * 43}).headers["location"] != address


def test_a_private_link_is_for_one_person(visitor: Visitor, other: Visitor, private: str, database: Any) -> None:
    form = read_page(visitor.get(private).text).hidden
    address = visitor.post(private, form).headers["location"]
    assert f'href="{address}"' in other.get(private).text
    assert other.post(private, {"nonce": "y" * 43}).headers["location"] == address
    assert len(everybody(database, "plain")) == 1


@pytest.mark.parametrize("address", ["/j/unknown", "/s/unknown", "/s/Plain", "/p/unknown", "/p/unknown/withdraw", "/x"])
def test_what_is_not_there_is_said_in_plain_words(visitor: Visitor, private: str, address: str) -> None:
    response = visitor.get(address)
    assert response.status_code == 404
    assert "There is no such page." in response.text


def test_artificial_raters_are_told_apart(visitor: Visitor, put_in: Any, database: Any, app: Any) -> None:
    put_in(PLAIN)
    visitor.join("plain")
    form = {"nonce": "x" * 43, "kind": "simulated"}
    assert visitor.post("/s/plain", form).status_code == 403  # nobody gets round the rules of the study like that
    app.state.settings = Settings(is_simulation=True)
    assert visitor.post("/s/plain", form).status_code == 303
    form = {"nonce": "y" * 43, "kind": "imported"}
    visitor.client.cookies.clear()
    visitor.post("/s/plain", form)
    assert [row.kind for row in everybody(database, "plain")] == ["person", "simulated", "person"]


def test_the_link_to_pass_on_is_that_of_the_study(visitor: Visitor, put_in: Any) -> None:
    put_in(PLAIN + "share: yes\n")
    address = visitor.join("plain")
    for _ in range(2):
        visitor.send(address, {})
    assert 'value="http://test/s/plain"' in visitor.get(address).text


@pytest.mark.parametrize("nonce", ["", "short", "\u00e9" * 43, "x" * 44, "' OR 1=1 --" + "x" * 32])
def test_a_form_that_no_page_of_ours_made_joins_nobody(
    visitor: Visitor, put_in: Any, database: Any, nonce: str
) -> None:
    put_in(PLAIN)
    assert visitor.post("/s/plain", {"nonce": nonce}).status_code == 400
    assert everybody(database, "plain") == []


def test_the_root_leads_to_the_administration(visitor: Visitor) -> None:
    response = visitor.get("/")
    assert (response.status_code, response.headers["location"]) == (303, "/admin")
