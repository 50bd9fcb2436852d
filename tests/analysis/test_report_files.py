"""The files of a report that is kept: one job at a time, dead ones, whole reports only."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fergus.analysis.report_files import HTML, MADE, STALE_S, Job, Made, Place, Running, Wanted

MADE_OF = Made(
    study="small",
    created_ms=5,
    version="v",
    answers=10,
    people={1: "completed", 2: "active"},
    last_coding=0,
    made_ms=7,
    duration_ms=2,
    command="fergus analyse small",
    summary=("One.", "Two."),
    notices=3,
    fergus="0",
    wanted=Wanted(metrics=("string",), group="condition", samples=10, seed=1),
    cautions=("Nobody answered.",),
)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "made" / "new", 3)


def test_a_job_goes_through_standard_input_whole() -> None:
    job = Job(
        database="postgresql://a:secret@b/c",
        folder="/x",
        study_id=3,
        study="small",
        command="c",
        token="t",
        wanted=MADE_OF.wanted,
    )
    assert Job.from_json(job.as_json()) == job
    assert job.place == Place(Path("/x"), 3)


def test_one_at_a_time(place: Place) -> None:
    assert place.running() is None
    assert place.begin("a")
    assert not place.begin("b")
    assert place.running() is not None
    place.end("b")
    assert place.running() is not None
    place.end("a")
    assert place.running() is None
    assert place.begin("b")


def test_nobody_else_can_look_into_the_folder(place: Place) -> None:
    place.begin("a")
    assert place.folder.stat().st_mode & 0o077 == 0


def test_who_has_died_is_not_waited_for(place: Place) -> None:
    place.begin("a")
    long_ago = time.time() - STALE_S - 1
    os.utime(place.file("running"), (long_ago, long_ago))
    assert place.running() is None
    assert place.touch("a")
    assert place.running() is not None
    os.utime(place.file("running"), (long_ago, long_ago))
    assert place.begin("b")
    assert not place.touch("a")


def test_progress_is_that_of_the_job(place: Place) -> None:
    place.begin("a")
    place.tell("a", "metrics", 1, 2)
    running = place.running()
    assert running is not None
    assert (running.job, running.done, running.total) == ("metrics", 1, 2)
    assert abs(running.began_ms - time.time() * 1000) < 60_000
    place.tell("an older one", "metrics", 2, 2)
    running = place.running()
    assert running is not None
    assert running.job == ""


def test_a_file_that_is_just_being_written(place: Place) -> None:
    place.begin("a")
    place.file("running").write_text("")
    running = place.running()
    assert running is not None
    assert abs(running.began_ms - time.time() * 1000) < 60_000
    place.file("failed").write_text("[1]")
    assert place.failed() == ""


def test_the_whole_work_goes_on_and_on() -> None:
    stages = [("", 0, 0), ("reading the answers", 0, 0), ("parsing references", 1, 2), ("metrics", 0, 0)]
    stages += [("analysis of a", 0, 2), ("analysis of b", 1, 2), ("writing tables and figures", 0, 0)]
    shares = [Running("", 0, *stage).share for stage in stages]
    assert shares == sorted(shares)
    assert shares[-1] < 1
    assert Running("", 0, "something else", 1, 2).share == 0


def test_a_reason_lasts_until_the_next_attempt(place: Place) -> None:
    place.begin("a")
    place.fail("no answers")
    place.end("a")
    assert place.failed() == "no answers"
    place.begin("b")
    assert place.failed() == ""


def test_a_report_is_kept_as_it_was_made(place: Place) -> None:
    assert place.made() is None
    place.begin("a")
    place.keep(MADE_OF, {HTML: b"<p>"})
    assert place.made() == MADE_OF
    assert place.content(HTML) == b"<p>"
    assert place.content("nothing") is None
    place.keep(replace(MADE_OF, answers=11), {HTML: b"<b>"})
    found = place.made()
    assert found is not None
    assert (found.answers, place.content(HTML)) == (11, b"<b>")
    place.forget()
    assert (place.made(), place.content(MADE), place.running()) == (None, None, None)


@pytest.mark.parametrize("content", [b"no zip", b"", None])
def test_a_file_of_something_else_is_no_report(place: Place, content: bytes | None) -> None:
    place.begin("a")
    if content is not None:
        place.file("zip").write_bytes(content)
    assert place.made() is None


def test_a_report_of_another_fergus_is_none(place: Place) -> None:
    import zipfile

    place.begin("a")
    with zipfile.ZipFile(place.file("zip"), "w") as archive:
        archive.writestr(MADE, '{"people": {}, "summary": [], "wanted": {"metrics": []}, "colour": "blue"}')
    assert place.made() is None
