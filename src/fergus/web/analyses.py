"""Reports on studies, made by other processes at the lowest priority, so that no participant waits for them."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from importlib.util import find_spec

from fergus.analysis.report_files import Job, Made, Place, Running, Wanted, folder_of
from fergus.analysis.report_process import FAILED, STOPPED
from fergus.studies.storage import codings, participants
from fergus.studies.storage.database import Database, Transaction
from fergus.studies.storage.studies import StudyRow

NEEDED = ("matplotlib", "scipy")
"""The packages of the extra ``analysis``."""
MOST_AT_ONCE = 2
"""Reports of different studies."""
LONGEST_S = 3600.0
_ONE_THREAD = dict.fromkeys(
    ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)  # fmt: skip


@dataclass(frozen=True)
class State:
    """How it stands with the report on a study."""

    running: Running | None
    failed: str
    made: Made | None
    deleted: bool = False
    """Was there a report, and is it gone because somebody in it was deleted?"""
    withdrawn: int = 0
    """Who is in the report and has withdrawn since."""
    is_coded_since: bool = False
    """Have comments been coded, or tasks been graded?"""

    @property
    def elapsed_ms(self) -> int:
        """Since the report was begun."""
        return 0 if self.running is None else max(0, round(time.time() * 1000) - self.running.began_ms)


class Analyses:
    """The reports of a database's studies; several processes may serve them, so all is known by files."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.folder = folder_of(database)
        self._threads: dict[threading.Thread, subprocess.Popen[str]] = {}
        self._is_closing = False

    def state(self, row: StudyRow) -> State:
        """How it stands; a report with somebody in it who has been deleted is thrown away."""
        place = self._place(row)
        made = place.made()
        running, failed = place.running(), place.failed()
        if made is None:
            return State(running, failed, None)
        with self._database.read() as transaction:
            withdrawn = _withdrawn_since(transaction, row, made)
            last = codings.last_of_study(transaction, row.id)
        if made.created_ms != row.created_ms or made.study != row.name or withdrawn is None:
            place.file("zip").unlink(missing_ok=True)
            return State(running, failed, None, deleted=made.created_ms == row.created_ms)
        return State(running, failed, made, withdrawn=withdrawn, is_coded_since=last != made.last_coding)

    def content(self, row: StudyRow, name: str) -> bytes | None:
        """A file of the report that is kept."""
        return None if self.state(row).made is None else self._place(row).content(name)

    def start(self, row: StudyRow, wanted: Wanted, *, command: str) -> str:
        """Begin a report; what is in the way, if anything is. One that is being made is left alone."""
        place, token = self._place(row), secrets.token_hex(8)
        others = self.folder.glob("study-*.running")
        busy = [one for one in others if Place(self.folder, int(one.stem.partition("-")[2])).running() is not None]
        if len(busy) >= MOST_AT_ONCE and place.file("running") not in busy:
            return "Reports on other studies are being made. Wait until one of them is there."
        if not place.begin(token):
            return ""
        job = Job(
            database=self._database.address,
            folder=str(self.folder),
            study_id=row.id,
            study=row.name,
            command=command,
            token=token,
            wanted=wanted,
        )
        # -P: nothing that lies where the server was started is taken for a package. No session of its own: Linux gives
        # every session the same share of the processor, whatever the priorities of those in it (autogroup).
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "fergus.analysis.report_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD},
            text=True,
        )
        thread = threading.Thread(target=self._see_to_its_end, args=(process, job), name="fergus-analysis", daemon=True)
        self._threads[thread] = process
        thread.start()
        return ""

    def stop(self, row: StudyRow) -> None:
        """Want the report that is being made no more."""
        self._place(row).file("running").unlink(missing_ok=True)

    def forget(self, row: StudyRow) -> None:
        """Throw away what there is: somebody in it was deleted."""
        self._place(row).forget()

    def wait(self) -> None:
        """Until what was begun here has ended."""
        for thread in list(self._threads):
            thread.join()

    def close(self) -> None:
        """End what was begun here."""
        self._is_closing = True
        for process in list(self._threads.values()):
            process.terminate()
        self.wait()

    def _place(self, row: StudyRow) -> Place:
        return Place(self.folder, row.id)

    def _see_to_its_end(self, process: subprocess.Popen[str], job: Job) -> None:
        why = ""
        try:
            process.communicate(job.as_json(), timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            why = "It took longer than an hour and was stopped. Choose fewer samples or metrics."
        if self._is_closing and process.returncode:
            why = "The server was stopped before it was done."
        elif process.returncode not in (0, FAILED, STOPPED):
            why = why or f"It ended before it was done (code {process.returncode}); the server’s log may tell why."
        elif process.returncode == FAILED and not job.place.failed():
            why = "Something went wrong that nobody thought of; the server’s log has it."
        if why and job.place.touch(job.token):
            job.place.fail(why)
        job.place.end(job.token)
        self._threads.pop(threading.current_thread(), None)


def _withdrawn_since(transaction: Transaction, row: StudyRow, made: Made) -> int | None:
    """How many of those in a report have withdrawn since; None if somebody is gone. Every page asks every second."""
    before = list(made.people.values()).count("withdrawn")
    now = participants.standing(transaction, row.id, up_to=max(made.people, default=0))
    if (now.count, now.sum_of_numbers) == (len(made.people), sum(made.people)):
        return max(0, now.withdrawn - before)
    everybody = participants.who_is_who(transaction, row.id)  # one of them is gone, or somebody joined very slowly
    if not made.people.keys() <= everybody.keys():
        return None
    return sum(everybody[n].state == "withdrawn" != state for n, state in made.people.items())


def missing_packages() -> tuple[str, ...]:
    """What an analysis needs and this Python does not have."""
    return tuple(name for name in NEEDED if find_spec(name) is None)
