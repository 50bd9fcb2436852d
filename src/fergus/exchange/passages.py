"""Text in passages of bounded size, and the trees of each: what ``fergus parse`` and the server parse by.

Only line feeds end a line, and only spaces and tabs part tokens: the other white space of Unicode occurs inside both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from fergus.core.tree import OrderedTree
from fergus.errors import InputError

if TYPE_CHECKING:
    from fergus.treebank.parse import Parser

LINES_A_PASSAGE = 200
"""Lines that are parsed at once where every line is a sentence."""
LONGEST_PARAGRAPH = 1 << 20
"""Characters of a paragraph that are waited for; a longer one is parsed in parts, cut at the end of a line."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of a file that are parsed together, and where they stood."""

    path: str
    first: int
    lines: list[str]


def passages_of(stream: BinaryIO, path: str, given: str) -> Iterator[Passage]:
    """Paragraphs of running text (``given`` is "text"), or some of the lines that are sentences ("lines", "tokens")."""
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
            raise InputError(problem, path=path, line=number, remedy="remove it, or give it as running text")
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
