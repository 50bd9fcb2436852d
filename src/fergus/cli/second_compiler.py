"""The first sentence after an installation on two cores: a second process compiles what this one needs last.

This one goes through the stages in their order: labels, orders, the search for the best path, text. The other makes a
sentence by a preset whose stages before the search are plain Python, so that it comes to the search at once; when
this one gets there, it finds it compiled. That takes 31 seconds instead of 58.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fergus.cluster.processes import usable_cores

PRESET = "treebank-lr"
# -P: nothing that lies in the user's folder is taken for a package.
COMMAND = (sys.executable, "-P", "-m", "fergus", "realize", "--preset", PRESET, "--quiet", "--tree", "saw(I her)")


@contextmanager
def second_compiler() -> Iterator[None]:
    """While this lasts, a second process compiles, if there is anything to compile and a second core."""
    from fergus.compiled import is_compiled
    from fergus.realize.choose_path import best_paths

    other: subprocess.Popen[bytes] | None = None
    if not is_compiled(best_paths) and usable_cores() > 1:
        quiet = subprocess.DEVNULL
        with suppress(OSError):  # no more processes, no more memory: then without it
            other = subprocess.Popen(COMMAND, stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        if other is not None:
            other.kill()  # what it has compiled so far is kept, each function by itself
            other.wait()
