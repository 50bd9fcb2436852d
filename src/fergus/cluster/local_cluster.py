"""A Dask cluster of this machine for the time of one command, quick to start and out of the way of its own work."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import LocalCluster

AT_ONCE_SECONDS = 0.5
"""How long a worker of ours may go on after an interrupt or an error."""
PRELOADED = ("distributed", "fergus.cluster.worker_side", "fergus.compiled", "numba.np.arraymath")
"""What every worker imports, the last with its first compiled function: once for all of them is enough."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
SETTINGS = {
    "distributed.worker.multiprocessing-method": METHOD,
    # Dask looks at itself fifty times a second in every process, which nobody reads here: a tenth of a core.
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.profile.enabled": False,
}


def start_server_of_workers(preload: Sequence[str] = ()) -> None:
    """Start the process that workers are forked from, where the system has such; it imports on its own.

    ``preload`` names more modules that the workers will need.
    """
    if METHOD != "forkserver":
        return
    from multiprocessing import forkserver, resource_tracker

    multiprocessing.get_context("forkserver").set_forkserver_preload([*PRELOADED, *preload])
    resource_tracker.ensure_running()  # which would let interrupts through again
    added = {name: value for name, value in ONE_THREAD.items() if name not in os.environ}
    os.environ.update(added)
    try:
        with withheld_interrupts():
            forkserver.ensure_running()
    finally:
        for name in added:
            del os.environ[name]


@contextmanager
def local_cluster(workers: int) -> Iterator[LocalCluster]:
    """So many workers of one thread each, which end with it."""
    import dask
    from distributed import LocalCluster, Security, utils
    from distributed.gc import disable_gc_diagnosis

    # Dask would import pandas here, only to tell it to a server that we have told already.
    utils._forkserver_preload_set = True
    with withheld_interrupts(), dask.config.set(SETTINGS):
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # its pages: on this machine alone, at any port
            memory_limit=0,  # as much as one process may have
            silence_logs=logging.CRITICAL,
            security=Security.temporary(),  # else any user of this machine could run programs on the workers
        )
    # The scheduler, which is in this process, watches the garbage collector by a function whose exceptions Python
    # ignores: a Ctrl-C that came just then was lost.
    disable_gc_diagnosis(force=True)
    with cluster:
        try:
            yield cluster
        except BaseException:  # nobody wants what the workers are still at
            cluster.sync(_end_workers, cluster)
            raise


async def _end_workers(cluster: LocalCluster) -> None:
    await asyncio.gather(*(nanny.close(timeout=AT_ONCE_SECONDS) for nanny in cluster.workers.values()))


@contextmanager
def withheld_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile do not see Ctrl-C, for whoever started them ends them; we see it after."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
