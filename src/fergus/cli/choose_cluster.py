"""Where a command works: the cluster that ``--dask`` names, or none."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fergus.cli.progress import Report

if TYPE_CHECKING:
    from fergus.cluster.chunks import Workers


@contextmanager
def chosen_cluster(address: str | None, report: Report) -> Iterator[Workers | None]:
    """The workers of that cluster, connected to for as long as the command works."""
    if address is None:
        yield None
        return
    from fergus.cluster.connect import connected

    with connected(address, report=report) as workers:
        yield workers


def stated_command(arguments: Sequence[str]) -> str:
    """The command as a report states it: without the cluster, which changes nothing in the report.

    >>> stated_command(["analyse", "a.csv", "--dask", "local:2", "--dask=local", "--json"])
    'fergus analyse a.csv --json'
    """
    kept, rest = ["fergus"], iter(arguments)
    for argument in rest:
        if argument == "--dask":
            next(rest, None)
        elif not argument.startswith("--dask="):
            kept.append(argument)
    return shlex.join(kept)
