from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator

import pytest

from fergus.errors import InputError
from fergus.treebank.lines import LINE_LIMIT, LineBlock, Source, line_blocks, trees_only


def lines_of(source: Source) -> tuple[list[str], dict[int, InputError]]:
    lines: list[str] = []
    faults: dict[int, InputError] = {}
    for block in line_blocks(source, path="f"):
        assert isinstance(block, LineBlock)
        assert block.first == len(lines) + 1
        lines += block.lines
        faults |= block.faults
    return lines, faults


class Pieces(io.RawIOBase):
    """A stream that gives out its bytes in pieces, as a pipe does."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces

    def read1(self, size: int = -1) -> bytes:
        return next(self.pieces, b"")


@pytest.mark.parametrize(
    "source",
    [
        io.BytesIO(b"a\n\nb c\n"),
        io.BytesIO(b"a\n\nb c"),
        io.BytesIO(b"\xef\xbb\xbfa\r\n\r\nb c\r\n"),
        io.StringIO("a\n\nb c\n"),
        Pieces(iter([b"a", b"\n", b"\nb ", b"c"])),
        ["a", "", "b c"],
        [b"a\n", b"\n", b"b c\n"],
    ],
)
def test_every_kind_of_source(source: Source) -> None:
    assert lines_of(source) == (["a", "", "b c"], {})


def test_only_line_feeds_end_a_line() -> None:
    assert lines_of(io.BytesIO("a\u2028b\x85c\vd\n".encode()))[0] == ["a\u2028b\x85c\vd"]


def test_bad_utf8_is_named_by_line_and_byte() -> None:
    lines, faults = lines_of(io.BytesIO(b"good\r\nab\xffc\ngood\n"))
    assert lines[0] == lines[2] == "good"
    assert str(faults[2]) == "f:2: byte 3 of the line (0xff) is not valid UTF-8; save the file as UTF-8"
    assert list(faults) == [2]


def test_half_a_surrogate_pair_in_text_is_not_utf8() -> None:
    assert list(lines_of(["a", "\ud800"])[1]) == [2]


def test_a_line_of_50_megabytes_is_passed_over_in_little_memory() -> None:
    def pieces() -> Iterator[bytes]:
        yield b"one\n"
        for _ in range(800):
            yield b"x" * 65536
        yield b"\nthree\n"

    tracemalloc.start()
    lines, faults = lines_of(Pieces(pieces()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [len(line) for line in lines] == [3, 80, 5]
    assert str(faults[2]) == "f:2: the line is longer than 1,048,576 bytes; break it up"
    assert peak < 8 * LINE_LIMIT


def test_the_limit_itself_is_allowed() -> None:
    lines, faults = lines_of(io.BytesIO(b"x" * LINE_LIMIT + b"\n" + b"y" * (LINE_LIMIT + 1)))
    assert list(faults) == [2]
    assert len(lines[0]) == LINE_LIMIT


def test_a_long_last_line_without_an_end() -> None:
    assert list(lines_of(io.BytesIO(b"a\n" + b"y" * 3 * LINE_LIMIT))[1]) == [2]


def test_a_source_that_breaks_off() -> None:
    def broken() -> Iterator[bytes]:
        yield b"one\n"
        raise OSError("gone")

    *_, last = line_blocks(Pieces(broken()), path="f")
    assert isinstance(last, InputError)
    assert str(last) == "f:2: the input cannot be read on (gone); give a whole file"


def test_trees_only_raises_or_hands_over() -> None:
    bad = InputError("bad")
    errors: list[InputError] = []
    assert list(trees_only([1, bad, 2], on_error=errors.append)) == [1, 2]
    assert errors == [bad]
    rest = trees_only([1, bad, 2], on_error=None)
    assert next(rest) == 1
    with pytest.raises(InputError, match="bad"):
        next(rest)
