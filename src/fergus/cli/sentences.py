"""The sentences of text files, for the language model: read as they are needed, counted as they go by.

On a cluster, workers split lines into sentences and count their n-grams; only counts come back.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from fergus.cli.progress import Report
from fergus.cluster.chunks import Workers
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.lm.count import NgramCounts

COMPRESSED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}
REPORTED_EVERY = 1000
CHARACTERS_A_CHUNK = 2_000_000
"""Text that is counted at once elsewhere: about 20,000 sentences, whose counts are smaller than themselves."""


class TextFiles:
    """Tokenized sentences of several files, which have one paragraph a line."""

    def __init__(self, paths: Sequence[str], report: Report) -> None:
        self.paths, self.report = paths, report
        self.counts = dict.fromkeys(paths, 0)
        """How many sentences each file had, once it has been read."""

    def __iter__(self) -> Iterator[list[str]]:
        from fergus.lm.tokenize import sentences

        for path in self.paths:
            count = 0
            for sentence in sentences(lines_of(path)):
                count += 1
                yield sentence
                if count % REPORTED_EVERY == 0:
                    self.report(f"reading {Path(path).name}", count, 0)
            self.report(f"reading {Path(path).name}", count, count)
            self.counts[path] = count

    def counted(self, workers: Workers, *, order: int) -> NgramCounts:
        """The n-grams of all files, in small letters, counted by workers."""
        from fergus.lm.count import merge_counts

        of_file = [0] * len(self.paths)  # a path may be named twice

        def parts() -> Iterator[NgramCounts]:
            for file, sentences, counts in workers.map(Counting(order), self._chunks()):
                of_file[file] += sentences
                path = self.paths[file]
                self.counts[path] = of_file[file]
                self.report(f"counting {Path(path).name}", self.counts[path], 0)
                yield counts

        return merge_counts(parts())

    def _chunks(self) -> Iterator[tuple[int, list[str]]]:
        for file, path in enumerate(self.paths):
            lines: list[str] = []
            size = 0
            for line in lines_of(path):
                lines.append(line)
                size += len(line)
                if size >= CHARACTERS_A_CHUNK:
                    yield file, lines
                    lines, size = [], 0
            yield file, lines


@dataclass(frozen=True)
class Counting:
    """What a worker does with the lines of a part of a file."""

    order: int

    def __call__(self, part: tuple[int, list[str]]) -> tuple[int, int, NgramCounts]:
        """The file's number, how many sentences there are, and their n-grams."""
        from fergus.lm.count import count_ngrams
        from fergus.lm.tokenize import sentences

        file, lines = part
        found = list(sentences(lines))
        return file, len(found), count_ngrams(found, order=self.order, lowercase=True)


def lines_of(path: str) -> Iterator[str]:
    """The lines of a file, plain or compressed; what is not UTF-8 is named with its line."""
    module = COMPRESSED.get(Path(path).suffix.lower(), "io")
    line_number = 0
    try:
        with import_module(module).open(path, "rb") as stream:
            for line in stream:
                line_number += 1
                yield line.decode()
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of the line is not valid UTF-8"
        raise InputError(problem, path=path, line=line_number, remedy="save the file as UTF-8") from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        problem = f"the file cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(problem, path=path, line=line_number or None, remedy="give a whole file") from None
