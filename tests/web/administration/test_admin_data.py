"""Links, versions and exports."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from fergus.studies.storage import studies
from fergus.studies.study import Recruitment, Study
from fergus.web.views_data import MOST_LINKS, attachment, open_link
from tests.web.administration.admin_site import ITEMS, PASSWORD, STUDY, Site, add_study, make_site, post, take_part

HERE = "/admin/studies/small"


def links(site: Site) -> list[studies.LinkRow]:
    with site.database.read() as transaction:
        return studies.all_links(transaction, site.study().id)


def test_the_open_link_has_the_recruiters_parameters(site: Site) -> None:
    page = site.logged_in().get(f"{HERE}/links").text
    wanted = "http://testserver/s/small?PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;SOURCE=&lt;SOURCE&gt;"
    assert wanted in page


def test_the_open_link_of_a_server_behind_a_proxy(site: Site) -> None:
    behind = make_site(site.database, public_url="https://studies.example.org/")
    client = behind.client(base="https://testserver", origin="https://testserver")
    client.post("/admin/login", data={"name": "ann", "password": PASSWORD})
    page = client.get(f"{HERE}/links").text
    behind.close()
    assert 'value="https://studies.example.org/s/small?' in page


def test_an_open_link_without_parameters() -> None:
    assert open_link(Study("a", "A", ()), "http://x") == "http://x/s/a"
    named = Study("a", "A", (), recruitment=Recruitment(("a&b", "STUDY_ID")))
    assert open_link(named, "http://x") == "http://x/s/a?a%26b=<a&b>&STUDY_ID={{%STUDY_ID%}}"


def test_a_number_of_links(site: Site) -> None:
    client = site.logged_in()
    answer = post(client, f"{HERE}/links", {"number": "3", "condition": "readers"})
    assert answer.headers["location"] == f"{HERE}/links?done=links"
    assert [(link.label, link.condition) for link in links(site)] == [(f"link {n}", "readers") for n in (1, 2, 3)]
    assert len({link.token for link in links(site)}) == 3
    assert all(len(link.token) == 32 for link in links(site))
    post(client, f"{HERE}/links", {"number": "1"})
    assert (links(site)[-1].label, links(site)[-1].condition) == ("link 4", None)


def test_a_link_for_each_label(site: Site) -> None:
    client = site.logged_in()
    post(client, f"{HERE}/links", {"number": "99", "labels": "Ann\r\n\r\n  <b>Bob</b> \r\n=1+1\r\n"})
    assert [link.label for link in links(site)] == ["Ann", "<b>Bob</b>", "=1+1"]
    page = client.get(f"{HERE}/links").text
    assert "<b>Bob" not in page
    assert "&lt;b&gt;Bob" in page


@pytest.mark.parametrize(
    "data",
    [
        {"number": "0"}, {"number": "-1"}, {"number": str(MOST_LINKS + 1)}, {"number": "1e3"}, {}, {"number": "9" * 99},
        {"labels": "x" * 201}, {"labels": "x\n" * (MOST_LINKS + 1)},
    ],
)  # fmt: skip
def test_links_that_are_not_made(site: Site, data: dict[str, str]) -> None:
    answer = post(site.logged_in(), f"{HERE}/links", data)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert links(site) == []


def test_a_link_of_no_condition(site: Site) -> None:
    assert post(site.logged_in(), f"{HERE}/links", {"number": "1", "condition": "x"}).status_code == 400


def test_a_used_link_says_so(site: Site) -> None:
    client = site.logged_in()
    post(client, f"{HERE}/links", {"labels": "Ann\nBob"})
    site.service.join(site.study(), nonce="n", parameters={}, link=links(site)[0])
    page = client.get(f"{HERE}/links").text
    assert page.count("unused") == 1
    assert "at it" in page
    assert "Ann" in client.get(f"{HERE}/participants").text


def test_links_as_a_table(site: Site) -> None:
    client = site.logged_in()
    post(client, f"{HERE}/links", {"labels": 'Ann, "the first"\n=HYPERLINK("x")\n@x'})
    answer = client.get(f"{HERE}/links.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="small-links.csv"'
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["label"] for row in rows] == ['Ann, "the first"', '\'=HYPERLINK("x")', "'@x"]
    assert rows[0]["link"] == f"http://testserver/j/{links(site)[0].token}"
    assert rows[0]["state"] == "unused"


def test_viewers_get_no_link_that_they_could_use(site: Site) -> None:
    post(site.logged_in(), f"{HERE}/links", {"labels": "Ann\nBob"})
    site.service.join(site.study(), nonce="n", parameters={}, link=links(site)[0])
    viewer = site.logged_in("vera")
    page = viewer.get(f"{HERE}/links").text
    assert "Ann" in page
    assert "at it" in page
    assert "unused" in page
    assert "links.csv" not in page
    refused = viewer.get(f"{HERE}/links.csv")
    assert refused.status_code == 403
    for link in links(site):
        assert link.token not in page + refused.text


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_export_is_a_file_with_a_safe_name(busy: Site, form: str) -> None:
    answer = busy.logged_in().get(f"{HERE}/export.{form}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="small.{form}"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(answer.text)))
    else:
        rows = [json.loads(line) for line in answer.text.splitlines()]
    assert len({row["participant"] for row in rows}) == 8
    assert {row["question"] for row in rows} >= {"quality", "why", "look"}


def test_the_export_by_choice(busy: Site) -> None:
    client = busy.logged_in()
    completed = client.get(f"{HERE}/export.csv?completed_only=yes&with_ids=yes").text
    rows = list(csv.DictReader(io.StringIO(completed)))
    assert len({row["participant"] for row in rows}) == 7
    assert {row["external"] for row in rows} == {f"person{n}" for n in range(7)}
    assert "external" not in client.get(f"{HERE}/export.csv").text.splitlines()[0]


def test_an_export_for_a_spreadsheet(site: Site) -> None:
    take_part(site, site.study(), 1, form={"why.comment": "=1+1"})
    client = site.logged_in()
    assert "'=1+1" not in client.get(f"{HERE}/export.csv").text
    assert "'=1+1" in client.get(f"{HERE}/export.csv?is_safe=yes").text


def test_exports_of_other_forms_are_not_there(busy: Site) -> None:
    assert busy.logged_in().get(f"{HERE}/export.exe").status_code == 404


def test_names_in_headers_are_safe() -> None:
    evil = 'a"; filename=x\r\nSet-Cookie: y\u202e/../../b.c"sv'
    assert attachment(evil, "text/csv")["content-disposition"] == (
        'attachment; filename="a-filename-x-Set-Cookie-y-b.csv"'
    )


def test_versions_can_be_had_back(busy: Site) -> None:
    newer = STUDY.replace("A small study", "Another title")
    add_study(busy, newer)
    client = busy.logged_in()
    page = client.get(f"{HERE}/data").text
    addresses = re.findall(r'href="([^"]*/versions/[^"]*)"', page)
    assert len(addresses) == 4
    answer = client.get(addresses[0])
    assert answer.text == newer
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="small-[0-9a-f]{12}\.yaml"', answer.headers["content-disposition"])
    items = client.get(addresses[1])
    assert items.text == ITEMS
    assert items.headers["content-disposition"].endswith('.csv"')
    for missing in ("/versions/none/study", "/versions/%00/study", f"/versions/{busy.study().version}/passwd"):
        assert client.get(HERE + missing).status_code == 404
