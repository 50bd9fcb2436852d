"""A Dask cluster by its address, or one of this machine for the time of one command."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

from fergus.cluster.dask_workers import DaskWorkers, Report
from fergus.cluster.installed import check_installed, installed_at
from fergus.cluster.local_cluster import local_cluster, start_server_of_workers
from fergus.cluster.processes import usable_cores
from fergus.errors import InputError

CONNECT_SECONDS = 5.0
WORKERS_SECONDS = 10.0
"""How long a scheduler that answers may take to have a first worker."""
START_SECONDS = 60.0
"""The same for a cluster that we start."""


@contextmanager
def connected(
    address: str, *, report: Report = lambda job, done, total: None, preload: Sequence[str] = ()
) -> Iterator[DaskWorkers]:
    """The workers of a scheduler (``tcp://host:8786``), or so many of this machine (``local``, ``local:4``).

    ``preload`` names modules that the work imports, for workers that are started here.
    """
    workers = local_workers(address)
    if workers:
        start_server_of_workers(preload)  # which imports while we do
    # Before distributed is imported: it sets up its log then, here and in the workers that it starts.
    import_module("dask").config.set({"logging.distributed": "critical"})
    from distributed import Client
    from distributed.comm.addressing import get_address_host

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        scheduler: Any = opened.enter_context(local_cluster(workers)) if workers else address
        try:
            if not workers:
                get_address_host(address)  # what is no address at all, Dask would try until the time is up
            client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            remedy = "give the address that the scheduler printed (tcp://host:8786), or local"
            told = f" ({error})" if isinstance(error, ValueError) else ""
            raise InputError(f"no Dask scheduler answers at {address}{told}", remedy=remedy) from None
        opened.enter_context(client)
        try:
            client.wait_for_workers(workers or 1, timeout=START_SECONDS if workers else WORKERS_SECONDS)
        except TimeoutError:
            remedy = f"start some where Fergus is installed: dask worker {address}"
            raise InputError(f"the scheduler at {address} has no workers", remedy=remedy) from None
        if not workers:  # ours have what we have
            check_installed(installed_at(client))
        found = DaskWorkers(client, report, is_local=workers > 0)
        try:
            yield found
        finally:
            for name in list(found.under_way):  # work whose results were not read to the end
                found.forget(name)


def local_workers(address: str) -> int:
    """How many workers ``local`` or ``local:N`` stands for; 0 if the address is of a scheduler.

    >>> local_workers("local:3"), local_workers("tcp://host:8786")
    (3, 0)
    """
    if address == "local":
        return usable_cores()
    if not address.startswith("local:"):
        return 0
    given = address.removeprefix("local:")
    if not re.fullmatch("[1-9][0-9]{0,2}", given):
        raise InputError(f"{given!r} is no number of workers", remedy="write local:2, or local for one a core")
    return int(given)
