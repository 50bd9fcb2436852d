"""Files that go along: named on one machine, there to be read on every other that is sent them."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

_BELOW: ContextVar[str | None] = ContextVar("_BELOW", default=None)


class Carried:
    """A file, or the files of a folder; a copy that arrives elsewhere is a path under the same name there.

    The bytes are read when it is sent. They are removed where they arrived when nothing needs them any more.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.path.is_dir():
            return _arrived, (self.path.name, self.path.read_bytes())
        files = {file.name: file.read_bytes() for file in sorted(self.path.iterdir()) if file.is_file()}
        return _arrived, (self.path.name, files)


def carried_file(name: str) -> str | Carried:
    """What goes along if there is a file of that name; else the name, which the other machine knows as well."""
    path = Path(name)
    return Carried(path) if path.is_file() else name


@contextmanager
def arriving_below(folder: str) -> Iterator[None]:
    """Files that arrive meanwhile are put into this folder, which is removed with whatever it belongs to."""
    token = _BELOW.set(folder)
    try:
        yield
    finally:
        _BELOW.reset(token)


def _arrived(name: str, content: bytes | Mapping[str, bytes]) -> Carried:
    folder = Path(tempfile.mkdtemp(prefix="fergus-", dir=_BELOW.get()))
    place = folder / (name or "folder")
    if isinstance(content, bytes):
        place.write_bytes(content)
    else:
        place.mkdir()
        for inner, own in content.items():
            (place / inner).write_bytes(own)
    carried = Carried(place)
    weakref.finalize(carried, shutil.rmtree, folder, ignore_errors=True)
    return carried
