"""The list of studies, and uploads: good ones, bad ones, and those that mean harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fergus.studies.storage import studies
from fergus.web.forms import Upload
from fergus.web.views_admin import label_of
from tests.web.administration.admin_site import ITEMS, STUDY, Browser, Site, csrf_of, example, take_part

HTML = "<img src=x onerror=alert(1)>"


def upload(client: Browser, study: object = None, items: object = None, **fields: str):
    files = {}
    if study is not None:
        files["study"] = study if isinstance(study, tuple) else ("study.yaml", study)
    if items is not None:
        files["items"] = items if isinstance(items, tuple) else ("items.csv", items)
    data = {"csrf": csrf_of(client.get("/admin").text), **fields}
    return client.post("/admin/studies", data=data, files=files or {"other": ("x", b"x")})


def stored(site: Site) -> dict[str, list[str]]:
    with site.database.read() as transaction:
        return {
            row.name: [one.version for one in studies.all_versions(transaction, row.id)]
            for row in studies.all_studies(transaction)
        }


def test_the_list_of_studies(busy: Site) -> None:
    page = busy.logged_in().get("/admin").text
    assert "A small study" in page
    assert "88 %" in page  # 7 of 8 participants
    assert 'class="tag good">open' in page


def test_without_studies_the_page_says_what_to_do(bare: Site) -> None:
    bare.app.state.logins.set_up("ann", "four words in a row")
    page = bare.logged_in().get("/admin").text
    assert "There is no study yet" in page
    assert "fergus study new" in page


def test_a_study_that_cannot_be_read_any_more_is_still_listed(site: Site) -> None:
    def spoil(transaction):
        transaction.exec_driver_sql("UPDATE versions SET text = 'study: ['")

    site.database.write(spoil)
    page = site.logged_in().get("/admin")
    assert page.status_code == 200
    assert "cannot be read" in page.text
    for path in ("", "/participants", "/comments"):
        page = site.logged_in().get(f"/admin/studies/small{path}")
        assert page.status_code == 500
        assert "Nothing is lost" in page.text
        assert "study.yaml:1" in page.text


def test_a_study_is_uploaded(bare: Site) -> None:
    bare.app.state.logins.set_up("ann", "four words in a row")
    client = bare.logged_in()
    text, items = example("bangalore-2000")
    answer = upload(client, text, items)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith("/admin/studies/bangalore-2000?done=")
    page = client.get(answer.headers["location"])
    assert page.status_code == 200
    assert "The study is uploaded" in page.text
    assert bare.study("bangalore-2000").state == "open"


def test_a_new_version_for_those_who_come(busy: Site) -> None:
    client, before = busy.logged_in(), stored(busy)["small"]
    upload(client, STUDY.replace("A small study", "A small study, better"), ITEMS, name="small")
    assert len(stored(busy)["small"]) == 2
    assert busy.study().version not in before
    page = client.get("/admin/studies/small/data").text
    assert page.count(">current<") == 1
    assert "A small study, better" in page
    take_part(busy, busy.study(), 99)
    assert client.get("/admin/studies/small/participants").status_code == 200


def test_the_same_files_again_make_no_new_version(site: Site) -> None:
    before = stored(site)
    upload(site.logged_in(), STUDY, ITEMS)
    assert stored(site) == before


def test_every_mistake_is_shown_with_its_line_and_nothing_is_changed(site: Site) -> None:
    before = stored(site)
    bad = STUDY.replace("type: rating", "type: ratting").replace("design: all", "design: some")
    answer = upload(site.logged_in(), bad, ITEMS)
    assert answer.status_code == 422
    assert "study.yaml:7" in answer.text
    assert "ratting" in answer.text
    assert "study.yaml:20" in answer.text
    assert "Nothing was uploaded" in answer.text
    assert stored(site) == before


@pytest.mark.parametrize(
    ("study", "items", "problem"),
    [
        (None, None, "no study file was sent"),
        (b"", None, "no study file was sent"),
        (STUDY, None, "the study has an items file, but none was given"),
        (b"study: \xff", None, "is not UTF-8"),
        (STUDY, b"item,text\n\0", "there is a zero byte"),
        (STUDY, ("items.exe", ITEMS), "no known ending"),
        (b"- just\n- a list\n", None, "the file is"),
        ("study: x\n" + "a: &a [*a, *a]\n", None, "study.yaml"),
        (STUDY, "item,text\ni1,\n", "items.csv:2"),
    ],
)
def test_files_that_are_not_taken(site: Site, study: object, items: object, problem: str) -> None:
    before = stored(site)
    answer = upload(site.logged_in(), study, items)
    assert answer.status_code == 422
    assert problem in answer.text
    assert stored(site) == before


def test_another_study_is_no_version_of_this_one(site: Site) -> None:
    answer = upload(site.logged_in(), STUDY.replace("study: small", "study: other"), ITEMS, name="small")
    assert answer.status_code == 422
    assert "the file is of the study other, not of small" in answer.text
    assert list(stored(site)) == ["small"]


def test_a_file_that_is_too_large(site: Site) -> None:
    answer = upload(site.logged_in(), STUDY, b"item,text\n" + b"x" * 20_000_001)
    assert answer.status_code == 422
    assert "larger than 20 MB" in answer.text


def test_a_body_that_is_too_large_is_not_even_read(site: Site) -> None:
    client = site.logged_in()
    answer = client.post(
        "/admin/studies", content=b"x", headers={"content-length": str(2**40), "content-type": "multipart/form-data"}
    )
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "name",
    ["../../../etc/passwd", "..\\..\\windows\\win.ini", "/etc/cron.d/evil", "C:\\x.yaml", "~/.ssh/authorized_keys"],
)
def test_names_of_files_are_only_labels(site: Site, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "empty" / "deep" / "deeper"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    text = STUDY.replace("study: small", "study: named")
    answer = upload(site.logged_in(), (name, text), (f"{name}.csv", ITEMS))
    assert answer.status_code == 303
    assert sorted(os.walk(tmp_path / "empty")) == [
        (str(tmp_path / "empty"), ["deep"], []),
        (str(tmp_path / "empty" / "deep"), ["deeper"], []),
        (str(folder), [], []),
    ]
    with site.database.read() as transaction:
        row = studies.find_study(transaction, "named")
        assert row is not None
        (files,) = studies.all_versions(transaction, row.id)
    assert not set(files.file_name) & set("/\\")
    assert not set(files.items_name) & set("/\\")


def test_labels() -> None:
    assert label_of(Upload("a/b/study.yaml", b""), "x") == "study.yaml"
    assert label_of(Upload("", b""), "x") == label_of(None, "x") == label_of(Upload("a/..", b""), "x") == "x"
    assert label_of(Upload("\x1b[31m\u202ered.csv", b""), "x") == "[31mred.csv"
    assert label_of(Upload("a" * 300 + ".csv", b""), "x").endswith(".csv")
    assert len(label_of(Upload("a" * 300 + ".csv", b""), "x")) == 100


def test_html_in_studies_is_shown_and_not_obeyed(site: Site) -> None:
    client = site.logged_in()
    text = STUDY.replace("A small study", f"'{HTML}'").replace("Why?", f"'{HTML}'")
    items = ITEMS.replace("The 0. text, which somebody wrote.", HTML).replace(",a,", f',"{HTML}",', 1)
    assert upload(client, (f"{HTML}.yaml", text), items).status_code == 303
    for path in ("", "/participants", "/links", "/data", "/comments", "/comments/why", "/progress"):
        page = client.get(f"/admin/studies/small{path}")
        assert page.status_code == 200, path
        assert HTML not in page.text, path
        assert "<img" not in page.text, path
    assert "&lt;img src=x" in client.get("/admin/studies/small").text
    assert "&lt;img src=x" in client.get("/admin").text


def test_html_in_a_file_with_mistakes_is_shown_and_not_obeyed(site: Site) -> None:
    answer = upload(site.logged_in(), (f"{HTML}.yaml", f"study: '{HTML}'\ntitle: {HTML}\n"), None)
    assert answer.status_code == 422
    assert "<img" not in answer.text
    assert "&lt;img" in answer.text
