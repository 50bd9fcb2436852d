"""What a reader makes of one input: a result and a FergusError are both right, anything else is a finding."""

from __future__ import annotations

import resource
import signal
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from fergus.errors import FergusError
from fuzz.targets import Target

SECONDS = 5.0
"""Of processor time that one small input may take."""
MEMORY = 2 << 30
"""Bytes that a process may use beyond what it has when it begins."""
MINIMISED_SECONDS = 20.0
OURS = f"{Path('src', 'fergus')}/"


class TooSlowError(BaseException):
    """The time is over; no ``except Exception`` may swallow it."""


@dataclass(frozen=True)
class Finding:
    """An input that a reader cannot bear."""

    name: str
    """The error and the function of ours that it came out of: the same mistake has the same name."""
    message: str
    data: bytes


def check(target: Target, data: bytes) -> Finding | None:
    """Give one input to a reader."""
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        target.read(data)
    except FergusError:
        return None
    except (Exception, TooSlowError) as error:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return Finding(_name(error), f"{type(error).__name__}: {error}"[:200], data)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def limit_memory() -> None:
    """Let what asks for too much memory fail with a MemoryError."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def minimised(target: Target, finding: Finding, *, seconds: float = MINIMISED_SECONDS) -> Finding:
    """A shorter input with the same outcome: pieces are left out, half of it first, single bytes last."""
    best, deadline = finding, time.monotonic() + seconds
    size = (len(best.data) + 1) // 2
    while size and time.monotonic() < deadline:
        start = 0
        while start < len(best.data) and time.monotonic() < deadline:
            shorter = check(target, best.data[:start] + best.data[start + size :])
            if shorter is not None and shorter.name == finding.name:
                best = shorter
            else:
                start += size
        size //= 2
    return best


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {SECONDS:g} s")


def _name(error: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if OURS in frame.filename]
    if isinstance(error, RecursionError | TooSlowError | MemoryError):
        frames = frames[:1]  # where it happens to stop says nothing
    place = f"-{Path(frames[-1].filename).stem}-{frames[-1].name}" if frames else ""
    return f"{type(error).__name__}{place}".replace("<", "").replace(">", "")
