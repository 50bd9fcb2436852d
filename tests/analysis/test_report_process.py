"""The process that makes a report: its files, its reasons, and that it ends when nobody wants it."""

from __future__ import annotations

import io
import json
import re
import signal
import threading
import zipfile
from pathlib import Path

import pytest

from fergus.analysis import report_process
from fergus.analysis.report_files import FIGURES, HTML, JSON, LATEX, Job, Place, Wanted
from fergus.analysis.report_process import FAILED, STOPPED, run
from fergus.studies.raters import RaterSettings, rater
from fergus.studies.service import Service
from fergus.studies.storage import studies
from fergus.studies.storage.migrate import open_database
from fergus.studies.storage.studies import VersionRow
from fergus.studies.study_file import parse_study
from tests.analysis.test_report_files import MADE_OF
from tests.studies import postgresql

STUDY = """\
study: small
title: Small
items: items.csv
questions: {good: {type: rating, text: "How good?", dimensions: {good: {text: "Good?"}}}}
blocks: [{name: main, items: all, questions: [good]}]
"""
ITEMS = "item,group,system,text,reference\n" + "".join(
    f'i{n},g{n // 2},{"ab"[n % 2]},"{"x " * (n % 3)}a text of {n}","a text of {n}"\n' for n in range(8)
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "s.db"
    fill(path)
    return path


def fill(address: str | Path) -> str:
    """Put in a study that four people have answered, and one that nobody has; what opens the database again."""
    with open_database(address) as opened:
        service = Service(opened)
        for text in (STUDY, STUDY.replace("small", "empty")):
            study = parse_study(text, ITEMS)
            files = VersionRow(study.version, "study.yaml", text, "items.csv", ITEMS, 1)
            row = opened.write(lambda t, name=study.name, files=files: studies.add_version(t, name, files))
            for number in range(4 if study.name == "small" else 0):
                key = service.join(row, nonce=f"n{number}", parameters={})
                person = rater(number, seed=1, settings=RaterSettings(inattention=0))
                while (view := service.view(key)) is not None and view.page is not None:
                    form = {
                        asked.prefix + name: values
                        for asked in view.asked
                        for name, values in asked.question.simulate(person, asked.items).items()
                    }
                    service.submit(key, view.participant.page, form, active_ms=1)
        return opened.address


def job_of(database: str | Path, folder: Path, *, study: str = "small") -> Job:
    job = Job(
        database=str(database),
        folder=str(folder),
        study_id=1,
        study=study,
        command="fergus analyse small",
        token="t",
        wanted=Wanted(metrics=("string",), samples=20),
    )
    assert job.place.begin(job.token)
    return job


def test_the_files_of_a_report(database: Path, tmp_path: Path) -> None:
    job = job_of(database, tmp_path)
    assert run(job) == 0
    place = job.place
    made = place.made()
    assert made is not None
    assert (made.study, made.answers, made.command) == ("small", 32, "fergus analyse small")
    assert list(made.people.values()) == ["completed"] * 4
    assert made.summary[0].startswith("4 judges gave 32 scores")
    assert place.running() is None
    page = place.content(HTML) or b""
    assert b"<h1>Analysis of small</h1>" in page
    assert re.search(rb'class="byline">32 judgements.*, \d{4}-\d\d-\d\d</p>', page)
    told = json.loads(place.content(JSON) or b"")
    assert told["settings"]["samples"] == 20
    assert "simple_string_accuracy" in told["metrics"]
    names = zipfile.ZipFile(io.BytesIO(place.content(FIGURES) or b"")).namelist()
    assert {Path(name).suffix for name in names} == {".svg", ".png", ".txt"}
    assert "all.tex" in zipfile.ZipFile(io.BytesIO(place.content(LATEX) or b"")).namelist()


@pytest.mark.parametrize(("study", "why"), [("empty", "nobody has answered"), ("gone", "no study “gone” any more")])
def test_why_there_is_no_report(database: Path, tmp_path: Path, study: str, why: str) -> None:
    job = job_of(database, tmp_path, study=study)
    assert run(job) == FAILED
    assert why in job.place.failed()
    assert job.place.made() is None


def test_what_nobody_wants_is_not_kept(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of(database, tmp_path)
    monkeypatch.setattr(report_process, "make", lambda job, told: job.place.forget() or (None, {}))
    assert run(job) == STOPPED
    assert job.place.made() is None


def test_who_is_deleted_while_it_is_kept_does_not_come_back(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, keep = job_of(database, tmp_path), Place.keep

    def keep_late(place: Place, *given: object) -> None:
        place.forget()
        keep(place, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(report_process, "make", lambda job, told: (MADE_OF, {HTML: b"somebody"}))
    monkeypatch.setattr(Place, "keep", keep_late)
    assert run(job) == STOPPED
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_was_stopped_says_nothing_of_the_next_one(tmp_path: Path) -> None:
    stopped = job_of(tmp_path / "none.db", tmp_path)
    stopped.place.forget()
    assert stopped.place.begin("another")
    assert run(stopped) == STOPPED
    assert stopped.place.failed() == ""
    assert stopped.place.touch("another")


def test_it_gives_up_when_nobody_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job, gave_up = job_of(tmp_path / "none.db", tmp_path), threading.Event()
    monkeypatch.setattr(report_process, "BEAT_S", 0.01)
    monkeypatch.setattr(report_process, "_give_up", gave_up.set)
    with report_process._heart(job):
        assert not gave_up.wait(0.1)
        job.place.forget()
        assert gave_up.wait(5)


def test_the_job_comes_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job, polite, ignored = job_of(tmp_path / "none.db", tmp_path), [], []
    monkeypatch.setattr("sys.stdin", io.StringIO(job.as_json()))
    monkeypatch.setattr("os.nice", polite.append)
    monkeypatch.setattr("signal.signal", lambda *given: ignored.append(given))
    with pytest.raises(SystemExit) as ended:
        report_process.main()
    assert ended.value.code == FAILED
    assert polite == [report_process.POLITE]
    assert ignored == [(signal.SIGINT, signal.SIG_IGN)]
    assert "there is no such file" in job.place.failed()


def test_from_postgresql(tmp_path: Path) -> None:
    programs = postgresql.folder_of_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server (initdb, postgres) is not installed; on Debian: apt-get install postgresql")
    with postgresql.running(programs) as server:
        job = job_of(fill(server.address("postgres")), tmp_path)
        assert run(job) == 0
    made = job.place.made()
    assert made is not None
    assert made.answers == 32
