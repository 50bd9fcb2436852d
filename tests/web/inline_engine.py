"""An engine without processes, for tests of what stands before it: the same work, in threads of this process."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

from fergus.web.engine import Engine
from fergus.web.engine_worker import Loaded


@cache
def loaded() -> Loaded:
    """The shipped model, read once for all tests."""
    return Loaded({"en": "en"})


class InlineEngine(Engine):
    """What goes in and out is pickled, as it is on the way to a worker."""

    state = "ready"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._threads = ThreadPoolExecutor(1)
        self._lock = threading.Lock()
        self.visitors: list[str] = []
        self.lanes: list[str] = []
        self.failing: dict[Callable[..., Any], Exception] = {}

    def submit(  # type: ignore[override]
        self, work: Callable[..., Any], *arguments: Any, lane: str = "quick", visitor: str = ""
    ) -> Future[Any]:
        self.visitors.append(visitor)
        self.lanes.append(lane)
        return self._threads.submit(self._do, pickle.dumps((work, arguments)))

    def _do(self, asked: bytes) -> Any:
        work, arguments = pickle.loads(asked)
        if work in self.failing:
            raise self.failing[work]
        with self._lock:
            try:
                return pickle.loads(pickle.dumps(work(loaded(), *arguments)))
            except Exception as error:
                raise pickle.loads(pickle.dumps(error)) from None
