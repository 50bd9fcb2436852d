"""Files that appear only when they are complete: written beside their place, then renamed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import BinaryIO


class WholeFile:
    """A binary file to be written in a ``with`` block; if the block fails, the old file is as it was.

    An OSError when it is made means that nothing can be written in that folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".part")
        self._part, self._stream = Path(name), os.fdopen(handle, "wb")

    def __enter__(self) -> BinaryIO:
        return self._stream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stream.close()
            if kind is None:
                self._part.chmod(0o666 & ~_umask())
                self._part.replace(self.path)
        finally:
            self._part.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)  # it can only be read by setting it
    os.umask(mask)
    return mask
