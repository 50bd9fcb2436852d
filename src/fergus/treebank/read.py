"""Trees from any file or stream, in whatever of the formats it is.

The format is that of the file's name, or else of the first line that is not empty: tabs make it CoNLL-U,
``{`` or ``[`` JSON, ``(`` Penn bracketings, anything else the quick notation. A CoNLL-U file whose name begins
with ``T1-`` or ``T2-`` is input of the surface realization shared tasks, which name their files so.
"""

from __future__ import annotations

import io
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.treebank.bracketed import parse_bracketed
from fergus.treebank.conllu import parse_conllu, read_sentences
from fergus.treebank.conllu_sentences import Item, split_conllu
from fergus.treebank.deep_track import parse_t2
from fergus.treebank.jsontree import parse_json
from fergus.treebank.lines import OnError, Results, trees_only
from fergus.treebank.notation import parse_notation
from fergus.treebank.shallow_track import LIN, PLACE, parse_t1

Parser = Callable[..., Results]
Items = Iterator[Item]

FORMATS: dict[str, Parser] = {
    "conllu": parse_conllu,
    "notation": parse_notation,
    "json": parse_json,
    "bracketed": parse_bracketed,
    "t1": parse_t1,
    "t2": parse_t2,
}
"""The names of the formats; "auto" chooses among them."""

_SUFFIXES = {
    ".conllu": "conllu",
    ".conll": "conllu",
    ".json": "json",
    ".jsonl": "json",
    ".mrg": "bracketed",
    ".ptb": "bracketed",
    ".bracket": "bracketed",
    ".tree": "notation",
    ".notation": "notation",
    ".txt": "notation",
}
_TRACKS = {"T1-": "t1", "T2-": "t2"}
_COMPRESSED = {".gz": "gzip", ".xz": "lzma", ".bz2": "bz2"}
_OBJECT = re.compile(r'\{\s*("|\}|$)')
_PEEKED = 1 << 16
_SPLIT: dict[str, Callable[..., Items]] = {**FORMATS, "conllu": split_conllu}

Where = str | Path | BinaryIO


def read_trees(
    where: Where | Iterable[str | Path],
    *,
    input_format: str = "auto",
    on_error: OnError | None = None,
    path: str = "",
) -> Iterator[OrderedTree]:
    """The trees of a file, a folder, several of these, ``-`` (standard input), or a binary stream.

    The first bad tree is raised as an InputError; with ``on_error`` it is handed over instead and reading
    goes on with the next. ``path`` is the name of a stream for messages. Trees that come without an order
    (notation, JSON) have that of mention, which has no meaning.
    """
    return trees_only(parse_trees(where, input_format=input_format, path=path), on_error=on_error)


def parse_trees(where: Where | Iterable[str | Path], *, input_format: str = "auto", path: str = "") -> Results:
    """The trees of ``read_trees``, with an InputError in the place of every bad one."""
    return read_sentences(split_trees(where, input_format=input_format, path=path))


def split_trees(where: Where | Iterable[str | Path], *, input_format: str = "auto", path: str = "") -> Items:
    """The same, but for sentences of CoNLL-U: they are left to ``read_sentences``, perhaps of another process."""
    if input_format != "auto" and input_format not in FORMATS:
        yield InputError(f'"{input_format}" is no format', remedy=f"use {_legal_formats()}")
        return
    if isinstance(where, str | Path):
        yield from _split_named(where, input_format)
    elif hasattr(where, "read"):
        yield from _split_stream(cast(BinaryIO, where), input_format, path or "<stream>")
    else:
        for item in where:
            yield from _split_named(item, input_format)


def format_of(text: bytes | str, input_format: str = "auto") -> str | None:
    """The format of an input: what is named or, if that is "auto", what its first lines look like; None: like none.

    >>> format_of("saw(I her)"), format_of('{ "form": "saw" }'), format_of("(S (NP I) (VP left))")
    ('notation', 'json', 'bracketed')
    """
    if input_format != "auto":
        return input_format
    start = text.encode("utf-8", "replace") if isinstance(text, str) else text
    text = start[:_PEEKED].decode("utf-8", "replace").removeprefix("\ufeff")
    lines = [line for line in text.split("\n") if line.strip()]
    content = next((line for line in lines if not line.startswith("#")), None)
    if content is None:
        # Nothing but comments so far, which CoNLL-U and the notation have: CoNLL-U's are "# key = value".
        return "conllu" if any(" = " in line for line in lines) else "notation" if lines else None
    if content.count("\t") >= 5:
        return "conllu"
    first = content.lstrip()[0]
    # A brace may also open words to choose from: {buy|purchase}(...).
    if first == "[" or _OBJECT.match(content.lstrip()):
        return "json"
    if first == "(":
        return "bracketed"
    if first.isprintable() and first not in ")]}":
        return "notation"
    return None


def treebank_files(folder: Path) -> list[Path]:
    """The files of a folder, at any depth, whose names are those of a known format, sorted."""
    return sorted(p for p in folder.rglob("*") if _format_of_name(p) is not None and p.is_file())


def open_binary(where: str | Path) -> BinaryIO:
    """The bytes of a file, unpacked if its name says that they are compressed; - is standard input."""
    if str(where) == "-":
        return sys.stdin.buffer
    path = Path(where)
    module = _COMPRESSED.get(path.suffix.lower())
    stream: BinaryIO = import_module(module).open(path) if module else path.open("rb")
    return stream


def name_without_compression(path: Path) -> Path:
    """The name that a file has when it is unpacked."""
    return path.with_suffix("") if path.suffix.lower() in _COMPRESSED else path


def _split_named(where: str | Path, input_format: str) -> Items:
    if str(where) == "-":
        yield from _split_stream(sys.stdin.buffer, input_format, "<stdin>")
        return
    path = Path(where)
    try:
        if path.is_dir():
            files = treebank_files(path)
            if not files:
                remedy = f"use files whose names end in {' '.join(_SUFFIXES)}"
                yield InputError("the folder has no treebank files", path=str(path), remedy=remedy)
            for file in files:
                yield from _split_named(file, input_format)
            return
        stream = open_binary(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        yield InputError(f"the file cannot be read ({reason})", path=str(path), remedy="check the name")
        return
    with stream:
        if input_format == "auto" and name_without_compression(path).suffix.lower() == ".csv":
            remedy = f"give trees in one of the formats {_legal_formats()}"
            yield InputError("this is a table and has no trees", path=str(path), remedy=remedy)
            return
        named = _format_of_name(path) if input_format == "auto" else None
        results = _split_stream(stream, named or input_format, str(path))
        yield from _ordinary(results) if named == "conllu" else results


def _split_stream(stream: BinaryIO, input_format: str, path: str) -> Items:
    if input_format == "auto":
        try:
            start = peek(stream)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            yield InputError(f"the input cannot be read ({error})", path=path, remedy="give a whole file")
            return
        guessed = format_of(start)
        if guessed is None:
            problem = "the format cannot be told" if start.strip() else "the input is empty"
            remedy = f"give a tree in one of the formats {_legal_formats()}"
            yield InputError(problem, path=path, line=1, remedy=remedy)
            return
        results = _SPLIT[guessed](Rejoined(start, stream), path=path)
        yield from _ordinary(results) if guessed == "conllu" else results
    else:
        yield from _SPLIT[input_format](stream, path=path)


def _ordinary(items: Items) -> Items:
    """Sentences of CoNLL-U, unless the first good one has features of the shared tasks' files: they are no words'."""
    is_first = True
    for item in items:
        if is_first and isinstance(first := next(read_sentences([item])), OrderedTree):
            is_first = False
            names = {name for node in first.tree.nodes for name, _ in node.feats or ()}
            if found := names & {LIN, PLACE}:
                problem = (
                    f"{min(found)} is a feature of the shared tasks' files, and this one is not called T1-... or T2-..."
                )
                yield InputError(problem, path=first.tree.source, remedy="give the format: t1, t2 or conllu")
                return
        yield item


class Rejoined(io.RawIOBase):
    """A stream whose first bytes were read already."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self.start, self.rest = start, rest

    def read1(self, size: int = -1) -> bytes:
        """The next bytes, without waiting for more of them than there are."""
        if self.start:
            start, self.start = self.start, b""
            return start
        read: Callable[[int], bytes] = getattr(self.rest, "read1", self.rest.read)
        return read(size)


def peek(stream: BinaryIO) -> bytes:
    """The beginning of the stream up to the end of its first line that is not empty."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    start = b""
    while len(start) < _PEEKED and b"\n" not in start.lstrip():
        data = read(_PEEKED)
        if not data:
            break
        start += data if isinstance(data, bytes) else str(data).encode("utf-8", "surrogatepass")
    return start


def _format_of_name(path: Path) -> str | None:
    found = _SUFFIXES.get(name_without_compression(path).suffix.lower())
    track = _TRACKS.get(path.name[:3].upper())
    return track if found == "conllu" and track else found


def _legal_formats() -> str:
    return ", ".join(chain(FORMATS, ["auto"]))
