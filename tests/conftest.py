"""Fixtures that every package's tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import settings

from tests.untraced import few_examples_traced, import_all, nothing_traced, untraced

# Several workers share the machine: threads of their own for small matrices would only get into each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No time limit for one example: the first call of a compiled function takes seconds.
settings.register_profile("fergus", deadline=None)
settings.load_profile("fergus")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Coverage does not follow a server that a test marked ``no_cover`` starts."""
    with nothing_traced() if _is_marked_no_cover(item) else nullcontext():
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)  # within what pytest-cov does
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Nor the test, and of others the first examples of hypothesis only."""
    test = getattr(item, "obj", None)
    if _is_marked_no_cover(item):
        with nothing_traced():
            return (yield)
    if sys.gettrace() is None or not getattr(test, "is_hypothesis_test", False):
        return (yield)
    with few_examples_traced(test):
        return (yield)


def _is_marked_no_cover(item: pytest.Item) -> bool:
    return item.get_closest_marker("no_cover") is not None or "no_cover" in getattr(item, "fixturenames", ())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Nor does it follow tests of whole treebanks."""
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker("no_cover")


def pytest_collection_finish() -> None:
    """What it follows is ours, and there before the first test, which may not be followed."""
    if sys.gettrace() is not None:
        import_all("fergus")
        untraced("numba.core.dispatcher", "Dispatcher", "compile")
        untraced("matplotlib.figure", "Figure", "savefig")
        untraced("matplotlib.layout_engine", "ConstrainedLayoutEngine", "execute")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The development data; tests that need it are skipped where it is absent."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("FERGUS_DATA") or default)
    if not folder.is_dir():
        pytest.skip(f"the development data is not at {folder} (set FERGUS_DATA)")
    return folder
