"""A command in a process of its own that has begun to write, to be interrupted."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path


def begun(command: list[str], *, folder: Path, writes: str = "out.txt") -> subprocess.Popen[bytes]:
    """Start a command that writes a file in a folder, and wait until something of it is there."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Whoever runs the tests in the background ignores Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    deadline = time.monotonic() + 60
    try:
        while not any(path.stat().st_size for path in folder.glob(f".{writes}.*")):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
    except BaseException as error:
        process.kill()
        error.add_note(process.communicate()[1].decode())
        raise
    return process
