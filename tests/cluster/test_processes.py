from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator

import pytest

from fergus.cluster import processes
from fergus.cluster.chunks import CHUNKS_A_WORKER, HERE
from fergus.cluster.processes import Processes


def test_processes_do_what_one_does() -> None:
    read = 0

    def chunks() -> Iterator[list[int]]:
        nonlocal read
        while read < 20:
            read += 1
            yield [read, -read]

    others = multiprocessing.active_children()
    expected = [max(chunk) for chunk in ([n, -n] for n in range(1, 21))]
    for done, found in enumerate(Processes(2).map(max, chunks()), 1):
        assert found == expected[done - 1]
        assert read <= done + 2 * CHUNKS_A_WORKER
    assert done == 20
    assert multiprocessing.active_children() == others
    assert list(HERE.map(max, [[1, 2], [3, 4]])) == [2, 4]


def test_workers_leave_the_interrupt_to_the_parent() -> None:
    previous = signal.getsignal(signal.SIGINT)
    try:
        processes._start_worker(max)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert processes._work_on([1, 3, 2]) == 3
    finally:
        signal.signal(signal.SIGINT, previous)


def test_an_error_ends_the_workers() -> None:
    others = multiprocessing.active_children()
    with pytest.raises(ZeroDivisionError):
        list(Processes(2).map((1).__truediv__, [1, 0, 2]))
    assert multiprocessing.active_children() == others
