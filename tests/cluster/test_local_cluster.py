from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from fergus.cli.streaming import MODULES
from fergus.cluster.local_cluster import PRELOADED, withheld_interrupts

LOADED = """
import sys
from fergus.cluster.connect import connected
with connected("local:1", preload=["colorsys"]) as workers:
    print("pandas" in sys.modules, workers.client.run(lambda: "colorsys" in sys.modules).popitem()[1])
"""


def test_workers_begin_with_what_they_need_and_the_first_process_without_what_it_does_not() -> None:
    # In a process of its own: this one may have a server of workers, and pandas.
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


@pytest.mark.parametrize("module", [*PRELOADED, *MODULES])
def test_what_workers_begin_with_is_there(module: str) -> None:
    # The server that they are forked from says nothing of a module that is not.
    assert find_spec(module) is not None


@pytest.fixture
def _interrupts_are_seen() -> Iterator[None]:
    """Also where whoever runs the tests in the background ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts_are_seen")
def test_an_interrupt_meanwhile_is_seen_after() -> None:
    meanwhile: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupted(meanwhile)
    assert meanwhile == ["went on"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def _interrupted(meanwhile: list[str]) -> None:
    with withheld_interrupts():
        signal.raise_signal(signal.SIGINT)  # to this thread; one to the process may reach another
        meanwhile.append("went on")
