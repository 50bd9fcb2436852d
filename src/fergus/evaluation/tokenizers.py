"""How plain text becomes tokens in an evaluation: as the metrics have it, or by the parser that makes the trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fergus.errors import InputError
from fergus.metrics.tokenization import NAMED, Tokenization, named_tokenization
from fergus.treebank.parse import Parser

TOKENIZERS = (*NAMED, "parser")


def tokenization(name: str, *, lowercase: bool = False, parser: Callable[[], Parser] | None = None) -> Tokenization:
    """The tokenization of that name; ``parser`` loads the parser, whose words the tokens then are."""
    if name not in TOKENIZERS:
        raise InputError(f"there is no tokenizer {name!r}", remedy=f"use one of {', '.join(TOKENIZERS)}")
    if name != "parser":
        return named_tokenization(name, lowercase=lowercase)
    if parser is None:
        raise InputError("tokens by the parser, but no parser", remedy="name a parser")
    loaded = parser()

    def split(text: str) -> Sequence[str]:
        return loaded.tokenize(text)

    return Tokenization(loaded.signature, split, lowercase)
