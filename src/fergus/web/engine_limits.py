"""How much a request may ask of the server, and what is raised when it asks for more."""

from __future__ import annotations

from dataclasses import dataclass

from fergus.errors import FergusError


@dataclass(frozen=True)
class Limits:
    """What one request, one visitor and one process may ask for."""

    body: int = 4 * 1024 * 1024
    """Bytes of a request."""
    trees: int = 2000
    """Trees of a request."""
    nodes: int = 250
    """Nodes of a tree."""
    nbest: int = 50
    """Sentences of a tree."""
    characters: int = 100_000
    """Characters of a text that is parsed."""
    sentences: int = 5000
    """Sentences of a system that is evaluated."""
    systems: int = 10
    samples: int = 10_000
    """Bootstrap samples."""
    seconds: float = 10.0
    """How long a worker may be at one piece of work; then it is ended, whatever it is at, and another one started."""
    request_seconds: float = 60.0
    """How long the pieces of one request may take together, once the first is done."""
    waiting: int = 128
    """Pieces of work that wait for a worker, or are at one."""
    of_one: int = 64
    """Those of them that one visitor may have."""
    waiting_seconds: float = 10.0
    """How long a piece of work waits for a worker."""


class LimitError(FergusError):
    """More than is allowed; the same request will never be answered. ``field`` is what was too much."""

    def __init__(self, problem: str, field: str = "") -> None:
        self.field = field
        super().__init__(problem)

    def __reduce__(self) -> tuple[type[LimitError], tuple[str, str]]:
        """By which it comes back whole from a worker."""
        return type(self), (str(self), self.field)


class TookTooLongError(LimitError):
    """A piece of work took longer than it may; its worker was ended."""


class BusyError(FergusError):
    """There is too much to do just now; ``retry_s`` is when to come back."""

    retry_s = 5


class TooManyAtOnceError(BusyError):
    """One visitor has too much under way."""

    retry_s = 1


class BrokenError(Exception):
    """A mistake of ours in a worker, or a worker that was ended from outside; the log has the traceback."""
