"""Where a command's output goes: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fergus.errors import InputError


@contextmanager
def output_to(path: Path | None) -> Iterator[BinaryIO]:
    """A stream to write bytes to; after an exception the file is as it was before.

    A path that is there and no ordinary file (``/dev/null``, a named pipe) is written to directly.
    """
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    direct = path.exists() and not path.is_file()
    name = str(path)
    try:
        if direct:
            handle = os.open(path, os.O_WRONLY)
        else:
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        problem, remedy = f"cannot be written ({error.strerror})", "give a file in a folder that is there"
        raise InputError(problem, path=str(path), remedy=remedy) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        if not direct:
            os.chmod(name, 0o666 & ~_umask())
            Path(name).replace(path)
    except BaseException:
        if not direct:
            Path(name).unlink(missing_ok=True)
        raise


def write_text(text: str, path: Path | None) -> None:
    """Write a text whole."""
    with output_to(path) as stream:
        stream.write(text.encode())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
