"""Numbered lines from streams of bytes, whose faults (not UTF-8, too long) are reported and never raised."""

from __future__ import annotations

import codecs
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, TypeVar

from fergus.core.tree import OrderedTree
from fergus.errors import InputError

LINE_LIMIT = 1 << 20
"""The longest line that is read, in bytes: the rest of a longer one is passed over without being kept."""

_BLOCK = 1 << 18

Source = BinaryIO | Iterable[bytes] | Iterable[str]
"""What the readers read: a binary stream, or lines of bytes or text."""

OnError = Callable[[InputError], None]
"""What to do about a bad tree before going on with the next one."""

T = TypeVar("T")


@dataclass(slots=True)
class LineBlock:
    """Some whole lines without their ends; a line in ``faults`` is not what the file has."""

    first: int
    lines: list[str]
    faults: dict[int, InputError] = field(default_factory=dict)


def trees_only(results: Iterable[T | InputError], *, on_error: OnError | None) -> Iterator[T]:
    """The good ones of ``results``; an error is raised, or given to ``on_error`` before going on."""
    for result in results:
        if not isinstance(result, InputError):
            yield result
        elif on_error is None:
            raise result
        else:
            on_error(result)


Results = Iterator[OrderedTree | InputError]
"""What every format's parser yields: the trees of a stream, in order, with the errors where they stood."""


def line_blocks(source: Source, *, path: str = "", remedy: str = "") -> Iterator[LineBlock | InputError]:
    """Blocks of lines as they become available; an InputError, as the last item, if the source breaks off.

    Only line feeds end a line (with or without a carriage return): the other characters that Unicode
    calls line ends occur inside words.
    """
    number, rest, overlong = 1, b"", False
    try:
        for data in _pieces(source):
            head, feed, tail = data.rpartition(b"\n")
            if not feed:
                # Still inside one line: keep no more of it than shows that it is too long.
                overlong = overlong or len(rest) + len(data) > LINE_LIMIT
                rest = rest[:_BLOCK] if overlong else rest + data
                continue
            block = _block(rest + head if not overlong else rest + _after_overlong(head), number, path=path)
            if overlong or len(rest) + len(head) > LINE_LIMIT:
                _mark_overlong(block, overlong, path=path, remedy=remedy)
            number += len(block.lines)
            rest, overlong = tail, False
            yield block
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        problem = f"the input cannot be read on ({error})"
        yield InputError(problem, path=path, line=number, remedy="give a whole file")
        return
    if rest:
        block = _block(rest, number, path=path)
        if overlong:
            _mark_overlong(block, True, path=path, remedy=remedy)
        yield block


def numbered_lines(source: Source, *, path: str = "", remedy: str = "") -> Iterator[tuple[int, str]]:
    """The lines of a source, from 1; the first fault is raised."""
    for block in line_blocks(source, path=path, remedy=remedy):
        if isinstance(block, InputError):
            raise block
        for number, line in enumerate(block.lines, block.first):
            if number in block.faults:
                raise block.faults[number]
            yield number, line


def _pieces(source: Source) -> Iterator[bytes]:
    """The bytes of any source, at most a block at a time, without waiting for a block to fill up."""
    read: Callable[[int], bytes] | None = getattr(source, "read1", None) or getattr(source, "read", None)
    if read is not None:
        while data := read(_BLOCK):
            # A text stream gives text: its bytes are made again, so that there is one way to go.
            yield data if isinstance(data, bytes) else str(data).encode("utf-8", "surrogatepass")
        return
    for line in source:
        data = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
        for start in range(0, len(data), _BLOCK):
            yield data[start : start + _BLOCK]
        if not data.endswith(b"\n"):
            yield b"\n"


def _after_overlong(head: bytes) -> bytes:
    """Drop what is left of an overlong line, keep its end and what follows."""
    _, feed, after = head.partition(b"\n")
    return feed + after


def _block(data: bytes, first: int, *, path: str) -> LineBlock:
    if first == 1:
        data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _block_with_bad_bytes(data, first, path=path)
    if "\r" in text:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    return LineBlock(first, text.split("\n"))


def _block_with_bad_bytes(data: bytes, first: int, *, path: str) -> LineBlock:
    block = LineBlock(first, [])
    for number, raw in enumerate(data.split(b"\n"), first):
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            line = raw.decode(errors="replace")
            problem = f"byte {error.start + 1} of the line (0x{raw[error.start]:02x}) is not valid UTF-8"
            block.faults[number] = InputError(problem, path=path, line=number, remedy=_UTF8)
        block.lines.append(line.removesuffix("\r"))
    return block


_UTF8 = "save the file as UTF-8"


def _mark_overlong(block: LineBlock, first_is: bool, *, path: str, remedy: str) -> None:
    for i, line in enumerate(block.lines):
        if (i == 0 and first_is) or len(line) > LINE_LIMIT or len(line.encode()) > LINE_LIMIT:
            problem = f"the line is longer than {LINE_LIMIT:,} bytes"
            block.faults[block.first + i] = InputError(
                problem, path=path, line=block.first + i, remedy=remedy or "break it up"
            )
            block.lines[i] = line[:80]
