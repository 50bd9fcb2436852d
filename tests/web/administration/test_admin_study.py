"""One study: what it shows, what can be changed, and what cannot."""

from __future__ import annotations

import re

import pytest

from fergus.studies.storage import participants, studies
from fergus.studies.storage.migrate import open_database
from fergus.web.live import LiveProgress
from tests.web.administration.admin_site import STUDY, Site, add_study, post, take_part

HERE = "/admin/studies/small"
HTML = "<script>alert(1)</script>"


def people(site: Site, kinds: tuple[str, ...] = participants.COUNTED) -> list[participants.ParticipantRow]:
    with site.database.read() as transaction:
        return participants.of_study(transaction, site.study().id, kinds=kinds)


def tile(page: str, name: str) -> str:
    """What a tile says, without tags."""
    found = re.search(rf"<dt>{name}</dt><dd>(.*?)</dd>", page)
    assert found is not None
    return re.sub(r"<[^>]*>", "", found[1]).strip()


def test_progress(busy: Site) -> None:
    page = busy.logged_in().get(HERE).text
    assert tile(page, "Completed") == "7 of 8"
    assert tile(page, "At it") == "1"
    assert tile(page, "Straight lines") == "1"
    assert tile(page, "Too fast") == "1"
    assert tile(page, "Failed a check") == "1"
    assert tile(page, "Median page").endswith(" s")
    assert page.count('<tr><th scope="row">i') == 10
    assert 'hx-trigger="every 5s"' in page


def test_nobody_yet(site: Site) -> None:
    page = site.logged_in().get(HERE).text
    assert "Nobody has taken part yet" in page
    assert tile(page, "Median page") == "–"


def test_the_page_renews_itself_only_when_something_changed(busy: Site) -> None:
    client = busy.logged_in()
    address = re.search(r'hx-get="([^"]*)"', client.get(HERE).text)[1]
    assert client.get(address).status_code == 204
    busy.app.state.live.forget(busy.study())
    assert client.get(address).status_code == 204
    take_part(busy, busy.study(), 50)
    busy.app.state.live.forget(busy.study())
    answer = client.get(address)
    assert answer.status_code == 200
    assert tile(answer.text, "Completed") == "8 of 8"
    assert "<html" not in answer.text
    assert client.get(re.search(r'hx-get="([^"]*)"', answer.text)[1]).status_code == 204


def test_progress_is_computed_once_for_many(busy: Site) -> None:
    now = [0.0]
    live = LiveProgress(busy.service, clock_s=lambda: now[0])
    row = busy.study()
    first = live.of(row)
    assert live.of(row) is first
    now[0] = 1.1
    again = live.of(row)
    assert again is not first
    assert again == first


@pytest.mark.parametrize("state", ["paused", "closed", "open"])
def test_states(busy: Site, state: str) -> None:
    client = busy.logged_in()
    answer = post(client, f"{HERE}/state", {"state": state})
    assert answer.headers["location"] == f"{HERE}?done={state}"
    assert busy.study().state == state
    page = client.get(answer.headers["location"]).text
    assert f"The study is {state}" in page
    offered = set(re.findall(r'name="state" value="(\w+)"', page))
    assert offered == {"open": {"paused", "closed"}, "paused": {"open", "closed"}, "closed": {"open"}}[state]


@pytest.mark.parametrize("state", ["", "deleted", "open'; DROP TABLE studies; --"])
def test_states_that_are_none(site: Site, state: str) -> None:
    assert post(site.logged_in(), f"{HERE}/state", {"state": state}).status_code == 400
    assert site.study().state == "open"


def test_a_condition_is_closed_and_opened(site: Site) -> None:
    client = site.logged_in()
    post(client, f"{HERE}/condition", {"condition": "readers", "closed": "yes"})
    with site.database.read() as transaction:
        assert studies.closed(transaction, site.study().id) == {"readers"}
    assert '<span class="tag">closed</span>' in client.get(HERE).text
    for number in range(3):
        take_part(site, site.study(), number, pages=1)
    assert {person.condition for person in people(site)} == {"listeners"}
    post(client, f"{HERE}/condition", {"condition": "readers", "closed": "no"})
    with site.database.read() as transaction:
        assert studies.closed(transaction, site.study().id) == set()


def test_conditions_that_are_none(site: Site) -> None:
    assert post(site.logged_in(), f"{HERE}/condition", {"condition": "x", "closed": "yes"}).status_code == 400
    assert post(site.logged_in(), f"{HERE}/preview", {"condition": "x"}).status_code == 400


@pytest.mark.parametrize("state", ["open", "paused", "closed"])
def test_a_preview_in_every_state_that_is_counted_nowhere(site: Site, state: str) -> None:
    client = site.logged_in()
    post(client, f"{HERE}/state", {"state": state})
    answer = post(client, f"{HERE}/preview", {"condition": "listeners"})
    assert answer.status_code == 303
    assert re.fullmatch(r"/p/[\w-]{32}", answer.headers["location"])
    (person,) = people(site, kinds=("preview",))
    assert person.condition == "listeners"
    assert people(site) == []
    assert "Nobody has taken part yet" in client.get(HERE).text


def test_participants_and_their_flags(busy: Site) -> None:
    client = busy.logged_in()
    page = client.get(f"{HERE}/participants").text
    assert len(re.findall(r'<th scope="row"><a', page)) == 8
    assert "person3" in page
    careless = str(people(busy)[6].id)
    for flag in ("straight", "fast", "failed"):
        listed = re.findall(r'<th scope="row"><a[^>]*>(\d+)<', client.get(f"{HERE}/participants?flag={flag}").text)
        assert listed == [careless]
    assert "failed 1 of 1 checks" in page
    assert client.get(f"{HERE}/participants?flag='--").text.count('<th scope="row"><a') == 8


def test_no_flags_is_said(site: Site) -> None:
    take_part(site, site.study(), 1)
    assert "Nobody: all is well" in site.logged_in().get(f"{HERE}/participants?flag=fast").text


def test_one_participants_answers(busy: Site) -> None:
    person = people(busy)[0]
    page = busy.logged_in().get(f"{HERE}/participants/{person.id}").text
    assert "person0" in page
    assert "The 0. text" in page
    assert str(person.seed) in page
    assert person.key not in page


def test_a_preview_can_be_looked_at_too(site: Site) -> None:
    client = site.logged_in()
    post(client, f"{HERE}/preview")
    (person,) = people(site, kinds=("preview",))
    assert "No answer yet" in client.get(f"{HERE}/participants/{person.id}").text


def test_a_participant_is_deleted_with_everything(busy: Site) -> None:
    client, person = busy.logged_in(), people(busy)[0]
    client.get(HERE)
    address = f"{HERE}/participants/{person.id}"
    assert post(client, f"{address}/delete").status_code == 400  # without being sure
    assert len(people(busy)) == 8
    answer = post(client, f"{address}/delete", {"sure": "yes"})
    assert answer.headers["location"] == f"{HERE}/participants?done=deleted"
    assert len(people(busy)) == 7
    assert "person0" not in client.get(f"{HERE}/participants").text
    assert client.get(address).status_code == 404
    with busy.database.read() as transaction:
        left = transaction.exec_driver_sql(f"SELECT * FROM submissions WHERE participant_id = {person.id}").all()
    assert left == []


def test_what_is_left_of_somebody_in_the_log_is_told(busy: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fergus.studies.storage.erase.PATIENCE_MS", 20)
    client, number = busy.logged_in(), people(busy)[0].id
    with open_database(busy.database.engine.url.database) as other, other.read() as reading:
        reading.exec_driver_sql("SELECT * FROM answers").all()
        answer = post(client, f"{HERE}/participants/{number}/delete", {"sure": "yes"})
    assert "log beside the database still has it" in client.get(answer.headers["location"]).text
    assert number not in [person.id for person in people(busy)]


def test_participants_of_other_studies_are_not_here(busy: Site) -> None:
    other = add_study(busy, STUDY.replace("study: small", "study: other"))
    take_part(busy, other, 70, pages=1)
    number = max(people(busy), key=lambda person: person.id).id + 1
    client = busy.logged_in()
    assert client.get(f"/admin/studies/other/participants/{number}").status_code == 200
    assert client.get(f"{HERE}/participants/{number}").status_code == 404
    assert post(client, f"{HERE}/participants/{number}/delete", {"sure": "yes"}).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/admin/studies/none", "/admin/studies/small'--", "/admin/studies/%00", "/admin/studies/small%20OR%201=1",
        f"{HERE}/participants/999999999999999999999999", f"{HERE}/participants/0", f"{HERE}/participants/1'--",
        f"{HERE}/participants/-1", "/admin/studies/..%2f..%2fetc%2fpasswd", f"{HERE}/none", "/admin/none",
        f"{HERE}/participants/{'9' * 5000}",
    ],
)  # fmt: skip
def test_pages_that_are_not_there(busy: Site, path: str) -> None:
    assert busy.logged_in().get(path).status_code == 404


def test_what_people_bring_is_shown_and_not_obeyed(site: Site) -> None:
    row = site.study()
    key = site.service.join(row, nonce="n", parameters={"PROLIFIC_PID": HTML, "SOURCE": HTML})
    assert key
    client = site.logged_in()
    number = people(site)[0].id
    for path in ("/participants", f"/participants/{number}"):
        page = client.get(HERE + path).text
        assert HTML not in page
        assert "&lt;script&gt;" in page


def test_an_address_cannot_make_the_page_say_anything(site: Site) -> None:
    page = site.logged_in().get(f"{HERE}?done={HTML}").text
    assert "alert(1)" not in page
    assert 'role="status"' not in page


def test_no_page_has_inline_scripts_or_styles(busy: Site) -> None:
    client = busy.logged_in()
    for path in ("", "/participants", "/links", "/data", "/comments", "/comments/why", "/comments/why/code"):
        page = client.get(HERE + path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! src=\"/static/)|javascript:", page), path
        assert not re.search(r'(?:src|href|action)="(?!/|#|\?)', page), path
