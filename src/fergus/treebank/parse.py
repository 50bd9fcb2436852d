"""Trees for any text: what a dependency parser is to the rest of Fergus, and where one is found.

A parser's words are the nodes of its trees, in the order of the text, and every tree has one root, whatever
the tokens are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from fergus.core.tree import ROOT, OrderedTree
from fergus.errors import InputError, ModelError

DEFAULT_PARSER = "en"
SPACY = "spacy:"
"""What the name of an installed spaCy pipeline begins with."""
EXTRA_ROOT = "dep"
"""The relation of what a parser left without a head: Universal Dependencies' own word for unspecified."""


class Parser(Protocol):
    """A dependency parser with its tokenizer and tagger."""

    @property
    def name(self) -> str:
        """What ``load_parser`` was asked for, without folders."""
        ...

    @property
    def signature(self) -> str:
        """Which model and which program, so that scores can say by what their trees were made."""
        ...

    def parse_tokens(self, sentences: Sequence[Sequence[str]]) -> list[OrderedTree]:
        """One tree a sentence, whose nodes are the tokens: as many, in their order, spelled as they are."""
        ...

    def tag_tokens(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The universal tag of every token, without the cost of a tree."""
        ...

    def parse_line(self, line: str) -> OrderedTree:
        """The tree of one sentence as people write it, which is tokenized but not split further."""
        ...

    def parse_text(self, text: str) -> list[OrderedTree]:
        """The trees of running text; an empty line always ends a sentence."""
        ...

    def tokenize(self, line: str) -> list[str]:
        """The words of one sentence as people write it; none if there is nothing but spaces."""
        ...


def load_parser(name_or_path: str | Path = DEFAULT_PARSER) -> Parser:
    """A shipped parser by its name, a UDPipe model by its path, or ``spacy:NAME``."""
    given = str(name_or_path)
    if given.startswith(SPACY):
        from fergus.treebank.spacy_pipeline import load_spacy

        return load_spacy(given.removeprefix(SPACY))
    from fergus.treebank.udpipe import load_udpipe

    return load_udpipe(find_parser(name_or_path))


def find_parser(name_or_path: str | Path) -> Path:
    """The path of a parser's model: a file that is there, or the name of a shipped one."""
    path = Path(name_or_path)
    if path.is_file():
        return path
    folder = shipped_parsers()
    shipped = folder / f"{name_or_path}.udpipe"
    if path.name == str(name_or_path) and shipped.is_file():
        return shipped
    names = ", ".join(sorted(p.stem for p in folder.glob("*.udpipe"))) or "none"
    raise ModelError(
        f"{name_or_path}: no such parser; give the name of a shipped one ({names}), a file of UDPipe's, "
        f"or {SPACY}NAME for an installed spaCy pipeline"
    )


def shipped_parsers() -> Path:
    """The folder of the models that come with Fergus."""
    return Path(__file__).parent.parent / "models"


def check_not_empty(sentences: Sequence[Sequence[str]]) -> None:
    """A tree has at least one node, so a sentence must have a token."""
    for number, tokens in enumerate(sentences, 1):
        if isinstance(tokens, str):
            raise TypeError(f"sentence {number} is a string; give its tokens, as parser.tokenize has them")
        if not tokens:
            raise InputError(f"sentence {number} has no tokens", remedy="leave empty sentences out")


def join_roots(heads: list[int], deprels: list[str | None]) -> None:
    """Make every root but the first a daughter of the first."""
    if heads.count(ROOT) > 1:
        first = heads.index(ROOT)
        for node in range(first + 1, len(heads)):
            if heads[node] == ROOT:
                heads[node], deprels[node] = first, EXTRA_ROOT


def encodable(text: str) -> str:
    """The text with what UTF-8 cannot hold (halves of surrogate pairs) replaced, and without null characters."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
