"""Several server processes behind one port: each has a socket of its own, and one that dies is started again.

The kernel shares out connections among the sockets. The parent holds them all, so that connections that come while a
process is being started again wait for it and are not refused.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType

logger = logging.getLogger(__name__)

Serve = Callable[[socket.socket, Connection], None]
"""What a process does; it ends when there is nothing more to read from its parent."""
QUICK_S = 10.0
"""A process that dies so soon after its start is quick to die."""
WAITS_S = (1.0, 2.0, 4.0)
"""How long it is waited before a quick one is started again, the first time, the second ...; one that dies once more
will not live, and the server is stopped."""
BACKLOG = 2048


@dataclass
class _Child:
    process: BaseProcess
    life: Connection
    """Closed with the parent: by that the child knows."""
    quick: int = 0
    """How many times in a row it was quick to die."""
    began_s: float = field(default_factory=time.monotonic)
    again_s: float | None = None
    """When it is started again; None if it is not known to be dead."""


def sockets_of(listener: socket.socket, number: int) -> list[socket.socket]:
    """So many sockets on the listener's address; where the kernel does not share out connections, one for all."""
    if sys.platform != "linux":
        return [listener] * number
    address, family = listener.getsockname(), listener.family
    listener.close()  # it was bound by itself, which showed that the port was free
    found = []
    for _ in range(number):
        one = socket.socket(family, socket.SOCK_STREAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(address)
        one.listen(BACKLOG)
        found.append(one)
    return found


class Processes:
    """The processes, from their start until somebody stops them."""

    def __init__(self, serve: Serve, sockets: Sequence[socket.socket], *, grace_seconds: float) -> None:
        self.serve, self.sockets, self.grace_seconds = serve, sockets, grace_seconds
        self._children: list[_Child] = []
        self._stop = threading.Event()

    def run(self) -> bool:
        """Serve until a signal says to stop; false if the processes would not live."""
        before = {number: signal.signal(number, self._told_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self._children = [self._begin(one) for one in self.sockets]
            while not self._stop.is_set():
                # Not for ever: a signal sets the event but does not end the waiting.
                living = [child.process.sentinel for child in self._children if child.again_s is None]
                if living:
                    wait(living, timeout=0.5)
                else:
                    time.sleep(0.1)
                if not self._stop.is_set() and not self._replace_dead():
                    return False
            return True
        finally:
            self._end_all()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _told_to_stop(self, number: int, frame: FrameType | None) -> None:
        self._stop.set()

    def _begin(self, own: socket.socket, quick: int = 0) -> _Child:
        theirs, ours = multiprocessing.Pipe(duplex=False)
        # Not daemons: they have workers of their own.
        process = multiprocessing.get_context("spawn").Process(target=self.serve, args=(own, theirs))
        process.start()
        theirs.close()
        return _Child(process, ours, quick)

    def _replace_dead(self) -> bool:
        for number, child in enumerate(self._children):
            if child.process.is_alive():
                continue
            now_s = time.monotonic()
            if child.again_s is None:
                lived_s = now_s - child.began_s
                child.quick = child.quick + 1 if lived_s < QUICK_S else 0
                code = child.process.exitcode
                logger.error("process %s ended after %.0f seconds (code %s)", child.process.pid, lived_s, code)
                if child.quick > len(WAITS_S):
                    return False
                child.life.close()
                child.again_s = now_s + (WAITS_S[child.quick - 1] if child.quick else 0.0)
            if now_s >= child.again_s:
                self._children[number] = self._begin(self.sockets[number], child.quick)
        return True

    def _end_all(self) -> None:
        for child in self._children:
            child.life.close()
            if child.process.is_alive():
                child.process.terminate()
        until_s = time.monotonic() + self.grace_seconds
        for child in self._children:
            child.process.join(max(0.0, until_s - time.monotonic()))
            if child.process.is_alive():
                child.process.kill()
                child.process.join()


def when_parent_ends(life: Connection, end: Callable[[], None]) -> None:
    """Call ``end`` when the parent is gone, however it went."""

    def watch() -> None:
        wait([life])
        end()

    threading.Thread(target=watch, name="fergus-parent", daemon=True).start()
