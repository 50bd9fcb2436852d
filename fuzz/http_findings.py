"""What was sent to an address and what came of it: counts, the slowest answer, findings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from fuzz.http_requests import Endpoint, requests
from fuzz.http_target import SECONDS, Request, Served, judged

T = TypeVar("T")
BATCH = 500
"""Requests that are drawn from one seed."""
LOG_SECONDS = 0.05
"""What went wrong may be in the log a little after the answer."""


@dataclass(frozen=True)
class Finding:
    """A mistake of ours, and the first request that showed it."""

    endpoint: str
    words: str
    request: bytes


@dataclass
class Tally:
    """One line of the table."""

    name: str
    group: str
    statuses: Counter[int] = field(default_factory=Counter)
    slowest_s: float = 0.0
    last_status: int = 0
    findings: dict[str, Finding] = field(default_factory=dict)
    """By their words: the same mistake is told once."""

    @property
    def requests(self) -> int:
        """How many were sent."""
        return self.statuses.total()

    def count(self, status: int, seconds: float) -> None:
        """An answer came."""
        self.statuses[status] += 1
        self.last_status = status
        self.slowest_s = max(self.slowest_s, seconds)

    def note(self, words: str, request: bytes) -> None:
        """Something is wrong."""
        self.findings.setdefault(words, Finding(self.name, words, request))


def is_among(name: str, parts: tuple[str, ...]) -> bool:
    """Has the name of an address one of these parts? If there are none, every address is meant."""
    return not parts or any(part in name for part in parts)


def attempt(served: Served, tally: Tally, request: Request) -> None:
    """Send a request and look at the answer, the log and the process."""
    filled = Request(served.filled(request.data), request.is_whole)
    words = ""
    try:
        answer = served.send(filled)
        tally.count(answer.status, answer.seconds)
        words = judged(filled, answer)
    except TimeoutError:
        tally.count(0, SECONDS)
        words = f"no answer in {SECONDS:.0f} seconds"
    except ConnectionError as error:
        words = f"no connection: {error}"
    if not tally.last_status or tally.last_status >= 500:
        time.sleep(LOG_SECONDS)
    if trouble := served.trouble():
        words = f"{words}; {trouble}".removeprefix("; ")
    if words:
        tally.note(words, served.emptied(filled.data))


def fuzz(served: Served, endpoint: Endpoint, *, seconds: float, seed: int, most: int | None = None) -> Tally:
    """Send requests to an address for so long, or so many."""
    tally = Tally(endpoint.name, endpoint.group)
    drawn(requests(endpoint), lambda request: attempt(served, tally, request), seconds=seconds, seed=seed, most=most)
    return tally


def drawn(
    strategy: st.SearchStrategy[T], work: Callable[[T], None], *, seconds: float, seed: int, most: int | None = None
) -> None:
    """Do something with values that a strategy draws, for so long, or so often."""
    until = time.monotonic() + seconds

    @settings(
        max_examples=most or BATCH,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def batch(value: T) -> None:
        if time.monotonic() < until:
            work(value)

    while time.monotonic() < until:
        seeded(seed)(batch)()
        seed += 1
        if most is not None:
            return
