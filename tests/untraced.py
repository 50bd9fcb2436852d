"""What coverage need not follow, as that takes more than twice as long: libraries, oracles, the hundredth example."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
EXAMPLES = 20
"""So many of the examples that hypothesis makes are followed."""


@contextmanager
def tracing(tracer: Any) -> Iterator[None]:
    """Follow with this tracer, or with none, and then as before."""
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        sys.settrace(before)
        _call()  # coverage takes up the frames that are open at the next call, not before


def _call() -> None:
    pass


@contextmanager
def nothing_traced() -> Iterator[None]:
    """Follow nothing, in threads that are begun neither.

    pytest-cov means to do so for ``no_cover``; but in a worker of xdist it has started coverage twice, and when it
    stops the one, the other goes on.
    """
    before = threading.gettrace()
    threading.settrace(None)
    try:
        with tracing(None):
            yield
    finally:
        threading.settrace(before)


def oracle(function: Callable[P, T]) -> Callable[P, T]:
    """Slow and obvious, and not followed while it runs."""
    return tracing(None)(function)


def untraced(module: str, owner: str, method: str) -> None:
    """Do not follow a method of a class of a library."""
    found = getattr(import_module(module), owner)
    original = getattr(found, method)

    @wraps(original)
    def quick(*arguments: Any, **options: Any) -> Any:
        with tracing(None):
            return original(*arguments, **options)

    setattr(found, method, quick)


def import_all(package: str) -> None:
    """Import every module: one that is first imported where nothing is followed would count as never read."""
    for module in walk_packages(import_module(package).__path__, f"{package}."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            with suppress(ImportError):  # of an extra that is not installed
                import_module(module.name)


@contextmanager
def few_examples_traced(test: Any) -> Iterator[None]:
    """Follow the first examples of a test with ``@given``, and not how hypothesis makes them."""
    original: Callable[..., Any] = test.hypothesis.inner_test
    tracer = sys.gettrace()
    done = 0

    @wraps(original)
    def inner(*arguments: Any, **options: Any) -> Any:
        nonlocal done
        done += 1
        with tracing(tracer if done <= EXAMPLES else None):
            return original(*arguments, **options)

    test.hypothesis.inner_test = inner
    try:
        with tracing(None):
            yield
    finally:
        test.hypothesis.inner_test = original
