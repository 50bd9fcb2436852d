"""What a Dask worker has and does: the work, which comes once and stays, and one chunk after the other."""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Callable
from typing import Any

import cloudpickle
from distributed import Worker, WorkerPlugin, get_worker

from fergus.cluster.carried import arriving_below
from fergus.cluster.installed import OURS, Installed, check_installed, installed_here


class Work(WorkerPlugin):
    """One piece of work; the scheduler gives it to every worker, those too that come later or start again."""

    def __init__(self, packed: bytes, ours: Installed, *, leaves_interrupts: bool) -> None:
        self.packed, self.ours, self.leaves_interrupts = packed, ours, leaves_interrupts

    def setup(self, worker: Worker) -> None:
        """Called when it arrives at a worker."""
        self.folder, self.address, self.own = worker.local_directory, worker.address, threading.local()
        if self.leaves_interrupts and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches whoever started the worker, and ends it

    def unpacked(self) -> Callable[[Any], Any]:
        """The work of this thread: realizers are not shared between threads."""
        if not hasattr(self.own, "work"):
            # Workers on this machine are asked here only; others again, if they came after all were asked.
            check_installed({OURS: self.ours, self.address: installed_here()})
            with arriving_below(self.folder):
                self.own.work = cloudpickle.loads(self.packed)
        work: Callable[[Any], Any] = self.own.work
        return work


def work_on(name: str, chunk: bytes) -> bytes:
    """What the work of that name makes of a chunk."""
    work = get_worker().plugins[name]
    if not isinstance(work, Work):
        raise TypeError(f"{name} is no work but {work!r}")
    return pickle.dumps(work.unpacked()(pickle.loads(chunk)), protocol=5)
