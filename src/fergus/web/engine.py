"""What realizes, parses, explains and evaluates for the pages and the API: a few workers and a queue before them.

    request --> run(work, ...) --> queue of a lane --> thread of a worker --> process of the worker
    answer  <-------------------------- future <-----------'

A piece of work is a function of a module with the worker's ``Loaded`` as its first argument. Long work is cut into
pieces by whoever asks, so that a large batch lets short requests through. The lane ``quick`` is for what somebody
waits for, ``long`` for evaluations; each has its own workers, those of ``long`` are started when there is work.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, TypeVarTuple

from fergus.web.engine_limits import BrokenError, BusyError, LimitError, Limits, TookTooLongError, TooManyAtOnceError
from fergus.web.engine_worker import (
    Loaded,
    Preparations,
    long_preparations,
    quick_preparations,
    work_until_told_to_stop,
)

logger = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")
T = TypeVar("T")
START_SECONDS = 300.0
"""How long a worker may take to be ready, or to be through with what it reads ahead: at first, code is compiled."""
PATIENCE_SECONDS = 6.0
"""After so long the log tells why a worker is not ready yet."""
AHEAD_SECONDS = 1.0
"""A worker that takes a job later than this was not free: it was still reading ahead."""
QUICK, LONG = "quick", "long"
SLOW = "a worker is not ready yet; the first time after an installation it compiles code, for a minute or two"
STOPPING = "the server is being stopped; try again later"


@dataclass
class _Job:
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    asked_s: float
    future: Future[Any] = field(default_factory=Future)


class Engine:
    """The workers of one server process."""

    def __init__(
        self,
        *,
        models: Mapping[str, str] | None = None,
        workers: int = 1,
        limits: Limits | None = None,
    ) -> None:
        self.models = dict(models or {"en": "en"})
        self.limits = limits or Limits()
        self._lanes = {
            QUICK: _Lane(self, workers, seconds=self.limits.seconds, prepare=quick_preparations),
            LONG: _Lane(self, 1, seconds=self.limits.request_seconds, prepare=long_preparations),
        }

    def start(self) -> None:
        """Start the workers of the quick lane, in the background."""
        self._lanes[QUICK].start()

    @property
    def is_ready(self) -> bool:
        """Is a worker of the quick lane there, with its model read?"""
        return any(worker.is_ready for worker in self._lanes[QUICK].workers)

    @property
    def state(self) -> str:
        """``ready``, ``starting``, or ``failed``: no worker of the quick lane can read its model."""
        if self.is_ready:
            return "ready"
        return "failed" if all(worker.has_failed for worker in self._lanes[QUICK].workers) else "starting"

    @property
    def under_way(self) -> int:
        """Pieces of work that wait or are being done."""
        return sum(lane.under_way for lane in self._lanes.values())

    async def run(self, work: Callable[[Loaded, *Ts], T], *arguments: *Ts, lane: str = QUICK, visitor: str = "") -> T:
        """What ``work`` makes of the arguments in a worker; raises what work raises, and errors of limits.

        ``visitor`` is who asks, so that nobody has more under way than one may.
        """
        return await asyncio.wrap_future(self.submit(work, *arguments, lane=lane, visitor=visitor))

    def submit(
        self, work: Callable[[Loaded, *Ts], T], *arguments: *Ts, lane: str = QUICK, visitor: str = ""
    ) -> Future[T]:
        """The same for threads, which wait for ``result()``."""
        return self._lanes[lane].submit(work, arguments, visitor)

    def close(self) -> None:
        """End the workers; what waits is refused."""
        for lane in self._lanes.values():
            lane.close()


class _Lane:
    """Workers that take from one queue."""

    def __init__(self, engine: Engine, workers: int, *, seconds: float, prepare: Preparations) -> None:
        self.engine, self.seconds, self.prepare = engine, seconds, prepare
        self.jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self.workers = [_Worker(self) for _ in range(workers)]
        self._lock = threading.Lock()
        self._of_visitors: Counter[str] = Counter()
        self.under_way = 0
        self.is_started = self.is_closed = False

    def start(self) -> None:
        with self._lock:
            if self.is_started or self.is_closed:
                return
            self.is_started = True
        for worker in self.workers:
            worker.thread.start()

    def submit(self, function: Callable[..., Any], arguments: tuple[Any, ...], visitor: str) -> Future[Any]:
        limits = self.engine.limits
        job = _Job(function, arguments, self.seconds, time.monotonic())
        self.start()
        with self._lock:  # the whole of it: what comes after the lane was closed would wait for ever
            if self.is_closed:
                raise BusyError(STOPPING)
            if self.under_way >= limits.waiting:
                raise BusyError(f"{limits.waiting} requests are waiting already; try again in a moment")
            if visitor and self._of_visitors[visitor] >= limits.of_one:
                raise TooManyAtOnceError(f"{limits.of_one} requests of yours are under way; wait for their answers")
            self.under_way += 1
            self._of_visitors[visitor] += 1
            job.future.add_done_callback(lambda _: self._leave(visitor))
            self.jobs.put(job)
        return job.future

    def _leave(self, visitor: str) -> None:
        with self._lock:
            self.under_way -= 1
            self._of_visitors[visitor] -= 1
            if not self._of_visitors[visitor]:
                del self._of_visitors[visitor]

    def close(self) -> None:
        with self._lock:
            was_started, self.is_closed = self.is_started, True
        for _ in self.workers:
            self.jobs.put(None)
        for worker in self.workers if was_started else ():
            worker.end()
        for worker in self.workers if was_started else ():
            worker.thread.join()
        while not self.jobs.empty():
            job = self.jobs.get()
            if job is not None and job.future.set_running_or_notify_cancel():
                job.future.set_exception(BusyError(STOPPING))


class _Worker:
    """A process of workers, and the thread of the server that talks to it."""

    def __init__(self, lane: _Lane) -> None:
        self.lane = lane
        self.thread = threading.Thread(target=self._serve, name="fergus-engine", daemon=True)
        self.is_ready = self.has_failed = False
        self._started_s = 0.0
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def end(self) -> None:
        """End the process at once, whatever it is at."""
        self.is_ready = False
        process = self._process
        if process is not None:
            process.kill()

    def _serve(self) -> None:
        # The process is started before there is work, so that the first who asks need not wait for it.
        while not self.lane.is_closed:
            connection = self._connection or self._start()
            job = self.lane.jobs.get()
            if job is None:
                break
            if not job.future.set_running_or_notify_cancel():  # nobody waits for it any more
                continue
            try:
                self._answer(job, connection)
            except Exception as error:  # an answer that cannot be read, say: whoever waits must be told
                logger.exception("a worker's answer could not be taken")
                self._drop()
                job.future.set_exception(BrokenError(f"a worker's answer could not be taken ({error})"))
        self.end()

    def _answer(self, job: _Job, connection: Connection | None) -> None:
        limits = self.lane.engine.limits
        if connection is None:
            job.future.set_exception(BusyError("no worker could be started; the server's log tells why"))
            return
        # Waiting for a worker to start is not waiting for others to be done.
        if time.monotonic() - max(job.asked_s, self._started_s) > limits.waiting_seconds:
            problem = f"no worker was free for {limits.waiting_seconds:.0f} seconds; try again in a moment"
            job.future.set_exception(BusyError(problem))
            return
        outcome, value = self._asked(job, connection)
        if outcome not in ("done", "refused", "broken"):  # what else it says belongs to no job of ours
            self._drop()
        if outcome == "done":
            job.future.set_result(value)
        elif outcome == "refused":
            job.future.set_exception(value)
        elif outcome == "late":
            problem = f"this takes longer than {job.seconds:g} seconds, which is the limit; send less, or smaller trees"
            job.future.set_exception(TookTooLongError(problem))
        elif self.lane.is_closed:
            job.future.set_exception(BusyError(STOPPING))
        else:
            logger.error("a worker failed: %s", value or "it was ended from outside")
            job.future.set_exception(BrokenError(value or "a worker was ended from outside"))

    def _asked(self, job: _Job, connection: Connection) -> tuple[str, Any]:
        sent_s = time.monotonic()
        try:
            connection.send((job.function, job.arguments, job.seconds))
            # The job's time begins when the worker begins with it, not while it is still reading ahead.
            if not connection.poll(START_SECONDS):
                return "stuck", f"it was not through with reading ahead after {START_SECONDS:g} seconds"
            connection.recv()
            if time.monotonic() - sent_s > AHEAD_SECONDS:  # for those behind it was as if it had started only now
                self._started_s = time.monotonic()
            return connection.recv() if connection.poll(job.seconds) else ("late", None)
        except (EOFError, OSError):
            return "gone", None

    def _start(self) -> Connection | None:
        ours, theirs = multiprocessing.Pipe()
        # Spawned, not forked: the server has threads.
        process = multiprocessing.get_context("spawn").Process(
            target=work_until_told_to_stop,
            args=(theirs, self.lane.engine.models, self.lane.prepare),
            name="fergus-worker",
            daemon=True,
        )
        try:
            process.start()
        except OSError as error:  # no memory, or too many processes
            ours.close()
            self.has_failed = True
            logger.error("worker: it cannot be started (%s)", error)  # noqa: TRY400 - where it was raised tells nothing
            return None
        finally:
            theirs.close()
        self._process, self._connection = process, ours
        if self.lane.is_closed:  # just now, when there was nothing to end yet
            self.end()
        try:
            is_told = ours.poll(PATIENCE_SECONDS)
            if not is_told:
                logger.warning(SLOW)
                is_told = ours.poll(max(0.0, START_SECONDS - PATIENCE_SECONDS))
            problem = ours.recv()[1] if is_told else "it took too long to start"
        except (EOFError, OSError):
            is_told, problem = False, "it ended while it was started"
        self.has_failed = bool(problem) and not self.lane.is_closed
        if self.has_failed:
            logger.error("worker: %s", problem)
        self.is_ready, self._started_s = not problem and not self.lane.is_closed, time.monotonic()
        if not is_told or not process.is_alive():  # one that is late would give its first word as the first answer
            self._drop()
        return self._connection

    def _drop(self) -> None:
        self.end()
        if self._process is not None:
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


__all__ = [
    "LONG",
    "QUICK",
    "BrokenError",
    "BusyError",
    "Engine",
    "LimitError",
    "Limits",
    "TooManyAtOnceError",
    "TookTooLongError",
]  # fmt: skip
