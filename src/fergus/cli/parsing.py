"""Text through a parser in passages of bounded size, in order, in this process or in several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

from fergus.cluster.chunks import chunked
from fergus.cluster.processes import Processes
from fergus.core.tree import OrderedTree
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.treebank.parse import Parser

LINES_A_PASSAGE = 200
"""Lines that are parsed at once where every line is a sentence."""
LONGEST_PARAGRAPH = 1 << 20
"""Characters of a paragraph that are waited for; a longer one is parsed in parts, cut at the end of a line."""
PARAGRAPHS_A_CHUNK = 20


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of a file that are parsed together, and where they stood."""

    path: str
    first: int
    lines: list[str]


def passages(files: Sequence[str], given: str) -> Iterator[Passage]:
    """The text of files: paragraphs of running text, or some lines of those that are sentences."""
    from fergus.treebank.read import open_binary

    for file in files:
        try:
            stream = open_binary(file)
        except OSError as error:
            problem = f"the file cannot be read ({error.strerror or error})"
            raise InputError(problem, path=file, remedy="check the name") from None
        with stream:
            yield from _passages_of(stream, "<stdin>" if file == "-" else file, given)


def _passages_of(stream: BinaryIO, path: str, given: str) -> Iterator[Passage]:
    from fergus.treebank.lines import numbered_lines

    lines: list[str] = []
    first, size = 1, 0
    is_first = True
    for number, line in numbered_lines(stream, path=path, remedy="put line ends between sentences"):
        if is_first and line.strip():
            is_first = False
            if path.endswith(".conllu") or line.count("\t") >= 5 or line.startswith("# sent_id = "):
                problem = "this is CoNLL-U and not text"
                raise InputError(problem, path=path, line=number, remedy="it has trees already: see fergus convert")
        if given == "text":
            is_whole = not line.strip() or size > LONGEST_PARAGRAPH
        elif not line.strip():
            problem = "the line is empty, and every line must be a sentence"
            raise InputError(problem, path=path, line=number, remedy="remove it, or use --input text")
        else:
            is_whole = len(lines) >= LINES_A_PASSAGE
        if is_whole and lines:
            yield Passage(path, first, lines)
            lines, size = [], 0
        if line.strip():
            if not lines:
                first = number
            lines.append(line)
            size += len(line)
    if lines:
        yield Passage(path, first, lines)


def parsed(texts: Iterable[Passage], *, model: str, given: str, jobs: int = 1) -> Iterator[OrderedTree]:
    """The trees of all passages, in order."""
    if jobs > 1:
        chunks = chunked(texts, PARAGRAPHS_A_CHUNK if given == "text" else 1)
        yield from chain.from_iterable(Processes(jobs).map(Parsing(model, given), chunks))
        return
    from fergus.treebank.parse import load_parser

    parser = load_parser(model)
    for passage in texts:
        yield from trees_of(passage, parser, given)


def trees_of(passage: Passage, parser: Parser, given: str) -> list[OrderedTree]:
    """The trees of one passage."""
    if given == "text":
        return parser.parse_text("\n".join(passage.lines))
    if given == "tokens":
        return parser.parse_tokens([split_tokens(line) for line in passage.lines])
    return [parser.parse_line(line) for line in passage.lines]


def split_tokens(line: str) -> list[str]:
    """The tokens of a line with spaces (or tabs) between them: other white space may be part of a token.

    >>> split_tokens("10\u00a0000  people .")
    ['10\\xa0000', 'people', '.']
    """
    return [token for token in line.replace("\t", " ").split(" ") if token]


@dataclass(frozen=True)
class Parsing:
    """What a worker does; its parser is loaded once, before its first passage."""

    model: str
    given: str

    @cached_property
    def parser(self) -> Parser:
        """The model, loaded."""
        from fergus.treebank.parse import load_parser

        return load_parser(self.model)

    def __call__(self, batch: list[Passage]) -> list[OrderedTree]:
        """Parse a chunk."""
        return [tree for passage in batch for tree in trees_of(passage, self.parser, self.given)]
