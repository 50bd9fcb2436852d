"""Hypotheses and references from files: plain text, CoNLL-U, JSON lines; and the check that they are parallel.

Plain text has a sentence a line. CoNLL-U brings trees and tags; its syntactic words are the tokens. A line of
JSON is an object with ``tokens`` (a list) or ``text``, and if need be ``order`` (the identifiers of the
reference's nodes, one a token: what ``fergus realize --output json`` writes), ``tags``, ``sent_id``,
``references`` (a list of texts or lists of tokens). Files may be compressed (.gz, .xz, .bz2); - is standard input.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from lzma import LZMAError
from pathlib import Path
from typing import Any, BinaryIO, cast

from fergus.errors import InputError
from fergus.metrics.base import as_sentence
from fergus.metrics.segment import Sentence
from fergus.metrics.tokenization import SPACES, Tokenization
from fergus.treebank.conllu import parse_conllu
from fergus.treebank.lines import numbered_lines
from fergus.treebank.notation import parse_tree
from fergus.treebank.read import Rejoined, name_without_compression, open_binary, peek

FORMATS = ("text", "conllu", "json")
TOKEN_LIMIT = 5000
"""The longest sentence that is scored: alignment takes time and memory of its square."""

_ONE_A_LINE = "put every sentence on a line of its own"
_SUFFIXES = {".conllu": "conllu", ".conll": "conllu", ".json": "json", ".jsonl": "json", ".txt": "text"}


@dataclass(frozen=True)
class Record:
    """One sentence of a file: a hypothesis or a reference, with the references that its line brings along."""

    sentence: Sentence
    identifier: str = ""
    """Its ``sent_id``, if the file has one."""
    references: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class SentenceFile:
    """A file of sentences, read from the beginning whenever it is iterated over.

    The case of letters is kept, since a parser will want it.
    """

    path: str
    file_format: str = "auto"
    tokenization: Tokenization = SPACES

    def __iter__(self) -> Iterator[Record]:
        try:
            stream = open_binary(self.path)
        except OSError as error:
            problem = f"the file cannot be read ({error.strerror or error})"
            raise InputError(problem, path=self.path, remedy="check the name") from None
        with stream:
            yield from self._records(stream)

    @property
    def place(self) -> str:
        """What messages call it."""
        return "standard input" if self.path == "-" else self.path

    @property
    def name(self) -> str:
        """The file's name without its endings: the name of a system, unless it is given one."""
        return "stdin" if self.path == "-" else name_without_compression(Path(self.path)).stem

    def _records(self, stream: BinaryIO) -> Iterator[Record]:
        place = "<stdin>" if self.path == "-" else self.path
        file_format = self.file_format
        source: BinaryIO = stream
        if file_format == "auto":
            file_format = _SUFFIXES.get(name_without_compression(Path(self.path)).suffix.lower(), "auto")
        if file_format == "auto":
            try:
                start = peek(stream)
            except (OSError, EOFError, zlib.error, LZMAError) as error:
                raise InputError(f"the file cannot be read ({error})", path=place, remedy="give a whole file") from None
            file_format, source = _format_of(start), cast(BinaryIO, Rejoined(start, stream))
        records = {"text": self._text, "conllu": self._conllu, "json": self._json}[file_format](source, place)
        for record in records:
            longest = max((record.sentence, *record.references), key=lambda sentence: len(sentence.tokens))
            if len(longest.tokens) > TOKEN_LIMIT:
                raise InputError(
                    f"the sentence has {len(longest.tokens):,} tokens",
                    path=longest.source,
                    remedy=f"at most {TOKEN_LIMIT:,} are scored: put every sentence on a line of its own",
                )
            yield record

    def _text(self, stream: BinaryIO, path: str) -> Iterator[Record]:
        is_first = self.file_format == "auto"
        for number, line in numbered_lines(stream, path=path, remedy=_ONE_A_LINE):
            if is_first and line.strip():
                is_first = False
                if _is_tree(line.strip()):
                    remedy = "give sentences, or trees as CoNLL-U; a sentence has a space before its brackets"
                    raise InputError("this is a tree in the quick notation", path=path, line=number, remedy=remedy)
            yield Record(Sentence(self.tokenization.tokens(line), source=f"{path}:{number}"))

    def _conllu(self, stream: BinaryIO, path: str) -> Iterator[Record]:
        for tree in parse_conllu(stream, path=path):
            if isinstance(tree, InputError):
                raise tree
            yield Record(as_sentence(tree, self.tokenization), dict(tree.tree.metadata).get("sent_id", ""))

    def _json(self, stream: BinaryIO, path: str) -> Iterator[Record]:
        for number, line in numbered_lines(stream, path=path, remedy=_ONE_A_LINE):
            if line.strip():
                yield self._record(line, path, number)

    def _record(self, line: str, path: str, number: int) -> Record:
        def wrong(problem: str, remedy: str) -> InputError:
            return InputError(problem, path=path, line=number, remedy=remedy)

        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            whole = "this is an array, not JSON lines" if line.lstrip().startswith("[") else "this is not JSON"
            raise wrong(f"{whole} ({error})", "write one object a line") from None
        if not isinstance(content, dict):
            raise wrong(f"{_shown(content)} is not an object", 'write {"text": "..."} or {"tokens": ["..."]}')
        source = f"{path}:{number}"
        references: list[Sentence] = []
        given = content.get("references", [])
        if not isinstance(given, list):
            raise wrong(f'"references" is {_shown(given)}', "write a list of texts or of lists of tokens")
        for reference in given:
            tokens = self._tokens(reference)
            if tokens is None:
                raise wrong(f"a reference is {_shown(reference)}", "write a text or a list of tokens")
            references.append(Sentence(tokens, source=source))
        named = next((key for key in ("tokens", "text", "hypothesis", "reference") if key in content), None)
        tokens = self._tokens(content[named]) if named else None
        if tokens is None and named is None and "error" in content:
            tokens = ()  # the generator says that it failed here: an empty hypothesis
        if tokens is None and named is None and references:
            tokens, references = references[0].tokens, references[1:]
        if tokens is None:
            if named:
                raise wrong(f'"{named}" is {_shown(content[named])}', "write a text or a list of tokens")
            keys = ", ".join(f'"{key}"' for key in content) or "nothing"
            raise wrong(f'there is neither "tokens" nor "text" (there is {keys})', 'or name it "hypothesis"')

        def aligned(key: str) -> tuple[str, ...] | None:
            values = content.get(key)
            if values is None:
                return None
            if not isinstance(values, list) or not all(isinstance(value, str | int) for value in values):
                raise wrong(f'"{key}" is {_shown(values)}', "write a list with an entry for every token")
            if len(values) != len(tokens):
                raise wrong(f'"{key}" has {len(values)} entries for {len(tokens)} tokens', "give one for every token")
            return tuple(map(str, values))

        sentence = Sentence(tokens, nodes=aligned("order"), tags=aligned("tags"), source=source)
        identifier = content.get("sent_id", content.get("id"))
        return Record(sentence, "" if identifier is None else str(identifier), tuple(references))

    def _tokens(self, given: Any) -> tuple[str, ...] | None:
        if isinstance(given, str):
            return self.tokenization.tokens(given)
        if isinstance(given, list) and all(isinstance(token, str) for token in given):
            return tuple(given)
        return None


def parallel(files: Sequence[SentenceFile]) -> Iterator[tuple[Record, ...]]:
    """The sentences of all files side by side; an InputError where they part."""
    last: tuple[Record | None, ...] = (None,) * len(files)
    for number, records in enumerate(zip_longest(*files), 1):
        if None in records:
            raise _parting(files, records, last, number)
        named = [(file, record) for file, record in zip(files, records, strict=True) if record.identifier]
        for file, record in named[1:]:
            if record.identifier != named[0][1].identifier:
                raise InputError(
                    f"this is sentence {record.identifier!r}, but sentence {number} of {named[0][0].path} is "
                    f"{named[0][1].identifier!r}",
                    path=record.sentence.source or file.path,
                    remedy="give files with the same sentences in the same order",
                )
        yield records
        last = records


def _parting(
    files: Sequence[SentenceFile],
    records: Sequence[Record | None],
    last: Sequence[Record | None],
    number: int,
) -> InputError:
    short = next(i for i, record in enumerate(records) if record is None)
    longer, record = next((i, record) for i, record in enumerate(records) if record is not None)
    counts = (
        f"{files[short].place} has {number - 1} sentence{'' if number == 2 else 's'}, {files[longer].place} has more"
    )
    after = last[short]
    end = f" after {after.sentence.text[:60]!r}" if after is not None else ""
    return InputError(
        f"{counts}: they part{end}, where {files[longer].place} goes on with {record.sentence.text[:60]!r}",
        path=record.sentence.source or files[longer].place,
        remedy="give one sentence in every file for each sentence, in the same order",
    )


def _format_of(start: bytes) -> str:
    text = start.decode("utf-8", "replace").removeprefix("\ufeff")
    first = next((line for line in text.split("\n") if line.strip()), "")
    if first.startswith("{"):
        return "json"
    return "conllu" if first.count("\t") >= 5 or (first.startswith("# ") and " = " in first) else "text"


def _is_tree(line: str) -> bool:
    """`saw(I her)`, which nobody writes for a sentence; but a single word is one, and `none (not one)`."""
    head, _, _ = line.partition("(")
    try:
        return line.endswith(")") and not head.endswith(" ") and len(parse_tree(line)) > 2
    except InputError:
        return False


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
