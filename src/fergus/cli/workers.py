"""Work in several processes whose results come back in order, with a bounded number of chunks under way."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from fergus.errors import InputError

CHUNKS_A_WORKER = 3
"""Chunks that wait for each worker, so that none is idle and memory does not grow with the input."""

A = TypeVar("A")
B = TypeVar("B")


def in_order(work: Callable[[list[A]], list[B]], items: Iterable[A], *, jobs: int, chunk: int) -> Iterator[B]:
    """What ``work`` makes of the items, ``chunk`` of them at a time, in ``jobs`` processes."""
    source = iter(items)
    others = set(multiprocessing.active_children())
    # Spawned, not forked: the same on every system, and safe beside the threads of a progress bar.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_start_worker)
    waiting: deque[Future[list[B]]] = deque()
    is_done = False
    try:
        while not is_done:
            while len(waiting) < jobs * CHUNKS_A_WORKER and (some := list(islice(source, chunk))):
                waiting.append(pool.submit(work, some))
            if waiting:
                yield from waiting.popleft().result()
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


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends the workers
