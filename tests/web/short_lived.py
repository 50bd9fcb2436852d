"""What processes behind one port do in tests; in a module of its own, which is quickly imported."""

from __future__ import annotations

import signal
import threading
from multiprocessing.connection import Connection

from fergus.web.processes import when_parent_ends


def end_at_once(own: object, life: Connection) -> None:
    raise SystemExit(3)


def wait_for_parent(own: object, life: Connection) -> None:
    ended = threading.Event()
    when_parent_ends(life, ended.set)
    ended.wait()


def ignore_signals(own: object, life: Connection) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        signal.pause()
