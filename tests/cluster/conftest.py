"""A real Dask cluster of two processes, one for each module, and what the tests of the command line have."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from fergus.cluster.connect import connected
from fergus.cluster.dask_workers import DaskWorkers
from tests.cli.conftest import fergus_command, folder, model, run, small_treebank

__all__ = ["fergus_command", "folder", "model", "run", "small_treebank"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """The cluster itself, which a test may ask about its scheduler."""
    from distributed import LocalCluster

    options: dict[str, Any] = {
        "host": "127.0.0.1",
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": logging.CRITICAL,
    }
    with LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=0, **options) as found:
        yield found


@pytest.fixture(scope="module")
def address(cluster: Any) -> str:
    """What stands after ``--dask``."""
    return str(cluster.scheduler_address)


@pytest.fixture
def workers(address: str) -> Iterator[DaskWorkers]:
    """A connection of its own for every test."""
    with connected(address) as found:
        yield found
