"""The first sentence after an installation on two cores: a second process compiles what this one needs last.

This one goes through the stages in their order: labels, orders, the search for the best path, text. The other asks
for the same sentence by a preset whose stages before the search are plain Python, so that it comes to the search at
once; when this one gets there, it finds it compiled. That takes 27 seconds instead of 44 on two cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

COMMAND = ("realize", "--preset", "treebank-lr", "--quiet", "--tree", "saw(I her)")


@contextmanager
def second_compiler() -> Iterator[None]:
    """While this lasts, a second process compiles, if there is anything to compile and a second core."""
    from fergus.compiled import is_compiled
    from fergus.realize.choose_path import best_paths

    if is_compiled(best_paths) or (os.cpu_count() or 1) < 2:
        yield
        return
    other = subprocess.Popen(
        [sys.executable, "-m", "fergus", *COMMAND],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        other.kill()  # what it has compiled is kept; files are written beside and renamed
        other.wait()
