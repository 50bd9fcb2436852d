"""Chunks over a Dask cluster: a bounded number of them under way, in order, and none lost with a worker.

The scheduler keeps a chunk until its result has been fetched, and gives it to another worker if one dies. Between
client, scheduler and workers Dask sends pickles: whoever can connect to the scheduler can run programs on the workers.
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from fergus.cluster.chunks import CHUNKS_A_WORKER
from fergus.cluster.installed import installed_here
from fergus.errors import InputError

if TYPE_CHECKING:
    from distributed import Client, Future

A = TypeVar("A")
B = TypeVar("B")

Report = Callable[[str, int, int], None]
"""Told the name of a job, how much of it is done, and how much there is (0: not known)."""

LOOK_EVERY_SECONDS = 0.5
WITHOUT_WORKERS_SECONDS = 60.0
"""How long a cluster may be without any worker before we give up: workers that died are started again."""


@dataclass(frozen=True)
class DaskWorkers:
    """The workers of a scheduler."""

    client: Client
    report: Report = lambda job, done, total: None
    is_local: bool = False
    """Whether the workers are children of this process, which Ctrl-C at a terminal reaches as well."""
    under_way: dict[str, deque[Future[bytes]]] = field(default_factory=dict)
    """By the name of a piece of work, its chunks that nobody has read yet."""

    def map(self, work: Callable[[A], B], chunks: Iterable[A]) -> Iterator[B]:
        """What ``work`` makes of each chunk, in order."""
        import cloudpickle
        from distributed import KilledWorker

        from fergus.cluster.worker_side import Work, work_on

        name = f"fergus-{uuid4().hex}"
        source, number = iter(chunks), count()
        waiting = self.under_way[name] = deque()
        done, is_read = 0, False
        try:
            # The work goes to each worker once, however many chunks there are.
            own = Work(cloudpickle.dumps(work), installed_here(), leaves_interrupts=self.is_local)
            self.client.register_plugin(own, name=name)
            while not is_read or waiting:
                while not is_read and len(waiting) < self._room():
                    if (some := next(source, None)) is None:
                        is_read = True
                        break
                    # As bytes: Dask would look into every list for results of its own.
                    packed = pickle.dumps(some, protocol=5)
                    key = f"{name}-{next(number)}"
                    waiting.append(self.client.submit(work_on, name, packed, key=key, pure=False))
                if waiting:
                    total = done + len(waiting) if is_read else 0
                    packed = self._waited_for(waiting[0], waiting, done, total)
                    waiting.popleft().release()
                    done += 1
                    result: B = pickle.loads(packed)
                    yield result
            self.report("chunks on the cluster", done, done)
        except KilledWorker:
            problem = "one chunk ended several workers, one after the other"
            raise InputError(problem, remedy="give workers more memory, and look at their logs") from None
        except (OSError, CancelledError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # of a file, and not of the connection
            remedy = "start it again: what was printed is not all, and no file has been written"
            raise InputError(f"the cluster does not answer any more ({error})", remedy=remedy) from None
        finally:
            self.forget(name)

    def _room(self) -> int:
        """How many chunks may be under way with the workers that there are now."""
        threads: int = sum(self.client.nthreads().values())
        return CHUNKS_A_WORKER * max(1, threads)

    def _waited_for(self, future: Future[bytes], waiting: Iterable[Future[bytes]], done: int, total: int) -> bytes:
        from distributed import wait

        alone_since: float | None = None
        while not future.done():
            self.report("chunks on the cluster", done + sum(one.done() for one in waiting), total)
            try:
                # Not ``future.result(timeout=...)``: if the time is up just when the result is there, the next call
                # waits for the answer to this one, and is cancelled with it (see dask/distributed#8514).
                with self.client.as_current():
                    wait([future], timeout=LOOK_EVERY_SECONDS)
            except TimeoutError:  # not yet
                alone_since = None if self.client.nthreads() else alone_since or time.monotonic()
            if alone_since is not None and time.monotonic() - alone_since > WITHOUT_WORKERS_SECONDS:
                problem = f"the cluster has had no worker for {WITHOUT_WORKERS_SECONDS:.0f} seconds"
                raise InputError(problem, remedy="start workers, and then the command again")
        self.report("chunks on the cluster", done + sum(one.done() for one in waiting), total)
        result: bytes = future.result()
        return result

    def forget(self, name: str) -> None:
        """Leave nothing of it at the cluster: neither chunks that nobody will read, nor the work."""
        waiting = self.under_way.pop(name, None)
        if waiting is None or self.client.status != "running":
            return
        try:
            if waiting:
                self.client.cancel(list(waiting), force=True)
            self.client.unregister_worker_plugin(name)
        except (OSError, ValueError, CancelledError):  # the scheduler is gone, or it never had the work
            return
