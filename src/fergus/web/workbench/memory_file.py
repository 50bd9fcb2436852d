"""Uploaded files of sentences, by themselves: they load what evaluates, which the server's process does without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from fergus.evaluation.read import Record, SentenceFile


@dataclass(frozen=True)
class MemoryFile(SentenceFile):
    """A file of sentences that is no file: what was uploaded is never written to disk."""

    content: bytes = b""

    def __iter__(self) -> Iterator[Record]:
        yield from self._records(BytesIO(self.content))
