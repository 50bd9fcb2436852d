"""Pieces of work for tests of the engine: in a module, so that workers find them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from fergus.errors import InputError
from fergus.web.engine_worker import Loaded


def no_preparations() -> list[Callable[[Loaded], object]]:
    return [names]


def slow_preparations() -> list[Callable[[Loaded], object]]:
    """What takes longer than a job may, after the worker is ready."""
    return [names, lambda loaded: sleep(loaded, 4.0)]


def add(loaded: Loaded, first: int, second: int) -> int:
    return first + second


def names(loaded: Loaded) -> list[str]:
    return list(loaded.names)


def number_of_process(loaded: Loaded) -> int:
    return os.getpid()


def niceness(loaded: Loaded) -> int:
    return os.nice(0)


def sleep(loaded: Loaded, seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def count_for_ever(loaded: Loaded) -> None:
    while True:
        pass


def refuse(loaded: Loaded) -> None:
    raise InputError("nothing is there", path="trees", line=3, remedy="write something")


def fail(loaded: Loaded) -> None:
    raise ZeroDivisionError("of ours")


def recurse(loaded: Loaded) -> None:
    recurse(loaded)


def run_out(loaded: Loaded) -> None:
    raise MemoryError


def end(loaded: Loaded) -> None:
    os._exit(3)


class Unreadable:
    """Can be sent, and not be read again."""

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return int, ("no number",)


def unreadable(loaded: Loaded) -> Unreadable:
    return Unreadable()
