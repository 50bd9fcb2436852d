"""The sentences of text files, for the language model: read as they are needed, counted as they go by."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from fergus.cli.progress import Report
from fergus.errors import InputError

COMPRESSED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}
REPORTED_EVERY = 1000


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
