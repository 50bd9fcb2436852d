"""A command in a process of its own that has begun to write, to be interrupted."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path


def begun(command: list[str], *, folder: Path) -> subprocess.Popen[bytes]:
    """Start a command that writes ``out.txt`` in a folder, and wait until its first sentences are there."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Whoever runs the tests in the background ignores Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in folder.glob(".out.txt.*")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process
