"""Where a command works: the cluster that ``--dask`` names, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fergus.cli.progress import Report

if TYPE_CHECKING:
    from fergus.cluster.chunks import Workers


@contextmanager
def chosen_cluster(address: str | None, report: Report, *, preload: Sequence[str] = ()) -> Iterator[Workers | None]:
    """The workers of that cluster, connected to for as long as the command works.

    Those that are started for it on this machine begin with the modules ``preload``.
    """
    if address is None:
        yield None
        return
    from fergus.cluster.connect import connected

    with connected(address, report=report, preload=preload) as workers:
        yield workers
