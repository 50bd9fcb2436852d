"""Files of text through a parser in passages of bounded size, in order, in this process or in several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from fergus.cluster.chunks import chunked
from fergus.cluster.processes import Processes
from fergus.core.tree import OrderedTree
from fergus.errors import InputError
from fergus.exchange.passages import Passage, passages_of, trees_of

if TYPE_CHECKING:
    from fergus.treebank.parse import Parser

PARAGRAPHS_A_CHUNK = 20


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
            yield from passages_of(stream, "<stdin>" if file == "-" else file, given)


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
