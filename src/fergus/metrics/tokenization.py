"""How text becomes tokens: it has spaces between them already, or one of sacreBLEU's tokenizers makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

from fergus.errors import InputError
from fergus.metrics.segment import Sentence

_SACREBLEU = {
    "13a": "tokenizer_13a:Tokenizer13a",
    "intl": "tokenizer_intl:TokenizerV14International",
    "zh": "tokenizer_zh:TokenizerZh",
    "char": "tokenizer_char:TokenizerChar",
}
NAMED = ("spaces", *_SACREBLEU)


@dataclass(frozen=True)
class Tokenization:
    """How text becomes tokens, with the name that stands in signatures."""

    name: str = "spaces"
    """``spaces``: the text has a space between tokens already."""
    split: Callable[[str], Sequence[str]] = str.split
    lowercase: bool = False

    def tokens(self, text: str) -> tuple[str, ...]:
        """The tokens of a sentence, in their case: a parser will want it."""
        return tuple(self.split(text))

    def cased(self, sentence: Sentence) -> Sentence:
        """The sentence as it is compared."""
        if not self.lowercase:
            return sentence
        return replace(sentence, tokens=tuple(token.lower() for token in sentence.tokens))

    @property
    def signature(self) -> dict[str, str]:
        """What a signature says of it."""
        return {"case": "lower" if self.lowercase else "mixed", "tok": self.name}


SPACES = Tokenization()


def named_tokenization(name: str, *, lowercase: bool = False) -> Tokenization:
    """The tokenization of that name.

    >>> named_tokenization("13a").tokens("No cost, Sir.")
    ('No', 'cost', ',', 'Sir', '.')
    """
    if name == "spaces":
        return Tokenization(lowercase=lowercase)
    if name not in _SACREBLEU:
        raise InputError(f"there is no tokenizer {name!r}", remedy=f"use one of {', '.join(NAMED)}")
    module, _, class_name = _SACREBLEU[name].partition(":")
    tokenizer: Callable[[str], str] = getattr(import_module(f"sacrebleu.tokenizers.{module}"), class_name)()
    return Tokenization(name, lambda text: tokenizer(text).split(), lowercase)
