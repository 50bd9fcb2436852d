from __future__ import annotations

import os

import pytest

from fergus.cluster.connect import check_installed, local_workers
from fergus.errors import InputError
from fergus.version import __version__

OURS = (__version__, {"en.fergus": "1f"})


def test_the_same_everywhere() -> None:
    check_installed({"": OURS, "tcp://a:1": OURS})


@pytest.mark.parametrize(
    ("there", "message"),
    [
        (None, f"the worker at tcp://a:1 has no Fergus; install version {__version__} there"),
        (("0.0.1", OURS[1]), f"has Fergus 0.0.1, and this is {__version__}; install the same version everywhere"),
        ((__version__, {"en.fergus": "2e"}), "has other shipped models than these; install Fergus from the same"),
        ((__version__, {}), "has other shipped models than these"),
    ],
)
def test_a_worker_that_has_something_else(there: tuple[str, dict[str, str]] | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_installed({"tcp://b:1": OURS, "tcp://a:1": there, "": OURS})


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
