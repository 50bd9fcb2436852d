"""The one way a function of ours is compiled: numba, cached on disk, no fast-math, so that results repeat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile ``function`` on first call and keep the machine code for the next process."""
    result: F = njit(cache=True, nogil=True)(function)  # type: ignore[assignment]
    return result
