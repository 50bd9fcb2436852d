"""Work in other processes: results, errors, limits of time and number, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Iterator

import pytest

from fergus.errors import FergusError, InputError
from fergus.web.engine import LONG, QUICK, Engine
from fergus.web.engine_limits import (
    BrokenError,
    BusyError,
    LimitError,
    Limits,
    TookTooLongError,
    TooManyAtOnceError,
)
from tests.web import engine_tasks as tasks

LIMITS = Limits(seconds=1, request_seconds=1.5, waiting=4, of_one=2, waiting_seconds=5)


@pytest.fixture(autouse=True)
def no_preparations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of the lane ``long`` begin at once."""
    monkeypatch.setattr("fergus.web.engine.long_preparations", tasks.no_preparations)


@pytest.fixture
def reading_ahead(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    """Its worker reads for longer than a job may take, once it is idle."""
    monkeypatch.setattr("fergus.web.engine.long_preparations", tasks.slow_preparations)
    found = Engine(limits=Limits(request_seconds=2.0, waiting_seconds=2.0))
    yield found
    found.close()


@pytest.fixture
def engine() -> Iterator[Engine]:
    """Its workers read no model unless they are asked to: only the lane ``long`` is used."""
    found = Engine(models={"a": "a.fergus", "b": "b.fergus"}, limits=LIMITS)
    yield found
    found.close()
    assert found.under_way == 0


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_work_is_done_elsewhere_and_its_errors_come_back_whole(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    assert asyncio.run(engine.run(tasks.add, 2, 3, lane=LONG)) == 5
    assert engine.submit(tasks.names, lane=LONG).result() == ["a", "b"]
    elsewhere = engine.submit(tasks.number_of_process, lane=LONG).result()
    assert elsewhere != os.getpid()
    assert engine.submit(tasks.niceness, lane=LONG).result() >= os.nice(0) + 5
    with pytest.raises(InputError) as refused:
        engine.submit(tasks.refuse, lane=LONG).result()
    assert (refused.value.line, refused.value.remedy) == (3, "write something")
    assert str(refused.value) == "trees:3: nothing is there; write something"
    for task, words in ((tasks.recurse, "nested too deeply"), (tasks.run_out, "more memory than there is")):
        with pytest.raises(InputError, match=words):
            engine.submit(task, lane=LONG).result()
    with caplog.at_level(logging.ERROR), pytest.raises(BrokenError):
        engine.submit(tasks.fail, lane=LONG).result()
    assert "ZeroDivisionError: of ours" in caplog.text
    # One worker did all of this, and goes on.
    assert engine.submit(tasks.number_of_process, lane=LONG).result() == elsewhere


def test_what_takes_too_long_is_ended_and_the_next_is_answered(engine: Engine) -> None:
    first = engine.submit(tasks.number_of_process, lane=LONG).result()
    began = time.monotonic()
    with pytest.raises(TookTooLongError, match=r"longer than 1\.5 seconds"):
        engine.submit(tasks.count_for_ever, lane=LONG).result()
    assert time.monotonic() - began < 30  # and not for ever; a busy machine is no fault of ours
    assert not lives(first)
    assert engine.submit(tasks.add, 1, 1, lane=LONG).result() == 2


def test_a_worker_that_is_ended_from_outside_is_replaced(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BrokenError, match="ended from outside"):
        engine.submit(tasks.end, lane=LONG).result()
    assert "ended from outside" in caplog.text
    assert engine.submit(tasks.add, 1, 2, lane=LONG).result() == 3


def test_only_so_much_may_wait(engine: Engine) -> None:
    engine.submit(tasks.add, 0, 0, lane=LONG).result()
    slow = [engine.submit(tasks.sleep, 1.0, lane=LONG, visitor="ann") for _ in range(2)]
    with pytest.raises(TooManyAtOnceError, match="2 requests of yours"):
        engine.submit(tasks.add, 1, 1, lane=LONG, visitor="ann")
    others = [engine.submit(tasks.add, 1, 1, lane=LONG, visitor=name) for name in ("bob", "cid")]
    assert engine.under_way == 4
    with pytest.raises(BusyError, match="4 requests are waiting") as busy:
        engine.submit(tasks.add, 1, 1, lane=LONG, visitor="dot")
    assert not isinstance(busy.value, TooManyAtOnceError)
    assert [one.result() for one in slow] == ["slept", "slept"]
    assert [one.result() for one in others] == [2, 2]
    assert engine.submit(tasks.add, 1, 1, lane=LONG, visitor="ann").result() == 2


def test_what_nobody_waits_for_is_not_done_and_waiting_has_an_end() -> None:
    engine = Engine(limits=Limits(seconds=3, request_seconds=3, waiting_seconds=0.2))
    engine.submit(tasks.add, 0, 0, lane=LONG).result()
    slow = engine.submit(tasks.sleep, 1.5, lane=LONG)
    given_up, late = engine.submit(tasks.count_for_ever, lane=LONG), engine.submit(tasks.add, 1, 1, lane=LONG)
    assert given_up.cancel()
    assert slow.result() == "slept"
    with pytest.raises(BusyError, match="no worker was free"):
        late.result()
    engine.close()


def test_closing_ends_what_is_being_done() -> None:
    engine = Engine(limits=Limits(seconds=60, request_seconds=60))
    worker = engine.submit(tasks.number_of_process, lane=LONG).result()
    running, waiting = engine.submit(tasks.count_for_ever, lane=LONG), engine.submit(tasks.add, 1, 1, lane=LONG)
    time.sleep(0.2)
    engine.close()
    for future in (running, waiting):
        with pytest.raises(BusyError, match="being stopped"):
            future.result()
    assert not lives(worker)
    with pytest.raises(BusyError, match="being stopped"):
        engine.submit(tasks.add, 1, 1, lane=LONG)
    engine.start()  # too late, and nothing happens
    assert not engine.is_ready


def test_closing_while_somebody_has_left_the_queue() -> None:
    engine = Engine(limits=Limits(seconds=60, request_seconds=60))
    engine.submit(tasks.add, 0, 0, lane=LONG).result()
    running, left, waiting = (engine.submit(tasks.count_for_ever, lane=LONG) for _ in range(3))
    time.sleep(0.2)
    assert left.cancel()
    engine.close()
    for future in (running, waiting):
        with pytest.raises(BusyError, match="being stopped"):
            future.result()


def test_the_time_of_a_job_begins_when_its_worker_has_read_what_it_reads_ahead(reading_ahead: Engine) -> None:
    process = reading_ahead.submit(tasks.number_of_process, lane=LONG).result()
    time.sleep(2.0)
    began = time.monotonic()
    both = [reading_ahead.submit(tasks.number_of_process, lane=LONG) for _ in range(2)]  # one waits for the other
    assert [one.result() for one in both] == [process, process]
    assert time.monotonic() - began > 2.0  # longer than a job may take, or may wait


def test_a_worker_that_is_never_through_with_reading_ahead(
    reading_ahead: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = reading_ahead.submit(tasks.number_of_process, lane=LONG).result()
    time.sleep(2.0)
    monkeypatch.setattr("fergus.web.engine.START_SECONDS", 0.1)
    with pytest.raises(BrokenError, match=r"not through with reading ahead after 0\.1 seconds"):
        reading_ahead.submit(tasks.add, 1, 1, lane=LONG).result()
    assert not lives(process)


def test_the_log_tells_why_a_worker_is_not_ready_yet(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("fergus.web.engine.PATIENCE_SECONDS", 0.001)
    assert engine.submit(tasks.add, 1, 1, lane=LONG).result() == 2
    assert "a worker is not ready yet; the first time after an installation it compiles code" in caplog.text


def test_a_worker_that_starts_too_late_gives_nobody_the_answer_of_another(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("fergus.web.engine.PATIENCE_SECONDS", 0.001)
    monkeypatch.setattr("fergus.web.engine.START_SECONDS", 0.001)
    engine = Engine(limits=LIMITS)
    with pytest.raises(BusyError, match="no worker could be started"):
        engine.submit(tasks.add, 1, 1, lane=LONG).result()
    assert "it took too long to start" in caplog.text
    monkeypatch.setattr("fergus.web.engine.START_SECONDS", 60.0)
    with contextlib.suppress(BusyError):  # the second start may have been under way before that
        engine.submit(tasks.add, 2, 2, lane=LONG).result()
    assert [engine.submit(tasks.add, one, one, lane=LONG).result() for one in (3, 4, 5)] == [6, 8, 10]
    engine.close()


def test_a_worker_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(process: object) -> None:
        raise OSError("no room for another process")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    engine = Engine(limits=LIMITS)
    for _ in range(2):
        with pytest.raises(BusyError, match="no worker could be started"):
            engine.submit(tasks.add, 1, 1, lane=LONG).result()
    assert "it cannot be started (no room for another process)" in caplog.text
    engine.close()


def test_an_answer_that_cannot_be_read(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(BrokenError, match="could not be taken"):
        engine.submit(tasks.unreadable, lane=LONG).result()
    assert engine.submit(tasks.add, 1, 1, lane=LONG).result() == 2


def test_a_model_that_cannot_be_read_is_told_to_whoever_asks_for_it(caplog: pytest.LogCaptureFixture) -> None:
    engine = Engine(models={"a": "nowhere.fergus"})
    assert engine.state == "starting"
    engine.start()
    assert engine.submit(tasks.add, 1, 1, lane=QUICK).result() == 2
    assert engine.state == "failed"
    assert "nowhere.fergus: there is no such model file" in caplog.text
    engine.close()


def test_errors_of_limits_name_their_field() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(LimitError("too many trees", "trees")))
    assert (str(error), error.field) == ("too many trees", "trees")
    assert issubclass(TookTooLongError, FergusError)
