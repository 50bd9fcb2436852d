"""A server of one's own: ``fergus serve`` in another process, on a free port of this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from fergus.errors import FergusError

HOST = "127.0.0.1"
START_SECONDS, STOP_SECONDS = 30.0, 15.0


class LocalServer:
    """``fergus serve`` on a study and a database; may be killed and started again, on the same port."""

    def __init__(self, study: Path, database: str | Path, *, log: Path, options: Sequence[str] = ()) -> None:
        self.port = free_port()
        self.log = log
        self._command = [
            sys.executable, "-P", "-m", "fergus", "serve", str(study), "--database", str(database),
            "--host", HOST, "--port", str(self.port), "--simulation", "--workbench", "off", *options,
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"http://{HOST}:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process; 0 if it does not run."""
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        """Start it, and return when it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                last = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
                raise FergusError(f"the server did not start: {''.join(last) or 'it says nothing'}")
            time.sleep(0.02)

    def stop(self) -> None:
        """Let it finish what it is doing."""
        self._end(is_hard=False)

    def kill(self) -> None:
        """End it at once, as a power failure would."""
        self._end(is_hard=True)

    def _end(self, *, is_hard: bool) -> None:
        if self._process is None:
            return
        if is_hard:
            self._process.kill()
        else:
            self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:  # somebody keeps a connection open
            self._process.kill()
            self._process.wait()
        self._process = None

    def _answers(self) -> bool:
        # It listens before it answers: only an answer tells that the application is there.
        connection = HTTPConnection(HOST, self.port, timeout=START_SECONDS)
        try:
            connection.request("GET", "/s/-")
            connection.getresponse().read()
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
        return True

    def __enter__(self) -> LocalServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port
