"""Progress that is looked at all the time, computed no more often than it can be afforded."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from fergus.studies.progress import Progress, measure
from fergus.studies.service import Service
from fergus.studies.storage import answers, participants
from fergus.studies.storage.studies import StudyRow

SHORTEST_S = 1.0
REST = 10
"""After a computation of a second, ten seconds pass before the next one."""


@dataclass(frozen=True)
class _Kept:
    version: str
    progress: Progress
    mark: str
    until_s: float


class LiveProgress:
    """The progress of studies, kept for a moment; ``clock_s`` is the clock."""

    def __init__(self, service: Service, *, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._service, self._clock_s = service, clock_s
        self._kept: dict[int, _Kept] = {}
        self._locks: defaultdict[int, threading.Lock] = defaultdict(threading.Lock)

    def of(self, row: StudyRow) -> Progress:
        """How a study is getting on, now or a moment ago."""
        return self._of(row).progress

    def mark(self, row: StudyRow) -> str:
        """What changes whenever the progress does."""
        return self._of(row).mark

    def forget(self, row: StudyRow) -> None:
        """After a change that must be seen at once."""
        with self._locks[row.id]:
            self._kept.pop(row.id, None)

    def _of(self, row: StudyRow) -> _Kept:
        with self._locks[row.id]:  # many who look at once make one computation
            kept = self._kept.get(row.id)
            if kept is not None and kept.version == row.version and self._clock_s() < kept.until_s:
                return kept
            began = self._clock_s()
            with self._service.database.read() as transaction:
                people = participants.of_study(transaction, row.id)
                rows = answers.of_study(transaction, row.id)
                progress = measure(self._service.study(row), people, rows, study_of=self._service.study)
            mark = sha256(repr(progress).encode("utf-8", "replace")).hexdigest()
            now = self._clock_s()
            kept = _Kept(row.version, progress, mark, now + max(SHORTEST_S, REST * (now - began)))
            self._kept[row.id] = kept
            return kept
