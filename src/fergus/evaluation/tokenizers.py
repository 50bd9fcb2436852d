"""How plain text becomes tokens: it has spaces between them already, or sacreBLEU's tokenizers, or the parser's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from fergus.errors import InputError
from fergus.metrics.base import Tokenization
from fergus.treebank.parse import Parser

_SACREBLEU = {
    "13a": "tokenizer_13a:Tokenizer13a",
    "intl": "tokenizer_intl:TokenizerV14International",
    "zh": "tokenizer_zh:TokenizerZh",
    "char": "tokenizer_char:TokenizerChar",
}
TOKENIZERS = ("spaces", *_SACREBLEU, "parser")


def tokenization(name: str, *, lowercase: bool = False, parser: Callable[[], Parser] | None = None) -> Tokenization:
    """The tokenization of that name.

    >>> tokenization("13a").tokens("No cost, Sir.")
    ('No', 'cost', ',', 'Sir', '.')
    """
    if name == "spaces":
        return Tokenization(lowercase=lowercase)
    if name in _SACREBLEU:
        module, _, class_name = _SACREBLEU[name].partition(":")
        tokenizer: Callable[[str], str] = getattr(import_module(f"sacrebleu.tokenizers.{module}"), class_name)()
        return Tokenization(name, lambda text: tokenizer(text).split(), lowercase)
    if name == "parser" and parser is not None:
        loaded = parser()

        def split(text: str) -> Sequence[str]:
            return loaded.tokenize(text)

        return Tokenization(loaded.signature, split, lowercase)
    raise InputError(f"there is no tokenizer {name!r}", remedy=f"use one of {', '.join(TOKENIZERS)}")
