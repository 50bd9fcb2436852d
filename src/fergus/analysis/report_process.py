"""A report on a study, made in a process of its own and behind everything else: ``python -m`` and this module.

The job comes on standard input, since the address of a database may hold a password and everybody sees a command line.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from fergus.analysis.report_files import FIGURES, HTML, JSON, LATEX, Job, Made
from fergus.errors import FergusError, InputError

if TYPE_CHECKING:
    from fergus.analysis.report import Report
    from fergus.studies.storage.database import Database

BEAT_S, TELL_S = 1.0, 0.3
POLITE = 19
"""The lowest priority: whoever answers a participant goes first."""
FAILED, STOPPED = 1, 3
"""How the process ends if there is no report: for a reason that was written down, or because nobody wants it."""
Told = Callable[[str, int, int], None]


def run(job: Job) -> int:
    """Make the report; how the process ends."""
    place, last = job.place, 0.0

    def told(name: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > TELL_S or done == 0:
            last = time.monotonic()
            place.tell(job.token, name, done, total)

    with _heart(job):
        try:
            made, files = make(job, told)
        except FergusError as error:
            if not place.touch(job.token):  # what another job found is not spoken against
                return STOPPED
            place.fail(str(error))
            return FAILED
    # Without the heart, which could end the process after the report is kept and before it is asked for again.
    if not place.touch(job.token):
        return STOPPED
    place.keep(made, files)
    if not place.touch(job.token):  # somebody was deleted meanwhile, and the report must not come back with them
        place.file("zip").unlink(missing_ok=True)
        return STOPPED
    place.end(job.token)
    return 0


def make(job: Job, told: Told) -> tuple[Made, dict[str, bytes]]:
    """The report as files, and what it was made from."""
    from fergus.analysis.summary import summary
    from fergus.studies.storage.migrate import open_database
    from fergus.version import __version__

    began_ms = _now_ms()
    told("reading the answers", 0, 0)
    with open_database(job.database, must_exist=True) as database:
        known, report = _read(job, database, told)
    report = replace(report, date=datetime.now(UTC).date().isoformat())  # tomorrow there may be more answers
    told("writing tables and figures", 0, 0)
    files = _files(report)
    made = Made(
        **known,
        made_ms=_now_ms(),
        duration_ms=_now_ms() - began_ms,
        command=job.command,
        summary=tuple(summary(report)),
        notices=len(report.all_notices),
        fergus=__version__,
        wanted=job.wanted,
        cautions=report.cautions,
    )
    return made, files


def _read(job: Job, database: Database, told: Told) -> tuple[dict[str, Any], Report]:
    from fergus.analysis.analyse import Settings
    from fergus.analysis.make_report import report_of_study
    from fergus.analysis.score_sources import Sources
    from fergus.studies.service import Service
    from fergus.studies.storage import answers, codings, participants, studies

    with database.read() as transaction:
        row = studies.find_study(transaction, job.study)
        if row is None:
            raise InputError(f"there is no study “{job.study}” any more", remedy="look at the list of studies")
        # Counted first: what comes in between is analysed, and told to be new, rather than missed and not told.
        known = {
            "study": row.name,
            "created_ms": row.created_ms,
            "version": row.version,
            "answers": sum(1 for _ in answers.of_study(transaction, row.id)),
            "last_coding": codings.last_of_study(transaction, row.id),
            "people": {person.id: person.state for person in participants.of_study(transaction, row.id)},
        }
    wanted = job.wanted
    report = report_of_study(
        Service(database),
        row,
        settings=Settings(samples=wanted.samples, seed=wanted.seed),
        sources=Sources(metrics=wanted.metrics),
        group=wanted.group,
        leave_out=wanted.leave_out,
        command=job.command,
        told=told,
    )
    return known, report


def _files(report: Report) -> dict[str, bytes]:
    from fergus.analysis.plots import write_figures
    from fergus.analysis.report_html import report_html
    from fergus.analysis.report_json import report_json
    from fergus.analysis.report_latex import write_latex

    return {
        HTML: report_html(report).encode(errors="backslashreplace"),
        JSON: report_json(report).encode(errors="backslashreplace"),
        LATEX: _zipped(lambda folder: write_latex(report, folder)),
        FIGURES: _zipped(lambda folder: write_figures(report, folder)),
    }


def _zipped(write: Callable[[Path], list[str]]) -> bytes:
    """The files that ``write`` puts into a folder."""
    archived = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(archived, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in write(Path(folder)):
            archive.write(Path(folder) / name, name)
    return archived.getvalue()


@contextmanager
def _heart(job: Job) -> Iterator[None]:
    """Touch the file of the job every second, and give up at once when it is gone."""
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(BEAT_S):
            if not job.place.touch(job.token):
                _give_up()
                return

    thread = threading.Thread(target=beat, name="fergus-heart", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _give_up() -> None:
    os._exit(STOPPED)  # from a thread, and nothing is half done: files appear only when they are whole


def _now_ms() -> int:
    return round(time.time() * 1000)


def main() -> None:
    """Do the job that standard input tells."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process too
    if hasattr(os, "nice"):
        os.nice(POLITE)
    sys.exit(run(Job.from_json(sys.stdin.read())))


if __name__ == "__main__":
    main()
