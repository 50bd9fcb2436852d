"""The text of the files that grammars are read from; what cannot be read is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fergus.errors import InputError


def read_utf8(path: str | Path) -> str:
    """The text of a file of ours."""
    try:
        return Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: byte {error.start} is the first bad one", path=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from None


def xtag_lines(path: Path) -> Iterator[str]:
    """The lines of a file of XTAG's (Latin-1, no line separators but the newline)."""
    try:
        with path.open(encoding="latin-1", newline="\n") as file:
            for line in file:
                yield line.removesuffix("\n")
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", path=str(path), remedy="give the folder that holds XTAG's files"
        ) from None
