"""The report on a study that a server keeps: what was asked for, what it was made from, and where it lies.

::

    study-3.running    while it is made: whoever makes it touches it every second, and stops if it is gone
    study-3.progress   how far that is
    study-3.zip        the report: made.json, report.html, report.json, latex.zip, figures.zip
    study-3.failed     why there is none
"""

from __future__ import annotations

import json
import os
import time
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fergus.whole_file import WholeFile

if TYPE_CHECKING:
    from fergus.studies.storage.database import Database

STALE_S = 30.0
"""Whoever has not touched the file for so long is dead: compiled code may keep a process busy for some seconds."""
STEPS = {"reading": 0.0, "parsing": 0.05, "metrics": 0.15, "analysis": 0.25, "writing": 0.8, "": 1.0}
"""The first words of what is done, and how much of the work lies before it: by experience, not exactly."""
MADE, HTML, JSON, LATEX, FIGURES = "made.json", "report.html", "report.json", "latex.zip", "figures.zip"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What somebody chose of the options of ``fergus analyse``."""

    metrics: tuple[str, ...] = ()
    """Computed from the references of the items."""
    group: str = ""
    leave_out: tuple[str, ...] = ()
    """Rules by which participants are left out."""
    samples: int = 1000
    seed: int = 12345


@dataclass(frozen=True, kw_only=True)
class Job:
    """Everything that a process must know to make a report."""

    database: str
    """The address, with its password if it has one: to be passed on in secret."""
    folder: str
    study_id: int
    study: str
    command: str
    token: str
    """Tells one job from the next."""
    wanted: Wanted = Wanted()

    @property
    def place(self) -> Place:
        """Where the report goes."""
        return Place(Path(self.folder), self.study_id)

    @classmethod
    def from_json(cls, text: str) -> Job:
        """The job that ``as_json`` wrote."""
        told = json.loads(text)
        return cls(**{**told, "wanted": _wanted(told["wanted"])})

    def as_json(self) -> str:
        """For standard input."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, kw_only=True)
class Made:
    """What a report was made from."""

    study: str
    created_ms: int
    """Of the study: another one may get its number when it is deleted."""
    version: str
    answers: int
    people: Mapping[int, str]
    """Everybody of whom there were answers or could have been, by number, and their states."""
    last_coding: int
    """The number of the last code or grade that was given to a comment, review or task; 0 if none was."""
    made_ms: int
    duration_ms: int
    command: str
    summary: tuple[str, ...]
    notices: int
    fergus: str
    wanted: Wanted = Wanted()
    cautions: tuple[str, ...] = ()
    """What stands above the summary."""


@dataclass(frozen=True)
class Running:
    """A report that is being made."""

    token: str
    began_ms: int
    job: str = ""
    done: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """How much of the whole work is done, about.

        >>> Running("", 0).share, Running("", 0, "analysis of quality", 1, 2).share
        (0.0, 0.525)
        """
        first, places = self.job.partition(" ")[0], list(STEPS.values())
        if not first or first not in STEPS:
            return 0.0
        begin = STEPS[first]
        end = places[places.index(begin) + 1]
        return begin + (end - begin) * (self.done / self.total if self.total else 0.0)


@dataclass(frozen=True)
class Place:
    """The files of one study."""

    folder: Path
    study_id: int

    def file(self, ending: str) -> Path:
        """``study-3`` with an ending."""
        return self.folder / f"study-{self.study_id}.{ending}"

    def begin(self, token: str) -> bool:
        """Take the place; False if somebody is at it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.running() is None:
            self.file("running").unlink(missing_ok=True)
        try:
            with self.file("running").open("x", encoding="utf-8") as stream:
                json.dump({"token": token, "began_ms": round(time.time() * 1000)}, stream)
        except FileExistsError:
            return False
        self.file("failed").unlink(missing_ok=True)
        self.file("progress").unlink(missing_ok=True)
        return True

    def touch(self, token: str) -> bool:
        """Say that the job is being done; False if nobody wants it any more."""
        try:
            if _read(self.file("running")).get("token") != token:
                return False
            os.utime(self.file("running"))
        except FileNotFoundError:
            return False
        return True

    def tell(self, token: str, job: str, done: int, total: int) -> None:
        """Say how far the job is."""
        self._write("progress", {"token": token, "job": job, "done": done, "total": total})

    def fail(self, why: str) -> None:
        """Say why there is no report."""
        self._write("failed", {"why": why})

    def end(self, token: str) -> None:
        """Let go of the place."""
        if self.touch(token):
            self.file("running").unlink(missing_ok=True)
            self.file("progress").unlink(missing_ok=True)

    def forget(self) -> None:
        """Leave nothing; whoever is at it stops."""
        for ending in ("running", "progress", "failed", "zip"):
            self.file(ending).unlink(missing_ok=True)

    def running(self) -> Running | None:
        """What is being done, if anything is."""
        path = self.file("running")
        try:
            touched = path.stat().st_mtime
        except FileNotFoundError:
            return None
        if time.time() - touched > STALE_S:
            return None
        told = _read(path)  # nothing, in the moment when it is written
        found = Running(told.get("token", ""), told.get("began_ms", round(touched * 1000)))
        progress = _read(self.file("progress"))
        if progress.pop("token", None) != found.token:
            return found
        return Running(found.token, found.began_ms, **progress)

    def failed(self) -> str:
        """Why there is no report; empty if there is no such reason."""
        return str(_read(self.file("failed")).get("why", ""))

    def keep(self, made: Made, files: Mapping[str, bytes]) -> None:
        """Put a report in the place of the last one."""
        with WholeFile(self.file("zip")) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MADE, json.dumps(asdict(made)))
            for name, content in files.items():
                archive.writestr(name, content)

    def made(self) -> Made | None:
        """What the report was made from; None if there is none, or one that another Fergus wrote."""
        try:
            told = json.loads(self.content(MADE) or b"{}")
            people = {int(number): state for number, state in told.pop("people").items()}
            lists = {name: tuple(told.get(name, ())) for name in ("summary", "cautions")}
            return Made(**{**told, **lists, "people": people, "wanted": _wanted(told["wanted"])})
        except (KeyError, TypeError, ValueError):
            return None

    def content(self, name: str) -> bytes | None:
        """A file of the report."""
        try:
            with zipfile.ZipFile(self.file("zip")) as archive:
                return archive.read(name)
        except (FileNotFoundError, KeyError, zipfile.BadZipFile):
            return None

    def _write(self, ending: str, told: Mapping[str, Any]) -> None:
        with WholeFile(self.file(ending)) as stream:
            stream.write(json.dumps(told).encode())


def folder_of(database: Database) -> Path:
    """Where reports are kept: beside a database that is a file, otherwise where this user's caches are."""
    if database.is_sqlite:
        return Path(f"{database.shown}.analysis").absolute()
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "fergus" / "analysis" / sha256(database.shown.encode()).hexdigest()[:16]


def forget_report(database: Database, study_id: int) -> None:
    """Throw away what is kept of a study, and what is being made: somebody in it was deleted."""
    Place(folder_of(database), study_id).forget()


def _wanted(told: Mapping[str, Any]) -> Wanted:
    lists = {name: tuple(told.get(name, ())) for name in ("metrics", "leave_out")}
    return Wanted(**{**told, **lists})


def _read(path: Path) -> dict[str, Any]:
    """What a file holds; nothing if it is not there or is being written."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
