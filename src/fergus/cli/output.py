"""Where a command's output goes: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from fergus.errors import InputError
from fergus.whole_file import WholeFile


@contextmanager
def output_to(path: Path | None) -> Iterator[BinaryIO]:
    """A stream to write bytes to; after an exception the file is as it was before.

    A path that is there and no ordinary file (``/dev/null``, a named pipe) is written to directly, and a link
    stays a link to the file that is written.
    """
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        file = _opened(path)
    except OSError as error:
        problem, remedy = (
            f"cannot be written ({error.strerror})",
            "give a file that can be written, in a folder that is there",
        )
        raise InputError(problem, path=str(path), remedy=remedy) from None
    with file as stream:
        yield stream


@contextmanager
def folder_at(path: Path) -> Iterator[Path]:
    """A folder to write files into; after an exception one that was not there before, and is empty, is gone again."""
    missing = [one for one in (path, *path.parents) if not one.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _remove_empty(missing)
        problem = f"no folder can be made here ({error.strerror})"
        raise InputError(problem, path=str(path), remedy="give one where you may write") from None
    try:
        yield path
    except BaseException:
        _remove_empty(missing)
        raise


def _remove_empty(folders: Sequence[Path]) -> None:
    for one in folders:
        with suppress(OSError):  # it is not there, or something is in it
            one.rmdir()


def _opened(path: Path) -> BinaryIO | WholeFile:
    if str(path.parent) in ("/dev", "/dev/fd", "/proc/self/fd"):
        return path.open("ab")  # /dev/stdout may lead to an ordinary file, which others are writing to as well
    if path.exists() and not path.is_file():
        return path.open("wb")
    return WholeFile(os.path.realpath(path))


def write_text(text: str, path: Path | None) -> None:
    """Write a text whole."""
    with output_to(path) as stream:
        stream.write(text.encode())
