"""The one way a function of ours is compiled: numba, cached on disk, no fast-math, so that results repeat."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile ``function`` on first call and keep the machine code for the next process.

    It is compiled once for every combination of argument types, and -1 is of another type than a variable: callers
    in compiled code pass ``np.int64(-1)``. Arrays are copied by loops there: slices and rows compile for seconds.
    """
    result: F = njit(cache=True, nogil=True)(function)  # type: ignore[assignment]
    return result


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether an earlier process has left machine code of a compiled function, for whatever types."""
    dispatcher: Any = function
    if not hasattr(dispatcher, "stats"):  # NUMBA_DISABLE_JIT: there is nothing to compile
        return True
    code = dispatcher.py_func.__code__
    name = f"{Path(code.co_filename).stem}.{dispatcher.__qualname__}-{code.co_firstlineno}"
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    return any(Path(dispatcher.stats.cache_path).glob(f"{name}.{version}*.nbi"))
