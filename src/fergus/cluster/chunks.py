"""The seam between what is done with a chunk and where it is done.

::

    items ─> chunked ─> chunks ─> Workers.map(work) ─> one result a chunk, in order
                                  Here │ Processes │ DaskWorkers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

CHUNKS_A_WORKER = 3
"""Chunks that wait for each worker, so that none is idle and memory does not grow with the input."""

A = TypeVar("A")
B = TypeVar("B")


class Workers(Protocol):
    """Whoever does the work."""

    def map(self, work: Callable[[A], B], chunks: Iterable[A]) -> Iterator[B]:
        """What ``work`` makes of each chunk, in order, with a bounded number of chunks under way.

        Elsewhere ``work`` is a copy, made once for each worker and used for all of its chunks: what it keeps (a
        loaded model) is there for the next chunk. Whoever stops reading early closes the iterator.
        """
        ...


class Here:
    """This process, one chunk after the other."""

    def map(self, work: Callable[[A], B], chunks: Iterable[A]) -> Iterator[B]:
        """What ``work`` makes of each chunk."""
        return map(work, chunks)


HERE = Here()


def chunked(items: Iterable[A], size: int) -> Iterator[list[A]]:
    """The items in lists of ``size``, the last perhaps shorter.

    >>> list(chunked("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    source = iter(items)
    while some := list(islice(source, size)):
        yield some
