"""The analysis of a study: made while people answer, kept, thrown away, downloaded, and refused."""

from __future__ import annotations

import io
import json
import re
import sys
import time
import zipfile
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from fergus.analysis.report_files import HTML, JSON, Place, Wanted, folder_of
from fergus.cli.extras import EXTRAS
from fergus.studies.flags import FLAGS
from fergus.studies.storage import codings, participants
from fergus.studies.storage.erase import erase_participant
from fergus.web import analyses, views_analysis
from fergus.web.analyses import NEEDED, Analyses
from fergus.web.views_analysis import METRICS, groups_of, has_references
from tests.analysis.test_report_files import MADE_OF
from tests.web.administration.admin_site import ITEMS, STUDY, Site, add_study, example, post, take_part

HERE = "/admin/studies/small/analysis"
GOOD = {"samples": "20", "seed": "7"}
PAGE = (
    '<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src '
    "'sha256-x'\"></head><body>a report</body></html>"
)


def reports(site: Site) -> Analyses:
    return site.app.state.analyses


def place(site: Site) -> Place:
    return Place(reports(site).folder, site.study().id)


def keep(site: Site, **changed: object) -> None:
    """A report on everything that there is, as if it had been made."""
    row = site.study()
    with site.database.read() as transaction:
        people = {person.id: person.state for person in participants.of_study(transaction, row.id)}
    answers = site.app.state.live.of(row).answers
    facts = {"created_ms": row.created_ms, "version": row.version, "answers": answers, "people": people, **changed}
    place(site).begin("t")
    place(site).keep(replace(MADE_OF, **facts), {HTML: PAGE.encode(), JSON: b"{}"})
    place(site).end("t")


def broken_process(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """A Python that does something else."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(path))


def test_a_study_that_nobody_has_answered(site: Site) -> None:
    client = site.logged_in()
    page = client.get(HERE)
    assert page.status_code == 200
    assert "Nobody has answered yet." in page.text
    assert 'name="seed"' not in page.text
    post(client, HERE, GOOD)
    assert place(site).running() is None


def test_a_page_that_waits_for_answers_loads_itself_when_there_are_some(site: Site) -> None:
    client = site.logged_in()
    asks = unescape(re.search(r'hx-get="([^"]*)"', client.get(HERE).text)[1])
    assert client.get(asks).status_code == 204
    take_part(site, site.study(), 0, pages=1)
    site.app.state.live.forget(site.study())
    assert client.get(asks).headers["hx-refresh"] == "true"
    renewed = client.get(HERE).text
    assert 'name="seed"' in renewed
    assert "first=1" not in renewed


def test_a_study_without_a_report(busy: Site) -> None:
    page = busy.logged_in().get(HERE).text
    assert "There is no report yet." in page
    assert "fergus analyse small --database" in page
    assert 'name="metric"' not in page  # there are no references
    assert '<a href="/admin/studies/small/analysis" aria-current="page">Analysis</a>' in page
    viewed = busy.logged_in("vera").get(HERE).text
    assert "Ask an admin to compute it." in viewed
    assert 'name="seed"' not in viewed
    assert busy.logged_in().get(f"{HERE}/report").headers["location"] == HERE


def test_a_report_is_made_while_people_answer(busy: Site) -> None:
    client, row = busy.logged_in(), busy.study()
    before = busy.app.state.live.of(row).answers
    assert post(client, HERE, GOOD).headers["location"] == HERE
    page = client.get(HERE).text
    assert "The report is being made" in page
    assert '<meta http-equiv="refresh" content="3">' in page
    told = place(busy).running()
    while told is not None and told.job in ("", "reading the answers"):
        time.sleep(0.02)
        told = place(busy).running()
    take_part(busy, row, 20)
    post(client, HERE, {**GOOD, "seed": "8"})  # somebody else asks too, and waits for the same
    reports(busy).wait()
    made = reports(busy).state(row).made
    assert made is not None
    assert (made.answers, made.wanted) == (before, Wanted(samples=20, seed=7))
    busy.app.state.live.forget(row)
    page = client.get(f"{HERE}/state").text
    assert f"from {before} answers" in page
    assert f"{busy.app.state.live.of(row).answers - before} answers have come in since." in page
    assert "8 judges gave" in page
    viewer = busy.logged_in("vera")
    report = viewer.get(f"{HERE}/report")
    assert "<h1>Analysis of small</h1>" in report.text
    assert f"fergus analyse small --database {busy.database.shown} --samples 20 --seed 7" in report.text
    assert viewer.get(f"{HERE}/report.html").text == report.text
    assert viewer.get(f"{HERE}/report.json").json()["settings"]["seed"] == 7
    for name, ending in (("latex.zip", ".tex"), ("figures.zip", ".svg")):
        answer = viewer.get(f"{HERE}/{name}")
        assert answer.headers["content-disposition"] == f'attachment; filename="small-{name}"'
        assert any(one.endswith(ending) for one in zipfile.ZipFile(io.BytesIO(answer.content)).namelist())


def test_the_report_brings_its_own_policy_and_no_other(busy: Site) -> None:
    keep(busy)
    answer = busy.logged_in().get(f"{HERE}/report")
    policies = answer.headers.get_list("content-security-policy")
    assert policies == ["default-src 'none'; style-src 'sha256-x'; frame-ancestors 'none'"]
    assert answer.headers.get_list("x-frame-options") == ["DENY"]
    assert answer.headers["cache-control"] == "no-store"
    place(busy).begin("t")
    place(busy).keep(reports(busy).state(busy.study()).made, {HTML: b"<p>no policy</p>"})
    (policy,) = busy.logged_in().get(f"{HERE}/report").headers.get_list("content-security-policy")
    assert "script-src 'self'" in policy


def test_the_part_that_renews_itself(busy: Site) -> None:
    keep(busy)
    client = busy.logged_in()
    page = client.get(f"{HERE}/state").text
    assert "<html" not in page
    assert "out-of-date" not in page
    seen = page.partition("seen=")[2].partition('"')[0]
    assert client.get(f"{HERE}/state?seen={seen}").status_code == 204
    keep(busy, answers=1)
    assert "out-of-date" in client.get(f"{HERE}/state?seen={seen}").text


def test_files_that_there_are_not(busy: Site) -> None:
    keep(busy)
    client = busy.logged_in()
    assert client.get(f"{HERE}/report.json").status_code == 200
    for name in ("made.json", "latex.zip", "x", "..%2Fsite.db"):
        assert client.get(f"{HERE}/{name}").status_code == 404, name


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"samples": "9"}, 422), ({"samples": "10001"}, 422), ({"samples": "1e3"}, 422), ({"samples": ""}, 422),
        ({"seed": "-1"}, 422), ({"seed": "9" * 30}, 422), ({"seed": "4294967296"}, 422), ({"seed": "²"}, 422),
        ({"metric": "string"}, 400), ({"metric": "/etc/passwd.toml"}, 400), ({"group": "check"}, 400),
        ({"leave_out": "everybody"}, 400),
    ],
)  # fmt: skip
def test_what_cannot_be_chosen(busy: Site, data: dict[str, str], status: int) -> None:
    answer = post(busy.logged_in(), HERE, {**GOOD, **data})
    assert answer.status_code == status
    assert ('role="alert"' in answer.text) == (status == 422)
    assert place(busy).running() is None


def test_what_was_typed_is_not_lost(busy: Site) -> None:
    keep(busy)
    page = post(busy.logged_in(), HERE, {"samples": '"9', "seed": "77"}).text
    assert 'value="&#34;9" required' in page
    assert 'name="seed" type="number" min="0" value="77"' in page


def test_what_can_be_chosen_with_references(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ITEMS.splitlines()
    items = "\n".join([f"{lines[0]},reference", *(f"{line},A text." for line in lines[1:])]) + "\n"
    row = add_study(site, STUDY, items)
    take_part(site, row, 1)
    client = site.logged_in()
    page = client.get(HERE).text
    assert page.count('name="metric"') == len(METRICS)
    assert page.count("checked") == 2
    assert "--metrics string,peers --html small.html" in page
    asked: list[tuple[Wanted, str]] = []
    monkeypatch.setattr(
        Analyses, "start", lambda self, row, wanted, *, command: asked.append((wanted, command)) or "Wait."
    )
    answer = post(client, HERE, {**GOOD, "metric": ["tree", "string"]})
    assert (answer.status_code, "Wait." in answer.text) == (422, True)
    checked = re.findall(r'value="(\w+)" checked', answer.text)
    assert checked == ["string", "tree"]  # as it was sent, and not what the last report had
    assert 'value="20"' in answer.text
    ((wanted, command),) = asked
    assert wanted == Wanted(metrics=("string", "tree"), samples=20, seed=7)
    assert command.endswith("--metrics string,tree --samples 20 --seed 7 --html small.html")


def test_who_is_left_out(busy: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = busy.logged_in()
    assert client.get(HERE).text.count('name="leave_out"') == len(FLAGS)
    asked: list[tuple[Wanted, str]] = []
    monkeypatch.setattr(
        Analyses, "start", lambda self, row, wanted, *, command: asked.append((wanted, command)) or "Wait."
    )
    page = post(client, HERE, {**GOOD, "leave_out": ["failed", "straight"]}).text
    assert re.findall(r'value="(\w+)" checked', page) == ["straight", "failed"]
    ((wanted, command),) = asked
    assert wanted.leave_out == ("straight", "failed")
    assert "--leave-out straight --leave-out failed --samples 20" in command
    keep(busy, wanted=wanted)
    assert reports(busy).state(busy.study()).made.wanted == wanted
    assert "--leave-out straight --leave-out failed" in client.get(HERE).text


def test_what_divides_readers(site: Site) -> None:
    study = site.service.study(add_study(site, *example("hardcastle-2008")))
    assert not has_references(study)
    assert groups_of(study)
    row = site.study("hardcastle-2008")
    take_part(site, row, 1, pages=4)
    page = site.logged_in().get("/admin/studies/hardcastle-2008/analysis").text
    assert all(f"<option>{name}</option>" in page for name in groups_of(study))
    assert groups_of(site.service.study(site.study())) == ()


def test_packages_that_are_missing(busy: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "find_spec", lambda name: None if name != "scipy" else name)
    client = busy.logged_in()
    page = client.get(HERE).text
    assert "needs the package matplotlib, which is not installed" in page
    assert "pip install &#39;fergus[analysis]&#39;" in page or "pip install 'fergus[analysis]'" in page
    assert 'name="seed"' not in page
    post(client, HERE, GOOD)
    assert place(busy).running() is None


def test_the_packages_are_those_of_the_extra() -> None:
    assert set(NEEDED) == {name for name, extra in EXTRAS.items() if extra == "analysis"}
    assert views_analysis.missing_packages() == ()


def test_a_report_goes_with_whoever_is_deleted(busy: Site) -> None:
    keep(busy)
    row, client = busy.study(), busy.logged_in()
    number = busy.app.state.live.of(row).people[0].participant.id
    post(client, f"/admin/studies/small/participants/{number}/delete", {"sure": "yes"})
    assert not place(busy).file("zip").exists()


def test_a_report_goes_also_if_the_command_line_deletes(busy: Site) -> None:
    keep(busy)
    erase_participant(busy.database, busy.app.state.live.of(busy.study()).people[0].participant.id)
    client = busy.logged_in()
    assert client.get(f"{HERE}/report.json").status_code == 404
    keep(busy, people={10**6: "completed"})
    assert "Somebody in the last report has been deleted" in client.get(HERE).text
    assert not place(busy).file("zip").exists()


def test_a_report_of_another_study_with_the_same_number(busy: Site) -> None:
    keep(busy, created_ms=1)
    page = busy.logged_in().get(HERE).text
    assert "There is no report yet." in page
    assert "has been deleted" not in page


def test_what_must_be_read_first_stands_above_the_summary(busy: Site) -> None:
    keep(busy, summary=("20 people told them apart.",), cautions=("20 simulated <participants>.",))
    page = busy.logged_in().get(HERE).text
    assert page.index("20 simulated &lt;participants&gt;.") < page.index("20 people told them apart.")


def test_what_else_makes_a_report_old(busy: Site) -> None:
    keep(busy)
    row, client = busy.study(), busy.logged_in()
    assert "out-of-date" not in client.get(HERE).text
    people = busy.app.state.live.of(row).people
    active = next(one.participant for one in people if one.participant.state == "active")
    busy.database.write(lambda t: participants.set_page(t, active.id, page=3, state="withdrawn", now_ms=1))
    assert "1 of those in it has withdrawn." in client.get(HERE).text
    with busy.database.read() as transaction:
        answer = transaction.exec_driver_sql("SELECT id FROM answers WHERE question = 'why'").first()[0]
    busy.database.write(lambda t: codings.add_coding(t, answer, coder="ann", codes=("order",), now_ms=1))
    assert "Answers have been coded." in client.get(HERE).text
    add_study(busy, STUDY.replace("A small study", "A smaller study"))
    assert "The study has a new version." in client.get(HERE).text


def test_who_looks_at_the_page_loads_nobody(busy: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(busy)
    for module in (participants, codings):
        monkeypatch.setattr(module, "of_study", None)
    monkeypatch.setattr(participants, "who_is_who", None)
    assert reports(busy).state(busy.study()).made is not None


def test_somebody_who_joined_slowly_is_nobody_who_is_gone(busy: Site) -> None:
    row = busy.study()
    with busy.database.read() as transaction:
        people = {person.id: person.state for person in participants.of_study(transaction, row.id)}
    people.pop(min(people))  # on PostgreSQL a smaller number may be seen later
    withdrawn = next(number for number, state in people.items() if state != "withdrawn")
    keep(busy, people=people)
    busy.database.write(lambda t: participants.set_page(t, withdrawn, page=3, state="withdrawn", now_ms=1))
    state = reports(busy).state(row)
    assert (state.made is not None, state.withdrawn) == (True, 1)


def test_why_there_is_none_is_told_and_not_obeyed(busy: Site) -> None:
    keep(busy)
    place(busy).fail("<b>no</b>")
    page = busy.logged_in().get(HERE).text
    assert "<pre>&lt;b&gt;no&lt;/b&gt;</pre>" in page
    assert "Read the report" in page


def test_it_can_be_stopped(busy: Site) -> None:
    client = busy.logged_in()
    post(client, HERE, GOOD)
    assert post(client, f"{HERE}/stop").headers["location"] == HERE
    reports(busy).wait()
    assert reports(busy).state(busy.study()) == analyses.State(None, "", None)


@pytest.mark.parametrize(
    ("script", "why"), [("exit 1", "that nobody thought of"), ("kill -9 $$", "before it was done (code -9)")]
)
def test_a_process_that_dies(
    busy: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, why: str
) -> None:
    broken_process(monkeypatch, tmp_path, script)
    client = busy.logged_in()
    post(client, HERE, GOOD)
    reports(busy).wait()
    assert why in client.get(HERE).text


def test_a_process_that_takes_for_ever(busy: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_process(monkeypatch, tmp_path, "exec sleep 60")
    monkeypatch.setattr(analyses, "LONGEST_S", 0.1)
    post(busy.logged_in(), HERE, GOOD)
    reports(busy).wait()
    assert place(busy).failed().startswith("It took longer than an hour")


def test_a_server_that_is_stopped(busy: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_process(monkeypatch, tmp_path, "exec sleep 60")
    post(busy.logged_in(), HERE, GOOD)
    reports(busy).close()
    assert place(busy).failed() == "The server was stopped before it was done."


def test_not_ever_so_many_at_once(busy: Site) -> None:
    folder = reports(busy).folder
    for number in range(100, 100 + analyses.MOST_AT_ONCE):
        Place(folder, number).begin("t")
    answer = post(busy.logged_in(), HERE, GOOD)
    assert answer.status_code == 422
    assert "Reports on other studies are being made." in answer.text


def test_the_password_of_a_database_is_on_no_command_line(
    busy: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_process(monkeypatch, tmp_path, f'echo "$@" > {tmp_path}/arguments; cat > {tmp_path}/job; exit 3')
    post(busy.logged_in(), HERE, GOOD)
    reports(busy).wait()
    assert (tmp_path / "arguments").read_text().split() == ["-P", "-m", "fergus.analysis.report_process"]
    assert json.loads((tmp_path / "job").read_text())["database"] == busy.database.shown


def test_where_reports_of_postgresql_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Far:
        is_sqlite, shown = False, "postgresql://ann@host/studies"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder_of(Far()).parent == tmp_path / "fergus" / "analysis"  # type: ignore[arg-type]
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of(Far()).parent == tmp_path / ".cache" / "fergus" / "analysis"  # type: ignore[arg-type]
