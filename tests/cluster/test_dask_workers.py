from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fergus.cluster import dask_workers
from fergus.cluster.carried import Carried
from fergus.cluster.chunks import CHUNKS_A_WORKER
from fergus.cluster.connect import connected
from fergus.cluster.dask_workers import DaskWorkers
from fergus.errors import InputError
from fergus.version import __version__

# Work is defined inside the tests: so it is sent itself, and workers need not have these modules.


def left_behind(cluster: Any) -> tuple[list[str], int]:
    """Work that the scheduler still gives to workers that come, and chunks that it still keeps."""
    scheduler = cluster.scheduler
    for _ in range(300):
        found = [name for name in scheduler.worker_plugins if name.startswith("fergus")], len(scheduler.tasks)
        if found == ([], 0):
            break
        time.sleep(0.1)
    return found


def test_results_come_in_order_whatever_takes_longer(workers: DaskWorkers, cluster: Any) -> None:
    def slower_at_first(chunk: list[int]) -> list[int]:
        time.sleep(0.2 if chunk[0] == 0 else 0.0)
        return [number * number for number in chunk]

    chunks = [[number, number + 1] for number in range(0, 40, 2)]
    assert list(workers.map(slower_at_first, chunks)) == [[a * a, b * b] for a, b in chunks]
    assert left_behind(cluster) == ([], 0)


def test_few_chunks_are_under_way_and_progress_is_told(workers: DaskWorkers) -> None:
    read = 0

    def chunks() -> Iterator[int]:
        nonlocal read
        while read < 40:
            read += 1
            yield read

    told: list[tuple[str, int, int]] = []
    following = DaskWorkers(workers.client, lambda *report: told.append(report))
    for done, result in enumerate(following.map(lambda number: -number, chunks()), 1):
        assert result == -done
        assert read <= done + 2 * CHUNKS_A_WORKER  # two workers with a thread each
    assert done == 40
    assert {job for job, _, _ in told} == {"chunks on the cluster"}
    assert [number for _, number, _ in told] == sorted(number for _, number, _ in told)
    assert told[-1] == ("chunks on the cluster", 40, 40)


def test_nothing_to_do(workers: DaskWorkers) -> None:
    assert list(workers.map(lambda chunk: chunk, [])) == []


def test_work_is_copied_once_a_worker_and_keeps_what_it_loaded(workers: DaskWorkers) -> None:
    class Loading:
        loaded = 0

        def __call__(self, chunk: int) -> tuple[int, int]:
            import os

            if not self.loaded:
                self.loaded = chunk + 1
            return os.getpid(), self.loaded

    found = list(workers.map(Loading(), range(30)))
    assert len({process for process, _ in found}) == len(set(found)) <= 2


def test_a_killed_worker_loses_nothing(workers: DaskWorkers, tmp_path: Path) -> None:
    # The worker that begins chunk 7 ends itself at it, so that it is surely in the middle of one, on busy machines too.
    def marked(chunk: int) -> int:
        tries = tmp_path / f"{chunk}"
        is_first = not tries.exists()
        with tries.open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        if chunk == 7 and is_first:
            os.kill(os.getpid(), signal.SIGKILL)
        return chunk * chunk

    assert list(workers.map(marked, range(30))) == [number * number for number in range(30)]
    assert len({path.name for path in tmp_path.iterdir()}) == 30
    victim, *others = (tmp_path / "7").read_text().split()
    assert others, "the chunk that died with its worker was worked on again"
    assert victim not in others
    workers.client.wait_for_workers(2, timeout=30)


def test_an_error_in_a_chunk_is_the_error_of_the_whole(workers: DaskWorkers, cluster: Any) -> None:
    def refusing(chunk: int) -> int:
        if chunk == 3:
            raise InputError("3 is not wanted", path="a.txt", line=4)
        return chunk

    results = workers.map(refusing, range(100))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError, match=r"^a.txt:4: 3 is not wanted$"):
        next(results)
    assert left_behind(cluster) == ([], 0)


@pytest.mark.parametrize("error", [TimeoutError("slow"), FileNotFoundError(2, "no such file", "a.txt")])
def test_an_error_of_the_system_in_a_chunk(workers: DaskWorkers, error: OSError) -> None:
    def failing(_: int) -> int:
        raise error

    with pytest.raises((InputError, FileNotFoundError), match=r"slow|no such file"):
        list(workers.map(failing, [1]))


def test_a_result_may_come_at_the_moment_when_we_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "LOOK_EVERY_SECONDS", 0.002)

    def slow(chunk: int) -> int:
        time.sleep(0.01)
        return chunk

    with connected("local:1") as workers:
        assert list(workers.map(slow, range(400))) == list(range(400))


def test_results_that_nobody_reads_are_forgotten(address: str, cluster: Any) -> None:
    with connected(address) as workers:
        results = workers.map(lambda chunk: chunk, range(100))
        assert next(results) == 0
        assert left_behind_names(cluster)
    assert left_behind(cluster) == ([], 0)
    results.close()  # type: ignore[attr-defined]


def left_behind_names(cluster: Any) -> list[str]:
    return [name for name in cluster.scheduler.worker_plugins if name.startswith("fergus")]


def test_a_file_goes_along(workers: DaskWorkers, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("own words")
    file = Carried(path)

    def read(_: int) -> tuple[str, str]:
        return str(file.path), file.path.read_text()

    (there, text), *_ = workers.map(read, [1])
    assert Path(there).name == "words.txt"
    assert there != str(path)
    assert text == "own words"
    for _ in range(300):
        if not Path(there).exists():
            break
        time.sleep(0.1)
    assert not Path(there).exists(), "a copy is removed with the work"


def test_a_chunk_that_ends_every_worker(workers: DaskWorkers, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(InputError, match="one chunk ended several workers, one after the other; give workers more"):
        list(workers.map(lambda _: os._exit(1), [1]))
    workers.client.wait_for_workers(2, timeout=30)


@pytest.mark.parametrize(
    ("ours", "message"),
    [
        (("0.0.1", {}), r"the worker at .* has Fergus .*, and this is 0\.0\.1; install the same version"),
        ((__version__, {"en.fergus": "1f"}), "the worker at .* has other shipped models than these"),
    ],
)
def test_a_worker_that_comes_later_with_another_fergus(
    workers: DaskWorkers, monkeypatch: pytest.MonkeyPatch, ours: tuple[str, dict[str, str]], message: str
) -> None:
    monkeypatch.setattr(dask_workers, "installed_here", lambda: ours)
    with pytest.raises(InputError, match=message):
        list(workers.map(lambda chunk: chunk, [1]))


def small_cluster(workers: int) -> Any:
    from distributed import LocalCluster

    options: dict[str, Any] = {
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": logging.CRITICAL,
        "host": "127.0.0.1",
    }
    return LocalCluster(n_workers=workers, threads_per_worker=1, processes=False, protocol="tcp://", **options)


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client

    monkeypatch.setattr("fergus.cluster.connect.WORKERS_SECONDS", 0.2)
    monkeypatch.setattr(dask_workers, "WITHOUT_WORKERS_SECONDS", 0.1)
    monkeypatch.setattr(dask_workers, "LOOK_EVERY_SECONDS", 0.1)
    with small_cluster(0) as empty:
        message = "has no workers; start some where Fergus is installed: dask worker tcp:"
        with pytest.raises(InputError, match=message), connected(empty.scheduler_address):
            pass
        with Client(empty.scheduler_address, set_as_default=False) as client:
            results = DaskWorkers(client).map(lambda chunk: chunk, [1])
            with pytest.raises(InputError, match="the cluster has had no worker for 0 seconds; start workers"):
                next(results)


def test_a_scheduler_that_goes_away() -> None:
    import dask

    quickly = dask.config.set({"distributed.comm.timeouts.connect": "500ms"})
    with small_cluster(1) as brief, quickly, connected(brief.scheduler_address) as workers:
        results = workers.map(lambda chunk: chunk, range(100))
        next(results)
        brief.close()
        with pytest.raises(InputError, match=r"the cluster does not answer any more .*; start it again"):
            list(results)
