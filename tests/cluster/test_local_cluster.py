from __future__ import annotations

import signal

import pytest

from fergus.cluster.local_cluster import withheld_interrupts


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
