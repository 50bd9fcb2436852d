from __future__ import annotations

import os

import pytest

from fergus.cluster.connect import local_workers
from fergus.errors import InputError


def test_how_many_workers_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert local_workers("local:12") == 12
    assert local_workers("localhost:8786") == 0
    assert local_workers("local") == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    assert local_workers("local") == os.cpu_count()


@pytest.mark.parametrize("given", ["local:0", "local:", "local:x", "local:-1", "local:1000"])
def test_no_number_of_workers(given: str) -> None:
    with pytest.raises(InputError, match="is no number of workers; write local:2, or local for one a core"):
        local_workers(given)
