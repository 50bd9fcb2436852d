"""Work in several processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, TypeVar

from fergus.cluster.chunks import CHUNKS_A_WORKER
from fergus.errors import InputError

A = TypeVar("A")
B = TypeVar("B")


def usable_cores() -> int:
    """The cores that this process may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Processes:
    """So many processes, started for each piece of work and ended with it."""

    number: int

    def map(self, work: Callable[[A], B], chunks: Iterable[A]) -> Iterator[B]:
        """What ``work`` makes of each chunk, in order."""
        source = iter(chunks)
        others = set(multiprocessing.active_children())
        # Spawned, not forked: the same on every system, and safe beside the threads of a progress bar.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.number, context, initializer=_start_worker, initargs=(work,))
        waiting: deque[Future[B]] = deque()
        is_done = False
        try:
            while not is_done:
                while len(waiting) < self.number * CHUNKS_A_WORKER and (some := next(source, None)) is not None:
                    waiting.append(pool.submit(_work_on, some))
                if waiting:
                    yield waiting.popleft().result()
                else:
                    is_done = True
        except BrokenProcessPool:
            problem = "a worker process was ended from outside"
            raise InputError(problem, remedy="if memory ran out, use fewer --jobs") from None
        finally:
            if not is_done:  # nobody will read what the workers are still at
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
            pool.shutdown(cancel_futures=True)


class _Worker:
    """What this worker process does."""

    work: Callable[[Any], Any]


def _start_worker(work: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends the workers
    _Worker.work = work


def _work_on(chunk: Any) -> Any:
    return _Worker.work(chunk)
